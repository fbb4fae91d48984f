"""A weighted sum of metrics, such as 0.6 CDER + 0.4 PER."""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from tertium.corpus import Segments
from tertium.corpus.segments import TokenSegments
from tertium.errors import InputError
from tertium.metrics.base import Floats, Metric, References, is_number, written
from tertium.metrics.tunable import Tunable

Weighted = Mapping[Metric, float] | Iterable[tuple[Metric, float]]


@dataclass(frozen=True, init=False)
class Combination(Metric):
    """Scores of several metrics on the same text, each times its weight, added up."""

    aggregation: ClassVar[str] = "each metric as it is, then the weighted sum"

    weighted: tuple[tuple[Metric, float], ...]

    def __init__(self, weighted: Weighted) -> None:
        pairs = weighted.items() if isinstance(weighted, Mapping) else weighted
        object.__setattr__(self, "weighted", tuple(_flattened(pairs)))
        self._check()

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

    @property
    def parts_of(self) -> tuple[Metric, ...]:
        """The metrics, in order."""
        return tuple(metric for metric, _ in self.weighted)

    @property
    def weights(self) -> tuple[float, ...]:
        """Their weights."""
        return tuple(weight for _, weight in self.weighted)

    @property
    def name(self) -> str:  # type: ignore[override]
        """The names, joined with a plus."""
        return "+".join(part.name for part in self.parts_of)

    @property
    def higher_is_better(self) -> bool:  # type: ignore[override]
        """As all metrics have it."""
        return self.parts_of[0].higher_is_better

    @property
    def perfect(self) -> float | None:  # type: ignore[override]
        """The weighted sum of perfect scores, if all metrics have one."""
        known = [(part.perfect, weight) for part, weight in self.weighted if part.perfect is not None]
        return sum(weight * value for value, weight in known) if len(known) == len(self.weighted) else None

    @property
    def range(self) -> str:  # type: ignore[override]
        """The metrics' range, if they share one and the weights add up to 1."""
        ranges = {part.range for part in self.parts_of}
        same = len(ranges) == 1 and abs(sum(self.weights) - 1) < 1e-9
        return ranges.pop() if same else "0 and up, by the weights and ranges of the metrics"

    @property
    def source(self) -> str:  # type: ignore[override]
        """The metrics' sources."""
        return "; ".join(dict.fromkeys(part.source for part in self.parts_of))

    @property
    def meanings(self) -> dict[str, str]:  # type: ignore[override]
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

    @property
    def takes_tokens(self) -> bool:
        """As all metrics have it."""
        return self.parts_of[0].takes_tokens

    @property
    def tokenizer(self) -> Hashable | None:
        """What all metrics split texts with, if they agree."""
        return self.parts_of[0].tokenizer if len({part.tokenizer for part in self.parts_of}) == 1 else None

    def segments(
        self, hypotheses: Sequence[Any], references: Sequence[Any]
    ) -> tuple[Segments | TokenSegments, Segments | TokenSegments]:
        """As all metrics have it."""
        return self.parts_of[0].segments(hypotheses, references)

    def rows(self, hypotheses: Segments, references: Segments, *, threads: int) -> Floats:
        """Return the rows of the metrics side by side; tokens that several need are made once."""
        uses = Counter(part.tokenizer for part in self.parts_of if part.tokenizer is not None)
        shared = {tokenizer for tokenizer, count in uses.items() if count > 1}
        ours, theirs = (_sharing(side, shared, threads) for side in (hypotheses, references))
        return np.hstack([part.rows(ours, theirs, threads=threads) for part in self.parts_of])

    def score(self, totals: Floats) -> Floats:
        """Return the weighted sum of the metrics' scores."""
        return np.asarray(
            sum(
                weight * part.score(own) for (part, weight), own in zip(self.weighted, self._split(totals), strict=True)
            )
        )[()]

    def tunables(self) -> dict[str, Tunable]:
        """Return the weights, by number from 1, and what may be tuned of each metric: `2.alpha` of the second."""
        found = {f"weight{number}": Tunable(weight) for number, weight in enumerate(self.weights, 1)}
        return found | {
            f"{number}.{name}": tunable
            for number, part in enumerate(self.parts_of, 1)
            for name, tunable in part.tunables().items()
        }

    def with_values(self, values: Mapping[str, Any]) -> "Combination":
        """Return a combination with other weights, and metrics with other values."""
        return Combination(
            zip(*self._changed(values, lambda part, own: part.with_values(own) if own else part), strict=True)
        )

    def rescored(self, totals: Floats, values: Mapping[str, Any]) -> Floats:
        """Return the sum of the metrics' scores under other values."""
        parts, weights = self._changed(values, lambda part, own: own)
        return np.asarray(
            sum(
                weight * (part.rescored(rows, own) if own else part.score(rows))
                for part, own, weight, rows in zip(self.parts_of, parts, weights, self._split(totals), strict=True)
            )
        )[()]

    def realigned(self) -> "Combination":
        """Return a combination of metrics that make their rows by the values they score with."""
        return Combination(zip((part.realigned() for part in self.parts_of), self.weights, strict=True))

    def _changed(
        self, values: Mapping[str, Any], change: Callable[[Metric, dict[str, Any]], Any]
    ) -> tuple[list[Any], list[float]]:
        own: list[dict[str, Any]] = [{} for _ in self.weighted]
        for name, value in values.items():
            number, dot, setting = name.partition(".")
            if dot:
                own[int(number) - 1][setting] = value
        weights = [float(values.get(f"weight{k}", weight)) for k, weight in enumerate(self.weights, 1)]
        return [change(part, one) for part, one in zip(self.parts_of, own, strict=True)], weights

    def parts(self, totals: Floats) -> dict[str, Floats]:
        """Return each metric's score, and its parts."""
        found: dict[str, Floats] = {}
        names = Counter(part.name for part in self.parts_of)
        for number, (part, own) in enumerate(zip(self.parts_of, self._split(totals), strict=True), 1):
            label = f"{part.name}{number if names[part.name] > 1 else ''}"
            found[label] = part.score(own)
            found |= {f"{label}.{name}": value for name, value in part.parts(own).items()}
        return found

    @property
    def is_fitted(self) -> bool:
        """Whether all metrics are."""
        return all(part.is_fitted for part in self.parts_of)

    def fitted_to(self, references: References) -> "Combination":
        """Return the combination of the fitted metrics."""
        return self._with(lambda part: part.fitted_to(references))

    def with_tokenizer(self, name: str) -> Metric:
        """Return the combination of copies that split texts that way."""
        return self._with(lambda part: part.with_tokenizer(name))

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
        return self._joined([part.settings() for part in self.parts_of])

    def text_settings(self) -> dict[str, str]:
        """Return them with files by their paths."""
        return self._joined([part.text_settings() for part in self.parts_of])

    def _joined(self, by_part: Sequence[dict[str, str]]) -> dict[str, str]:
        settings = {"weights": "+".join(written(weight) for weight in self.weights)}
        for key in dict.fromkeys(key for one in by_part for key in one):
            values = {number: one[key] for number, one in enumerate(by_part, 1) if key in one}
            if len(set(values.values())) == 1 and key != "weights":
                settings[key] = next(iter(values.values()))
            else:
                settings |= {f"{number}.{key}": value for number, value in values.items()}
        return settings

    def _with(self, change: Callable[[Metric], Metric]) -> "Combination":
        return Combination((change(part), weight) for part, weight in self.weighted)

    def _split(self, totals: Floats) -> list[Floats]:
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


def _sharing(side: Segments | TokenSegments, tokenizers: Collection[Hashable], threads: int) -> Any:
    if isinstance(side, TokenSegments) or not tokenizers:
        return side
    return side.sharing(tokenizers, threads)
