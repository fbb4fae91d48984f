"""Names of sacreBLEU that other packages call: frozen values, and the original itself where it is installed."""

import copy
import pickle
import subprocess
import sys
from importlib import import_module

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tertium.compat import sacrebleu as ours
from tertium.compat.sacrebleu.metrics import BLEU, CHRF, TER, helpers, lib_ter
from tertium.compat.sacrebleu.metrics.bleu import _get_tokenizer
from tertium.compat.sacrebleu.significance import PairedTest, Result, estimate_ci
from tertium.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer
from tertium.compat.sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer
from tertium.errors import InputError, TertiumError

HYPOTHESES = ["the cat sat on the mat", "a b"]
REFERENCES = [["the cat is on the mat", "a b c"], ["a cat sat", "x"]]
RULES = ("none", "zh", "13a", "intl", "char")
TEXTS = st.text(st.sampled_from("aB1 ,.-'\"&;<>$%()[]/_中、。٣éß\u00a0\t"), max_size=20)


@pytest.fixture(scope="module")
def theirs():
    return pytest.importorskip("sacrebleu", reason="sacreBLEU is not installed")


def test_segments_have_statistics_that_add_up():
    metric = BLEU()
    rows = metric._extract_corpus_statistics(HYPOTHESES, REFERENCES)
    assert rows == [[6, 6, 6, 4, 1, 0, 6, 5, 4, 3], [2, 1, 2, 1, 0, 0, 2, 1, 0, 0]]
    assert all(type(value) is int for row in rows for value in row)
    sums = [sum(column) for column in zip(*rows, strict=True)]
    score = metric.corpus_score(HYPOTHESES, REFERENCES).score
    assert metric._compute_score_from_stats(sums).score == metric._aggregate_and_compute(rows).score == score


def test_statistics_of_ter_and_chrf():
    assert TER()._extract_corpus_statistics(HYPOTHESES, REFERENCES) == [[1, 4.5], [1, 2.0]]
    row = CHRF(word_order=2)._extract_corpus_statistics(HYPOTHESES, REFERENCES)[1]
    assert row == [2, 3, 2, 1, 2, 1, *[0, 1, 0], *[0] * 9, *[2, 3, 2], *[1, 2, 1]]


def test_ngrams_are_counted():
    assert helpers.extract_word_ngrams(["a", "b", "a"], 2) == {"a b": 1, "b a": 1}
    assert helpers.extract_all_word_ngrams("a b a", 1, 2) == ({("a",): 2, ("b",): 1, ("a", "b"): 1, ("b", "a"): 1}, 3)
    assert helpers.extract_char_ngrams("a bc", 2) == {"ab": 1, "bc": 1}
    assert helpers.extract_all_char_ngrams("a b", 2, True) == [{"a": 1, " ": 1, "b": 1}, {"a ": 1, " b": 1}]


def test_tokenizers_have_classes():
    assert {name: _get_tokenizer(name).__name__ for name in RULES} == {
        "none": "NoneTokenizer",
        "zh": "TokenizerZh",
        "13a": "Tokenizer13a",
        "intl": "TokenizerV14International",
        "char": "TokenizerChar",
    }
    assert all(isinstance(_get_tokenizer(name)(), BaseTokenizer) for name in RULES)
    assert BLEU(tokenize="char").tokenizer("a b") == "a   b"
    assert TercomTokenizer(normalized=True)("Jim's car.") == "jim 's car ."


@given(text=TEXTS)
def test_tokenizers_agree_with_the_original(theirs, text):
    for name in RULES:
        assert _get_tokenizer(name)()(text) == theirs.metrics.bleu._get_tokenizer(name)()(text), name


@given(text=TEXTS)
def test_the_tokenizer_of_expressions_alone(theirs, text):
    name = "tokenizers.tokenizer_re"
    mine, original = import_module(f"tertium.compat.sacrebleu.{name}"), import_module(f"sacrebleu.{name}")
    assert mine.TokenizerRegexp()(text) == original.TokenizerRegexp()(text)


def test_another_tokenizer_can_be_put_in():
    metric = BLEU()
    metric.tokenizer = lambda line: " ".join(line)
    assert round(metric.corpus_score(["abcd ef"], [["abcd ee"]]).score, 2) == 75.98
    with pytest.raises(AttributeError):
        TER().tokenizer = metric.tokenizer


def test_edits_between_words():
    assert lib_ter.translation_edit_rate("a b c d".split(), "a c b d".split()) == (1, 4)
    assert lib_ter.translation_edit_rate([], ["a", "b"]) == (2, 2)
    assert lib_ter.BeamEditDistance("a b c d".split())("a x c".split()) == (2, " s i")
    assert lib_ter.trace_to_alignment("  sid ") == (
        {0: 0, 1: 1, 2: 2, 3: 3, 4: 4},
        [0, 0, 1, 1, 0],
        [0, 0, 1, 1, 0],
    )
    assert lib_ter.trace_to_alignment("dd") == ({0: -1, 1: -1}, [1, 1], [])


