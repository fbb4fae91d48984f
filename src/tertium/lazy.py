"""Public names that are loaded when they are first used, so that `import tertium` costs nothing.

A package says once where its names live; `make stubs` writes them into an `__init__.pyi`, which is what type checkers
and editors read.
"""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def lazy(package: str, homes: Mapping[str, str]) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of a package; `homes` has the names that each module gives it.

    A module that stands for itself is listed without names.
    """
    home_of = {name: f"{package}.{home}" for home, names in homes.items() for name in names.split()}
    modules = [home for home, names in homes.items() if not names]

    def load(name: str) -> Any:
        if name in modules:
            return import_module(f"{package}.{name}")
        if name not in home_of:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        value = getattr(import_module(home_of[name]), name)
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *home_of, *modules})

    return load, names, sorted(home_of)
