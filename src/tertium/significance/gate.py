"""May it ship? A system against a baseline, by each metric, with a verdict that a build can act on."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from tertium.errors import InputError
from tertium.metrics.names import title
from tertium.results import Result, Shown, Table, interval, number
from tertium.scoring.scores import Scores, Tally
from tertium.significance.baselines import Baseline, KeptMetric, changed_fields
from tertium.significance.comparison import Comparison, compare
from tertium.significance.corrections import adjusted
from tertium.significance.sampling import SEED
from tertium.significance.units import usual_unit

BETTER, SAME, WORSE, UNCLEAR = "better", "same", "worse", "cannot tell"
INCOMPARABLE = "not comparable"
PASS, REGRESSION, NOT_COMPARABLE = 0, 3, 4  # what the command exits with
_BEFORE, _NOW = "baseline", "system"


@dataclass(frozen=True)
class Change:
    """What differs between the baseline and now, so that scores cannot be compared."""

    metric: str | None
    field: str
    baseline: str
    now: str

    def __str__(self) -> str:
        of = f"{self.metric}: " if self.metric else ""
        return f"{of}{self.field} was {self.baseline or 'not there'} and is {self.now or 'not there'}"


@dataclass(frozen=True)
class Check(Result):
    """One metric's verdict. Differences are the system's score minus the baseline's, whichever way the metric counts.

    `detectable` is the difference that a test set like this one shows with a probability of 0.8. Without a baseline,
    `floor` stands for it and nothing is tested.
    """

    metric: str
    higher_is_better: bool
    score: float
    baseline: float | None
    difference: float | None
    low: float | None
    high: float | None
    p_value: float | None
    p_adjusted: float | None
    detectable: float | None
    tolerance: float | None
    floor: float | None
    verdict: str
    reason: str


@dataclass(frozen=True, repr=False)
class Decision(Shown):
    """The verdict on a system, and what it rests on."""

    system: str
    checks: tuple[Check, ...]
    changes: tuple[Change, ...]
    strict: bool
    segments: int
    test: str
    level: float

    @property
    def verdict(self) -> str:
        """The worst of all metrics."""
        if self.changes:
            return INCOMPARABLE
        verdicts = [check.verdict for check in self.checks]
        return next(word for word in (WORSE, UNCLEAR, SAME, BETTER) if word in verdicts)

    @property
    def code(self) -> int:
        """What a command exits with."""
        if self.changes:
            return NOT_COMPARABLE
        failing = (WORSE, UNCLEAR) if self.strict else (WORSE,)
        return REGRESSION if self.verdict in failing else PASS

    def to_dict(self) -> dict[str, Any]:
        """Return what `tertium gate --format json` prints."""
        return {
            "verdict": self.verdict,
            "exit": self.code,
            "system": self.system,
            "segments": self.segments,
            "strict": self.strict,
            "test": self.test,
            "level": self.level,
            "changes": [asdict(change) for change in self.changes],
            "checks": [check.to_dict() for check in self.checks],
        }

    def rows_of_frame(self) -> list[dict[str, Any]]:
        """Return a row for each metric."""
        return [check.to_dict() for check in self.checks]

    def table(self) -> Table:
        """Return the verdict by metric."""
        rows = [
            [title(one.metric), one.verdict, number(one.baseline), number(one.score), interval(one.low, one.high),
             number(one.p_adjusted, 4)]
            for one in self.checks
        ]  # fmt: skip
        heads = ["Metric", "Verdict", "Baseline", "Score", "Interval", "p"]
        return Table(f"{self.system}: {self.verdict}", heads, rows, words=2)


def gate(
    scores: Scores,
    baseline: Baseline | None,
    *,
    references: str = "",
    source: str = "",
    tolerance: Mapping[str, float] | None = None,
    floor: Mapping[str, float] | None = None,
    test: str | None = None,
    level: float = 0.05,
    samples: int = 10_000,
    seed: int = SEED,
    unit: str | None = None,
    strict: bool = False,
    threads: int | None = None,
) -> Decision:
    """Compare the only system of `scores` with a baseline, metric by metric, and say whether it may ship.

    A significant loss is worse, a significant gain better; in between one cannot tell, unless nothing has changed. With
    a tolerance and no test, a loss beyond the tolerance is worse, as it stands; with both, a system whose difference
    surely lies within the tolerance is the same. p-values are corrected for the number of metrics by Holm's method. A
    score on the wrong side of its floor is worse whatever the baseline says.
    """
    if len(scores.systems) != 1:
        raise InputError(f"A gate is for one system, but there are {', '.join(scores.systems)}.")
    tolerance, floor = tolerance or {}, floor or {}
    for given in (tolerance, floor):
        for metric in given:
            if metric not in scores.metrics:
                raise InputError(f"There is no metric called '{metric}'. There are: {', '.join(scores.metrics)}.")
    if baseline is None and set(scores.metrics) - set(floor):
        raise InputError("Without a baseline every metric needs a floor.")
    system = scores.systems[0]
    if baseline is None:
        changes: list[Change] = []
        compared: dict[str, Comparison] = {}
    else:
        changes = changes_since(baseline, scores, references=references, source=source)
        unit = usual_unit(scores, unit)
        compared = {} if changes else _compared(scores, baseline, test, samples, seed, unit, level, threads)
    tested = {label: one.p_value for label, one in compared.items() if test or label not in tolerance}
    corrected = dict(zip(tested, adjusted(list(tested.values()), "holm").tolist(), strict=True)) if tested else {}
    checks = tuple(
        _check(scores, label, compared.get(label), corrected.get(label), tolerance.get(label), floor.get(label), level)
        for label in scores.metrics
        if not changes
    )
    return Decision(
        system or "system",
        checks,
        tuple(dict.fromkeys(changes)),
        strict,
        scores.segment_count,
        test or "randomization",
        level,
    )


def changes_since(baseline: Baseline, scores: Scores, *, references: str, source: str) -> list[Change]:
    """Return why scores cannot be compared with a baseline; nothing if they can."""
    changes = []
    if baseline.segments != scores.segment_count:
        changes.append(Change(None, "segments", f"{baseline.segments:,}", f"{scores.segment_count:,}"))
    for what, was, now in (("references", baseline.references, references), ("source", baseline.source, source)):
        if was != now and (what == "references" or (was and now)):
            changes.append(Change(None, f"the text of {what}", was[:19], now[:19]))
    signatures = scores.signatures
    for label in scores.metrics:
        kept = _kept_for(baseline, label, signatures[label])
        if kept is None:
            changes.append(Change(None, "the list of metrics", ", ".join(baseline.metrics), ", ".join(scores.metrics)))
            continue
        for field, was, now in changed_fields(kept.signature, signatures[label]):
            changes.append(Change(label, field, was, now))
    return [replace(one, metric=None) if one.field in ("tertium", "unicode", "refs") else one for one in changes]


def _kept_for(baseline: Baseline, label: str, signature: str) -> KeptMetric | None:
    """Return a metric of a baseline by its label, else its signature, else its kind: what differs will be said."""
    kind = signature.partition("|")[0].partition(":")[0]
    others = baseline.metrics.values()
    return (
        baseline.metrics.get(label)
        or next((one for one in others if one.signature == signature), None)
        or next((one for one in others if one.signature.partition("|")[0].partition(":")[0] == kind), None)
    )


def _compared(
    scores: Scores, baseline: Baseline, test: str | None, samples: int, seed: int, unit: str, level: float,
    threads: int | None,
) -> dict[str, Comparison]:  # fmt: skip
    """Test the system against the rows of the baseline, as if both had been scored today."""
    rows, signatures = scores.kept_rows, scores.signatures
    assert rows is not None
    (system,) = scores.systems
    kept = {label: _kept_for(baseline, label, signatures[label]) for label in scores.metrics}
    before = {label: one for label, one in kept.items() if one is not None}  # all of them: nothing has changed
    tally = Tally(scores.metrics, keep_rows=True)
    places, names = scores.document_positions, scores.document_names
    documents = None if places is None or names is None else [names[place] for place in places.tolist()]
    tally.add(
        {_BEFORE: {label: one.rows for label, one in before.items()}, _NOW: dict(rows[system])},
        documents=documents,
    )
    both = tally.scores(named=True, reference_count=scores.reference_count)
    _check_kept(both, before)
    found = compare(
        both, test=test or "randomization", samples=samples, seed=seed, unit=unit, level=level, threads=threads
    )
    return {one.metric: one for one in found.comparisons}


def _check_kept(both: Scores, before: Mapping[str, KeptMetric]) -> None:
    """Refuse a baseline whose rows do not give the score that it states."""
    for label, metric in both.metrics.items():
        score, kept = float(metric.score(both.totals[_BEFORE][label])), before[label]
        if not abs(score - kept.score) <= 1e-6 * max(1.0, abs(score)):
            raise InputError(
                f"The baseline is damaged: its rows give {label} {score:.4f}, but it says {kept.score:.4f}. "
                "Remove it, and make a new one."
            )


def _check(
    scores: Scores, label: str, one: Comparison | None, p_adjusted: float | None, tolerance: float | None,
    floor: float | None, level: float,
) -> Check:  # fmt: skip
    metric, (system,) = scores.metrics[label], scores.systems
    score = float(metric.score(scores.totals[system][label]))
    sign = 1.0 if metric.higher_is_better else -1.0
    if one is None:
        verdict, reason = BETTER, "above the floor" if metric.higher_is_better else "below the ceiling"
    else:
        verdict, reason = _verdict(one, sign, p_adjusted, tolerance, level)
    if floor is not None and sign * (score - floor) < 0:
        verdict, reason = WORSE, f"{'below the floor' if sign > 0 else 'above the ceiling'} of {floor:g}"
    return Check(
        metric=label, higher_is_better=metric.higher_is_better, score=score,
        baseline=None if one is None else score - one.difference, difference=None if one is None else one.difference,
        low=None if one is None else one.low, high=None if one is None else one.high,
        p_value=None if one is None else one.p_value, p_adjusted=p_adjusted,
        detectable=None if one is None else one.detectable, tolerance=tolerance, floor=floor, verdict=verdict,
        reason=reason,
    )  # fmt: skip


def _verdict(
    one: Comparison, sign: float, p_adjusted: float | None, tolerance: float | None, level: float
) -> tuple[str, str]:
    gain = sign * one.difference
    low, high = sorted((sign * one.low, sign * one.high))
    if p_adjusted is None:  # a tolerance alone: the difference as it stands
        assert tolerance is not None
        if abs(gain) <= tolerance:
            return SAME, f"within the tolerance of {tolerance:g}"
        return (WORSE if gain < 0 else BETTER), f"beyond the tolerance of {tolerance:g}"
    margin = tolerance or 0.0
    if p_adjusted <= level and abs(gain) > margin:
        beyond = f", and more than {margin:g}" if margin else ""
        return (WORSE if gain < 0 else BETTER), f"p = {p_adjusted:.4f}{beyond}"
    if one.standard_error == 0 and gain == 0:
        return SAME, "no difference in any segment"
    if tolerance is not None and -margin <= low and high <= margin:
        return SAME, f"surely within the tolerance of {margin:g}"
    shows = "" if one.detectable is None else f", this set shows differences of {one.detectable:.3g}"
    return UNCLEAR, f"p = {p_adjusted:.4f}{shows}"
