"""How fast are WER, PER and CDER, next to jiwer and RapidFuzz, and per cell of the table they stand for?

One thread, processor time, the shortest of several repetitions, in one process. WER is measured from Python lists of
texts, split at blanks; jiwer counts on the same texts, RapidFuzz on lists of words that it is given after Python's
split, which is timed with it. CDER is measured on pairs of thirty words whose tokens lie ready; a pair has 900 cells.
"""

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.measure import least, machine, print_table
from benchmarks.texts import Pairs, pairs
from tertium import CDER, PER, WER
from tertium.corpus import Segments, hypothesis_texts, reference_texts
from tertium.metrics.word_errors import WordErrorMetric

_WORDS = 30


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--segments", type=int, default=20_000)
    parser.add_argument("--repeats", type=int, default=3, help="of the others; ours are repeated ten times as often")
    options = parser.parse_args(arguments)
    texts = pairs(options.segments)
    print_table(
        f"WER from Python lists, {len(texts):,} segments ({texts.origin}), one thread, processor time",
        ["peer", "tertium", "peer's", "ratio", "us per segment", "same counts"],
        [
            _against_jiwer(texts, options.repeats),
            _against_rapidfuzz(texts, options.repeats, counts=False),
            _against_rapidfuzz(texts, options.repeats, counts=True),
        ],
        [machine()],
    )
    some = _thirty_words(texts)
    print_table(
        f"Pairs of {_WORDS} words, {len(some):,} of them, one thread, processor time",
        ["metric", "ns per pair", "ns per cell"],
        [_per_cell(name, metric, some, options.repeats) for name, metric in _cases()],
    )


def _cases() -> list[tuple[str, WordErrorMetric]]:
    return [
        ("WER", WER()),
        ("WER, levenshtein", WER(substitution="levenshtein")),
        ("PER", PER()),
        ("PER, prefix", PER(substitution="prefix")),
        ("CDER", CDER()),
        ("CDER, miscoverage", CDER(penalty="miscoverage")),
        ("CDER, prefix", CDER(substitution="prefix")),
        ("CDER, levenshtein", CDER(substitution="levenshtein")),
        ("CDER, levenshtein, miscoverage", CDER(substitution="levenshtein", penalty="miscoverage")),
    ]


def _against_jiwer(texts: Pairs, repeats: int) -> list[str]:
    import jiwer

    # jiwer knows no blank but the space, and refuses empty references.
    usable = [(h, r) for h, r in zip(texts.hypotheses, texts.references, strict=True) if r.strip()]
    hypotheses, references = ([" ".join(pair[k].split()) for pair in usable] for k in (0, 1))
    metric = WER(tokenize="none")
    totals = metric.statistics(hypotheses, references, threads=1).sum(axis=0)
    output = jiwer.process_words(references, hypotheses)
    if totals[:4].tolist() != [output.hits, output.substitutions, output.insertions, output.deletions]:
        raise SystemExit("WER: the counts differ from jiwer's.")
    return _row(
        "jiwer",
        lambda: metric.statistics(hypotheses, references, threads=1),
        lambda: jiwer.process_words(references, hypotheses),
        len(hypotheses),
        repeats,
    )


def _against_rapidfuzz(texts: Pairs, repeats: int, *, counts: bool) -> list[str]:
    """Compare with the distance alone, or with the edits that it takes to count their kinds as tertium does."""
    from rapidfuzz.distance import Levenshtein

    hypotheses, references = texts.hypotheses, texts.references
    metric = WER(tokenize="none")
    call = Levenshtein.editops if counts else Levenshtein.distance

    def theirs() -> list[Any]:
        return [call(h.split(), r.split()) for h, r in zip(hypotheses, references, strict=True)]

    distances = [len(found) for found in theirs()] if counts else theirs()
    rows = metric.statistics(hypotheses, references, threads=1)
    if rows[:, 1:4].sum(axis=1).tolist() != distances:
        raise SystemExit("WER: the distances differ from RapidFuzz's.")
    return _row(
        f"RapidFuzz, split and {'edits' if counts else 'distance'}",
        lambda: metric.statistics(hypotheses, references, threads=1),
        theirs,
        len(hypotheses),
        repeats,
    )


def _row(peer: str, ours: Callable[[], Any], theirs: Callable[[], Any], count: int, repeats: int) -> list[str]:
    # Half of ours before the peer and half after, so that a slow spell of the machine hits both.
    mine = least(ours, repeats=5 * repeats)
    other = least(theirs, repeats=repeats)
    mine = min(mine, least(ours, repeats=5 * repeats))
    return [peer, f"{count / mine:,.0f}/s", f"{count / other:,.0f}/s", f"{other / mine:.0f}x",
            f"{1e6 * mine / count:.2f}", "yes"]  # fmt: skip


def _thirty_words(texts: Pairs) -> list[tuple[str, str]]:
    """Return pairs cut to thirty words on both sides; of those that are long enough."""
    split = ((h.split(), r.split()) for h, r in zip(texts.hypotheses, texts.references, strict=True))
    return [(" ".join(h[:_WORDS]), " ".join(r[:_WORDS])) for h, r in split if min(len(h), len(r)) >= _WORDS]


def _per_cell(name: str, metric: WordErrorMetric, some: list[tuple[str, str]], repeats: int) -> list[str]:
    ready = _Ready(metric, some)
    taken = least(ready.run, repeats=10 * repeats) / len(some)
    return [name, f"{1e9 * taken:,.0f}", f"{1e9 * taken / _WORDS**2:.2f}"]


class _Ready:
    """Segments whose tokens are made before; words are split once more where their letters count."""

    def __init__(self, metric: WordErrorMetric, some: list[tuple[str, str]]) -> None:
        self._metric = type(metric)(**{**_settings(metric), "tokenize": "none"})
        tokenizer = self._metric.tokenizer
        assert tokenizer is not None
        texts = hypothesis_texts([h for h, _ in some]), reference_texts([r for _, r in some])
        self._sides = [Segments(one, stored={tokenizer}, threads=1) for one in texts]
        self.run()

    def run(self) -> np.ndarray[Any, Any]:
        return self._metric.rows(*self._sides, threads=1)


def _settings(metric: WordErrorMetric) -> dict[str, Any]:
    from dataclasses import fields

    return {field.name: getattr(metric, field.name) for field in fields(metric)}


if __name__ == "__main__":
    main()
