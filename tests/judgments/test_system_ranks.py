"""Ranks and clusters of systems: ours, and those that WMT prints."""

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import mannwhitneyu, ttest_ind, ttest_rel

from tertium.errors import InputError, UnknownNameError
from tertium.judgments import Judgments, ranks, read_judgments
from tertium.judgments.rank_rules import RULES, rank_sums, t_tests
from tertium.judgments.system_ranks import domain_in

WIKIPEDIA = Path(os.environ.get("TERTIUM_ORACLE", "/nowhere")) / "judgments" / "wmt21-wikipedia"
needs_oracle = pytest.mark.skipif(not WIKIPEDIA.is_dir(), reason="TERTIUM_ORACLE is not set")


def judged(**scores):
    """Give each system these scores, of segments 1, 2, …"""
    rows = [(system, place, score) for system, values in scores.items() for place, score in enumerate(values, 1)]
    system, segment, score = zip(*rows, strict=True)
    return Judgments.of(system=system, segment=segment, score=score)


@given(st.lists(st.integers(0, 5), min_size=2, max_size=30), st.lists(st.integers(0, 5), min_size=2, max_size=30))
def test_rank_sums_are_those_of_scipy(one, two):
    if len({*one, *two}) == 1:
        assert rank_sums(np.array([[1.0, 1.0], [1.0, 1.0]]), [None, None])[0, 1] == 0.5
        return
    width = max(len(one), len(two))
    table = np.array([[*values, *[np.nan] * (width - len(values))] for values in (one, two)])
    expected = mannwhitneyu(one, two, alternative="greater", method="asymptotic", use_continuity=True).pvalue
    assert rank_sums(table, [None] * width)[0, 1] == pytest.approx(expected, rel=1e-12)


def test_a_cluster_ends_where_all_above_beat_all_below():
    rng = np.random.default_rng(1)
    good, other, bad = (rng.normal(mean, 1, 60) for mean in (2, 1.8, 0))
    found = ranks(judged(good=good, other=other, bad=bad), "score")
    assert found.clusters() == [["good", "other"], ["bad"]]
    assert [(one.start, one.end, one.wins, one.losses, one.best, one.worst) for one in found.ranks] == [
        (1, 2, 1, 0, 1, 2), (1, 2, 1, 0, 1, 2), (3, 3, 0, 2, 3, 3),
    ]  # fmt: skip


def test_the_direction_of_a_test_counts():
    """A is better more often, but its mean is lower: nobody is separated, and the win is A's."""
    found = ranks(judged(A=[80] * 75 + [0] * 25, B=[70] * 100), "score")
    assert [(one.system, one.wins, one.cluster) for one in found.ranks] == [("B", 0, 1), ("A", 1, 1)]
    assert found.p_values[1, 0] < 1e-6 < found.p_values[0, 1]


@pytest.mark.parametrize(
    ("like", "lowest", "highest"), [("tertium", 0.03, 0.065), ("wmt24", 0.03, 0.065), ("wmt22", 0.07, 0.13)]
)
def test_how_often_equal_systems_differ(like, lowest, highest):
    """Two systems alike, 600 times: our rule and WMT24's hold their level; WMT22's looks at both sides."""
    rng = np.random.default_rng(11)
    rule = RULES[like]
    differ = 0
    for _ in range(600):
        table = np.clip(np.round(rng.normal(75, 20, (2, 60))), 0, 100)
        p_values = rule.p_values(table, [None] * 60)
        np.fill_diagonal(p_values, 1)
        differ += bool(rule.wins(p_values, table.mean(axis=1), 0.05).any())
    assert lowest <= differ / 600 <= highest


def test_wmt_counts_wins_against_systems_above():
    """Of four systems, the second beats only the last two but the third beats the second, too."""
    wins = np.zeros((4, 4), bool)
    for winner, loser in [(0, 2), (0, 3), (1, 3), (2, 1), (2, 3)]:
        wins[winner, loser] = True
    assert RULES["wmt22"].ends(wins) == [False, False, False, True]
    assert RULES["tertium"].ends(wins) == [False, False, True, True]
    wins[0, 1] = True
    assert RULES["wmt22"].ends(wins) == [True, False, False, True]


def test_kinds_that_count_errors_are_ranked_from_the_lowest():
    judgments = judged(few=[1, 2, 1, 2] * 20, many=[5, 6, 5, 6] * 20)
    turned = Judgments.of(
        system=judgments.system.texts(), segment=judgments.segment, score=judgments.score, kind="hter",
        lower_is_better=["hter"],
    )  # fmt: skip
    assert [(one.system, one.score, one.cluster) for one in ranks(turned, "hter").ranks] == [
        ("few", 1.5, 1), ("many", 5.5, 2),
    ]  # fmt: skip


