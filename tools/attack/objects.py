"""Python objects that are not what they should be, given to the functions of the library."""

import random
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from tools.attack.batches import Case, batch

BATCH = 400


class _Clearing:
    """Empties the list that it stands in when it is looked at."""

    def __init__(self, around: list[Any]) -> None:
        self.around = around

    def __iter__(self) -> Iterator[str]:
        self.around.clear()
        return iter(["x"])


class _Shrinking(list[Any]):
    """Says that it is longer than it is."""

    def __len__(self) -> int:
        return super().__len__() + 3


class _Text(str):
    """A string that is not plain."""

    def __iter__(self) -> Iterator[str]:
        return iter([])

    def __len__(self) -> int:
        return 1 << 40

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = str.__hash__


def _clearing() -> list[Any]:
    made: list[Any] = ["a b"] * 3
    made[1] = _Clearing(made)
    return made


def _growing() -> Iterator[str]:
    made = ["a"]
    for text in made:
        if len(made) < 50:
            made.append(text)
        yield text


TEXTS: list[Callable[[], Any]] = [
    lambda: ["a b c", "d e", "f"], lambda: ("a", "b", "c"), lambda: "abc", lambda: b"abc", lambda: None,
    lambda: 3, list,
    lambda: {"a", "b"}, lambda: frozenset("ab"), lambda: {"a": "b", "c": "d"}, lambda: {"s": ["a b", "c", "d"]},
    lambda: ["a", None, "c"], lambda: ["a", 3, "c"], lambda: ["a", b"b", "c"], lambda: ["\ud800", "a", "b"],
    lambda: ["\0", "", " "],
    lambda: [float("nan")] * 3, lambda: iter(["a", "b", "c"]), lambda: (text for text in "abc"), _clearing, _growing,
    lambda: _Shrinking(["a", "b", "c"]), lambda: [_Text("a b")] * 3, lambda: [["a", "b"], ["c"], []],
    lambda: [["a", "b", "c"]] * 3, lambda: [["a"], "b", None], lambda: [[None], ["b"], ["c"]], lambda: [[["a"]]],
    lambda: np.array(["a", "b", "c"]), lambda: np.array([["a", "b", "c"]] * 3), lambda: np.array(["a", None,
    3], dtype=object),
    lambda: np.zeros((3, 3)), lambda: np.array("a"), lambda: np.array([b"a"] * 3), lambda: range(3), lambda: object(),
    lambda: {"a": 1}.keys(), lambda: ["a" * 70_000] * 3, lambda: ["x " * 3000] * 3,
]  # fmt: skip
NUMBERS: list[Callable[[int], Any]] = [
    lambda n: np.ones(n), lambda n: np.ones((3, n)), lambda n: np.full((3, n), np.nan), lambda n: np.full(n, np.inf),
    lambda n: np.full(n, -1.0), lambda n: np.ones(n + 1), lambda n: np.ones((0, n)), lambda n: np.ones((2, 2, n)),
    lambda n: [1] * n, lambda n: [None] * n, lambda n: "text", lambda n: None, lambda n: np.ones(n, dtype=bool),
    lambda n: np.ones(n, dtype=np.float16), lambda n: np.ones(n, dtype=complex), lambda n: np.ones((3,
    2 * n))[:, ::2],
    lambda n: np.asfortranarray(np.ones((3, n))), lambda n: np.array(["a"] * n), lambda n: 10**400,
    lambda n: np.full(n, 1e308),
    lambda n: {"a": 1}, lambda n: {1.0, 2.0}, lambda n: [[1] * n, [1]],
]  # fmt: skip
SPECS: list[Any] = ["bleu", "", ":", "ter:beam=nan", "\0", "x|y", 3, None, "bleu:a" * 999]
WHOLE: list[Any] = [None, 1, 0, -1, 2, True, 1.5, 2**63, 2**70, "2", float("nan"), np.int64(2), np.float64(2), []]


def attack(rng: random.Random, folder: Path) -> Iterator[str | None]:
    """Call functions with what they were not made for."""
    yield from batch(_case, rng, folder, BATCH)


def _case(rng: random.Random) -> Case:
    name, call = rng.choice(list(CALLS.items()))
    seed = rng.randrange(1 << 40)
    return f"{name} with seed {seed}", lambda: call(random.Random(seed))


