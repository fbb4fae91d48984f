"""NIST: worked examples, generated texts against the textbook, what is learnt and where it is kept."""

import pickle
import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from examples import examples
from oracles import nist as textbook
from oracles.generated import alike, edited, sequence
from tertium import BLEU, NIST, TER, Accumulator, Averaged, Combination, parse_metric
from tertium.errors import InputError, UnknownNameError

CLASSIC = "It is a guide to action which ensures that the military always obeys the commands of the party"
CLASSIC_REFERENCES = [
    "It is a guide to action that ensures that the military will forever heed Party commands",
    "It is the guiding principle which guarantees the military forces always being under the command of the Party",
    "It is the practical guide for the army always to heed the directions of the party",
]
ZEROS = ["hello there", "0 x 0 y cat sat"]
ZERO_SETS = [["hello world", "0 x 0 z cat sat"], ["hello there friend of mine", "the cat sat"]]
ZERO_REFERENCES = [list(group) for group in zip(*ZERO_SETS, strict=True)]

# --- worked examples ----------------------------------------------------------------------------------------


def test_the_classic_example():
    nist = NIST(tokenize="none").fitted_to([CLASSIC_REFERENCES])
    rows = nist.statistics([CLASSIC], [CLASSIC_REFERENCES])
    parts = nist.parts(rows[0])
    assert nist.information.words == 50
    assert nist.score(rows[0]) == pytest.approx(5.037920, abs=5e-7)
    assert parts["ratio"] == pytest.approx(1.08)
    assert [round(float(parts[f"individual_{n}"]), 4) for n in range(1, 6)] == [4.2925, 0.5838, 0.1616, 0, 0]
    assert parts["cumulative_5"] == pytest.approx(5.037920, abs=5e-7)
    assert parts["bp"] == 1


def zeros_score(**options):
    return tertium.score(NIST(**options), ZEROS, reference_sets=ZERO_SETS).corpus["nist"]


def test_the_word_zero_counts_as_no_prefix_in_mteval():
    score = {setting: zeros_score(tokenize="none", perl_zero_prefix=setting) for setting in (True, False, None)}
    assert score[True] == pytest.approx(3.708333, abs=5e-7)
    assert score[False] == score[None] == pytest.approx(3.208333, abs=5e-7)
    parts = NIST(tokenize="none", perl_zero_prefix=True).fitted_to(ZERO_REFERENCES)
    parts = parts.parts(parts.statistics(ZEROS, ZERO_REFERENCES).sum(axis=0))
    assert [round(float(parts[f"individual_{n}"]), 4) for n in (1, 2)] == [2.8750, 0.8333]


@pytest.mark.parametrize("tokenize", ["13a", "mteval", "mteval-intl"])
def test_with_the_tokenizers_of_mteval_it_does_so_by_default(tokenize):
    scores = [zeros_score(tokenize=tokenize, perl_zero_prefix=setting) for setting in (None, True, False)]
    assert scores[0] == scores[1] == pytest.approx(3.708333, abs=5e-7)
    assert scores[2] == pytest.approx(3.208333, abs=5e-7)


def test_a_zero_that_occurs_once_is_no_prefix_either():
    nist = NIST(tokenize="none", perl_zero_prefix=True).fitted_to([["0 x a a"]])
    assert nist.statistics(["0 x"], [["0 x"]])[0, 2:4] == pytest.approx([4, 2])  # log2(4) twice; then log2(4/1)


def test_two_thirds_of_the_length_get_half_the_score():
    nist = NIST(tokenize="none", order=1).fitted_to([["a b c"]])
    assert nist.parts(nist.statistics(["a b"], [["a b c"]])[0])["bp"] == pytest.approx(0.5)
    assert nist.parts(nist.statistics(["a b c d"], [["a b c"]])[0])["bp"] == 1  # never for being long


def test_the_reference_length_is_the_average():
    nist = NIST(tokenize="none").fitted_to([["a b c d", "a"]])
    assert nist.statistics(["a b"], [["a b c d", "a"]])[0, 1] == 2.5


@pytest.mark.parametrize(("hypothesis", "references"), [("", ["a"]), ("a", [""]), ("", [""]), ("b", ["a"])])
def test_nothing_scores_nothing(hypothesis, references):
    assert tertium.score(NIST(), [hypothesis], [references]).corpus["nist"] == 0


