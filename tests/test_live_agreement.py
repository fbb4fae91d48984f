"""Agreement with sacreBLEU itself, where it is installed, on texts made up on the spot."""

import itertools
import random

import numpy as np
import pytest

import tertium.compat.sacrebleu as drop_in
from tertium import BLEU, CHRF, TER, score
from tertium.significance import like_sacrebleu

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


WORDS = "the of a b c d e f , . house Haus cat ζ".split()


def small_corpus(rng):
    """Return two systems and their references: few segments, so that some replicates miss whole orders."""
    references = [" ".join(rng.choices(WORDS, k=rng.randrange(1, 12))) for _ in range(rng.choice([5, 17, 40]))]
    return *([variation(rng, one) for one in references] for _ in "ab"), references


BOOTSTRAPPED = [
    ("BLEU", {}, BLEU()),
    ("BLEU", {"smooth_method": "floor"}, BLEU(smoothing="floor")),
    ("BLEU", {"smooth_method": "add-k", "max_ngram_order": 2}, BLEU(smoothing="add-k", orders=(1, 2))),
    ("BLEU", {"effective_order": True}, BLEU(effective_order=True)),
    ("CHRF", {}, CHRF()),
    ("CHRF", {"word_order": 2}, CHRF(word_order=2)),
    ("CHRF", {"eps_smoothing": True}, CHRF(eps_smoothing=True)),
    ("TER", {}, TER(variant="sacrebleu")),
]


@pytest.mark.parametrize(("name", "options", "metric"), BOOTSTRAPPED)
def test_means_and_intervals_of_replicates_to_the_last_digit(name, options, metric):
    from sacrebleu.significance import PairedTest

    for case in range(40):
        a, b, references = small_corpus(random.Random(case))
        peer = (
            getattr(sacrebleu, name)(force=True, **options) if name == "BLEU" else getattr(sacrebleu, name)(**options)
        )
        found = getattr(drop_in, name)(**options).corpus_score(a, [references], n_bootstrap=60)
        try:
            theirs = peer.corpus_score(a, [references], n_bootstrap=60)
        except TypeError:  # its mean does not take replicates of which some are Python's 0
            assert name == "CHRF"
        else:
            assert (found._mean, found._ci) == (float(theirs._mean), float(theirs._ci))
        scores = score(metric, {"a": a, "b": b}, references)
        for short, test in (("bs", "bootstrap"), ("ar", "randomization")):
            _, results = PairedTest(
                [("a", a), ("b", b)], {name: peer}, [references], test_type=short, n_samples=60, n_ar_confidence=60
            )()
            (cells,) = (cells for column, cells in results.items() if column != "System")
            ours = like_sacrebleu(scores, test=test, samples=60, confidence_samples=60)
            assert [(one.p_value, one.mean, one.ci) for one in ours] == [
                (cell.p_value, float(cell.mean), float(cell.ci)) for cell in cells
            ]


def test_nltk_counts_an_ngram_of_every_order_in_each_segment():
    """What docs/migration.md says of corpus_bleu, and how its numbers come out."""
    nltk = pytest.importorskip("nltk.translate.bleu_score", reason="NLTK is not installed")
    rng = random.Random(11)
    bleu = BLEU(tokenize="tokens", smoothing="none")
    totals = [name.startswith("total") for name in bleu.columns]
    lowered = 0
    for _ in range(200):
        groups = [
            [rng.choices("ab", k=rng.choice([1, 2, 3, 9, 20])) for _ in "12"] for _ in range(rng.choice([1, 4, 12]))
        ]
        hypotheses = [[*group[0][:-1], rng.choice("abc")] for group in groups]
        rows = bleu.statistics(hypotheses, groups)
        if not rows.sum(axis=0)[2:6].all():  # NLTK then has something tiny, and a warning
            continue
        theirs = 100 * nltk.corpus_bleu(groups, hypotheses)
        assert bleu.score(np.where(totals, np.maximum(rows, 1), rows).sum(axis=0)) == pytest.approx(theirs, rel=1e-12)
        lowered += bleu.score(rows.sum(axis=0)) > theirs + 1
    assert lowered > 50
