"""Marks of every bit that metrics compute: print them with any Python that has tertium, and compare.

python tools/wheels/marks.py                                        # with the best copies for this processor
TERTIUM_PROCESSOR=baseline python tools/wheels/marks.py
python tools/wheels/marks.py >tests/data/marks.json                 # when scores change, and CHANGELOG.md says why

The same is printed on every system, by every compiler's build, on every processor.
"""

import hashlib
import json
import os
import random
import sys
import tempfile

import numpy as np

from tertium import BLEU, CDER, CHRF, NIST, PER, TER, WER, Metric, _native
from tertium.metrics import METRICS
from tertium.metrics.elementary import exp, log, power
from tertium.testing import HYPOTHESES, REFERENCES


def chosen() -> list[Metric]:
    """Return every metric, and settings that take other paths."""
    return [
        *(metric() for metric in METRICS),
        BLEU(orders=(1, 2, 3, 4, 5, 6), sentence_boundaries="both"),
        CHRF(word_order=2),
        CHRF(char_order=9, lowercase=True),
        NIST(order=9),
        WER(substitution="levenshtein"),
        PER(substitution="gld"),
        CDER(direction="maximum"),
        CDER(substitution="prefix"),
        TER(variant="sacrebleu", normalized=True),
        TER(variant="sacrebleu", max_shift_distance=7),
        TER(variant="thesis"),
    ]


def texts() -> tuple[list[str], list[str]]:
    """Return hypotheses and references of 0 to 200 words, with blocks moved, around the widths of masks."""
    rng = random.Random(3)
    lengths = [*range(12), *range(48, 70), 126, 127, 128, 129, 190, 200]
    hypotheses, references = [], []
    for length in lengths * 2:
        reference = [f"w{rng.randrange(2 * length)}{'.,-&'[rng.randrange(40) :: 7][:1]}" for _ in range(length)]
        hypothesis = reference.copy()
        for _ in range(min(length, 3)):
            begin = rng.randrange(length)
            block = [hypothesis.pop(begin) for _ in range(min(3, len(hypothesis) - begin))]
            place = rng.randrange(len(hypothesis) + 1)
            hypothesis[place:place] = block
        hypotheses.append(" ".join(word for word in hypothesis if rng.random() > 0.05))
        references.append(" ".join(reference))
    return hypotheses, references


def marks() -> dict[str, str]:
    """Return a mark for each metric, of its rows and scores, and one each for draws and for elementary functions."""
    hypotheses, references = texts()
    single = [[text] for text in references]
    double = [[one, other] for one, other in zip(references, references[1:] + references[:1], strict=True)]
    found = {}
    for metric in chosen():
        filled = []
        for given, groups in ((hypotheses, single), (hypotheses, double), (HYPOTHESES, REFERENCES)):
            fitted = metric.fitted_to(groups)
            rows = fitted.statistics(given, groups)
            filled += [rows, fitted.score(rows), fitted.score(rows.sum(axis=0))]
        found[metric.signature().split("|")[0]] = _mark(filled)
    drawn = np.zeros((2, 64))
    matrix = np.ascontiguousarray(np.arange(600.0).reshape(-1, 2))
    _native.bootstrap_sums(matrix, generator=[1, 2, 3, 5], skipped=0, threads=1, sums=drawn)
    found["sums of rows that were drawn"] = _mark([drawn])
    spread = np.arange(1, 4001) / 4096
    found["exponentials, logarithms, powers"] = _mark([exp(-20 * spread), log(spread), power(spread, 0.7)])
    return found


def _mark(arrays: list[np.ndarray]) -> str:
    together = np.concatenate([np.ravel(array) for array in arrays])
    return hashlib.sha256(np.asarray(together, dtype="<f8").tobytes()).hexdigest()[:16]


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as nothing:
        os.environ["TERTIUM_METEOR"] = nothing  # METEOR's own files, where a package has them, mean other scores
        json.dump(marks(), sys.stdout, indent=1)
    print()
