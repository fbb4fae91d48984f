"""What the page says: counted by hand, or by a slow textbook version."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from report.conftest import NAMES, contents_of, texts_of
from tertium import BLEU, CHRF, TER, align, compare, score
from tertium.report.pages import segments as shown_segments_module
from tertium.report.pages.comparison import compare_page
from tertium.report.pages.contents import contents, decimals_for
from tertium.report.pages.ngrams import matched_ngrams
from tertium.report.pages.segments import Texts, _counted
from tertium.text import tokenizer

texts = st.lists(st.lists(st.sampled_from("abcd"), max_size=6).map(" ".join), min_size=3, max_size=3)


def ngrams(words, order):
    return Counter(tuple(words[k : k + order]) for k in range(len(words) - order + 1))


@given(texts, texts, texts, texts)
def test_matched_ngrams_agree_with_the_textbook(a, b, one, two):
    references = [list(group) for group in zip(one, two, strict=True)]
    found, _ = matched_ngrams({"a": [a], "b": [b]}, references, tokenizer("none"), most=1000)
    expected = {}
    for order in (1, 2, 3, 4):
        wanted, matched = Counter(), (Counter(), Counter())
        for k, group in enumerate(references):
            most = ngrams(group[0].split(), order) | ngrams(group[1].split(), order)
            wanted += most
            for side, hypotheses in zip(matched, (a, b), strict=True):
                side.update(ngrams(hypotheses[k].split(), order) & most)
        for ngram in wanted:
            if matched[0][ngram] != matched[1][ngram]:
                expected[" ".join(ngram)] = (wanted[ngram], (matched[0][ngram], matched[1][ngram]))
    assert {one.words: (one.wanted, one.matched) for one in found} == expected


def test_words_by_frequency():
    references = [["a a b"], ["a c"]]  # a occurs three times, b and c once
    systems = {"x": [["a a b", "a c"]], "y": [["a b b", "c"]]}
    _, found = matched_ngrams(systems, references, tokenizer("none"))
    assert found.groups == ("1", "3–4")
    assert found.words == (2, 3)
    assert found.scores["x"] == (100, 100)
    assert found.scores["y"] == pytest.approx((200 * 2 / (2 + 3), 200 * 1 / (3 + 1)))


def test_lengths_documents_and_distributions_add_up(shown):
    assert sum(shown.lengths.sizes) == shown.scores.segment_count == sum(shown.documents.sizes)
    for label in ("bleu", "ter"):
        for system in NAMES:
            assert sum(shown.distributions[label].counts[system]) == shown.scores.segment_count
    short = [k for k, group in enumerate(texts_of().references) if len(group[0].split()) < 10]
    rows = shown.scores.rows[NAMES[0]]["ter"][short].sum(axis=0)
    assert shown.lengths.names[0] == "<10"
    assert shown.lengths.scores["ter"][NAMES[0]][0] == pytest.approx(float(TER().score(rows)))


def test_the_overview_is_sorted_best_first(shown):
    assert [place.score for place in shown.overview["bleu"]] == sorted(shown.scores.corpus[s]["bleu"] for s in NAMES)[
        ::-1
    ]
    assert [place.score for place in shown.overview["ter"]] == sorted(shown.scores.corpus[s]["ter"] for s in NAMES)
    assert all(place.rank.cluster >= 1 and place.low <= place.score <= place.high for place in shown.overview["bleu"])


def test_segments_carry_their_alignments(shown):
    first = shown.segments[0]
    assert (first.number, first.document, first.source) == (1, 0, "source 0 </script>")
    expected = align(TER(), first.hypotheses[1], list(first.references))
    aligned = first.alignments[1]
    assert [op.kind[0] for op in expected.operations] == list(aligned.letters)
    assert aligned.shifts == tuple((one.start, one.end, one.target) for one in expected.shifts)
    assert aligned.hypothesis_tokens is None  # they are the words of the text


@given(st.text(alphabet="msid", max_size=30))
def test_runs_of_letters_can_be_unfolded(letters):
    folded, out, number = _counted(letters), "", ""
    for character in folded:
        if character.isdigit():
            number += character
        else:
            out += character * int(number or 1)
            number = ""
    assert out == letters


def test_of_many_segments_the_most_different_are_kept(monkeypatch):
    monkeypatch.setattr(shown_segments_module, "MOST_BYTES", 1500)
    few = contents_of(texts_of())
    assert 0 < len(few.segments) < few.scores.segment_count
    spread = np.ptp([few.segment_scores[s]["ter"] for s in NAMES], axis=0)
    kept = [one.number - 1 for one in few.segments]
    assert spread[kept].mean() > spread.mean()


def test_texts_that_cannot_be_packed_do_not_make_a_page_too_large(monkeypatch):
    monkeypatch.setattr(shown_segments_module, "MOST_PACKED", 60_000)
    rng = np.random.default_rng(1)

    def noise():
        return [" ".join("".join(map(chr, rng.integers(0x4E00, 0x9FFF, size=9))) for _ in range(5)) for _ in range(300)]

    texts = Texts({name: [noise()] for name in "abc"}, [[text] for text in noise()])
    contents = contents_of(texts)
    assert 50 < len(contents.segments) < 300
    assert len(compare_page(contents)) < 60_000 * 4 / 3 * 1.1 + 70_000  # and what every page has


def test_texts_without_blanks_are_split_by_character():
    hypotheses = {"a": ["橋は今日閉鎖です。", "雪が降った。"] * 5, "b": ["橋は閉鎖中です。", "雪だ。"] * 5}
    references = [["橋は今日閉鎖されています。"], ["峠に雪が降った。"]] * 5
    compared = compare(score(CHRF(), hypotheses, references), samples=50)
    found = contents(compared, Texts({name: [one] for name, one in hypotheses.items()}, references))
    assert found.length_unit == "characters"
    assert len(found.segments[0].alignments[0].letters) > 5
    assert found.documents is None


def test_several_runs_are_averaged():
    hypotheses = {"a#1": ["a b c d", "e f"], "a#2": ["a b x d", "e f"], "b#1": ["a b", "e"], "b#2": ["a", "e f"]}
    references = [["a b c d"], ["e f"]]
    compared = compare(
        score(BLEU(), hypotheses, references), samples=50, runs={"a": ["a#1", "a#2"], "b": ["b#1", "b#2"]}
    )
    texts = Texts(
        {"a": [hypotheses["a#1"], hypotheses["a#2"]], "b": [hypotheses["b#1"], hypotheses["b#2"]]}, references
    )
    found = contents(compared, texts)
    assert found.runs == 2
    assert [one.hypotheses for one in found.segments] == [("a b c d", "a b"), ("e f", "e")]
    assert found.frequencies.words == (6,)


@pytest.mark.parametrize(("values", "expected"), [([33.1], 2), ([0.8123], 4), ([0.0123], 5), ([0, 0], 2), ([], 2)])
def test_decimals_tell_numbers_apart(values, expected):
    assert decimals_for(values) == expected
