"""The stand-in for sacreBLEU's Python interface: frozen values, and the original itself where it is installed.

Numbers without another source come from sacreBLEU 2.6.0, called as the test calls the stand-in.
"""

import logging
import pickle
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import examples
from tertium.compat import sacrebleu as ours
from tertium.compat.sacrebleu.metrics import METRICS
from tertium.compat.sacrebleu.metrics.base import VERSION
from tertium.errors import InputError, TertiumError

HYPOTHESES = ["a b c d e", "b c"]
REFERENCES = [["a b c d f", "c b"]]


@pytest.fixture(scope="module")
def theirs():
    return pytest.importorskip("sacrebleu", reason="sacreBLEU is not installed")


# --- scores and their text ----------------------------------------------------------------------------------------


def test_bleu_score_has_sacrebleus_attributes():
    score = ours.BLEU().corpus_score(HYPOTHESES, REFERENCES)
    assert score.score == 64.34588841607616
    assert (score.counts, score.totals) == ([6, 3, 2, 1], [7, 5, 3, 2])
    assert score.precisions == [85.71428571428571, 60.0, 66.66666666666667, 50.0]
    assert (score.bp, score.ratio, score.sys_len, score.ref_len, score.name) == (1.0, 1.0, 7, 7, "BLEU")
    assert str(score) == "BLEU = 64.35 85.7/60.0/66.7/50.0 (BP = 1.000 ratio = 1.000 hyp_len = 7 ref_len = 7)"


@pytest.mark.parametrize(
    ("settings", "text"),
    [
        ({}, "chrF2 = 52.48"),
        ({"word_order": 2}, "chrF2++ = 58.30"),
        ({"word_order": 1, "beta": 3}, "chrF3+ = 58.02"),
        ({"beta": 1.5}, "chrF1.5 = 52.48"),
        ({"whitespace": True, "lowercase": True, "eps_smoothing": True}, "chrF2 = 79.17"),
        ({"char_order": 0, "word_order": 2}, "chrF2++ = 72.86"),
    ],
)
def test_chrf_is_named_after_its_settings(settings, text):
    assert str(ours.CHRF(**settings).corpus_score(HYPOTHESES, REFERENCES)) == text


@pytest.mark.parametrize(
    ("width", "score_only", "signature", "text"),
    [
        (4, True, "", "64.3459"),
        (0, True, "", "64"),
        (1, False, "abc", "BLEU|abc = 64.3 85.7/60.0/66.7/50.0 (BP = 1.000 ratio = 1.000 hyp_len = 7 ref_len = 7)"),
    ],
)
def test_format(width, score_only, signature, text):
    score = ours.BLEU().corpus_score(HYPOTHESES, REFERENCES)
    assert score.format(width, score_only, signature) == text


def test_json_has_the_score_then_the_fields_of_the_signature():
    score = ours.CHRF().corpus_score(HYPOTHESES, REFERENCES, n_bootstrap=100)
    assert score.format(signature="abc:x|d:e", is_json=True) == (
        '{\n "name": "chrF2",\n "score": 52.48,\n "signature": "abc:x|d:e",\n "confidence_mean": 52.43,\n'
        ' "confidence_var": 2.17,\n "confidence": "μ = 52.43 ± 2.17",\n "abc": "x",\n "d": "e"\n}'
    )


def test_confidence_is_sacrebleus():
    score = ours.BLEU().corpus_score(HYPOTHESES, REFERENCES, n_bootstrap=100)
    assert (score._mean, score._ci) == pytest.approx((50.254213484185144, 33.43701492994087), rel=1e-15)
    assert score.format(score_only=True) == "64.35 (μ = 50.25 ± 33.44)"


def test_values_are_plain():
    for metric in (ours.BLEU(), ours.CHRF()):
        score = metric.corpus_score(HYPOTHESES, REFERENCES, n_bootstrap=10)
        for value in vars(score).values():
            for item in value if isinstance(value, list) else [value]:
                assert type(item) in (int, float, str)


