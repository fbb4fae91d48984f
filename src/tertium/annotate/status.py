"""How a study is going: progress, time, checks, agreement, disagreements, and ranks that may be looked at any time."""

import json
import math
import sqlite3
from contextlib import closing
from dataclasses import asdict, dataclass
from typing import Any

from tertium.annotate.study import checks
from tertium.annotate.study.file import Study, get_meta
from tertium.errors import InputError, MissingExtraError
from tertium.judgments import Judgments, agreement, preference_agreement, read_judgments
from tertium.significance.sequences import FEWEST, sequence_interval

FAR = 0.3  # of the scale: two people who differ by more are shown to the organiser
METHOD = (
    "Intervals are 95 % confidence sequences (asymptotic; Waudby-Smith et al. 2024) over finished screens: they hold "
    f"however often you look, and whenever you stop. A system has one from {FEWEST} screens on."
)


@dataclass(frozen=True)
class Worker:
    """One annotator. `passed` and `checks` count degraded copies; `mean` is of the first kind of score."""

    annotator: str
    name: str | None
    done: int
    given: int
    judgments: int
    active_minutes: float
    mean: float | None
    passed: int
    checks: int
    passes: bool
    finished: bool
    closed: bool


@dataclass(frozen=True)
class Standing:
    """One system: the mean of its judgments with its interval, weighted where draws were not even."""

    system: str
    score: float
    low: float | None
    high: float | None
    screens: int


@dataclass(frozen=True)
class Disagreement:
    """Two people who see one output very differently."""

    system: str
    document: str
    segment: int
    first: str
    second: str
    first_score: float
    second_score: float