WORDS = st.lists(st.sampled_from("abcde"), max_size=9)


@given(WORDS, WORDS)
def test_edits_agree_with_the_original(theirs, hypothesis, reference):
    original = import_module("sacrebleu.metrics.lib_ter")
    assert lib_ter.translation_edit_rate(hypothesis, reference) == original.translation_edit_rate(hypothesis, reference)
    found = lib_ter.BeamEditDistance(reference)(hypothesis)
    assert found == original.BeamEditDistance(reference)(hypothesis)
    assert lib_ter.trace_to_alignment(found[1]) == original.trace_to_alignment(found[1])


@pytest.mark.parametrize(
    "metric", [BLEU(references=REFERENCES), CHRF(references=REFERENCES), TER(references=REFERENCES)]
)
def test_metrics_pickle_and_copy(metric):
    score = metric.corpus_score(HYPOTHESES, None)
    for other in (pickle.loads(pickle.dumps(metric)), copy.copy(metric), copy.deepcopy(metric)):
        assert other.corpus_score(HYPOTHESES, None).score == score.score
        assert str(other.get_signature()) == str(metric.get_signature())


def test_the_signature_names_the_test_set():
    metric = BLEU()
    metric.corpus_score(HYPOTHESES, REFERENCES)
    metric.test_set, metric.langpair, metric.origlang, metric.subset = "wmt14", "en-de", "en", "news"
    assert str(metric.get_signature()).startswith("nrefs:2|test:wmt14|lang:en-de|origlang:en|subset:news|case:mixed|")


def test_the_version_splits_into_numbers():
    assert tuple(int(part) for part in ours.__version__.split(".")) == (2, 6, 0)


# --- what is refused, and how to have it nevertheless ----------------------------------------------------------------


def test_unequal_lengths_say_what_the_original_prints():
    with pytest.raises(InputError, match=r"print 100\.00, .*strict=False computes it"):
        BLEU().corpus_score(["a b c d", "x"], [["a b c d"]])
    with pytest.raises(InputError, match=r"references\[1\] has 1\. .*would cut all lists"):
        BLEU().corpus_score(["a b c d", "x"], [["a b c d", "x"], ["y"]])


@pytest.mark.parametrize("name", ["BLEU", "CHRF", "TER"])
@pytest.mark.parametrize(
    ("hypotheses", "references"),
    [
        (["a b c d", "x"], [["a b c e"]]),
        (["a b c d"], [["a b c e", "x"]]),
        (["a \ud800 c d"], [["a \ud800 c e"]]),
        (["a b c d", "x y"], [["a b c e", "x"], ["y"]]),
        ("abcd", [["a", "b", "x"]]),
    ],
)
def test_without_strictness_as_the_original(theirs, name, hypotheses, references):
    mine = getattr(ours, name)(strict=False).corpus_score(hypotheses, references)
    original = getattr(theirs, name)().corpus_score(hypotheses, references)
    assert mine.score == original.score
    with pytest.raises(TertiumError):
        getattr(ours, name)().corpus_score(hypotheses, references)


def test_lone_surrogates_say_what_the_original_does():
    with pytest.raises(TypeError, match="halves of characters .* strict=False"):
        BLEU().corpus_score(["a \ud800"], [["a"]])


# --- paired tests ----------------------------------------------------------------------------------------------------

SYSTEMS = [("x", ["the cat sat on a mat", "a b c d"]), ("y", ["the cat mat sat", "a b d d e"])]
TEXT = [["the cat sat on the mat today", "a b c d e"]]


def test_results_and_intervals():
    assert repr(Result(1.5, 0.2)) == "score=1.5,p_value=0.2,mean=None,ci=None"
    assert estimate_ci(np.arange(100.0)) == (49.5, 47.5)


@pytest.mark.parametrize(("kind", "confidence"), [("bs", -1), ("ar", -1), ("ar", 10)])
def test_paired_tests_agree_with_the_original(theirs, kind, confidence):
    found = []
    for package in (ours, theirs):
        name = package.__name__
        test = import_module(f"{name}.significance").PairedTest
        metrics = {"BLEU": package.BLEU(references=TEXT), "chrF2": package.CHRF(references=TEXT)}
        signatures, table = test(SYSTEMS, metrics, None, kind, 200, confidence)()
        shown = {metric: str(signature).partition("|version")[0] for metric, signature in signatures.items()}
        found.append((shown, table["System"], repr(table["BLEU"]), [vars(one) for one in table["chrF2"]]))
    for mine, original in zip(*found, strict=True):
        assert mine == original


def test_paired_tests_refuse():
    with pytest.raises(TertiumError, match="test"):
        PairedTest(SYSTEMS, {"BLEU": BLEU()}, TEXT, "xx")
    with pytest.raises(InputError, match="given twice"):
        PairedTest([SYSTEMS[0], SYSTEMS[0]], {"BLEU": BLEU()}, TEXT)
    with pytest.raises(RuntimeError, match="No references"):
        PairedTest(SYSTEMS, {"BLEU": BLEU()}, None)()


