"""Write the stubs that are made from the code, or with --check say whether they are up to date.

`_native.pyi` has the signatures of the built module; an `__init__.pyi` has the names that a package loads when they
are first used, from where they live, for type checkers and editors.
"""

import ast
import sys
from importlib import import_module
from pathlib import Path

from nanobind.stubgen import StubGen

SOURCES = Path(__file__).parents[1] / "src"
LAZY = ("tertium", "tertium.judgments", "tertium.meta", "tertium.metrics", "tertium.significance")
OWN = {"__version__": "str", "PLACES": "dict[str, str]"}  # what a package holds itself


def native() -> str:
    """Return what nanobind makes of the module's signatures."""
    module = import_module("tertium._native")
    generator = StubGen(module)
    generator.put(module)
    return str(generator.get())


def names(package: str) -> str:
    """Return the names of a package as imports that pass them on."""
    module = import_module(package)
    lines = []
    for home, listed in module.HOMES.items():
        if not listed:
            lines.append(f"from {package} import {home} as {home}")
        lines += [f"from {package}.{home} import {name} as {name}" for name in listed.split()]
    own = [f"{name}: {kind}" for name, kind in OWN.items() if name in vars(module)]
    return f'"""{module.__doc__}"""\n\n' + "\n".join([*lines, "", *own] if own else lines) + "\n"


def stubs() -> dict[Path, str]:
    """Return what each stub has to hold."""
    packages = {SOURCES / package.replace(".", "/") / "__init__.pyi": names(package) for package in LAZY}
    return {SOURCES / "tertium" / "_native.pyi": native()} | packages


if __name__ == "__main__":
    for path, made in stubs().items():
        if "--check" not in sys.argv:
            path.write_text(made, encoding="utf-8")
        elif ast.dump(ast.parse(path.read_text(encoding="utf-8"))) != ast.dump(ast.parse(made)):
            sys.exit(f"{path} is out of date: run make stubs")
