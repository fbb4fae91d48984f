"""Tests of significance: worked examples, the textbook, what must hold, and what is refused."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

import tertium
from examples import examples
from oracles import significance as oracle
from significance.simulated import bleu_like
from tertium import BLEU, CHRF, Averaged, compare, score
from tertium.errors import InputError, UnknownNameError
from tertium.significance import adjusted, detectable_difference, power_of, ranked, segments_needed
from tertium.significance.bootstrap import bootstrapped

REFERENCES = [
    "the cat sat on the mat .",
    "a situation more complex than in past decades .",
    "he was led to the american plane .",
    "i always do .",
    "it is a guide to action .",
    "saudi arabia denied this week the report .",
]
A = [
    "the cat sat on a mat .",
    "the situation more complex than in past decades .",
    "he was taken to the american plane .",
    "i always do .",
    "it is a guide to action which helps .",
    "this week the saudis denied the report .",
]
B = [
    "cat sat on the mat .",
    "a situation complicated and than in decades .",
    "he was led to american plane .",
    "i always invariably do .",
    "it is guide to an action .",
    "saudi arabia denied the report this week .",
]
PLAIN = BLEU(tokenize="none")


def scores_of(rows, metric=PLAIN, **more):
    """Make scores from rows alone."""
    first = next(iter(rows.values()))
    empty = score({"m": metric}, {name: [""] for name in rows}, [""])
    return replace(
        empty,
        segment_count=len(first),
        totals={name: {"m": one.sum(axis=0)} for name, one in rows.items()},
        kept_rows={name: {"m": one} for name, one in rows.items()},
        **more,
    )


def test_worked_example():
    compared = compare(score(PLAIN, {"A": A, "B": B}, REFERENCES))
    found = compared.of("B", "bleu")
    assert found.difference == pytest.approx(38.682458 - 62.759635, abs=1e-5)
    assert found.p_value == 18 / 64  # all 64 ways to swap; in 18 the sides are at least as far apart
    assert found.exact
    assert found.baseline == "A"
    assert not found.significant


def test_worked_example_like_sacrebleu():
    scores = score(PLAIN, {"A": A, "B": B}, REFERENCES)
    assert compare(scores, like="sacrebleu").of("B", "bleu").p_value == pytest.approx(0.2419758, abs=1e-7)
    by_bootstrap = compare(scores, like="sacrebleu", test="bootstrap", samples=1000)
    assert by_bootstrap.of("B", "bleu").p_value == pytest.approx(0.0739261, abs=1e-7)


@pytest.mark.parametrize("side", [0, 1, -1])
@pytest.mark.parametrize("threads", [1, 2])
def test_randomization_agrees_with_the_textbook(side, threads):
    one, two = bleu_like(np.random.default_rng(3), 60, quality=(0.0, 0.08))
    alternative = {0: "two-sided", 1: "better", -1: "worse"}[side]
    compared = compare(scores_of({"a": one, "b": two}), samples=300, seed=9, alternative=alternative, threads=threads)
    expected = oracle.randomization(PLAIN, one, two, trials=300, seed=9, side=side)
    assert compared.comparisons[0].p_value == expected


def test_bootstrap_agrees_with_the_textbook():
    one, two = bleu_like(np.random.default_rng(3), 60, quality=(0.0, 0.08))
    compared = compare(scores_of({"a": one, "b": two}), samples=300, seed=9, test="bootstrap")
    assert compared.comparisons[0].p_value == oracle.bootstrap(PLAIN, one, two, samples=300, seed=9)


def test_one_sided_bootstrap_is_koehns():
    one, two = bleu_like(np.random.default_rng(3), 60, quality=(0.0, 0.08))
    compared = compare(scores_of({"a": one, "b": two}), samples=300, seed=9, test="bootstrap", alternative="better")
    ours, theirs = (oracle.replicates(PLAIN, rows, samples=300, seed=9) for rows in (one, two))
    assert compared.comparisons[0].p_value == ((theirs <= ours).sum() + 1) / 301


@examples(25)
@given(st.integers(2, 40), st.integers(0, 2**63), st.booleans())
def test_all_pairs_equal_one_pair_at_a_time(segments, seed, fractions):
    rng = np.random.default_rng(segments)
    rows = dict(zip("abc", bleu_like(rng, segments, quality=(0, 0.1, 0.3)), strict=True))
    if fractions:
        rows = {name: one[:, :2] / 7 for name, one in rows.items()}
    metric = Averaged(PLAIN) if fractions else PLAIN
    together = compare(scores_of(rows, metric), all_pairs=True, samples=50, seed=seed)
    for one in together.comparisons:
        pair = {name: rows[name] for name in (one.baseline, one.system)}
        alone = compare(scores_of(pair, metric), samples=50, seed=seed).comparisons[0]
        assert alone.p_value == one.p_value
        assert (alone.low, alone.high) == pytest.approx((one.low, one.high))


@pytest.mark.parametrize("test", ["randomization", "bootstrap"])
@pytest.mark.parametrize("alternative", ["two-sided", "better", "worse"])
@pytest.mark.parametrize("segments", [2, 10, 50])
@pytest.mark.parametrize("metric", [BLEU(), CHRF(), Averaged(CHRF())], ids=lambda metric: metric.name)
def test_a_system_and_its_copy_do_not_differ(test, alternative, segments, metric):
    texts = [f"word{i} and {'more ' * (i % 5)}words" for i in range(segments)]
    references = [f"word{i} and {'more ' * (i % 3)}word" for i in range(segments)]
    others = [f"other{i}" for i in range(segments)]
    scores = score(metric, {"x": others, "one": texts, "copy": list(texts)}, references)
    compared = compare(scores, test=test, alternative=alternative, samples=100, all_pairs=True)
    found = compared.of("copy", metric.name, "one")
    assert found.p_value == found.p_adjusted == 1
    assert not found.significant
    assert found.difference == found.low == found.high == 0


def test_results_do_not_depend_on_threads():
    one, two = bleu_like(np.random.default_rng(8), 500, quality=(0, 0.02))
    for test in ("randomization", "bootstrap"):
        results = [compare(scores_of({"a": one, "b": two}), test=test, samples=3000, threads=n) for n in (1, 2, 5)]
        assert results[0].to_dict() == results[1].to_dict() == results[2].to_dict()


def test_documents_are_swapped_as_a_whole():
    rng = np.random.default_rng(5)
    one, two = bleu_like(rng, 90, quality=(0, 0.1))
    documents = [f"d{i // 3}" for i in range(90)]
    scores = scores_of({"a": one, "b": two})
    positions = np.repeat(np.arange(30), 3)
    sums = {name: {"m": rows.reshape(30, 3, -1).sum(axis=1)} for name, rows in (("a", one), ("b", two))}
    scores = replace(
        scores,
        document_names=tuple(dict.fromkeys(documents)),
        document_totals=sums,
        document_sizes=(3,) * 30,
        document_positions=positions,
    )
    found = compare(scores, unit="document", samples=200, seed=1).comparisons[0]
    assert found.p_value == oracle.randomization(PLAIN, sums["a"]["m"], sums["b"]["m"], trials=200, seed=1)


def test_error_rates_count_the_other_way():
    class Errors(BLEU):
        higher_is_better = False

    one, two = bleu_like(np.random.default_rng(3), 60, quality=(0.0, 0.3))
    gains = compare(scores_of({"a": one, "b": two}), alternative="better", samples=500).comparisons[0]
    losses = compare(scores_of({"a": one, "b": two}, Errors()), alternative="better", samples=500).comparisons[0]
    assert gains.p_value < 0.05 < losses.p_value


# --- Runs ------------------------------------------------------------------------------------------------------------


def several_runs(difference):
    rng = np.random.default_rng(11)
    rows = bleu_like(rng, 80, quality=(0, 0, 0, difference, difference, difference))
    return scores_of(dict(zip(("a#1", "a#2", "a#3", "b#1", "b#2", "b#3"), rows, strict=True)))


RUNS = {"a": ["a#1", "a#2", "a#3"], "b": ["b#1", "b#2", "b#3"]}


def test_all_runs_of_a_segment_are_swapped_at_once():
    scores = several_runs(0.05)
    found = compare(scores, runs=RUNS, samples=200, seed=4).comparisons[0]
    added = [sum(scores.kept_rows[name]["m"] for name in RUNS[system]) for system in "ab"]
    assert found.p_value == oracle.randomization(PLAIN, *added, trials=200, seed=4)


def test_copies_of_a_run_say_nothing_new():
    scores = several_runs(0.05)
    once = compare(scores, runs={"a": ["a#1"], "b": ["b#1"]}, samples=500).comparisons[0]
    thrice = compare(scores, runs={"a": ["a#1"] * 3, "b": ["b#1"] * 3}, samples=500).comparisons[0]
    assert thrice.p_value == once.p_value
    assert (thrice.low, thrice.high) == pytest.approx((once.low, once.high))


def test_runs_are_reported():
    scores = several_runs(0.05)
    compared = compare(scores, runs=RUNS, samples=100)
    report = {one.system: one for one in compared.runs}["a"]
    values = [float(PLAIN.score(scores.totals[name]["m"])) for name in RUNS["a"]]
    assert report.scores == pytest.approx(values)
    assert report.mean == pytest.approx(np.mean(values))
    assert report.optimizer == pytest.approx(np.std(values, ddof=1))
    assert report.median_run == 1 + values.index(sorted(values)[1])
    assert report.selection > 0
    assert "runs" in compared.to_dict()


def test_multeval_is_about_as_sure():
    scores = several_runs(0.04)
    ours = compare(scores, runs=RUNS, samples=2000).comparisons[0].p_value
    theirs = compare(scores, runs=RUNS, samples=2000, like="multeval").comparisons[0].p_value
    assert abs(ours - theirs) < 0.15
    copies = {"a": ["a#1"], "copy": ["a#1"]}
    assert compare(scores, runs=copies, samples=99, like="multeval").comparisons[0].p_value == 0.01  # it counts no ties


def test_multeval_of_all_pairs_equals_one_pair_at_a_time():
    rng = np.random.default_rng(2)
    names = [f"{system}#{run}" for system in "abc" for run in (1, 2, 3)]
    scores = scores_of(dict(zip(names, bleu_like(rng, 40, quality=[0] * 9), strict=True)))
    runs = {system: [f"{system}#{run}" for run in (1, 2, 3)] for system in "abc"}
    whole = compare(scores, runs=runs, samples=300, like="multeval", all_pairs=True, threads=2)
    for one in whole.comparisons:
        pair = {system: runs[system] for system in (one.baseline, one.system)}
        alone = compare(scores, runs=pair, samples=300, like="multeval", threads=1).comparisons[0]
        assert one.p_value == alone.p_value


def test_runs_must_be_equal_in_number():
    with pytest.raises(InputError, match="same number of runs, but they have a: 2, b: 3"):
        compare(several_runs(0), runs={**RUNS, "a": ["a#1", "a#2"]})
    with pytest.raises(UnknownNameError, match="No system is called 'c#1'"):
        compare(several_runs(0), runs={**RUNS, "c": ["c#1"]})


# --- Many systems ----------------------------------------------------------------------------------------------------

p_values = st.lists(st.floats(0.0001, 1), min_size=1, max_size=12)


@given(p_values)
def test_corrections_agree_with_the_textbook(values):
    assert adjusted(values, "holm") == pytest.approx(oracle.holm(values))
    assert adjusted(values, "bh") == pytest.approx(oracle.benjamini_hochberg(values))
    assert adjusted(values, "bonferroni") == pytest.approx([min(1, p * len(values)) for p in values])
    assert list(adjusted(values, "none")) == values


def test_corrections_by_hand():
    assert adjusted([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert adjusted([0.01, 0.04, 0.03], "bh") == pytest.approx([0.03, 0.04, 0.04])


def test_corrections_are_by_metric():
    rng = np.random.default_rng(2)
    rows = dict(zip("abcd", bleu_like(rng, 60, quality=(0, 0.05, 0.1, 0.2)), strict=True))
    compared = compare(scores_of(rows), samples=500, all_pairs=True)
    found = [one.p_value for one in compared.comparisons]
    assert [one.p_adjusted for one in compared.comparisons] == pytest.approx(oracle.holm(found))
    assert len(found) == 6
    assert len(compare(scores_of(rows), baseline="c", samples=500).comparisons) == 3
    assert {one.baseline for one in compare(scores_of(rows), baseline="c", samples=500).comparisons} == {"c"}


def test_clusters():
    scores = {"a": 30.0, "b": 29.0, "c": 27.0, "d": 26.5}
    differ = {
        ("a", "b"): False,
        ("a", "c"): False,
        ("b", "c"): True,
        ("a", "d"): True,
        ("b", "d"): True,
        ("c", "d"): False,
    }
    assert {rank.cluster for rank in ranked("m", scores, differ, higher_is_better=True)} == {1}  # a may be third
    apart = ranked("m", scores, differ | {("a", "c"): True}, higher_is_better=True)
    assert [(rank.cluster, rank.best, rank.worst) for rank in apart] == [(1, 1, 2), (1, 1, 2), (2, 3, 4), (2, 3, 4)]
    ranks = ranked("m", scores, differ, higher_is_better=True, like_wmt=True)
    assert [(rank.system, rank.cluster, rank.best, rank.worst) for rank in ranks] == [
        ("a", 1, 1, 3),
        ("b", 1, 1, 2),
        ("c", 2, 2, 4),  # b is better
        ("d", 2, 3, 4),
    ]
    assert [rank.system for rank in ranked("m", scores, differ, higher_is_better=False)] == ["d", "c", "b", "a"]


@pytest.mark.parametrize("alternative", ["better", "worse"])
@pytest.mark.parametrize("order", ["abc", "cab"])
def test_clusters_do_not_depend_on_the_side_that_is_tested(alternative, order):
    rows = dict(zip("abc", bleu_like(np.random.default_rng(1), 150, quality=(1, 0, -1)), strict=True))
    compared = compare(scores_of({name: rows[name] for name in order}), all_pairs=True, alternative=alternative)
    assert [(rank.system, rank.cluster) for rank in compared.ranks["m"]] == [("a", 1), ("b", 2), ("c", 3)]


def test_power():
    assert detectable_difference(0.5) == pytest.approx(0.5 * (1.959964 + 0.841621), abs=1e-5)
    assert detectable_difference(0.0) is None
    assert power_of(detectable_difference(0.5), 0.5) == pytest.approx(0.8, abs=1e-4)
    assert power_of(0, 0.5) == pytest.approx(0.05)
    assert segments_needed(detectable_difference(0.5) / 2, 0.5, 1000) == 4000
    assert detectable_difference(0.5, tests=15) == pytest.approx(0.5 * (2.935199 + 0.841621), abs=1e-5)
    assert power_of(detectable_difference(0.5, tests=15), 0.5, tests=15) == pytest.approx(0.8, abs=1e-4)
    assert power_of(1.5, 0.5) == pytest.approx(0.851, abs=1e-3)
    assert power_of(1.5, 0.5, tests=15) == pytest.approx(0.526, abs=1e-3)


def test_detectable_differences_allow_for_the_correction():
    rows = dict(zip("abcd", bleu_like(np.random.default_rng(2), 40, quality=(0, 0, 0, 0)), strict=True))
    alone, among = (
        compare(scores_of(rows), samples=50, all_pairs=True, correction=correction).comparisons[0]
        for correction in ("none", "holm")
    )
    assert alone.standard_error == among.standard_error
    assert among.detectable == detectable_difference(among.standard_error, tests=6) > alone.detectable


def test_the_bootstrap_allows_for_few_documents():
    rng = np.random.default_rng(6)
    means = rng.normal(0, 1, size=20)
    means += 0.5 - means.mean()  # of documents: Student's t is about 2.2
    replicates = means[rng.integers(20, size=(20_000, 20))].mean(axis=1)
    real = np.array([0.0, means.mean()])
    nothing = np.zeros(len(replicates))
    plain, allowed = (bootstrapped(nothing, replicates, real, 0, 0.0, documents=n).p_value for n in (None, 20))
    student = scipy_stats.ttest_1samp(means, 0).pvalue
    assert plain < 0.8 * student
    assert allowed == pytest.approx(student, rel=0.15)


# --- What is refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [{"seed": -1}, {"seed": 2**64}, {"seed": 1.5}, {"seed": True}, {"seed": "1"},
                                      {"samples": 0}, {"samples": 1.5}, {"level": 0}, {"level": 1.5}])  # fmt: skip
def test_numbers_out_of_range(settings):
    with pytest.raises(InputError, match=f"{next(iter(settings))} must be a"):
        compare(score(PLAIN, {"A": A, "B": B}, REFERENCES), **settings)


@pytest.mark.parametrize("settings", [{"test": "t-test"}, {"unit": "word"}, {"alternative": "greater"},
                                      {"correction": "hom"}, {"baseline": "C"}, {"method": "normal"},
                                      {"like": "moses"}])  # fmt: skip
def test_unknown_names(settings):
    with pytest.raises(UnknownNameError, match="Known: "):
        compare(score(PLAIN, {"A": A, "B": B}, REFERENCES), **settings)


def test_one_segment_says_nothing():
    scores = score(PLAIN, {"A": A[:1], "B": B[:1]}, REFERENCES[:1])
    with pytest.raises(InputError, match="only one segment, but chance needs at least two"):
        compare(scores)
    with pytest.raises(InputError, match="only one segment"):
        tertium.confidence(scores)


def test_one_system_and_no_documents():
    with pytest.raises(InputError, match="only one system"):
        compare(score(PLAIN, A, REFERENCES))
    with pytest.raises(InputError, match="needs document ids"):
        compare(score(PLAIN, {"A": A, "B": B}, REFERENCES), unit="document")


def test_ties_are_seen_where_scores_cancel_out():
    """Three segments differ, so a quarter of the trials tie with the real difference, whatever the others add up to."""
    rng = np.random.default_rng(3)
    for scale in (1, 1e3, 1e6):
        scores = rng.normal(0, scale, size=2000)
        scores -= scores.mean()
        other = scores.copy()
        other[[5, 900, 1500]] += [1.5, 0.25, 0.5]
        rows = {name: np.column_stack([one, np.ones(2000)]) for name, one in (("a", scores), ("b", other))}
        found = compare(scores_of(rows, Averaged(PLAIN)), samples=2000).comparisons[0]
        assert found.p_value == pytest.approx(0.25, abs=0.04)


def test_a_difference_that_never_varies_has_no_error():
    rows = np.column_stack([np.linspace(0.1, 0.9, 50), np.ones(50)])
    scores = scores_of({"a": rows, "b": rows + np.array([0.1, 0])}, Averaged(PLAIN))
    found = compare(scores, samples=100).comparisons[0]
    assert (found.standard_error, found.detectable) == (0, None)


def test_numbers_that_are_none():
    one, two = bleu_like(np.random.default_rng(0), 20)
    two[3, 2] = np.nan
    with pytest.raises(InputError, match="no finite number at segment 4"):
        compare(scores_of({"a": one, "b": two}))


def test_equal_scores_everywhere():
    rows = np.tile([5.0, 5, 4, 3, 2, 1, 5, 4, 3, 2], (30, 1))
    found = compare(scores_of({"a": rows, "b": rows.copy()})).comparisons[0]
    assert (found.p_value, found.difference, found.detectable) == (1, 0, None)


def test_the_least_p_value_that_is_possible():
    scores = score(PLAIN, {"A": A, "B": B, "C": B[::-1]}, REFERENCES)
    assert compare(scores).least_p_value == 2 * 2 / 2**6  # two tests, 64 ways to swap, and each has its opposite
    assert compare(scores, alternative="better", correction="none").least_p_value == 1 / 2**6
    rows = dict(zip("abc", bleu_like(np.random.default_rng(1), 20, quality=(0, 0, 0)), strict=True))
    many = compare(scores_of(rows), samples=99, all_pairs=True)
    assert many.least_p_value == 3 / 100
    assert compare(scores_of(rows), samples=99, all_pairs=True, correction="bh").least_p_value == 1 / 100
    assert many.p_decimals == 4
    assert compare(scores_of(rows), samples=200_000).p_decimals == 5


def test_everything_is_said():
    compared = compare(score(PLAIN, {"A": A, "B": B}, REFERENCES), samples=77, seed=5)
    assert compared.signature.startswith("randomization:samples=77,seed=5,generator=pcg64,unit=segment")
    fields = {"system", "baseline", "metric", "difference", "p_value", "p_adjusted", "low", "high", "significant"}
    assert fields <= set(compared.to_dict()["comparisons"][0])