def test_bleu_of_counts():
    score = ours.BLEU.compute_bleu([1, 1, 1, 0], [4, 3, 2, 1], 4, 4, "floor")
    assert str(score).startswith("BLEU = 25.41 25.0/33.3/50.0/10.0 ")
    counts = [1, 0]
    ours.BLEU.compute_bleu(counts, [4, 3], 4, 4, "add-k", max_ngram_order=2)
    assert counts == [1, 0]


def test_scores_can_be_pickled():
    score = ours.BLEU().corpus_score(HYPOTHESES, REFERENCES)
    assert str(pickle.loads(pickle.dumps(score))) == str(score)


# --- signatures ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metric", "long", "short"),
    [
        (ours.BLEU(), "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp", "#:1|c:mixed|e:no|tok:13a|s:exp"),
        (
            ours.BLEU(lowercase=True, effective_order=True, tokenize="intl", smooth_method="floor"),
            "nrefs:1|case:lc|eff:yes|tok:intl|smooth:floor[0.10]",
            "#:1|c:lc|e:yes|tok:intl|s:floor[0.10]",
        ),
        (
            ours.BLEU(smooth_method="add-k", smooth_value=0.5),
            "nrefs:1|case:mixed|eff:no|tok:13a|smooth:add-k[0.50]",
            None,
        ),
        (ours.CHRF(), "nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no", "#:1|c:mixed|e:yes|nc:6|nw:0|s:no"),
        (
            ours.CHRF(4, 2, 3, lowercase=True, whitespace=True, eps_smoothing=True),
            "nrefs:1|case:lc|eff:no|nc:4|nw:2|space:yes",
            None,
        ),
    ],
)  # fmt: skip
def test_signatures(metric, long, short):
    metric.corpus_score(HYPOTHESES, REFERENCES)
    assert str(metric.get_signature()) == f"{long}|version:{VERSION}"
    if short:
        assert metric.get_signature().format(short=True) == f"{short}|v:{VERSION}"


def test_signature_of_ter():
    signature = ours.TER(normalized=True, case_sensitive=True, references=REFERENCES).get_signature()
    assert str(signature) == f"nrefs:1|case:mixed|tok:tercom|norm:yes|punct:yes|asian:no|version:{VERSION}"
    assert signature.format(short=True) == f"#:1|c:mixed|t:tercom|nr:yes|pn:yes|as:no|v:{VERSION}"


def test_signature_names_replicates_only_of_the_score_it_belongs_to():
    metric = ours.BLEU()
    metric.corpus_score(HYPOTHESES, REFERENCES, n_bootstrap=9)
    assert str(metric.get_signature()).startswith("nrefs:1|bs:9|seed:12345|case:")
    metric.corpus_score(HYPOTHESES, REFERENCES)
    assert str(metric.get_signature()).startswith("nrefs:1|case:")


def test_signature_can_be_extended():
    signature = ours.BLEU(references=REFERENCES).get_signature()
    for key, value in {"ar": True, "test": "wmt20", "lang": "en-de"}.items():
        signature.update(key, value)
    assert str(signature).startswith("nrefs:1|ar:yes|test:wmt20|lang:en-de|case:mixed|")


def test_version_is_not_below_the_one_it_follows():
    version = pytest.importorskip("packaging.version", reason="packaging is not installed")
    assert version.parse(VERSION) >= version.parse("2.6.0")


# --- references ---------------------------------------------------------------------------------------------------


def test_references_can_be_kept():
    metric = ours.BLEU(references=REFERENCES)
    assert metric.corpus_score(HYPOTHESES, None).score == 64.34588841607616
    assert metric.corpus_score(HYPOTHESES, [["x", "y"], ["x", "y"]]).score == 0
    assert metric.num_refs == 2
    assert metric.corpus_score(HYPOTHESES, None).score == 64.34588841607616
    assert metric.num_refs == 1


def test_numbers_of_references_may_vary():
    metric = ours.BLEU()
    metric.corpus_score(HYPOTHESES, [*REFERENCES, [None, "b c"]])
    assert str(metric.get_signature()).startswith("nrefs:var|")


def test_an_empty_reference_is_a_reference():
    score = ours.BLEU().corpus_score(["abc"], [[""]])
    assert (score.ref_len, score.ratio, score.bp) == (0, 0, 1.0)


