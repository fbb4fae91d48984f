"""The measures: each is a function of when the words of a segment came, and of how long source and reference are.

d are the delays of a segment's n words, in milliseconds since the segment began; X is its duration, Y the reference's
length.

AL    mean of d_i - (i-1) X/Y up to the first word that came after all was heard (Ma et al. 2019)
LAAL  the same with max(n, Y) for Y, so that long output gains nothing (Papi et al. 2022)
AP    sum of d / (X Y) (Cho and Esipova 2016)
DAL   no word takes less time than X/n: with g_i = max(d_i, g_(i-1) + X/n), the mean of g_i - (i-1) X/n (Arivazhagan
      et al. 2019)
YAAL  LAAL over words that came while the source was still heard (Polák et al. 2025): of a segment on its own, before X;
      of one that was cut from a recording, before the recording's end. Without such words there is no value.
SWF, EFSW, DSPTV  words that came before X, in percent; what YAAL lets expect, X - YAAL in percent of X; EFSW - SWF.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from tertium.corpus import Segments
from tertium.errors import InputError
from tertium.metrics.base import Floats, Metric
from tertium.metrics.composed import MeanOfScores
from tertium.metrics.settings import setting


@dataclass(frozen=True)
class Timed:
    """One segment: when its words came, since it began, and the lengths that they are measured against."""

    delays: Sequence[float]
    duration: float
    reference: int  # words or characters
    rest: float  # from the segment's beginning to the recording's end


Row = tuple[float, float]


def _lagging(one: Timed, length: int) -> Row:
    delays, step = one.delays, one.duration / length if length else 0.0
    if not delays:
        return 0.0, 0.0
    if delays[0] > one.duration:
        return delays[0], 1.0
    total = count = 0.0
    for place, delay in enumerate(delays):
        total += delay - place * step
        count += 1
        if delay >= one.duration:
            break
    return total / count, 1.0


def _al(one: Timed) -> Row:
    return _lagging(one, one.reference)


def _laal(one: Timed) -> Row:
    return _lagging(one, max(len(one.delays), one.reference))


def _ap(one: Timed) -> Row:
    if not one.delays or not one.reference:
        return 0.0, 0.0
    return sum(one.delays) / (one.duration * one.reference), 1.0


def _dal(one: Timed) -> Row:
    if not one.delays:
        return 0.0, 0.0
    step = one.duration / len(one.delays)
    total, shown = 0.0, -step
    for place, delay in enumerate(one.delays):
        shown = max(delay, shown + step) if place else delay
        total += shown - place * step
    return total / len(one.delays), 1.0


def _yaal_before(end: float, one: Timed) -> Row:
    length = max(len(one.delays), one.reference)
    step = one.duration / length if length else 0.0
    lags = []
    for place, delay in enumerate(one.delays):
        if delay >= end:
            break
        lags.append(delay - place * step)
    return (sum(lags) / len(lags), 1.0) if lags else (0.0, 0.0)


def _yaal(one: Timed) -> Row:
    return _yaal_before(one.duration, one)


def _long_yaal(one: Timed) -> Row:
    return _yaal_before(one.rest, one)


def _words_while_heard(one: Timed) -> Row:
    return 100.0 * sum(delay < one.duration for delay in one.delays), float(len(one.delays))


def _time_left(one: Timed) -> Row:
    value, there = _yaal(one)
    return (100.0 * max(0.0, one.duration - value), one.duration) if there else (0.0, 0.0)


SHORT: dict[str, Callable[[Timed], Row]] = {
    "yaal": _yaal,
    "al": _al,
    "laal": _laal,
    "ap": _ap,
    "dal": _dal,
    "swf": _words_while_heard,
    "efsw": _time_left,
}
LONG: dict[str, Callable[[Timed], Row]] = {
    "longyaal": _long_yaal,
    "longal": _al,
    "longlaal": _laal,
    "longap": _ap,
    "longdal": _dal,
    "streamlaal": _laal,
}
MEASURES = (*SHORT, "dsptv", *LONG)
AWARE = "-ca"  # behind the name of a measure that counts the time for computing, too


@dataclass(frozen=True, kw_only=True)
class Latency(MeanOfScores):
    """A measure of latency: a value and 1 for each segment that has one."""

    source = "Polák et al. (2025), Papi et al. (2022), Ma et al. (2019), Arivazhagan et al. (2019)"
    range = "milliseconds; ap: a ratio; swf, efsw: percent"
    higher_is_better = False

    name: str
    unit: str = setting("word", "what has a time of its own: word or char")
    cut: str | None = None  # how its segments were cut, if not as those of other measures

    def signature(self, references: int | str | None = None, resegmented: str | None = None) -> str:
        """Return what fixes the value, with the measure's own cuts."""
        return super().signature(references, self.cut or resegmented)

    def short_signature(self, references: int | str | None = None, resegmented: str | None = None) -> str:
        """Return what differs from the defaults, with the measure's own cuts."""
        return super().short_signature(references, self.cut or resegmented)

    def rows(self, hypotheses: Segments, references: Segments, *, threads: int) -> Floats:
        """Refuse: texts do not tell when words came."""
        raise InputError(f"{self.name} needs to know when words came, which texts do not tell: use tertium latency.")

    def default(self) -> Metric:
        """Return the measure on words."""
        return Latency(name=self.name)

    def settings(self) -> dict[str, str]:
        """Return the unit."""
        return {"unit": self.unit}


@dataclass(frozen=True, kw_only=True)
class Degeneracy(Latency):
    """EFSW - SWF: the columns of both, side by side."""

    columns = ("time_left", "source", "words_while_heard", "words")  # type: ignore[assignment]

    def score(self, totals: Floats) -> Floats:
        """Return the difference of the two shares, in percent."""
        totals = self.checked(totals)
        shares = np.divide(totals[..., ::2], totals[..., 1::2], out=np.zeros_like(totals[..., ::2]),
                           where=totals[..., 1::2] > 0)  # fmt: skip
        return (shares[..., 0] - shares[..., 1])[()]

    def parts(self, totals: Floats) -> dict[str, Floats]:
        """Return the columns."""
        return {name: totals[..., place] for place, name in enumerate(self.columns)}

    def default(self) -> Metric:
        """Return the measure on words."""
        return Degeneracy(name=self.name)
