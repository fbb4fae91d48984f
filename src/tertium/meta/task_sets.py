"""What a metrics task asks: coefficients at levels, for language pairs, with weights; and WMT's sets of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tertium.meta.coefficients import METHODS

_SHORT = {"segment": "seg", "document": "doc", "system": "sys"}


@dataclass(frozen=True, kw_only=True)
class Task:
    """A coefficient at a level, for language pairs (several: pooled, pairs of systems never mixing them)."""

    level: str
    method: str
    group: str = "none"
    pairs: tuple[str, ...]
    weight: float = 1.0
    as_it_is: bool = False  # not mapped before it is averaged, for all tasks have the same coefficient

    @property
    def name(self) -> str:
        """What it is called in tables."""
        where = self.pairs[0] if len(self.pairs) == 1 else "all"
        return " ".join(part for part in (where, _SHORT.get(self.level, self.level), self.method) if part)

    @property
    def scale(self) -> float:
        """How much a difference of coefficients counts: half, where they start at -1 and are mapped to 0 to 1."""
        return 0.5 if METHODS[self.method].least < 0 and not self.as_it_is else 1.0

    def mapped(self, value: Any) -> Any:
        """Map coefficients that start at -1 to 0 to 1."""
        return (value + 1) / 2 if self.scale < 1 else value

    def unmapped(self, value: float) -> float:
        """Undo that."""
        return 2 * value - 1 if self.scale < 1 else value

    def to_dict(self) -> dict[str, Any]:
        """Return the fields."""
        return {
            "task": self.name, "pairs": list(self.pairs), "level": self.level, "method": self.method,
            "group": self.group, "weight": self.weight,
        }  # fmt: skip


def wmt23(pairs: Sequence[str]) -> tuple[Task, ...]:
    """WMT 2023: pooled accuracy with the weight of all pairs; for each, Pearson of systems and segments, and acc-eq."""
    tasks = [Task(level="system", method="pairwise-accuracy", pairs=tuple(pairs), weight=float(len(pairs)))]
    tasks += [Task(level="system", method="pearson", pairs=(pair,)) for pair in pairs]
    tasks += [Task(level="segment", method="pearson", pairs=(pair,)) for pair in pairs]
    tasks += [Task(level="segment", method="acc-eq", group="item", pairs=(pair,)) for pair in pairs]
    return tuple(tasks)


def wmt24(pairs: Sequence[str]) -> tuple[Task, ...]:
    """WMT 2024 and 2025: for each pair soft pairwise accuracy of systems and acc-eq of segments, all alike."""
    tasks = [Task(level="system", method="soft-pairwise-accuracy", pairs=(pair,)) for pair in pairs]
    tasks += [Task(level="segment", method="acc-eq", group="item", pairs=(pair,)) for pair in pairs]
    return tuple(tasks)


TASKS: dict[str, Callable[[Sequence[str]], tuple[Task, ...]]] = {"wmt23": wmt23, "wmt24": wmt24, "wmt25": wmt24}


def alike(pairs: Sequence[str], level: str, method: str, group: str) -> tuple[Task, ...]:
    """The same coefficient for each language pair, or domain, all weighing the same."""
    return tuple(Task(level=level, method=method, group=group, pairs=(pair,), as_it_is=True) for pair in pairs)
