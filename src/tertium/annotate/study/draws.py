"""Which screen comes next where no lists are fixed: a shared pool, or an adaptive draw with known probabilities.

Adaptive draws look at the scores so far and show the better systems more often. That is good for telling the best
apart and wrong for plain means, so every draw stores the probability with which each system came onto the screen;
weighting by its inverse gives unbiased means again. Systems are drawn by Madow's systematic sampling, whose inclusion
probabilities are exactly those asked for.
"""

import random
import secrets
import sqlite3
from collections.abc import Mapping, Sequence

from tertium.annotate.study.checks import make_check
from tertium.annotate.study.file import Study
from tertium.annotate.study.tasks import make_task

FLOOR = 0.2  # of the probability goes to all systems alike, so that nobody is ever out of reach


def draw_next(db: sqlite3.Connection, study: Study, annotator: int, now: float) -> int | None:
    """Give an annotator the next screens of the pool; return the first one's position, or None if nothing is left."""
    if study.meta["assignment"] == "lists":
        return None
    limit = study.meta["screens_per_annotator"]
    had = db.execute("SELECT COUNT(*) FROM assignment WHERE annotator = ?", (annotator,)).fetchone()[0]
    if limit is not None and had >= limit:
        return None
    # The draw must be unpredictable for annotators and repeatable for nobody: its probability is what is kept.
    rng = random.Random(secrets.randbits(64))
    if had and rng.random() < study.meta["control"]:
        check = _check(db, study, annotator, rng)
        if check is not None:
            return assigned(db, annotator, check, leased_until=now + 3600)
    if study.meta["assignment"] == "pool":
        return _from_pool(db, study, annotator, now, rng)
    return _adaptive(db, study, annotator, now, rng)


def assigned(
    db: sqlite3.Connection, annotator: int, screens: Sequence[int], *, leased_until: float | None = None
) -> int:
    """Append screens to an annotator's list; return the first one's position."""
    row = db.execute("SELECT COALESCE(MAX(position), 0) FROM assignment WHERE annotator = ?", (annotator,)).fetchone()
    first = int(row[0]) + 1
    for offset, screen in enumerate(screens):
        db.execute(
            "INSERT INTO assignment (annotator, position, screen, leased_until) VALUES (?, ?, ?, ?)",
            (annotator, first + offset, screen, leased_until),
        )
    return first


def _check(db: sqlite3.Connection, study: Study, annotator: int, rng: random.Random) -> list[int] | None:
    """Make a check of something this annotator has judged and was not checked on yet."""
    done = [
        row["task"]
        for row in db.execute(
            "SELECT DISTINCT task FROM assignment JOIN screen ON screen.id = assignment.screen "
            "WHERE annotator = ? AND done IS NOT NULL AND kind = 'real' AND screen.id NOT IN (SELECT s.of_screen "
            "FROM assignment a JOIN screen s ON s.id = a.screen WHERE a.annotator = ? AND s.of_screen IS NOT NULL)",
            (annotator, annotator),
        )
    ]
    kinds = study.meta["check_kinds"]
    return make_check(db, rng.choice(done), rng.choice(kinds), rng) if done and kinds else None


_OPEN_TASKS = """
SELECT task, document, MIN(id) AS screen, (
    SELECT COUNT(DISTINCT a.annotator) FROM assignment a JOIN screen s ON s.id = a.screen
    WHERE s.task = screen.task AND (a.done IS NOT NULL OR a.leased_until > :now)) AS taken
FROM screen WHERE kind = 'real' AND (:same OR document NOT IN (
    SELECT s.document FROM assignment a JOIN screen s ON s.id = a.screen WHERE a.annotator = :annotator))
    AND task NOT IN (SELECT s.task FROM assignment a JOIN screen s ON s.id = a.screen WHERE a.annotator = :annotator)
GROUP BY task HAVING taken < :wanted ORDER BY task
"""


def _open_tasks(db: sqlite3.Connection, study: Study, annotator: int, now: float) -> list[sqlite3.Row]:
    values = {"now": now, "annotator": annotator, "wanted": study.meta["judgments_per_item"],
              "same": study.meta["same_document"]}  # fmt: skip
    return db.execute(_OPEN_TASKS, values).fetchall()


def _task_screens(db: sqlite3.Connection, task: int) -> list[int]:
    return [row[0] for row in db.execute("SELECT id FROM screen WHERE task = ? ORDER BY part", (task,))]


def _from_pool(db: sqlite3.Connection, study: Study, annotator: int, now: float, rng: random.Random) -> int | None:
    """Draw one of the tasks with the fewest judgments, each with the same probability."""
    tasks = _open_tasks(db, study, annotator, now)
    if not tasks:
        return None
    fewest = min(task["taken"] for task in tasks)
    rarest = [task for task in tasks if task["taken"] == fewest]
    task = rng.choice(rarest)
    screens = _task_screens(db, task["task"])
    for screen in screens:
        _keep(db, annotator, screen, 1 / len(rarest), dict.fromkeys(_systems_on(db, screen), 1.0))
    return assigned(db, annotator, screens, leased_until=now + 3600)


