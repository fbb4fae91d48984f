"""Judged outputs with awkward names, for pages and pictures about metrics."""

from functools import cache

import numpy as np

from tertium import BLEU, CHRF, TER, score
from tertium.judgments import Judgments
from tertium.meta.score_grid import ScoreSources
from tertium.scoring.imported_scores import ImportedScore, arranged

SYSTEMS = ('one "a" <b>', "two's & </script>", "שלוש", "four", "five")
KINDS = ("<i>adequacy</i>", "hter")
IMPORTED = "</title><script>alert(2)</script>"
SEGMENTS = 30
_WORDS = "the ferry leaves harbour every morning at seven and comes back in rain or snow by noon".split()


@cache
def outputs():
    """Return hypotheses by system, the later ones with more wrong words, and references."""
    rng = np.random.default_rng(5)
    references = [" ".join(rng.choice(_WORDS, size=rng.integers(5, 14))) for _ in range(SEGMENTS)]

    def spoilt(text, share):
        return " ".join("xyz" if rng.random() < share else word for word in text.split())

    return {name: [spoilt(text, 0.12 * (k + 1)) for text in references] for k, name in enumerate(SYSTEMS)}, references


@cache
def scores():
    """Return scores of three metrics made here and one of another program."""
    systems, references = outputs()
    ours = score([BLEU(effective_order=True), CHRF(), TER()], systems, references)
    rng = np.random.default_rng(6)
    rows = [
        ImportedScore(name, k + 1, IMPORTED, float(text.count("xyz") + rng.normal()), line=1)
        for name, texts in systems.items() for k, text in enumerate(texts)
    ]  # fmt: skip
    others = arranged(rows, "scores.tsv", segments=SEGMENTS, lower_is_better=[IMPORTED])
    return ScoreSources((ours, others))


@cache
def judgments():
    """Return two kinds of judgments, one of which counts errors; a few are missing."""
    rng = np.random.default_rng(7)
    rows = []
    for name, texts in outputs()[0].items():
        for k, text in enumerate(texts):
            if (name, k) in ((SYSTEMS[0], 3), (SYSTEMS[2], 4)):
                continue
            wrong = text.count("xyz") / len(text.split())
            rows.append((name, k + 1, KINDS[0], float(5 - 4 * wrong + rng.normal(scale=0.4))))
            rows.append((name, k + 1, KINDS[1], float(wrong + rng.normal(scale=0.05))))
    system, segment, kind, value = zip(*rows, strict=True)
    return Judgments.of(system=system, score=value, segment=segment, kind=kind, lower_is_better=[KINDS[1]])