# --- generated, against the textbook ------------------------------------------------------------------------

ALPHABETS = [["0", "a"], ["0", "a", "b", "c", "d"], [f"w{n}" for n in range(40)]]
lengths = st.one_of(st.integers(0, 12), st.integers(60, 70), st.integers(126, 131))
corpora = st.lists(alike(ALPHABETS, lengths), min_size=1, max_size=5)


def check(segments, order, zero_prefix, threads=1):
    hypotheses = [" ".join(hypothesis) for hypothesis, _ in segments]
    references = [[" ".join(one) for one in group] for _, group in segments]
    counts, words = textbook.counted([group for _, group in segments], order)
    nist = NIST(tokenize="none", order=order, perl_zero_prefix=zero_prefix).fitted_to(references)
    rows = nist.statistics(hypotheses, references, threads=threads)
    expected = [textbook.row(*one, order, counts, words, zero_prefix=zero_prefix) for one in segments]
    assert nist.information.words == words
    np.testing.assert_allclose(rows, expected, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(nist.score(rows), [textbook.score(row, order) for row in expected], rtol=1e-12)
    total = np.sum(expected, axis=0)
    assert nist.score(rows.sum(axis=0)) == pytest.approx(textbook.score(total, order), rel=1e-12)
    return nist


@given(corpora, st.sampled_from([5, 5, 1, 2, 3, 4, 6, 9]), st.booleans())
def test_agrees_with_the_textbook(segments, order, zero_prefix):
    check(segments, order, zero_prefix)


@examples(15)
@given(st.lists(alike(ALPHABETS, st.integers(370, 1100), 2), min_size=1, max_size=2), st.booleans())
def test_long_segments(segments, zero_prefix):
    check(segments, 5, zero_prefix)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_a_corpus_of_many_words(threads):
    words = [f"w{n}" for n in range(900)]
    rng = random.Random(threads)
    segments = []
    for seed in range(120):
        hypothesis = sequence(words, rng.randint(20, 60), seed)
        copies = [
            edited(hypothesis, words, rng.randint(0, 12), rng.randint(20, 60), seed) for _ in range(rng.randint(0, 2))
        ]
        segments.append((hypothesis, [*copies, sequence(words, rng.randint(20, 60), -seed)]))
    check(segments, 5, True, threads)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_all_that_is_learnt_from_many_short_texts(threads, monkeypatch):
    monkeypatch.setattr("tertium.metrics.nist.thread_count", lambda _: threads)
    rng = random.Random(threads)
    # Some words are frequent, and so many come once that the table of words has to grow again and again.
    words = [*(f"w{min(int(rng.paretovariate(0.4)), 4000)}" for _ in range(150_000)), *map(str, range(60_000))]
    rng.shuffle(words)
    references = [" ".join(words[at : at + 3]) for at in range(0, len(words), 3)]
    fitted = NIST(tokenize="none", order=3).fitted_to(references)
    counts: Counter[tuple[str, ...]] = Counter()
    for text in references:
        split = text.split()
        counts.update(tuple(split[i:k]) for i in range(len(split)) for k in range(i + 1, len(split) + 1))
    assert learnt(fitted) == {ngram: count for ngram, count in counts.items() if count > 1}
    assert fitted.information.words == len(words)


def learnt(nist):
    """Return the n-grams of words of up to seven bytes that are known, and how often each occurs."""
    _, _, words, ngrams = nist.information.table.__getstate__()
    known = [
        ((key.item().to_bytes(8, "little")[: key.item() >> 56].decode(),), count.item())
        for key, count in np.frombuffer(words, np.uint64).reshape(-1, 2)
    ]
    for prefix, last, count in np.frombuffer(ngrams, np.uint32).reshape(-1, 3).tolist():
        known.append((known[prefix][0] + known[last][0], count))
    return dict(known)


@given(corpora, st.lists(alike(ALPHABETS, lengths), min_size=1, max_size=3))
def test_what_was_never_seen_counts_as_seen_once(learnt, scored):
    counts, words = textbook.counted([group for _, group in learnt], 5)
    nist = NIST(tokenize="tokens").fitted_to([group for _, group in learnt])
    rows = nist.statistics([hypothesis for hypothesis, _ in scored], [group for _, group in scored])
    expected = [textbook.row(*one, 5, counts, words, zero_prefix=False) for one in scored]
    np.testing.assert_allclose(rows, expected, rtol=1e-12, atol=1e-12)


# --- what is learnt -----------------------------------------------------------------------------------------

REFERENCES = [["the cat sat on the mat", "a cat sat"], ["the dog sat on the mat", "the dog lay"], ["so it was"] * 2]
HYPOTHESES = ["the cat sat on a mat", "the dog sat", "it was so"]


@pytest.mark.parametrize("metric", [NIST(), Averaged(NIST()), Combination({NIST(): 0.1, BLEU(): 0.9})])
def test_without_references_it_knows_nothing(metric):
    assert not metric.is_fitted
    with pytest.raises(InputError, match=r"Learn it from all references first: NIST\(…\)\.fitted_to"):
        metric.statistics(HYPOTHESES, REFERENCES)
    assert metric.fitted_to(REFERENCES).is_fitted
    assert np.isfinite(metric.fitted_to(REFERENCES).statistics(HYPOTHESES, REFERENCES)).all()


def test_the_accumulator_needs_it_fitted():
    with pytest.raises(InputError, match="fitted_to"):
        Accumulator(NIST()).update(HYPOTHESES, REFERENCES)
    batches = Accumulator(NIST().fitted_to(REFERENCES))
    for hypothesis, group in zip(HYPOTHESES, REFERENCES, strict=True):
        batches.update([hypothesis], [group])
    assert batches.compute()["nist"] == pytest.approx(tertium.score(NIST(), HYPOTHESES, REFERENCES).corpus["nist"])


def test_score_learns_once_for_all_systems_and_levels():
    scores = tertium.score(
        [NIST(), Averaged(NIST())],
        {"one": HYPOTHESES, "two": HYPOTHESES[::-1]},
        REFERENCES,
        documents=["a", "b", "c"],
    )
    fitted = NIST().fitted_to(REFERENCES)
    rows = fitted.statistics(HYPOTHESES, REFERENCES)
    assert scores.metrics["nist"] == fitted
    assert scores.corpus["one"]["nist"] == fitted.score(rows.sum(axis=0))
    assert scores.segments["one"]["nist"].tolist() == fitted.score(rows).tolist()
    assert list(scores.documents["one"]["nist"].values()) == fitted.score(rows).tolist()
    assert scores.corpus["one"]["averaged-nist"] == pytest.approx(fitted.score(rows).mean())
    assert fitted.information.mark in scores.signatures["nist"]


def test_score_keeps_what_was_learnt_before():
    elsewhere = NIST().fitted_to([*REFERENCES, ["the bird sat on the mat"]])
    scores = tertium.score(elsewhere, HYPOTHESES, REFERENCES)
    assert scores.metrics["nist"] == elsewhere
    assert scores.corpus != tertium.score(NIST(), HYPOTHESES, REFERENCES).corpus


def test_reference_sets_and_flat_references():
    by_set = tertium.score(NIST(), HYPOTHESES, reference_sets=list(zip(*REFERENCES, strict=True))).corpus
    assert by_set == tertium.score(NIST(), HYPOTHESES, REFERENCES).corpus
    flat = [group[0] for group in REFERENCES]
    assert NIST().fitted_to(flat) == NIST().fitted_to([[text] for text in flat])


def test_shards_that_learnt_different_things_are_not_merged():
    shards = [tertium.score(NIST(), HYPOTHESES[i : i + 1], REFERENCES[i : i + 1]) for i in range(2)]
    with pytest.raises(InputError, match="same settings"):
        shards[0].merge(shards[1])


def test_the_hash_depends_on_counts_and_not_on_order():
    mark = NIST().fitted_to(REFERENCES).information.mark
    assert mark.startswith("references@")
    assert NIST().fitted_to(REFERENCES[::-1]).information.mark == mark
    assert NIST().fitted_to([*REFERENCES, ["the"]]).information.mark != mark
    assert NIST(lowercase=True).fitted_to([["The"], ["the"]]) != NIST().fitted_to([["The"], ["the"]])
    assert NIST(order=4).fitted_to(REFERENCES).information.mark != mark


@given(corpora, st.integers(1, 6))
def test_pickled_information_scores_the_same(segments, order):
    nist = NIST(tokenize="tokens", order=order).fitted_to([group for _, group in segments])
    copy = pickle.loads(pickle.dumps(nist))
    texts = [hypothesis for hypothesis, _ in segments], [group for _, group in segments]
    assert copy == nist
    assert hash(copy) == hash(nist)
    assert repr(copy) == repr(nist)
    np.testing.assert_array_equal(copy.statistics(*texts), nist.statistics(*texts))


@given(corpora, st.sampled_from([5, 5, 1, 2, 6, 10]), st.booleans(), st.data())
def test_references_known_again_give_the_same_rows(segments, order, zero_prefix, data):
    hypotheses = [" ".join(hypothesis) for hypothesis, _ in segments]
    references = [" ".join(group[0]) for _, group in segments]
    fitted = NIST(tokenize="none", order=order, perl_zero_prefix=zero_prefix).fitted_to(references)
    copy = pickle.loads(pickle.dumps(fitted))  # which looks all n-grams up
    part = slice(data.draw(st.integers(0, len(segments) - 1)), None)
    rows = copy.statistics(hypotheses, references)
    np.testing.assert_array_equal(fitted.statistics(hypotheses, references), rows)
    np.testing.assert_array_equal(fitted.statistics(hypotheses[part], references[part]), rows[part])
    pairs = [[text, other] for text, other in zip(references, references[::-1], strict=True)]
    np.testing.assert_array_equal(fitted.statistics(hypotheses, pairs), copy.statistics(hypotheses, pairs))


@given(corpora, st.sampled_from([5, 5, 1, 2, 6, 10]), st.booleans(), st.integers(2, 4))
def test_references_that_come_again_and_again(segments, order, zero_prefix, times):
    hypotheses = [" ".join(hypothesis) for hypothesis, _ in segments] * times
    references = [" ".join(group[0]) for _, group in segments] * times
    fitted = NIST(tokenize="none", order=order, perl_zero_prefix=zero_prefix).fitted_to(references)
    counts, words = textbook.counted([[text.split()] for text in references], order)
    pairs = zip(hypotheses, references, strict=True)
    expected = [textbook.row(h.split(), [r.split()], order, counts, words, zero_prefix=zero_prefix) for h, r in pairs]
    rows = fitted.statistics(hypotheses, references)
    np.testing.assert_allclose(rows, expected, rtol=1e-12, atol=1e-12)
    # Where they are not known again, all n-grams are looked up, also those that have one place in a text.
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(fitted)).statistics(hypotheses, references), rows)