# --- under the original's name ---------------------------------------------------------------------------------------

INSTALLED = """
import tertium.compat
tertium.compat.install()
import sacrebleu, jiwer
from sacrebleu.metrics import BLEU
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
import tertium.compat.sacrebleu.metrics
assert BLEU is tertium.compat.sacrebleu.metrics.BLEU, BLEU
assert Tokenizer13a()("a,b") == "a , b"
assert jiwer.wer("a b", "a c") == 0.5
assert sacrebleu.corpus_bleu(["a b c d"], [["a b c d"]]).score > 99.9
try:
    import sacrebleu.no_such_part
except ModuleNotFoundError as error:
    print(error)
"""


def test_stand_ins_go_by_the_originals_names():
    done = subprocess.run([sys.executable, "-c", INSTALLED], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("tertium stands in for sacrebleu, but has no sacrebleu.no_such_part.")


def test_only_known_programs_are_stood_in_for():
    from tertium.compat import install

    with pytest.raises(TertiumError, match="program"):
        install("nltk")


def test_every_public_name_is_there(theirs):
    assert set(theirs.__all__) <= set(ours.__all__)
    assert all(getattr(ours, name) is not None for name in theirs.__all__)


def test_models_that_the_original_fetched_are_found(tmp_path, monkeypatch):
    trained = pytest.importorskip("sentencepiece", reason="sentencepiece is not installed")
    models = tmp_path / "models"
    models.mkdir()
    text = tmp_path / "text.txt"
    text.write_text("the old ferry leaves at noon\nthe new ferry leaves at nine\n" * 20, encoding="utf-8")
    trained.SentencePieceTrainer.train(
        input=str(text), model_prefix=str(tmp_path / "small"), vocab_size=20, minloglevel=2, num_threads=1
    )
    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    for name, file in (("flores200", "flores200sacrebleuspm"), ("spBLEU-1K", "spbleu-1k_tokenizer_spm.model")):
        with pytest.raises(InputError, match="tertium resources get"):
            BLEU(tokenize=name)
        (models / file).write_bytes((tmp_path / "small.model").read_bytes())
        metric = BLEU(tokenize=name)
        metric.corpus_score(["the old ferry leaves at nine"], [["the new ferry leaves at nine"]])
        assert f"|tok:{name}|" in str(metric.get_signature())


# --- test sets -------------------------------------------------------------------------------------------------------


def test_test_sets_have_the_originals_names_and_pairs(theirs):
    mine, original = (import_module(f"{package.__name__}.utils") for package in (ours, theirs))
    assert sorted(mine.get_available_testsets()) == sorted(original.get_available_testsets())
    for name in original.get_available_testsets():
        assert sorted(mine.get_langpairs_for_testset(name)) == sorted(original.get_langpairs_for_testset(name)), name
        for field in ("data", "md5"):
            assert getattr(mine.DATASETS[name], field) == getattr(original.DATASETS[name], field), name
    assert mine.get_available_subsets("wmt18", "en-de") == original.get_available_subsets("wmt18", "en-de")
    assert mine.get_langpairs_for_testset("no such set") == []
    for pair in ("en-it", "en-fr", "zh-en", "xx-yy"):
        assert mine.get_available_testsets_for_langpair(pair) == original.get_available_testsets_for_langpair(pair)


def test_texts_that_are_here_are_read(tmp_path, monkeypatch):
    from tertium.compat.sacrebleu import utils

    monkeypatch.setenv("SACREBLEU", str(tmp_path))
    folder = tmp_path / "wmt14"
    folder.mkdir()
    for field, line in (("src", "Hallo"), ("ref", "Hello"), ("docid", "d"), ("genre", "news"), ("origlang", "de")):
        (folder / f"wmt14.de-en.{field}").write_text(f"{line}\n", encoding="utf-8")
    with utils.smart_open(utils.get_source_file("wmt14", "de-en")) as file:
        assert file.read() == "Hallo\n"
    assert utils.get_reference_files("wmt14", "de-en") == [str(folder / "wmt14.de-en.ref")]
    assert list(utils.DATASETS["wmt14"].references("de-en")) == [("Hello",)]
    assert utils.get_available_origlangs("wmt14", "de-en") == ["de"]
    with pytest.raises(TertiumError, match="wmt14"):
        utils.get_source_file("wmt14", "en-xx")
    with pytest.raises(TertiumError, match="test set"):
        utils.get_source_file("wmt1", "en-de")


def test_a_terminal_gets_colours():
    from tertium.compat.sacrebleu.paired import with_colours

    assert with_colours("1.0 (p = 0.0100)* 2.0 (p = 0.5000)") == (
        "1.0 \033[32m(p = 0.0100)*\033[0m 2.0 \033[31m(p = 0.5000)\033[0m"
    )
