"""Settings at random: a metric is made with them and scores a few words, or says why not."""

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tools.attack.batches import Case, batch

BATCH = 5000  # settings of one process
WILD: list[Any] = [
    None, True, -1, 0, 1, 2.5, 1e-300, 1e300, float("inf"), float("-inf"), float("nan"), 2**31 - 1, 2**31,
    2**32, 2**63, -(2**63),
    10**400, "", "none", "default", "\x00", "\ud800", "a" * 5000, "1+2", "+", "/no/such", "/", ".",
    "/dev/null", b"x", (), (1, 1),
    ("x",), (None,), (float("nan"),), (2**32, 2**32), {"x": 1}, {}, object(), [1], [[1]], set(), range(3), 1j,
    lambda *given: 3, lambda *given: None, lambda *given: "\ud800", lambda *given: ["\ud800"],
    lambda *given: float("nan"),
]  # fmt: skip
TEXTS = ["the cat sat", "", "b a c d", "\u0928\u0926\u0940 x"]
OTHERS = ["a cat sat", "b", "", "d c a b"]


def attack(rng: random.Random, folder: Path) -> Iterator[str | None]:
    """Try a batch of settings."""
    yield from batch(_case, rng, folder, BATCH)


def _case(rng: random.Random) -> Case:
    metric, declared = rng.choice(_metrics())
    names = rng.sample(list(declared), min(len(declared), rng.randint(1, 4)))
    given = {name: _value(declared[name], rng) for name in names}
    return f"{metric.name} {given!r:.1000}", lambda: _scored(metric, given)


def _value(one: Any, rng: random.Random) -> Any:
    """A value that a setting may have, the ends of its range, or anything at all."""
    if rng.random() < 0.3:
        return rng.choice(WILD)
    if one.flag:
        return rng.random() < 0.5
    if one.choices:
        return rng.choice(one.choices)
    if one.whole or one.number:
        low, high = one.whole or one.number
        value = rng.choice([low, high, low + (high - low) * rng.random() ** 8])
        value = int(value) if one.whole and abs(value) < 1e300 else value
        return (value,) * rng.randint(1, 3) if one.several else value
    return one.default


def _scored(metric: type[Any], given: dict[str, Any]) -> None:
    made = metric(**given)
    if not made.is_fitted:
        made = made.fitted_to(OTHERS)
    if not made.takes_tokens:
        made.score(made.statistics(TEXTS, OTHERS, threads=1))
        made.signature()


@cache
def _metrics() -> list[tuple[type[Any], dict[str, Any]]]:
    from tertium.metrics import METRICS
    from tertium.metrics.settings import settings_of

    return [(metric, settings_of(metric)) for metric in METRICS]
