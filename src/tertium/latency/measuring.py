"""From logs to scores: words are cut to segments with their times, and each segment becomes a row."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import PurePosixPath

import numpy as np

from tertium.errors import Argument, InputError, UnknownNameError
from tertium.latency.logs import Instance, Warn
from tertium.latency.measures import AWARE, LONG, MEASURES, SHORT, Degeneracy, Latency, Timed
from tertium.metrics.base import Floats, Metric
from tertium.resegmentation import resegment
from tertium.resegmentation.recordings import Recorded
from tertium.scoring.scores import Scores, Tally


def latency(
    logs: Mapping[str, Sequence[Instance]],
    references: Sequence[str],
    segments: Sequence[Recorded] | None = None,
    measures: Sequence[str] = (),
    *,
    unit: str = "word",
    method: str = "soft",
    language: str | None = None,
    threads: int | None = None,
    warn: Warn = lambda _: None,
) -> Scores:
    """Measure how late words come, by system.

    Without `segments` a log has an instance for each reference. With them it has one for each recording, whose words
    are cut to the segments by a method of resegmentation; streamlaal cuts as mweralign does. A measure whose name ends
    in `-ca` counts the time for computing, too. Where no segment of a system has a value, 0 stands for it, and
    `warn` is told.
    """
    if unit not in ("word", "char"):
        raise InputError(f"unit is {unit!r}, but 'word' or 'char' was expected.")
    if len(logs) == 0 or len(references) == 0:
        raise InputError("There is nothing to measure: give at least one log and one reference.")
    names = list(measures) or [name for name in (SHORT if segments is None else LONG) if name not in ("swf", "efsw")]
    for name in names:
        _check_measure(name, long=segments is not None)
    metrics: dict[str, Metric] = {
        name: (Degeneracy if _plain(name) == "dsptv" else Latency)(name=name, unit=unit) for name in names
    }
    if segments is not None and len(segments) != len(references):
        raise InputError(f"There are {len(segments):,} segments, but {len(references):,} reference lines.")
    tally = Tally(metrics, keep_rows=True)
    rows: dict[str, dict[str, Floats]] = {}
    told: dict[str, str] = {}
    for system, instances in logs.items():
        cuts = {}
        if segments is not None:
            for way in {"mweralign" if _plain(name) == "streamlaal" else method for name in names}:
                cuts[way], told[way] = _cut(system, instances, references, segments, way, unit, language, threads)
        rows[system] = {}
        for name in names:
            way = "mweralign" if _plain(name) == "streamlaal" else method
            found = cuts[way] if segments is not None else _paired(system, instances, references)
            rows[system][name] = _rows(system, name, found, references, unit)
            if not rows[system][name][:, 1].any():
                warn(f"{system}: no segment has a value of {name}, since no words came in time; 0 stands for none.")
    tally.add(rows, documents=None if segments is None else [one.recording for one in segments])
    scores = replace(tally.scores(named=True, reference_count=1), resegmented=told.get(method, told.get("mweralign")))
    return replace(scores, metrics={name: _marked(metric, told) for name, metric in scores.metrics.items()})


def _marked(metric: Metric, told: Mapping[str, str]) -> Metric:
    """Return a measure that has cuts of its own with how they were made."""
    if isinstance(metric, Latency) and _plain(metric.name) == "streamlaal":
        return replace(metric, cut=told["mweralign"])
    return metric


def _plain(name: str) -> str:
    return name.removesuffix(AWARE)


def _check_measure(name: str, *, long: bool) -> None:
    if _plain(name) not in MEASURES:
        raise UnknownNameError.of("measure of latency", name, (*MEASURES, *(one + AWARE for one in MEASURES)))
    if not long and _plain(name) in LONG:
        raise InputError(f"{name} is for recordings that are cut to segments: give the segments, too.")


class _Segment:
    """The words of a segment with their times, from its beginning on."""

    def __init__(self, one: Instance, begin: int, end: int, offset: float, duration: float, rest: float) -> None:
        self.delays = [time - offset for time in one.delays[begin:end]]
        self.elapsed = None if one.elapsed is None else [time - offset for time in one.elapsed[begin:end]]
        self.duration, self.rest = duration, rest


def _paired(system: str, instances: Sequence[Instance], references: Sequence[str]) -> list[_Segment]:
    if len(instances) != len(references):
        raise InputError(
            f"{system} has {len(instances):,} instances, but there are {len(references):,} reference lines. If it is "
            "of whole recordings, give the segments they are cut to: ",
            Argument("segments"),
            ".",
        )
    found = []
    for place, one in enumerate(instances, start=1):
        if not one.length:
            raise InputError(f"{system}: instance {place:,} has no source_length, which latency is measured against.")
        found.append(_Segment(one, 0, len(one.delays), 0.0, one.length, one.length))
    return found


def _cut(
    system: str,
    instances: Sequence[Instance],
    references: Sequence[str],
    segments: Sequence[Recorded],
    method: str,
    unit: str,
    language: str | None,
    threads: int | None,
) -> tuple[list[_Segment], str]:
    """Cut each recording's words to its segments; logs and segments may have other folders for the same file."""
    by_name = {PurePosixPath(one.recording).name: one for one in instances}
    documents = [PurePosixPath(one.recording).name for one in segments]
    recordings = list(dict.fromkeys(documents))
    if len(recordings) != len({one.recording for one in segments}):
        raise InputError("The segments have recordings of one name in several folders. Give each a name of its own.")
    for number, segment in enumerate(segments, start=1):
        if not segment.duration:
            raise InputError(
                f"Segment {number:,}, of {segment.recording}, lasts no time, but latency is measured against that. "
                "Give its duration, or leave it out, there and in the reference."
            )
    if len(by_name) != len(instances) or set(by_name) != set(recordings):
        if len(instances) != len(recordings):
            raise InputError(
                f"{system} has {len(instances):,} recordings, but the segments are of {len(recordings):,}: "
                f"{', '.join(recordings[:3])}, …"
            )
        if "" in by_name:
            raise InputError(f"{system}'s log does not say which recordings it is of: each line needs a source.")
        absent = next((name for name in recordings if name not in by_name), recordings[0])
        raise InputError(f"{system} has no recording called '{absent}'. It has: {', '.join(list(by_name)[:3])}, …")
    joint = "" if unit == "char" else " "
    texts = [joint.join(by_name[name].words) for name in recordings]
    cut = resegment(
        texts, references, documents, method, language=language, hypothesis_documents=recordings, threads=threads
    )
    starts = dict(zip(recordings, accumulate((len(text) + 1 for text in texts), initial=0), strict=False))
    found = []
    for place, name, (begin, end) in zip(segments, documents, cut.boundaries, strict=True):
        one = by_name[name]
        words = np.cumsum([0, *(len(word) + len(joint) for word in one.words)]) + starts[name]
        first, last = np.searchsorted(words, [begin, end]).tolist()
        last = min(last, len(one.words))
        recorded = place.offset + place.duration if one.length is None else one.length
        rest = recorded - place.offset
        found.append(_Segment(one, first, max(last, first), place.offset, place.duration, rest))
    return found, cut.settings


def _rows(system: str, name: str, found: Sequence[_Segment], references: Sequence[str], unit: str) -> Floats:
    timed = []
    for segment, reference in zip(found, references, strict=True):
        times = segment.elapsed if name.endswith(AWARE) else segment.delays
        if times is None:
            raise InputError(f"{system}'s log has no elapsed times, which {name} needs.")
        length = len(reference.replace(" ", "")) if unit == "char" else len(reference.split(" "))
        timed.append(Timed(times, segment.duration, length, segment.rest))
    columns = ("efsw", "swf") if _plain(name) == "dsptv" else (_plain(name),)
    return np.hstack([np.array([(SHORT | LONG)[one](each) for each in timed], np.float64) for one in columns])
