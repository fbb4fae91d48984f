"""What an error costs in multidimensional quality metrics (MQM)."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from tertium.errors import Argument, InputError

# Freitag et al. (2021); critical as in the MQM standard's 10, attention tests count nothing.
DEFAULT_WEIGHTS = {
    "major": 5.0,
    "minor": 1.0,
    "critical": 10.0,
    "neutral": 0.0,
    "no-error": 0.0,
    "undecided": 0.0,
    "hotw-test": 0.0,
    "minor/fluency/punctuation": 0.1,
    "*/non-translation": 25.0,
}
# By the task that weighed so. WMT24 forgave what is wrong in the source and what is free on purpose.
NAMED_WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "wmt20": DEFAULT_WEIGHTS,
    "wmt21": DEFAULT_WEIGHTS,
    "wmt22": DEFAULT_WEIGHTS,
    "wmt23": DEFAULT_WEIGHTS,
    "wmt24": {
        **DEFAULT_WEIGHTS,
        "critical": 5.0,
        "*/source-issue": 0.0,
        "*/source-error": 0.0,
        "*/reinterpretation": 0.0,
        "*/creative-reinterpretation": 0.0,
        "*/accuracy/reinterpretation": 0.0,
        "*/accuracy/creative-reinterpretation": 0.0,
    },
}


@dataclass(frozen=True)
class MQMWeights:
    """What an error costs: by its severity, or by severity/category (`*` for any severity); the longest fit counts."""

    weights: Mapping[str, float] = field(default_factory=lambda: DEFAULT_WEIGHTS)

    @classmethod
    def parsed(cls, text: str) -> "MQMWeights":
        """Read weights such as `major:5 minor:1 minor/fluency/punctuation:0.1`; the default ones stay otherwise.

        The name of a task, such as `wmt24`, may stand in front: then it is its weights that stay.
        """
        first, _, rest = text.strip().partition(" ")
        named = first in NAMED_WEIGHTS
        weights = dict(NAMED_WEIGHTS[first] if named else DEFAULT_WEIGHTS)
        for part in (rest if named else text).split():
            name, colon, value = part.rpartition(":")
            if not colon or not re.fullmatch(r"-?\d+(\.\d*)?|\.\d+", value):
                known = ", ".join(NAMED_WEIGHTS)
                raise InputError(
                    f"MQM weights are written severity[/category]:number, not '{part}'; or they have a name: {known}."
                )
            weights[_plain(name)] = float(value)
        return cls(weights)

    @cached_property
    def _cache(self) -> dict[tuple[str, str], float]:
        return {}

    def of(self, severity: str, category: str, where: str) -> float:
        """Return what an error of this severity and category costs."""
        key = (severity, category)
        if key not in self._cache:
            self._cache[key] = self._found(_plain(severity), _plain(category), where)
        return self._cache[key]

    def _found(self, severity: str, category: str, where: str) -> float:
        best, length = None, -1
        for name, weight in self.weights.items():
            first, _, rest = name.partition("/")
            fits = first in (severity, "*") and (not rest or category == rest or category.startswith(f"{rest}/"))
            if fits and len(rest) > length:
                best, length = weight, len(rest)
        if best is None and category in ("no-error", "noerror"):
            return 0.0
        if best is None:
            known = ", ".join(name for name in self.weights if "/" not in name)
            raise InputError(
                f"{where}: an error has the severity '{severity}', which has no weight. Known: {known}. Give its "
                "weight, for example 'trivial:0.1', in ",
                Argument("weights", of="read_judgments"),
                ".",
            )
        return best


def _plain(name: str) -> str:
    return re.sub(r"[\s_]+", "-", name.strip().rstrip("!").lower())
