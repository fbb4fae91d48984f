"""All that the findings of a shared task print: systems as people rank them, metrics in each task and on average."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tertium.errors import Argument, InputError, Message
from tertium.judgments import Judgments
from tertium.judgments.rank_rules import RULES
from tertium.judgments.system_ranks import SystemRanks, ranks
from tertium.meta.restricted import judged_inside
from tertium.meta.score_grid import GridSource
from tertium.meta.task_sets import TASKS, Task
from tertium.meta.tasks import TaskAverages, task_averages
from tertium.significance.sampling import SEED


@dataclass(frozen=True, eq=False)
class TestSet:
    """A language pair, or a domain of one: scores, judgments and the domain of each segment, where it is known."""

    scores: GridSource
    judgments: Judgments
    domains: Sequence[str] | None = None

    __test__ = False  # no test of pytest's


@dataclass(frozen=True, eq=False)
class HumanRanking:
    """Systems as people rank them, `scores` best first; `ranks` where segments were judged, `by_domain` their means."""

    name: str  # of the test set
    scores: dict[str, float]
    ranks: SystemRanks | None
    by_domain: dict[str, dict[str, float]]  # domain, system


@dataclass(frozen=True, eq=False)
class Findings:
    """What came out, and what was left out on the way, in words."""

    kind: str
    humans: tuple[HumanRanking, ...]
    tasks: tuple[TaskAverages, ...]  # each of one task
    average: TaskAverages
    left_out: tuple[str, ...]


def findings(
    sets: Mapping[str, TestSet],
    tasks: str | Sequence[Task] = "wmt24",
    *,
    kind: str | None = None,
    people_like: str = "tertium",
    like: str | None = None,
    samples: int = 1000,
    seed: int = SEED,
    correction: str = "none",
    alpha: float = 0.05,
    threads: int | None = None,
    progress: Callable[[str, float], None] = lambda what, share: None,
) -> Findings:
    """Rank systems by judgments of one kind, and metrics in each of the tasks and on average.

    `people_like` is a rule of `judgments.ranks`, `like` the metrics task whose tests are made; ours by default.
    """
    kind = _kind(sets, kind)
    wanted = TASKS[tasks](list(sets)) if isinstance(tasks, str) and tasks in TASKS else tasks
    told: dict[str, None] = {}
    humans = tuple(_ranked(name, one, kind, people_like, alpha, told) for name, one in sets.items())
    pairs = {name: (one.scores, one.judgments) for name, one in sets.items()}

    def averaged(some: str | Sequence[Task]) -> TaskAverages:
        found = task_averages(
            pairs, some, kind=kind, test=None if like else "two-sided", like=like, samples=samples, seed=seed,
            correction=correction, alpha=alpha, threads=threads, progress=progress,
        )  # fmt: skip
        told.update(dict.fromkeys(map(str, found.dropped)))
        return found

    average = averaged(wanted)  # first, for it refuses tasks that are none
    return Findings(kind, humans, tuple(averaged([task]) for task in average.tasks), average, tuple(told))


def _kind(sets: Mapping[str, TestSet], kind: str | None) -> str:
    """Return the kind of judgment that was asked for, or the only one that all test sets have."""
    if not sets:
        raise InputError("There is no test set.")
    kinds = [one.judgments.kinds for one in sets.values()]
    shared = [name for name in kinds[0] if all(name in others for others in kinds)]
    if kind is None and len(shared) == 1:
        return shared[0]
    if kind is None or kind not in shared:
        known = "; ".join(f"{name}: {', '.join(some)}" for name, some in zip(sets, kinds, strict=True))
        asked = "" if kind is None else f"Not all have judgments of the kind '{kind}'. "
        raise InputError(Message(f"{asked}Say by which kind of judgment to rank: ", Argument("kind"), f". {known}."))
    return kind


def _ranked(
    name: str, one: TestSet, kind: str, like: str, alpha: float, told: dict[str, None]
) -> HumanRanking:  # fmt: skip
    ours = one.judgments.of_kind(kind)
    found = None
    if (ours.segment > 0).any():
        domains = one.domains if RULES.get(like) is not None and RULES[like].by_domain else None
        found = ranks(one.judgments, kind, like=like, alpha=alpha, domains=domains)
        scores = {rank.system: rank.score for rank in found.ranks}
    else:
        told[f"{name}: people judged whole systems only, so there are no clusters of systems."] = None
        sign = 1 if kind in one.judgments.lower_is_better else -1
        by_system = ours.system_scores(kind)
        scores = dict(sorted(by_system.items(), key=lambda item: (sign * item[1], item[0])))
    by_domain = {}
    domains = one.domains or ()
    order = list(dict.fromkeys(domains))
    if found is not None and len(order) > 1:
        for domain in order:
            inside = judged_inside(ours, np.array([each == domain for each in domains]))
            if len(inside):
                by_domain[domain] = inside.system_scores(kind)
    return HumanRanking(name, scores, found, by_domain)