def test_only_the_very_same_strings_are_known_again():
    texts = ["the cat sat", "a dog sat"]
    fitted = NIST().fitted_to(texts)

    def known(references):
        return fitted.information.known_again(references) is not references

    assert known(texts)
    assert known(list(texts))
    assert not known(tuple(texts))
    assert not known(texts[::-1])
    assert not known(texts[:1])
    assert not known([*texts, "a cat"])
    assert not known([texts[0], None])
    assert not known([[text] for text in texts])
    assert not known(None)
    groups = [texts, texts[:1]]
    assert NIST().fitted_to(groups).information.known_again(groups) is groups
    groups = [[text] for text in texts]
    assert NIST().fitted_to(groups).information.known_again(groups) is groups
    copy = pickle.loads(pickle.dumps(fitted))
    assert copy.information.known_again(texts) is texts
    texts[1] = "the dog lay"
    np.testing.assert_array_equal(
        fitted.statistics(["the dog lay"] * 2, texts), copy.statistics(["the dog lay"] * 2, texts)
    )
    with pytest.raises(InputError, match="hypotheses has 1 segments, but references has 2"):
        fitted.statistics(["the dog lay"], texts)


@pytest.mark.parametrize("size", [1, 255, 256, 257, 512, 513])
def test_strings_are_known_again_however_many_they_are(size):
    texts = [f"text {n}" for n in range(size)]
    known = NIST(tokenize="none").fitted_to(texts).information.known_again
    same = list(texts)
    assert known(same) is not same
    for n in {0, 1, 254, 255, 256, 511, size - 1} & set(range(size)):
        other = [*texts[:n], "".join(["tex", f"t {n}"]), *texts[n + 1 :]]  # equal, but not the same
        assert known(other) is other
        groups = [*texts[:n], [texts[n]], *texts[n + 1 :]]
        assert known(groups) is groups
        assert NIST().fitted_to(groups).information.known_again(texts) is texts
    for other in (tuple(texts), texts[:-1] or None, [*texts, None]):
        assert known(other) is other


