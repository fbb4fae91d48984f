"""Agreement with sacreBLEU itself, where it is installed, on texts made up on the spot."""

import itertools
import random

import numpy as np
import pytest

from tertium import BLEU, CHRF, TER

sacrebleu = pytest.importorskip("sacrebleu", reason="sacreBLEU is not installed")

PIECES = [
    *"abcdeABC", "the ", "of ", "and ", " ", " ", ". ", ", ", ".", ",", "-", "3", "14", "&amp;", "&quot;", "'s ", "(", ")", "€",
    "“", "”", "…", "é", "ß", "Σ", "ж", "и", "中", "文", "。", "か", "\u3000", "\u00a0", "😀", "\u2009", "½", "२", "।", "\t",
]  # fmt: skip


def text(rng, most, pieces=PIECES):
    return "".join(rng.choice(pieces) for _ in range(rng.randrange(most)))


def variation(rng, original):
    words = original.split(" ")
    for _ in range(rng.randrange(4)):
        place = rng.randrange(len(words) + 1)
        words[place : place + rng.randrange(3)] = [text(rng, 4)] * rng.randrange(2)
    return " ".join(words)


@pytest.fixture(scope="module")
def corpus():
    rng = random.Random(7)
    hypotheses = [text(rng, rng.choice([3, 30, 120, 400])) for _ in range(120)]
    sets = [[variation(rng, one) for one in hypotheses] for _ in range(3)]
    return hypotheses, sets, [list(group) for group in zip(*sets, strict=True)]


@pytest.mark.parametrize("tokenize", ["13a", "intl", "zh", "char", "none"])
@pytest.mark.parametrize("lowercase", [False, True])
@pytest.mark.parametrize(("smoothing", "value"), [("exp", None), ("floor", 0.1), ("add-k", 1), ("none", None)])
@pytest.mark.parametrize("effective_order", [False, True])
def test_bleu(corpus, tokenize, lowercase, smoothing, value, effective_order):
    hypotheses, sets, references = corpus
    peer = sacrebleu.BLEU(
        tokenize=tokenize, lowercase=lowercase, smooth_method=smoothing, smooth_value=value,
        effective_order=effective_order, force=True,
    )  # fmt: skip
    bleu = BLEU(
        tokenize=tokenize, lowercase=lowercase, smoothing=smoothing, smoothing_value=value,
        effective_order=effective_order,
    )  # fmt: skip
    rows = bleu.statistics(hypotheses, references)
    whole = peer.corpus_score(hypotheses, sets)
    assert rows.sum(axis=0)[:2].tolist() == [whole.sys_len, whole.ref_len]
    assert bleu.score(rows.sum(axis=0)) == pytest.approx(whole.score, rel=1e-12)
    if effective_order:
        by_peer = [peer.sentence_score(h, r).score for h, r in zip(hypotheses, references, strict=True)]
        np.testing.assert_allclose(bleu.score(rows), by_peer, rtol=1e-12)


@pytest.mark.parametrize("settings", [(6, 0, 2), (6, 2, 2), (3, 1, 1), (8, 3, 3)])
@pytest.mark.parametrize(
    "flags", [(False, False, False), (True, False, False), (False, True, False), (True, True, True)]
)
def test_chrf(corpus, settings, flags):
    hypotheses, sets, references = corpus
    names = ("char_order", "word_order", "beta"), ("lowercase", "whitespace", "eps_smoothing")
    options = dict(zip(names[0], settings, strict=True)) | dict(zip(names[1], flags, strict=True))
    peer, chrf = sacrebleu.CHRF(**options), CHRF(**options)
    rows = chrf.statistics(hypotheses, references)
    assert chrf.score(rows.sum(axis=0)) == pytest.approx(peer.corpus_score(hypotheses, sets).score, rel=1e-12)
    by_peer = [peer.sentence_score(h, r).score for h, r in zip(hypotheses, references, strict=True)]
    np.testing.assert_allclose(chrf.score(rows), by_peer, rtol=1e-10)


TER_PIECES = ["'s, ", "'s", "'s. ", "'s\u3000", "&amp;lt;", "\n-", "\n", "--", "カ", "㋿", "<skipped>", " word "]


@pytest.mark.parametrize("flags", list(itertools.product([False, True], repeat=3)))
def test_ter(flags):
    rng = random.Random(8)
    options = dict(zip(("normalized", "no_punct", "asian_support"), flags, strict=True))
    peer, ter = sacrebleu.TER(**options), TER(variant="sacrebleu", **options)
    hypotheses = [text(rng, 40, PIECES + TER_PIECES * 2) for _ in range(150)]
    groups = [[variation(rng, one) for _ in range(rng.choice([1, 1, 2]))] for one in hypotheses]
    by_peer = [peer.sentence_score(h, r) for h, r in zip(hypotheses, groups, strict=True)]
    rows = ter.statistics(hypotheses, groups)
    assert rows[:, 5:].tolist() == [[one.num_edits, one.ref_length] for one in by_peer]
