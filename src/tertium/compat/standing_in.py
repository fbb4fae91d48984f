"""How a stand-in is imported under the name of the original."""

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType


class StandIns(MetaPathFinder, Loader):
    """Finds `NAME` and `NAME.…` in tertium.compat. What is not there is not found: the original's would not fit."""

    def __init__(self, name: str) -> None:
        self.name = name

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return where a module is, if it is one of the program's."""
        if fullname != self.name and not fullname.startswith(f"{self.name}."):
            return None
        if find_spec(f"tertium.compat.{fullname}") is None:
            raise ModuleNotFoundError(
                f"tertium stands in for {self.name}, but has no {fullname}. Import it before tertium.compat.install(), "
                "or do without.",
                name=fullname,
            )
        return ModuleSpec(fullname, self)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Return tertium's module itself, so that both names mean the same classes."""
        return import_module(f"tertium.compat.{spec.name}")

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing: it ran when it was imported."""
        name = module.__name__.removeprefix("tertium.compat.")
        sys.modules[name] = module