def test_a_tuple_that_was_learnt_from_is_no_string():
    odd = ((group := ["a b"]), "c d")
    fitted = NIST().fitted_to(odd)
    with pytest.raises(InputError, match=r"references\[0\]\[0\] is a list"):
        fitted.statistics(["a b", "c d"], [odd, group[0]])


@pytest.mark.parametrize("last", ["", " {}", " c {}"])
def test_what_occurs_very_often(last):
    texts = [f"a b{last}".format(n) for n in range(70_000)]  # logarithms of larger counts stand elsewhere
    fitted = NIST(tokenize="none").fitted_to(texts)
    rows = fitted.statistics(texts, texts)
    copy = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(copy.statistics(texts[:50], texts[:50]), rows[:50])
    words, *longer = rows[0, 2:7]
    assert words > np.log2(fitted.information.words / 70_000)
    assert longer[0] == pytest.approx(np.log2(70_000) if last else 0)


@pytest.mark.parametrize("share", [0.0, 0.3])
def test_texts_of_some_lengths_tell_whether_many_are_equal(share):
    rng = random.Random(2)
    texts = [" ".join(f"w{rng.randrange(300)}" for _ in range(rng.randint(1, 9))) for _ in range(9000)]
    texts[:] = [texts[rng.randrange(20)] if len(text) % 9 == 4 and rng.random() < share else text for text in texts]
    texts += [text for text in texts[:6000] if len(text) % 9 != 4]
    fitted = NIST(tokenize="none", order=3).fitted_to(texts)
    counts: Counter[tuple[str, ...]] = Counter()
    for text in texts:
        split = text.split()
        counts.update(tuple(split[i:k]) for i in range(len(split)) for k in range(i + 1, min(i + 3, len(split)) + 1))
    assert learnt(fitted) == {ngram: count for ngram, count in counts.items() if count > 1}
    rows = pickle.loads(pickle.dumps(fitted)).statistics(texts, texts)
    np.testing.assert_array_equal(fitted.statistics(texts, texts), rows)