@dataclass(frozen=True)
class Status:
    """All of it."""

    title: str
    protocol: str
    closed: bool
    screens_done: int
    screens_given: int
    judgments: int
    workers: tuple[Worker, ...]
    standings: tuple[Standing, ...]
    kind: str
    agreements: tuple[dict[str, Any], ...]
    disagreements: tuple[Disagreement, ...]
    method: str = METHOD

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain data; what is not defined is None."""
        found: dict[str, Any] = _defined(asdict(self))
        return found


def _defined(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: _defined(one) for name, one in value.items()}
    return [_defined(one) for one in value] if isinstance(value, list | tuple) else value


def status_of(study: Study) -> Status:
    """Return how a study is going; works while it is served."""
    with closing(study.reader()) as db:
        workers = _workers(db, study)
        totals = db.execute("SELECT COUNT(done), COUNT(*) FROM assignment").fetchone()
        closed = get_meta(db, "closed") is not None
        standings = _standings(db, study)
        disagreements = _disagreements(db, study)
    return Status(
        title=study.meta["title"], protocol=study.protocol.text(), closed=closed, screens_done=totals[0],
        screens_given=totals[1], judgments=sum(worker.judgments for worker in workers), workers=workers,
        standings=standings, kind=study.protocol.kinds[0], agreements=_agreements(study),
        disagreements=disagreements,
    )  # fmt: skip


def _workers(db: sqlite3.Connection, study: Study) -> tuple[Worker, ...]:
    kind = f'$."{study.protocol.kinds[0]}"'
    rows = db.execute(
        "SELECT annotator.*, (SELECT COUNT(done) FROM assignment WHERE annotator = annotator.id) AS done, "
        "(SELECT COUNT(*) FROM assignment WHERE annotator = annotator.id) AS given, "
        "(SELECT COALESCE(SUM(active_ms), 0) FROM assignment WHERE annotator = annotator.id) AS active "
        "FROM annotator ORDER BY id"
    ).fetchall()
    found = []
    for row in rows:
        judged, mean = db.execute(
            "SELECT COUNT(*), AVG(json_extract(scores, ?)) FROM answer JOIN assignment USING (annotator, screen) "
            "JOIN output ON output.id = answer.output WHERE annotator = ? AND done IS NOT NULL "
            "AND output.kind IN ('target', 'repeat')",
            (kind, row["id"]),
        ).fetchone()
        passed = checks.judged(db, row["id"], study.protocol.lower_is_better)
        degraded = passed.get("degraded", [])
        found.append(
            Worker(
                row["code"],
                row["name"],
                row["done"],
                row["given"],
                judged,
                row["active"] / 60_000,
                mean,
                sum(degraded),
                len(degraded),
                checks.passes(passed),
                row["finished"] is not None,
                row["closed"] is not None,
            )
        )
    return tuple(found)


def _standings(db: sqlite3.Connection, study: Study) -> tuple[Standing, ...]:
    """Return systems, best first. A score is the mean of all judgments of finished screens, as in other tables; its
    interval rests on whole screens, since segments of one document are judged alike. Where systems were drawn with
    unequal probabilities, screens are weighted by their inverse."""
    kind = study.protocol.kinds[0]
    values: dict[str, list[tuple[float, float]]] = {}
    for row in db.execute(
        "SELECT system.name, AVG(json_extract(answer.scores, ?)) AS mean, COUNT(*) AS count, draw.probability "
        "FROM answer JOIN assignment USING (annotator, screen) JOIN output ON output.id = answer.output "
        "JOIN system ON system.id = output.system LEFT JOIN draw ON draw.annotator = answer.annotator "
        "AND draw.screen = answer.screen AND draw.system = output.system "
        "WHERE done IS NOT NULL AND output.kind = 'target' GROUP BY answer.annotator, answer.screen, system.id "
        "ORDER BY assignment.done",
        (f'$."{kind}"',),
    ):
        if row["mean"] is not None:
            values.setdefault(row["name"], []).append((row["mean"], row["count"] / (row["probability"] or 1.0)))
    sign = 1 if kind in study.protocol.lower_is_better else -1
    found = []
    for system, pairs in values.items():
        weights = sum(weight for _, weight in pairs)
        mean = sum(value * weight for value, weight in pairs) / weights
        # Each value's own contribution to the weighted mean has that mean, so the sequence is built on them.
        parts = [mean + weight * len(pairs) / weights * (value - mean) for value, weight in pairs]
        low, high = sequence_interval(parts) or (None, None)
        found.append(Standing(system, mean, low, high, len(pairs)))
    return tuple(sorted(found, key=lambda standing: (sign * standing.score, standing.system)))


def _agreements(study: Study) -> tuple[dict[str, Any], ...]:
    try:
        judgments: Judgments = read_judgments(str(study.path))
        if len(judgments.preferences):
            return (preference_agreement(judgments.preferences, samples=200).to_dict(),)
        return tuple(one.to_dict() for one in agreement(judgments, samples=200))
    except (InputError, MissingExtraError):
        return ()


def _disagreements(db: sqlite3.Connection, study: Study) -> tuple[Disagreement, ...]:
    """Return pairs of people whose scores of one output lie far apart, the farthest first."""
    kind = study.protocol.kinds[0]
    low, high = study.protocol.scale
    if study.protocol.pairwise or kind == "hter":
        return ()
    seen: dict[int, list[tuple[sqlite3.Row, float]]] = {}
    for row in db.execute(
        "SELECT answer.output, answer.scores, annotator.code, system.name AS system, document.name AS document, "
        "segment FROM answer JOIN assignment USING (annotator, screen) "
        "JOIN annotator ON annotator.id = answer.annotator "
        "JOIN output ON output.id = answer.output JOIN system ON system.id = output.system "
        "JOIN item ON item.id = output.item JOIN document ON document.id = item.document "
        "WHERE done IS NOT NULL AND output.kind = 'target'"
    ):
        score = json.loads(row["scores"]).get(kind)
        if score is not None:
            seen.setdefault(row["output"], []).append((row, score))
    found = []
    for group in seen.values():
        for i, (one, first) in enumerate(group):
            for two, second in group[i + 1 :]:
                if abs(first - second) > FAR * (high - low):
                    found.append(
                        Disagreement(
                            one["system"], one["document"], one["segment"], one["code"], two["code"], first, second
                        )
                    )
    found.sort(key=lambda one: -abs(one.first_score - one.second_score))
    return tuple(found[:50])