@pytest.mark.parametrize("like", RULES)
def test_every_rule_on_equal_and_on_different_systems(like):
    rng = np.random.default_rng(5)
    same = rng.normal(0, 1, 100)
    assert ranks(judged(a=same, b=same), "score", like=like).clusters() == [["a", "b"]]
    assert ranks(judged(a=same, b=same - 2), "score", like=like).clusters() == [["a"], ["b"]]
    assert ranks(judged(b=same - 2, a=same), "score", like=like).clusters() == [["a"], ["b"]]


def test_t_tests_are_those_of_scipy():
    rng = np.random.default_rng(8)
    table = rng.normal(0, 1, (2, 30))
    table[0, :5] = table[1, 20:] = np.nan
    one, two = table[0, 5:], table[1, :20]
    expected = min(ttest_ind(one, two).pvalue, ttest_rel(table[0, 5:20], table[1, 5:20]).pvalue)
    assert t_tests(table, [None] * 30)[0, 1] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("like", ["wmt24", "wmt26"])
def test_pairs_of_segments_tell_more(like):
    """A small difference on every segment drowns in how much segments differ, unless they are paired."""
    rng = np.random.default_rng(2)
    one = rng.normal(50, 20, 80)
    judgments = judged(one=one, two=one - rng.uniform(0.5, 1, 80))
    assert len(ranks(judgments, "score", like=like).clusters()) == 2
    assert len(ranks(judgments, "score").clusters()) == 1


def test_domains_weigh_alike_where_the_rule_says_so():
    """x is ahead on the many segments of news, y far ahead on the few of speech."""
    scores = {"x": [60] * 8 + [0, 0], "y": [50] * 8 + [80, 90]}
    judgments = judged(**scores)
    assert [one.system for one in ranks(judgments, "score", like="wmt24").ranks] == ["y", "x"]
    domains = ["news"] * 8 + ["speech"] * 2
    assert [round(one.score, 6) for one in ranks(judgments, "score", like="wmt24", domains=domains).ranks] == [67.5, 30]
    assert [round(one.score, 6) for one in ranks(judgments, "score", domains=domains).ranks] == [57, 48]
    assert domain_in("test-en-news_beverly_press.3585") == "news"
    assert domain_in("en-cs_#_literary_#_book_#_3") == domain_in("WMT_###_literary_###_en_###_cs_###_x") == "literary"
    assert domain_in("story") is None is domain_in(None)


def test_what_is_refused():
    with pytest.raises(UnknownNameError, match="No rule of ranks is called 'wmt23'. Did you mean 'wmt2"):
        ranks(judged(a=[1], b=[2]), "score", like="wmt23")
    with pytest.raises(InputError, match="Ranks need at least two systems"):
        ranks(judged(a=[1]), "score")


@needs_oracle
@pytest.mark.parametrize("pair", ["bn-hi", "hi-bn", "xh-zu", "zu-xh"])
def test_what_wmt21_published(pair):
    """The wins, clusters and p-values of WMT21's files; 0.12 stands for any p-value that is not significant."""
    compact = pair.replace("-", "")
    judgments = read_judgments(str(WIKIPEDIA / f"ad-{compact}-good-stnd.csv"))
    found = ranks(judgments, "DA-z", like="wmt22")
    rows = [line.split() for line in (WIKIPEDIA / "clusters.csv").read_text().splitlines()[1:]]
    expected = [(row[7], int(row[2]), int(row[4]), int(row[5])) for row in rows if row[:2] == pair.split("-")]
    assert [(one.system, one.wins, one.start, one.end) for one in found.ranks] == expected
    p_values = {(test["system"], test["other"]): test["p_value"] for test in found.comparisons()}
    text = (WIKIPEDIA / f"adwilcox-{compact}.csv").read_text()
    names, *lines = (line.split() for line in text.splitlines() if line)
    published = [(row[0], name, float(p)) for row in lines for name, p in zip(names, row[1:], strict=True)]
    significant = [(one, two, p) for one, two, p in published if p != 0.12]
    assert len(significant) >= 8
    for one, two, p in significant:
        assert p_values[one, two] == pytest.approx(p, rel=1e-12, abs=0)
    ranking = read_judgments(str(WIKIPEDIA / f"ad-sys-ranking-{pair}-z.csv"))
    assert ranking.system_scores("DA-z") == pytest.approx({one.system: one.score for one in found.ranks}, abs=5e-4)
    raw = read_judgments(str(WIKIPEDIA / "ad-good-raw.csv"), language_pair=pair)
    assert ranking.system_scores("DA-raw") == pytest.approx(raw.system_scores("DA-raw"), abs=0.06)