def test_references_split_another_way_are_not_known_again():
    texts = ["the cat sat, and sat", "a dog sat"]
    fitted = NIST(tokenize="none").fitted_to(texts)
    other = replace(fitted, tokenize="char")
    expected = pickle.loads(pickle.dumps(other)).statistics(texts, texts)
    np.testing.assert_array_equal(other.statistics(texts, texts), expected)
    assert other.statistics(texts, texts)[0, 0] == 16


def test_signatures():
    assert parse_metric(NIST(order=4, perl_zero_prefix=False).signature()) == NIST(order=4, perl_zero_prefix=False)
    fitted = NIST().fitted_to(REFERENCES)
    with pytest.raises(InputError, match=r"learnt .* from references \(references@[0-9a-f]{12}\).*fitted_to"):
        parse_metric(fitted.signature(2))
    assert f"information={fitted.information.mark}" in fitted.signature(2)
    assert parse_metric("nist:perl_zero_prefix=true,order=3") == NIST(perl_zero_prefix=True, order=3)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"order": 0}, InputError, "order must be a whole number from 1 to 1000"),
        ({"order": 2.5}, InputError, "order must be a whole number"),
        ({"order": 5000}, InputError, "from 1 to 1000"),
        ({"tokenize": "13b"}, UnknownNameError, "Did you mean '13a'"),
        ({"lowercase": 1}, InputError, "lowercase must be True or False"),
        ({"perl_zero_prefix": "yes"}, InputError, "perl_zero_prefix must be True, False or None"),
        ({"information": "references@000000000000"}, InputError, "what fitted_to"),
        ({"information": NIST(order=4).fitted_to(REFERENCES).information}, InputError, "up to order 4, but order=5"),
        ({"unicode": "nfd"}, UnknownNameError, "nfd"),
    ],
)
def test_settings_that_cannot_be_meant(settings, error, message):
    with pytest.raises(error, match=message):
        NIST(**settings)


@pytest.mark.parametrize("text", ["nist:perl_zero_prefix=maybe", "nist:information=", "nist:order=five"])
def test_texts_that_cannot_be_meant(text):
    with pytest.raises(InputError):
        parse_metric(text)


def test_directions_do_not_mix():
    with pytest.raises(InputError, match="higher is better"):
        Combination({NIST(): 0.5, TER(): 0.5})