def _text(rng: random.Random) -> Any:
    return rng.choice(TEXTS)()


def _texts(rng: random.Random) -> Any:
    return ["a b c", "d e", "f"] if rng.random() < 0.5 else _text(rng)


@cache
def _metrics() -> list[Any]:
    from tertium import BLEU, CDER, CHRF, METEOR, NIST, PER, TER, WER, Averaged, Combination, TERp

    return [BLEU(), CHRF(word_order=2), NIST().fitted_to(["a b c", "d"]), WER(), PER(), CDER(), TER(), TERp(),
    METEOR(),
            METEOR(version="2005"), Averaged(BLEU()), Combination({CDER(): 0.5, PER(): 0.5})]  # fmt: skip


def _metric(rng: random.Random) -> Any:
    return rng.choice(_metrics()) if rng.random() < 0.9 else rng.choice(["bleu", "nosuch", None, 3, "", object()])


def _score(rng: random.Random) -> object:
    import tertium

    more = rng.choice([{}, {"documents": _text(rng)}, {"threads": rng.choice(WHOLE)}])
    if rng.random() < 0.2:
        return tertium.score(_metric(rng), _texts(rng), reference_sets=_text(rng), **more).to_dict()
    return tertium.score(_metric(rng), _texts(rng), _texts(rng), **more).to_dict()


def _compare(rng: random.Random) -> object:
    import tertium

    scores = tertium.score(rng.choice(_metrics()), {"x": ["a b", "c", "d"], "y": ["a", "b", "c"]}, ["a", "b", "c"])
    choice = {
        "samples": rng.choice([*WHOLE[1:], 50]),
        "seed": rng.choice(WHOLE),
        "baseline": rng.choice([None, "x", "z", 3]),
    }
    chosen = {name: choice[name] for name in rng.sample(list(choice), 1)}
    return tertium.compare(scores, **{"samples": 20, **chosen}).to_dict()


def _coefficient(rng: random.Random) -> object:
    import tertium

    method = rng.choice(["pearson", "spearman", "kendall-b", "kendall-c", "acc-eq", "pairwise-accuracy", "nosuch"])
    return tertium.meta.coefficient(rng.choice(NUMBERS)(5), rng.choice(NUMBERS)(5), method=method)


def _arrow(rng: random.Random) -> object:
    import pyarrow as pa

    import tertium

    kinds = [
        pa.string(),
        pa.large_string(),
        pa.string_view(),
        pa.binary(),
        pa.int64(),
        pa.list_(pa.string()),
        pa.dictionary(pa.int8(), pa.string()),
    ]
    try:
        columns = [
            pa.array(["a b", None if rng.random() < 0.3 else "c", "d"], pa.string()).cast(rng.choice(kinds))
            for _ in range(2)
        ]
    except pa.ArrowException:
        return None
    columns = [rng.choice([one, pa.chunked_array([one[:1], one[1:]]), one[1:], one.slice(3)]) for one in columns]
    return tertium.score(rng.choice(_metrics()), *columns).to_dict()


def _rows(rng: random.Random) -> object:
    metric = rng.choice(_metrics())
    return rng.choice([metric.score, metric.parts])(rng.choice(NUMBERS)(len(metric.columns)))


CALLS: dict[str, Callable[[random.Random], object]] = {
    "score": _score,
    "statistics": lambda rng: rng.choice(_metrics()).statistics(_texts(rng), _texts(rng), threads=rng.choice(WHOLE)),
    "rows": _rows,
    "align": lambda rng: __import__("tertium").align(_metric(rng), rng.choice(["a b c", _text(rng)]), _text(rng)),
    "compare": _compare,
    "coefficient": _coefficient,
    "pairwise": lambda rng: __import__("tertium").pairwise(_metric(rng), _texts(rng), _texts(rng)),
    "mbr": lambda rng: __import__("tertium").mbr(_metric(rng), _texts(rng)),
    "resegment": lambda rng: __import__("tertium").resegment(_texts(rng), _texts(rng)),
    "parse_metric": lambda rng: __import__("tertium").parse_metric(rng.choice(SPECS)),
    "arrow": _arrow,
    "drop-in": lambda rng: import_module("tertium.compat.sacrebleu").corpus_bleu(_texts(rng), [_texts(rng)]),
}  # fmt: skip
