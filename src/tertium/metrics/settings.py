"""Settings: one line of a metric says what a setting is by default, what it means and what it may be.

    orders: tuple[int, ...] = setting((1, 2, 3, 4), "which n-gram lengths count", whole=(1, 1000))

The check, `tertium metrics`, texts after -m, tuning and the tests all read that line. A field's type is that of the
setting in use: a default of None is what a metric's `resolved` puts something else in place of.
"""

import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from math import inf
from pathlib import Path
from typing import Any, TypeGuard

from tertium.errors import InputError, UnknownNameError

_LARGEST = sys.float_info.max
_LONGEST_NAME, _LONGEST_PATH = 255, 4096  # bytes: what file systems can hold


@dataclass(frozen=True)
class Setting:
    """What one line of a metric says. Ranges include both ends; they are what a kernel can hold."""

    default: Any
    meaning: str = ""
    choices: tuple[str, ...] = ()  # all there are; beside a `check`, what to show of them
    whole: tuple[int, int] | None = None
    number: tuple[float, float] | None = None
    above: bool = False  # the lower end itself is left out
    unlimited: bool = False  # inf, for no limit, is a value too
    several: bool = False  # a tuple of such values, which a text joins with +
    flag: bool = False
    file: bool = False  # the name of a resource, or a file's path
    check: Callable[[str, Any], Any] | None = None  # refuses a value, or returns it in its one form
    read: Callable[[str, str], Any] | None = None  # makes a value of a text, where the rest does not say how
    tuned: tuple[float, float] | None = None  # where tuning looks for better values
    fixed_rows: bool = True  # whether other values make no other rows

    def checked(self, where: str, value: Any) -> Any:
        """Return a value in its one form, if it can be one; None is left alone where it is the default."""
        if value is None and self.default is None:
            return None
        if self.check is not None:
            return self.check(where, value)
        if not self.several:
            return self._one(where, value)
        values = tuple(value) if isinstance(value, Iterable) and not isinstance(value, str | Mapping) else (value,)
        if not values:
            raise self._refused(where, value)
        return tuple(self._one(where, one, value) for one in values)

    def _one(self, where: str, value: Any, given: Any = None) -> Any:
        given = value if given is None else given
        if self.flag:
            if isinstance(value, bool):
                return value
        elif self.number is not None or self.whole is not None:
            if self.unlimited and value == inf:
                return inf
            if self._in_range(value):
                return value if self.whole is not None and not self.unlimited else float(value)
        elif self.choices:
            value = str(value) if is_number(value) else value
            if value not in self.choices:
                raise UnknownNameError.of(f"value of {where}", value, self.choices)
            return value
        elif isinstance(value, str | Path):
            return checked_text(where, str(value))
        raise self._refused(where, given)

    def _in_range(self, value: Any) -> bool:
        low, high = self.whole or self.number or (-inf, inf)
        if not is_number(value) or not low <= value <= high:
            return False
        whole = isinstance(value, int) or (self.unlimited and value == int(value))  # with inf they are floats
        return not (self.above and value == low) and (whole or self.whole is None)

    def _refused(self, where: str, value: Any) -> InputError:
        return InputError(f"{where} must be {self.expected}, not {value!r:.200}.")

    @property
    def expected(self) -> str:
        """What a value must be, in words."""
        if self.flag:
            return "True or False" if self.default is not None else "True, False or None"
        if self.whole is None and self.number is None:
            return "a name or a path"
        low, high = self.whole or self.number or (-inf, inf)
        kind = "whole number" if self.whole is not None else "number"
        kind = f"{kind}s" if self.several else f"a {kind}"
        least, most = (f"{end:,}" if end >= 10_000 else f"{end:g}" for end in (low, high))
        span = f"above {least} and at most {most}" if self.above else f"from {least} to {most}"
        return f"{kind} {span}{', or inf for none' if self.unlimited else ''}"

    def parsed(self, where: str, text: str) -> Any:
        """Return the value that a text stands for; ValueError or KeyError if it stands for none."""
        if text == "default":
            return self.default
        if self.read is not None:
            return self.read(where, text)
        if self.several:
            return tuple(self._parsed(part) for part in text.split("+"))
        return self._parsed(text)

    def _parsed(self, text: str) -> Any:
        if self.flag:
            return {"true": True, "false": False}[text.lower()]
        if self.whole is not None and not self.unlimited:
            return int(text)
        if self.whole is not None or self.number is not None:
            return int(text) if text.lstrip("-").isdecimal() else float(text)
        return text


def setting(default: Any, meaning: str, **rest: Any) -> Any:
    """Declare a setting, a field of a metric's dataclass; `Setting` says what else a line can say."""
    rest.setdefault("flag", isinstance(default, bool))
    rest.setdefault("several", isinstance(default, tuple))
    return field(default=default, metadata={"setting": Setting(default, meaning, **rest)})


def settings_of(metric: type[Any]) -> dict[str, Setting]:
    """Return what the fields of a metric say of themselves; of a plain field what its default says."""
    return {one.name: one.metadata.get("setting") or _plain(one) for one in fields(metric) if one.init}


def _plain(one: Field[Any]) -> Setting:
    default = None if one.default is MISSING else one.default
    first = default[0] if isinstance(default, tuple) and default else default
    whole = (-sys.maxsize, sys.maxsize) if isinstance(first, int) else None
    number = (-_LARGEST, _LARGEST) if isinstance(first, float) else None
    kept = None if isinstance(first, bool | int | float | str) else _as_it_is
    return Setting(
        default, whole=whole, number=number, several=first is not default, flag=isinstance(first, bool), check=kept
    )


def _as_it_is(where: str, value: Any) -> Any:
    return value


def is_number(value: object) -> TypeGuard[float]:
    """Tell whether a value is a number that a double can hold, and no flag."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= _LARGEST


def checked_text(where: str, text: str) -> str:
    """Refuse a text that can be neither a name nor a path."""
    try:
        content = text.encode()
    except UnicodeEncodeError:
        raise InputError(f"{where} is {text!r:.60}: a lone surrogate is no character.") from None
    if not content or b"\0" in content:
        raise InputError(f"{where} is {text!r:.60}, which is neither a name nor a path.")
    if len(content) > _LONGEST_PATH or any(len(part) > _LONGEST_NAME for part in content.split(b"/")):
        raise InputError(f"{where} is {text!r:.60}… with {len(content):,} bytes, which is too long for a path.")
    return text


def written(value: object) -> str:
    """Return a setting's value as it stands in a signature and after -m."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "default"
    if isinstance(value, tuple):
        return "+".join(written(item) for item in value)
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, float):
        return str(value).replace("e+", "e")  # a plus joins the items of a list
    return "custom" if callable(value) else str(value)
