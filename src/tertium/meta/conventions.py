"""What the organisers of a shared task settled for a language pair: its reference, and which outputs are no systems."""

import re
from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True)
class Convention:
    """The standard reference; outputs that are too far from the others; whether other references rank as systems."""

    reference: str
    outliers: frozenset[str] = frozenset()
    humans: bool = False

    def systems(self, outputs: Collection[str], references: Collection[str]) -> tuple[str, ...]:
        """Return the outputs that are ranked."""
        return tuple(
            name
            for name in outputs
            if name != self.reference and name not in self.outliers and (self.humans or name not in references)
        )


_SYNTHETIC = frozenset({"synthetic_ref"})  # written by a language model after the reference

# By test set and language pair, as mt-metrics-eval has them.
CONVENTIONS = {
    ("wmt23", "en-de"): Convention("refA", _SYNTHETIC),
    ("wmt23", "he-en"): Convention("refB", humans=True),
    ("wmt23", "zh-en"): Convention("refA", _SYNTHETIC),
}


def named_references(metric: str, references: Collection[str]) -> tuple[str, tuple[str, ...] | None]:
    """Take a name such as BLEU-refA, COMET-refA.refB or MetricX-QE-src apart: the metric, and what it looked at.

    None: the name does not say.
    """
    plain, _, used = metric.rpartition("-")
    if plain and used == "src":
        return plain, ()
    if plain and used == "all":
        return plain, tuple(references)
    names = tuple(used.split("."))
    if plain and all(name in references or re.fullmatch("ref[A-Za-z]*", name) for name in names):
        return plain, names
    return metric, None