def _adaptive(db: sqlite3.Connection, study: Study, annotator: int, now: float, rng: random.Random) -> int | None:
    """Draw a document, then the systems that are shown of it."""
    documents = [row["document"] for row in db.execute(
        "SELECT id AS document FROM document WHERE kind = 'real' AND id NOT IN (SELECT s.document FROM assignment a "
        "JOIN screen s ON s.id = a.screen WHERE a.annotator = ?) ORDER BY id", (annotator,))]  # fmt: skip
    if not documents:
        return None
    document = rng.choice(documents)
    columns = study.meta["columns"]
    probabilities = inclusion(_standing(db, study), columns, coldstart=study.meta["coldstart"])
    chosen = systematic(probabilities, rng)
    rng.shuffle(chosen)
    screens = make_task(db, document, chosen, study.meta["segments_per_screen"])
    for screen in screens:
        _keep(db, annotator, screen, 1 / len(documents), {system: probabilities[system] for system in chosen})
    return assigned(db, annotator, screens, leased_until=now + 3600)


def _standing(db: sqlite3.Connection, study: Study) -> dict[int, tuple[int, float]]:
    """Return for each system how many finished judgments it has, and their mean, higher being better."""
    found = {row[0]: (0, 0.0) for row in db.execute("SELECT id FROM system ORDER BY id")}
    kind = study.protocol.kinds[0]
    sign = -1 if kind in study.protocol.lower_is_better else 1
    for row in db.execute(
        "SELECT output.system, COUNT(*) AS n, AVG(json_extract(answer.scores, ?)) AS mean FROM answer "
        "JOIN output ON output.id = answer.output JOIN assignment USING (annotator, screen) "
        "WHERE output.kind = 'target' AND assignment.done IS NOT NULL AND output.system IS NOT NULL "
        "GROUP BY output.system",
        (f'$."{kind}"',),
    ):
        if row["mean"] is not None:
            found[row["system"]] = (row["n"], sign * row["mean"])
    return found


def inclusion(standing: Mapping[int, tuple[int, float]], columns: int, *, coldstart: int) -> dict[int, float]:
    """Return with which probability each system comes onto the next screen; they sum to the number of columns.

    Until every system has some judgments, all alike; then a fifth goes to all alike and the rest by 1 / rank.
    """
    columns = min(columns, len(standing))
    alike = columns / len(standing)
    if any(count < coldstart for count, _ in standing.values()):
        return dict.fromkeys(standing, alike)
    order = sorted(standing, key=lambda system: -standing[system][1])
    weights = {system: 1 / rank for rank, system in enumerate(order, start=1)}
    focused = _capped(weights, columns)
    return {system: FLOOR * alike + (1 - FLOOR) * focused[system] for system in standing}


def _capped(weights: Mapping[int, float], columns: int) -> dict[int, float]:
    """Return probabilities in proportion to weights that sum to `columns`, none above 1."""
    certain: set[int] = set()
    while True:
        total = sum(weight for system, weight in weights.items() if system not in certain)
        share = {
            system: 1.0 if system in certain else (columns - len(certain)) * weight / total
            for system, weight in weights.items()
        }
        above = {system for system, value in share.items() if value > 1 + 1e-12}
        if not above:
            return {system: min(value, 1.0) for system, value in share.items()}
        certain |= above


def systematic(probabilities: Mapping[int, float], rng: random.Random) -> list[int]:
    """Draw systems so that each is drawn with exactly its probability: equal steps along a line of their lengths."""
    systems = list(probabilities)
    rng.shuffle(systems)
    point, reached, chosen = rng.random(), 0.0, []
    for system in systems:
        reached += probabilities[system]
        if reached > point + 1e-12:
            chosen.append(system)
            point += 1
    return chosen


def _systems_on(db: sqlite3.Connection, screen: int) -> list[int]:
    return [
        row[0]
        for row in db.execute(
            "SELECT DISTINCT system FROM cell JOIN output ON output.id = cell.output WHERE screen = ? "
            "AND system IS NOT NULL", (screen,)
        )
    ]  # fmt: skip


def _keep(db: sqlite3.Connection, annotator: int, screen: int, document: float, systems: Mapping[int, float]) -> None:
    """Store with which probability the document was drawn, and given that, each system on the screen."""
    db.executemany(
        "INSERT INTO draw VALUES (?, ?, ?, ?, ?)",
        [(annotator, screen, system, document, probability) for system, probability in systems.items()],
    )
