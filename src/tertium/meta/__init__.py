"""Does a metric agree with people? Here: without asking them, by ORANGE."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tertium.meta.orange_score import Orange, Oranges, orange

# Names are loaded when first used.
_HOMES = {
    "Orange": "orange_score",  # a file called orange would hide the function
    "Oranges": "orange_score",
    "orange": "orange_score",
}

__all__ = ["Orange", "Oranges", "orange"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'tertium.meta' has no attribute '{name}'")
    value = getattr(import_module(f"tertium.meta.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
