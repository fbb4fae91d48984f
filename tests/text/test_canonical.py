"""Words in canonical form: stems and concepts in place of words, for every word metric."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tertium
from tertium import BLEU, CDER, PER, TER, WER, parse_metric
from tertium.errors import InputError, UnknownNameError
from tertium.text.lexicon import Stems, Synonyms, stem_words

WORD_METRICS = [BLEU, WER, PER, CDER, TER]
HYPOTHESIS, REFERENCE = "the houses stood there beyond two automobiles", "the house stands there beyond two cars"
sentences = st.lists(
    st.sampled_from("house houses housing car cars auto bank shore the the running ran".split()), max_size=9
).map(" ".join)


def score(metric, hypothesis, reference):
    return float(metric.score(metric.statistics([hypothesis], [[reference]])[0]))


@pytest.mark.parametrize("metric", WORD_METRICS)
@given(hypothesis=sentences, reference=sentences)
def test_stems_are_like_texts_that_were_stemmed_before(metric, hypothesis, reference):
    ours, theirs = (" ".join(stem_words("en", text.split())) for text in (hypothesis, reference))
    assert score(metric(stem="en"), hypothesis, reference) == score(metric(), ours, theirs)


@pytest.mark.parametrize("metric", WORD_METRICS)
@given(hypothesis=sentences, reference=sentences)
def test_concepts_are_like_texts_of_concepts(metric, hypothesis, reference):
    synonyms = Synonyms.open()

    def form(word):
        concept = synonyms.concept(word)
        return word if concept is None else f"concept{concept}"

    ours, theirs = (" ".join(map(form, text.split())) for text in (hypothesis, reference))
    assert score(metric(synonyms="wordnet"), hypothesis, reference) == score(metric(), ours, theirs)


@pytest.mark.parametrize("metric", WORD_METRICS)
def test_both(metric):
    perfect = metric.perfect
    assert score(metric(), HYPOTHESIS, REFERENCE) != perfect
    assert score(metric(stem="en", synonyms="wordnet"), HYPOTHESIS, REFERENCE) == pytest.approx(perfect)


@pytest.mark.parametrize("metric", WORD_METRICS)
def test_in_the_signature_and_back(metric):
    one = metric(stem="en", synonyms="wordnet")
    signature = one.signature(1)
    assert f"stem=english@{Stems('en').hash}" in signature
    assert f"synonyms=wordnet-3.0@{Synonyms.open().hash}" in signature
    assert parse_metric(signature) == one == pickle.loads(pickle.dumps(one))
    assert "stem=none,synonyms=none" in metric().signature()
    assert parse_metric(metric().signature()) == metric()
    assert parse_metric(f"{metric.name}:stem=none") == metric()


@pytest.mark.parametrize("metric", WORD_METRICS)
def test_what_is_not_there_is_refused_at_once(metric):
    with pytest.raises(UnknownNameError, match="No stemmer is called 'xx'"):
        metric(stem="xx")
    with pytest.raises(InputError, match="There are no synonyms 'nowhere'"):
        metric(synonyms="nowhere")


def test_metrics_with_equal_forms_share_them():
    metrics = {"a": BLEU(stem="en"), "b": WER(stem="english"), "c": BLEU()}
    scores = tertium.score(metrics, [HYPOTHESIS] * 3, [[REFERENCE]] * 3, threads=2)
    for label, metric in metrics.items():
        np.testing.assert_array_equal(scores.rows[label], metric.statistics([HYPOTHESIS] * 3, [[REFERENCE]] * 3))


def test_threads_that_add_words_do_not_disturb_each_other():
    """Every call brings words that the shared table has to learn while other threads read it."""

    def texts(run):
        return [" ".join(f"word{run}x{k}s" for k in range(i, i + 20)) for i in range(0, 400, 4)]

    def error_rate(run):
        metric = WER(stem="en")
        return metric.score(
            metric.statistics(texts(run), [[text.replace("s ", " ")] for text in texts(run)], threads=2)
        )

    with ThreadPoolExecutor(4) as pool:
        for scores in pool.map(error_rate, range(40)):
            np.testing.assert_array_equal(scores, 0)


def test_lists_of_tokens():
    wer = WER(tokenize="tokens", stem="en")
    assert wer.score(wer.statistics([["houses", "x"]], [["house", "x"]])[0]) == 0


def test_an_alignment_shows_words_as_they_stand():
    for metric in (WER(stem="en"), CDER(stem="en"), TER(stem="en")):
        alignment = metric.align("two houses", ["two house"])
        assert alignment.hypothesis == ("two", "houses")
        assert alignment.reference == ("two", "house")
        assert [operation.kind for operation in alignment.operations] == ["match", "match"]
        assert alignment.score == 0


def test_letters_of_stems():
    assert score(WER(substitution="levenshtein", stem="en"), "houses", "housing") == 0
    with pytest.raises(InputError, match="compares the letters of words, but synonyms="):
        WER(substitution="levenshtein", synonyms="wordnet")


@pytest.mark.parametrize("metric", [WER, PER, CDER])
def test_substitutions_between_words_that_are_alike(metric):
    assert score(metric(substitution="stem"), "two houses", "two house") == 0
    assert score(metric(substitution="stem"), "two houses", "two homes") == pytest.approx(50)
    assert score(metric(substitution="stem", stem="porter"), "possibly", "possible") == pytest.approx(100)
    assert score(metric(substitution="synonym"), "the machine stopped", "the car stopped") == 0
    assert score(metric(synonyms="wordnet"), "the machine stopped", "the car stopped") > 0
    assert metric(substitution="stem").stem == "english"
    assert metric(substitution="synonym").synonyms == "wordnet"
    assert parse_metric(metric(substitution="synonym").signature()) == metric(substitution="synonym")


@pytest.mark.parametrize("metric", [WER, PER, CDER])
@given(hypothesis=sentences, reference=sentences)
def test_substitutions_agree_with_a_function_that_says_the_same(metric, hypothesis, reference):
    synonyms = Synonyms.open()
    by_function = metric(substitution=lambda a, b: 0.0 if synonyms.related(a, b) else 1.0)
    assert score(metric(substitution="synonym"), hypothesis, reference) == pytest.approx(
        score(by_function, hypothesis, reference)
    )


def test_a_user_file(tmp_path):
    path = tmp_path / "mine.tsv"
    path.write_text("Haus\tGebäude\n")
    metric = BLEU(synonyms=str(path), effective_order=True)
    assert score(metric, "Das Haus", "Das Gebäude") == pytest.approx(100)
    assert f"synonyms=mine@{Synonyms.open(path).hash}" in metric.signature()
