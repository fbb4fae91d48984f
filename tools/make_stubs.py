"""Write src/tertium/_native.pyi from the built module, or with --check say whether it is up to date."""

import ast
import sys
from importlib import import_module
from pathlib import Path

from nanobind.stubgen import StubGen

STUB = Path(__file__).parents[1] / "src" / "tertium" / "_native.pyi"


def stub() -> str:
    """Return what nanobind makes of the module's signatures."""
    module = import_module("tertium._native")
    generator = StubGen(module)
    generator.put(module)
    return str(generator.get())


if __name__ == "__main__":
    made = stub()
    if "--check" not in sys.argv:
        STUB.write_text(made, encoding="utf-8")
    elif ast.dump(ast.parse(STUB.read_text(encoding="utf-8"))) != ast.dump(ast.parse(made)):
        sys.exit(f"{STUB.name} is out of date: run make stubs")
