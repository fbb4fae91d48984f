"""Two ways to the same answer, timed in turns.

A machine has slow spells. If both sides run in turns and the shortest of each counts, a spell hits both or neither, and
their ratio holds where seconds do not: that ratio is what is recorded, and what must not fall.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks.measure import least

Timed = Callable[[], float]  # runs once, and returns the seconds that it took


@dataclass(frozen=True)
class Contest:
    """A question with two sides: `ours`, and the `peer`'s own best public call. `count` is what one run handles."""

    name: str
    peer: str
    ours: Timed
    theirs: Timed
    count: int
    unit: str = "segment"
    often: int = 5  # runs of ours for one of theirs: the shorter a run, the more of them it takes
    rounds: int = 3
    on_the_wall: bool = False  # by the clock on the wall, which other work on the machine disturbs
    same: Callable[[], bool] = lambda: True


@dataclass(frozen=True)
class Row:
    """What came of a contest: seconds per unit, and how many times ours goes into theirs."""

    name: str
    peer: str
    unit: str
    ours: float
    theirs: float
    on_the_wall: bool

    @property
    def ratio(self) -> float:
        return self.theirs / self.ours

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "ratio": round(self.ratio, 3)}


def processor(work: Callable[[], object]) -> Timed:
    """Return work that is timed by the processor's seconds."""
    return lambda: least(work, repeats=1)


def held(contest: Contest) -> Row:
    """Hold a contest; both sides must come to the same."""
    if not contest.same():
        raise SystemExit(f"{contest.name}: the answer is not that of {contest.peer}.")
    ours, theirs = float("inf"), float("inf")
    for _ in range(contest.rounds):
        ours = min(ours, _shortest(contest.ours, contest.often))
        # A peer that is as quick has as many chances of an undisturbed run.
        theirs = min(theirs, _shortest(contest.theirs, max(1, round(2 * contest.often * min(1.0, ours / theirs)))))
        ours = min(ours, _shortest(contest.ours, contest.often))
    each = contest.count
    return Row(contest.name, contest.peer, contest.unit, ours / each, theirs / each, contest.on_the_wall)


def _shortest(timed: Timed, often: int) -> float:
    return min(timed() for _ in range(often))
