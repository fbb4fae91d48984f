"""A weighted sum of metrics, such as 0.6 CDER + 0.4 PER."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tertium.corpus import Segments
from tertium.errors import InputError
from tertium.metrics.base import Floats, Metric
from tertium.metrics.composed import Composed
from tertium.metrics.settings import is_number, written

Weighted = Mapping[Metric, float] | Iterable[tuple[Metric, float]]


@dataclass(frozen=True, init=False)
class Combination(Composed):
    """Scores of several metrics on the same text, each times its weight, added up."""

    aggregation = "each metric as it is, then the weighted sum"

    weighted: tuple[tuple[Metric, float], ...]

    def __init__(self, weighted: Weighted) -> None:
        pairs = tuple(_flattened(weighted.items() if isinstance(weighted, Mapping) else weighted))
        object.__setattr__(self, "weighted", pairs)
        object.__setattr__(self, "parts_of", tuple(metric for metric, _ in pairs))
        self._check()
        known = [weight * part.perfect for part, weight in pairs if part.perfect is not None]
        ranges = {part.range for part in self.parts_of}
        same = len(ranges) == 1 and abs(sum(self.weights) - 1) < 1e-9
        self.describe(
            "+".join(part.name for part in self.parts_of),
            perfect=sum(known) if len(known) == len(pairs) else None,
            range=ranges.pop() if same else "0 and up, by the weights and ranges of the metrics",
            source="; ".join(dict.fromkeys(part.source for part in self.parts_of)),
        )

    def _check(self) -> None:
        if len(self.weighted) < 2:
            raise InputError("Combination takes at least two metrics with weights, such as {CDER(): 0.6, PER(): 0.4}.")
        if len(set(self.parts_of)) < len(self.weighted):
            raise InputError("Combination was given one metric twice, with the same settings. Add up its weights.")
        if not any(weight > 0 for _, weight in self.weighted):
            raise InputError("Combination needs a weight above 0.")
        up = [part.name for part in self.parts_of if part.higher_is_better]
        down = [part.name for part in self.parts_of if not part.higher_is_better]
        if up and down:
            raise InputError(
                f"In {', '.join(up)} higher is better, in {', '.join(down)} lower: their sum would mean nothing. "
                "Combine metrics of one direction."
            )
        if len({part.takes_tokens for part in self.parts_of}) > 1:
            raise InputError("Combination's metrics must all take texts, or all lists of tokens.")

    def of(self, parts: Sequence[Metric]) -> "Combination":
        """Return the combination of these metrics with the same weights."""
        return Combination(zip(parts, self.weights, strict=True))

    @property
    def weights(self) -> tuple[float, ...]:
        """The weights of the metrics."""
        return tuple(weight for _, weight in self.weighted)

    @property
    def meanings(self) -> dict[str, str]:
        """Those of the metrics; a setting on which they differ is named with the metric's number."""
        meanings = {"weights": "of each metric in the sum"}
        for number, part in enumerate(self.parts_of, 1):
            for key, meaning in part.meanings.items():
                meanings.setdefault(key, meaning)
                meanings[f"{number}.{key}"] = f"{meaning} (in {part.name})"
        return meanings

    @property
    def columns(self) -> tuple[str, ...]:
        """The metrics' columns side by side, each behind its metric's name."""
        names = Counter(part.name for part in self.parts_of)
        return tuple(
            f"{part.name}{number if names[part.name] > 1 else ''}.{column}"
            for number, part in enumerate(self.parts_of, 1)
            for column in part.columns
        )

    def rows(self, hypotheses: Segments, references: Segments, *, threads: int) -> Floats:
        """Return the rows of the metrics side by side; tokens that several need are made once."""
        uses = Counter(part.tokenizer for part in self.parts_of if part.tokenizer is not None)
        shared = {tokenizer for tokenizer, count in uses.items() if count > 1}
        ours, theirs = (side.sharing(shared, threads) for side in (hypotheses, references))
        return np.hstack([part.rows(ours, theirs, threads=threads) for part in self.parts_of])

    def score(self, totals: Floats) -> Floats:
        """Return the weighted sum of the metrics' scores."""
        return np.asarray(
            sum(weight * part.score(own) for (part, weight), own in zip(self.weighted, self.split(totals), strict=True))
        )[()]

    def parts(self, totals: Floats) -> dict[str, Floats]:
        """Return each metric's score, and its parts."""
        found: dict[str, Floats] = {}
        names = Counter(part.name for part in self.parts_of)
        for number, (part, own) in enumerate(zip(self.parts_of, self.split(totals), strict=True), 1):
            label = f"{part.name}{number if names[part.name] > 1 else ''}"
            found[label] = part.score(own)
            found |= {f"{label}.{name}": value for name, value in part.parts(own).items()}
        return found

    def default(self) -> Metric:
        """Return the combination of the metrics with all settings at their defaults, with equal weights.

        Metrics that differ in their settings alone keep them.
        """
        parts = [part.default() for part in self.parts_of]
        if len(set(parts)) < len(parts):
            parts = list(self.parts_of)
        return Combination((part, 1 / len(parts)) for part in parts)

    def settings(self) -> dict[str, str]:
        """Return the weights and all settings; where metrics differ, each has its own, behind its number."""
        return self.joined([part.settings() for part in self.parts_of])

    def joined(self, by_part: Sequence[dict[str, str]]) -> dict[str, str]:
        """Return the weights and these settings of each metric, those that agree once."""
        settings = {"weights": "+".join(written(weight) for weight in self.weights)}
        for key in dict.fromkeys(key for one in by_part for key in one):
            values = {number: one[key] for number, one in enumerate(by_part, 1) if key in one}
            if len(set(values.values())) == 1 and key != "weights":
                settings[key] = next(iter(values.values()))
            else:
                settings |= {f"{number}.{key}": value for number, value in values.items()}
        return settings

    def split(self, totals: Floats) -> list[Floats]:
        """Return the rows, or sums, of each metric."""
        ends = np.cumsum([len(part.columns) for part in self.parts_of])
        return np.split(self.checked(totals), ends[:-1], axis=-1)


def _flattened(pairs: Iterable[Any]) -> Iterable[tuple[Metric, float]]:
    """Check metrics and weights; a combination inside another is taken apart."""
    for pair in pairs:
        if not isinstance(pair, tuple) or len(pair) != 2 or not isinstance(pair[0], Metric):
            raise InputError(
                f"Combination takes metrics with weights, such as {{CDER(): 0.6, PER(): 0.4}}, not {pair!r}."
            )
        metric, weight = pair
        if not is_number(weight) or weight < 0:
            raise InputError(f"The weight of {metric.name} must be a number of at least 0, not {weight!r}.")
        if isinstance(metric, Combination):
            yield from ((part, float(weight * own)) for part, own in metric.weighted)
        else:
            yield metric, float(weight)