# --- what is refused ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda m: m.corpus_score("abc", [["abc"]]), TypeError),
        (lambda m: m.corpus_score(["abc"], ["abc"]), TypeError),
        (lambda m: m.corpus_score(["abc"], "abc"), TypeError),
        (lambda m: m.corpus_score(iter(["a"]), [["a"]]), TypeError),
        (lambda m: m.corpus_score(["a"], [iter(["a"])]), TypeError),
        (lambda m: m.corpus_score(["a", None], [["a", "b"]]), TypeError),
        (lambda m: m.corpus_score(["a"], [[1]]), TypeError),
        (lambda m: m.corpus_score(["a"], [[None]]), TypeError),
        (lambda m: m.corpus_score(["a"], None), RuntimeError),
        (lambda m: m.corpus_score([], [[]]), IndexError),
        (lambda m: m.corpus_score(["a"], []), IndexError),
        (lambda m: m.corpus_score(["a", "b"], [["a"]]), ValueError),
        (lambda m: m.corpus_score(["a"], [["a", "b"]]), ValueError),
        (lambda m: m.corpus_score(["a", "b"], [["a", "b"], ["b"]]), ValueError),
        (lambda m: m.sentence_score(["a"], ["a"]), TypeError),
        (lambda m: m.sentence_score("a", "a"), TypeError),
        (lambda m: m.sentence_score("a", [["a"]]), TypeError),
        (lambda m: m.sentence_score("a", []), IndexError),
        (lambda m: m.get_signature(), ValueError),
    ],
)
@pytest.mark.parametrize("name", METRICS)
def test_wrong_calls(name, call, error):
    with pytest.raises(error) as caught:
        call(METRICS[name]())
    assert isinstance(caught.value, TertiumError)


def test_lengths_are_told():
    with pytest.raises(InputError, match="3 hypotheses, but 1 segments"):
        ours.corpus_bleu(["a", "b", "c"], [["a"], ["b"], ["c"]])


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"tokenize": "13"}, KeyError),
        ({"smooth_method": "laplace"}, AssertionError),
        ({"max_ngram_order": 0}, ValueError),
        ({"tokenize": "spBLEU-1K"}, ValueError),
    ],
)
def test_wrong_settings(settings, error):
    with pytest.raises(error) as caught:
        ours.BLEU(**settings)
    assert isinstance(caught.value, TertiumError)


def test_a_wrong_tokenizer_is_told_in_plain_words():
    with pytest.raises(KeyError) as caught:
        ours.BLEU(tokenize="13")
    assert str(caught.value).startswith("No tokenizer is called '13'. Did you mean '13a'?")


@pytest.mark.parametrize("seed", ["abc", "", "-3"])
def test_a_wrong_seed_is_refused(monkeypatch, seed):
    monkeypatch.setenv("SACREBLEU_SEED", seed)
    with pytest.raises(InputError, match="SACREBLEU_SEED"):
        ours.BLEU().corpus_score(HYPOTHESES, REFERENCES, n_bootstrap=5)


# --- warnings -----------------------------------------------------------------------------------------------------


def test_warnings_go_to_sacrebleus_logger(caplog):
    ours.BLEU().sentence_score("a b", ["a b"])
    ours.BLEU().corpus_score(["a ."] * 100, [["a ."] * 100])
    ours.BLEU(trg_lang="zh", tokenize="13a")
    assert [record.name for record in caplog.records] == ["sacrebleu"] * 3
    caplog.clear()
    ours.BLEU(effective_order=True).sentence_score("a b", ["a b"])
    ours.BLEU(force=True).corpus_score(["a ."] * 100, [["a ."] * 100])
    ours.BLEU().corpus_score(["a ."] * 99, [["a ."] * 99])
    assert caplog.records == []


def test_language_picks_the_tokenizer():
    assert ours.BLEU(trg_lang="zh").tokenizer_signature == "zh"
    assert ours.BLEU(trg_lang="de").tokenizer_signature == "13a"
    assert ours.BLEU(trg_lang="zh", tokenize="zh").tokenizer("中文 x.") == "中 文 x ."


def test_loading_needs_no_numpy():
    code = "import sys, tertium.compat.sacrebleu as s; s.corpus_bleu(['a b'], [['a c']]); print('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


