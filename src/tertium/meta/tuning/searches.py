"""Ways to look for better values: TERp's hill climb, a grid, and differential evolution."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations, product
from typing import Any

import numpy as np

from tertium.errors import Argument, InputError, MissingExtraError
from tertium.metrics.base import Floats

SEARCHES = ("hill-climb", "grid", "evolution")

# TERp's, as its optimizer has them.
_STEPS = (0.05, 0.01, 0.02)
_LEAST_GAIN = 3e-5
_MOVES, _ITERATIONS = 5, 20
_PERTURBED = 0.2
_LARGEST_GRID = 500_000
_PLACES = 12
_REACH = 2.0  # of evolution, on either side of the start: costs that may go to 100 are rarely beyond

Values = dict[str, float]
Try = Callable[[Values], float]


@dataclass(frozen=True)
class Space:
    """The values that are free, where they start and how far they may go."""

    names: tuple[str, ...]
    start: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]

    def values(self, numbers: Sequence[float] | Floats) -> Values:
        """Return numbers by name, within bounds."""
        return {
            name: min(max(float(number), low), high)
            for name, number, low, high in zip(self.names, numbers, self.low, self.high, strict=True)
        }


@dataclass
class Found:
    """The best values so far, how they came about, and whether the search was stopped."""

    values: Values
    value: float
    evaluations: int = 0
    trace: list[tuple[int, float]] = field(default_factory=list)  # evaluations, best value
    interrupted: bool = False

    def see(self, values: Mapping[str, float], value: float) -> bool:
        """Keep the values if they are the best yet."""
        self.evaluations += 1
        if value > self.value:
            self.values, self.value = dict(values), value
            self.trace.append((self.evaluations, value))
            return True
        return False


def search(
    name: str, space: Space, evaluate: Try, *, seed: int, restarts: int, step: float,
    progress: Callable[[int, float], None],
) -> Found:  # fmt: skip
    """Look for the highest value. If the user stops it, what was found so far is returned, and says so."""
    start = space.values(space.start)
    found = Found(start, evaluate(start), 1)
    found.trace.append((1, found.value))
    watched = _watched(evaluate, found, progress)
    try:
        if name == "grid":
            _grid(space, watched, step)
        elif name == "evolution":
            _evolution(space, watched, seed)
        else:
            _climbs(space, watched, found, seed, restarts)
    except KeyboardInterrupt:
        found.interrupted = True
    return found


def _watched(evaluate: Try, found: Found, progress: Callable[[int, float], None]) -> Try:
    def tried(values: Values) -> float:
        value = evaluate(values)
        found.see(values, value)
        if found.evaluations % 256 == 0:
            progress(found.evaluations, found.value)
        return value

    return tried


def _climbs(space: Space, evaluate: Try, found: Found, seed: int, restarts: int) -> None:
    """Climb from the start, then from places near the best that was found."""
    space = _that_matter(space, evaluate, found)
    _climb(space, evaluate, dict(found.values), found.value)
    rng = np.random.default_rng(seed)
    for _ in range(restarts):
        moved = rng.uniform(-_PERTURBED, _PERTURBED, len(space.names))
        moved_values = space.values([found.values[name] + by for name, by in zip(space.names, moved, strict=True)])
        start = found.values | moved_values
        _climb(space, evaluate, start, evaluate(start))


def _that_matter(space: Space, evaluate: Try, found: Found) -> Space:
    """Leave out numbers that change nothing: the cost of phrases where no phrase was used."""
    start, value = dict(found.values), found.value

    def matters(name: str) -> bool:
        moved = (space.values([start[other] + by * (other == name) for other in space.names]) for by in (0.05, -0.05))
        return any(evaluate(values) != value for values in moved)

    kept = [k for k, name in enumerate(space.names) if matters(name)]
    return Space(
        tuple(space.names[k] for k in kept),
        *(tuple(column[k] for k in kept) for column in (space.start, space.low, space.high)),
    )


def _climb(space: Space, evaluate: Try, here: Values, value: float) -> None:
    for _ in range(_ITERATIONS):
        before = value
        for _ in range(_MOVES):
            best, best_value = here, value
            for values, tried in _near(space, evaluate, here, value):
                if tried > best_value:
                    best, best_value = values, tried
            if best_value - value <= _LEAST_GAIN:
                return
            here, value = best, best_value
        if value - before <= _LEAST_GAIN:
            return


def _near(space: Space, evaluate: Try, here: Values, value: float) -> Iterator[tuple[Values, float]]:
    """Try steps of each value, down only if up was no gain; then steps of each two."""

    def moved(**by: float) -> Values:
        # Steps back and forth must meet: 0.85 - 17 * 0.05 is 0, not 1.4e-17.
        return here | space.values(
            [round(here[name] + by[name], _PLACES) if name in by else here[name] for name in space.names]
        )

    best = value
    for step in _STEPS:
        for name in space.names:
            for signed in (step, -step):
                values = moved(**{name: signed})
                tried = evaluate(values)
                yield values, tried
                if tried > best:
                    best = tried
                    break
    signed_steps = [sign * step for step in _STEPS for sign in (1, -1)]
    for one, two in permutations(space.names, 2):
        if one < two:  # the other order tries the same
            for a, b in product(signed_steps, repeat=2):
                values = moved(**{one: a, two: b})
                yield values, evaluate(values)


def _grid(space: Space, evaluate: Try, step: float) -> None:
    spans = list(zip(space.low, space.high, strict=True))
    size = int(np.prod([steps_between(low, high, step) + 1 for low, high in spans], dtype=np.float64))
    if size > _LARGEST_GRID:
        raise InputError(
            f"A grid of step {step:g} over {', '.join(space.names)} has {size:,} points, more than {_LARGEST_GRID:,}. "
            "Free fewer settings (",
            Argument("free"),
            "), narrow their ",
            Argument("bounds"),
            " or take a larger ",
            Argument("step"),
            ".",
        )
    for numbers in product(*(stepped(low, high, step) for low, high in spans)):
        evaluate(space.values(numbers))


def stepped(low: float, high: float, step: float) -> list[float]:
    """Return numbers from low to high."""
    return [round(low + k * step, _PLACES) for k in range(steps_between(low, high, step) + 1)]


def steps_between(low: float, high: float, step: float) -> int:
    """Return how many steps fit in."""
    return int(np.floor((high - low) / step + 1e-9))


def _evolution(space: Space, evaluate: Try, seed: int) -> None:
    try:
        from scipy.optimize import differential_evolution
    except ImportError:
        raise MissingExtraError(
            Argument("search", "evolution"), " needs a package: pip install 'tertium[meta]'."
        ) from None
    near = [
        (max(low, start - _REACH), min(high, start + _REACH))
        for start, low, high in zip(space.start, space.low, space.high, strict=True)
    ]
    differential_evolution(
        lambda numbers: -evaluate(space.values(numbers)), near, rng=seed, x0=np.array(space.start),
        popsize=12, maxiter=300, tol=1e-7, polish=False, init="sobol",
    )  # fmt: skip


def check_search(name: str) -> str:
    """Refuse a search that does not exist."""
    from tertium.errors import UnknownNameError

    if name not in SEARCHES:
        raise UnknownNameError.of("search", name, SEARCHES)
    return name


def space_of(tunables: Mapping[str, Any], free: Sequence[str], bounds: Mapping[str, tuple[float, float]]) -> Space:
    """Return the space of numbers that are free; bounds that are given win over the metric's own."""
    rows = []
    for name in free:
        tunable = tunables[name]
        low, high = bounds_of(name, tunable, bounds)
        rows.append((name, min(max(float(tunable.value), low), high), low, high))
    names, start, low_, high_ = zip(*rows, strict=True) if rows else ((), (), (), ())
    return Space(names, start, low_, high_)


def bounds_of(name: str, tunable: Any, bounds: Mapping[str, tuple[float, float]]) -> tuple[float, float]:
    """Return how far a number may go: as given, if that can be meant, or as the metric says."""
    low, high = bounds.get(name, (tunable.low, tunable.high))
    if not low < high:
        raise InputError(f"The bounds of {name} are {low:g} and {high:g}: the first must be below the second.")
    if low < tunable.low or high > tunable.high:
        raise InputError(
            f"The bounds of {name} are {low:g} and {high:g}, but it can only be from {tunable.low:g} to "
            f"{tunable.high:g}."
        )
    return low, high
