"""Results for people to look at; `tertium.report(…)` makes the page that compares systems."""

import sys
from types import ModuleType
from typing import Any


class _Callable(ModuleType):
    """The function `tertium.report` and this package have one name: whichever was loaded first, it can be called."""

    def __call__(self, *arguments: Any, **settings: Any) -> Any:
        from tertium.report.notebook import report

        return report(*arguments, **settings)


sys.modules[__name__].__class__ = _Callable