# --- the original itself ------------------------------------------------------------------------------------------

BLEU_SETTINGS = [
    {},
    {"smooth_method": "floor"},
    {"smooth_method": "add-k", "smooth_value": 0.3},
    {"smooth_method": "none", "tokenize": "none"},
    {"tokenize": "intl", "lowercase": True},
    {"tokenize": "char", "max_ngram_order": 6},
    {"effective_order": True, "max_ngram_order": 2},
]
CHRF_SETTINGS = [
    {},
    {"word_order": 2},
    {"beta": 3, "whitespace": True},
    {"eps_smoothing": True, "word_order": 1},
    {"lowercase": True, "char_order": 4},
    {"beta": 0},
]
CASES = [("BLEU", case) for case in BLEU_SETTINGS] + [("CHRF", case) for case in CHRF_SETTINGS]
CASES += [("TER", {}), ("TER", {"normalized": True, "no_punct": True}), ("TER", {"case_sensitive": True})]

words = st.sampled_from(["a", "b", "c", "A", "b,", "c.", "3.5", "“d”"])
sentences = st.lists(words, max_size=7).map(" ".join)


def attributes(score):
    found = {key: float(value) if key in ("_mean", "_ci", "score") else value for key, value in vars(score).items()}
    return {key: pytest.approx(value, rel=1e-14) if isinstance(value, float) else value for key, value in found.items()}


@pytest.mark.parametrize(("name", "case"), CASES)
@examples(25)
@given(segments=st.lists(st.tuples(sentences, sentences, sentences), min_size=1, max_size=6), sets=st.integers(1, 2))
def test_agrees_with_the_original(theirs, name, case, segments, sets):
    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    hypotheses, *references = (list(column) for column in zip(*segments, strict=True))
    references = references[:sets]
    mine, original = METRICS[name](**case), theirs.metrics.METRICS[name](**case)
    assert vars(mine.corpus_score(hypotheses, references)) == attributes(original.corpus_score(hypotheses, references))
    assert mine.get_signature().info | {"version": 0} == original.get_signature().info | {"version": 0}
    for hypothesis, *group in segments:
        score = original.sentence_score(hypothesis, group[:sets])
        assert vars(mine.sentence_score(hypothesis, group[:sets])) == attributes(score)


@pytest.mark.parametrize(("name", "case"), CASES)
def test_confidence_agrees_with_the_original(theirs, name, case, monkeypatch):
    monkeypatch.setenv("SACREBLEU_SEED", "7")
    hypotheses = [f"a b c d e {n} f g, h" for n in range(40)]
    references = [[f"a b c x e {n} g f, h i" for n in range(40)], ["b c d e 3 f h"] * 40, ["a b c x 3 h i j"] * 40]
    mine, original = METRICS[name](**case), theirs.metrics.METRICS[name](**case)
    score = original.corpus_score(hypotheses, references, n_bootstrap=80)
    assert vars(mine.corpus_score(hypotheses, references, n_bootstrap=80)) == attributes(score)
    assert str(mine.get_signature()).replace(VERSION, theirs.__version__) == str(original.get_signature())


@pytest.mark.parametrize(
    "call",
    [
        lambda s: s.corpus_bleu(HYPOTHESES, REFERENCES, "floor", 0.2, True, True, "intl", True),
        lambda s: s.corpus_bleu(HYPOTHESES, REFERENCES, tokenize=None),
        lambda s: s.raw_corpus_bleu(["a b", "x y z, t"], [["a b c", "x u z, v"]]),
        lambda s: s.raw_corpus_bleu(["a b", "x y z, t"], [["a b c", "x u z, v"]], None),
        lambda s: s.sentence_bleu("a b", ["a b c", "b"]),
        lambda s: s.corpus_chrf(HYPOTHESES, REFERENCES, 6, 2, 3, False, True),
        lambda s: s.sentence_chrf("a b", ["a b c"], eps_smoothing=True),
        lambda s: s.corpus_ter(HYPOTHESES, REFERENCES, True),
        lambda s: s.sentence_ter("a b", ["a b c", "x"]),
    ],
)
def test_functions_agree_with_the_original(theirs, call):
    assert vars(call(ours)) == attributes(call(theirs))
