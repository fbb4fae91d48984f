"""What every result offers: plain data, data frames, a few lines at a prompt, a table in a notebook."""

import json
import subprocess
import sys
from html.parser import HTMLParser

import numpy as np
import pytest

import tertium
from tertium import BLEU, METEOR, TER, TERp, judgments, meta
from tertium.errors import InputError, UnknownNameError
from tertium.results import Result, Shown

REFERENCES = ["the cat sat on the mat", "a dog ran home", "it rained all day long", "we met at the old bridge"] * 3
GOOD = ["the cat sat on the mat", "a dog ran to home", "it rained all day", "we met at the bridge"] * 3
POOR = ["cat mat", "the horse", "rain <b>", "old bridge meeting was"] * 3
HUMAN = {"good": [90, 80, 70, 75] * 3, "poor": [20, 5, 15, 10] * 3}


@pytest.fixture(scope="module")
def scores():
    systems = {"good": GOOD, "poor": POOR}
    return tertium.score(["bleu:effective_order=true", "ter"], systems, REFERENCES, documents=list("aabbccddeeff"))


@pytest.fixture(scope="module")
def people():
    return judgments.Judgments.of(
        system=[name for name in HUMAN for _ in range(12)],
        segment=[k for _ in HUMAN for k in range(1, 13)],
        score=[float(score) for scores in HUMAN.values() for score in scores],
        kind="da",
    )


@pytest.fixture(scope="module")
def results(scores, people):
    """One of each."""
    correlations = meta.correlate(scores, people, samples=20)
    ranks = meta.rank_metrics(scores, people, samples=20)
    compared = tertium.compare(scores, samples=50)
    found = tertium.confidence(scores, samples=20)
    oranges = meta.orange([TER()], [POOR[:2], GOOD[:2]], [REFERENCES[:2], REFERENCES[2:4]], samples=20)

    def rows(metric):
        return {name: metric.statistics(texts, REFERENCES) for name, texts in (("good", GOOD), ("poor", POOR))}

    tuned = meta.tune(TERp(), rows, people, free=["stem"], folds=2, split="segment", samples=20)
    return {
        "scores": scores, "comparisons": compared, "comparison": compared.comparisons[0], "confidence": found,
        "interval": found.intervals[0], "correlations": correlations, "correlation": correlations.correlations[0],
        "coefficient": meta.coefficient([1, 2, 3, 5], [1, 3, 2, 5]), "ranks": ranks, "rank": ranks.ranks[0],
        "metric comparisons": ranks.comparisons, "oranges": oranges, "orange": oranges["ter"], "tuning": tuned,
        "alignment": tertium.align(TER(), "in the evening the door", ["the door in the <evening>"]),
        "choice": tertium.mbr(BLEU(effective_order=True), GOOD[:4]), "judgments": people,
        "long jump": tertium.long_jump("a b", "b a"),
        "segmentation": tertium.resegment("one two three four", ["one two", "three four"]),
    }  # fmt: skip


class _Tags(HTMLParser):
    """Checks that every tag is closed, and collects the text."""

    def __init__(self):
        super().__init__()
        self.open, self.text = [], ""

    def handle_starttag(self, tag, attributes):
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def test_every_result_is_plain_data_and_a_data_frame(results):
    pytest.importorskip("pandas"), pytest.importorskip("polars")
    for name, result in results.items():
        assert isinstance(result, Result), name
        json.dumps(
            result.to_dict(), default=lambda value: value.tolist() if isinstance(value, np.ndarray) else str(value)
        )
        pandas, polars = result.to_pandas(), result.to_polars()
        assert len(pandas) == len(polars) >= 1, name
        assert list(pandas.columns) == polars.columns, name


def test_every_result_is_a_few_lines_at_a_prompt_and_a_table_in_a_notebook(results):
    for name, result in results.items():
        if not isinstance(result, Shown) and name != "alignment":
            continue
        lines = repr(result).splitlines()
        assert 2 <= len(lines) <= 20, name
        page = _Tags()
        page.feed(result._repr_html_())
        assert page.open == [], name
        assert lines[0].strip() in page.text, name


def test_scores_at_a_prompt(scores):
    bleu, ter = (f"{scores.corpus['good'][label]:.2f}*" for label in scores.metrics)
    lines = repr(scores).splitlines()
    assert lines[0] == "Scores of 12 segments against 1 reference"
    assert lines[1].split() == ["System", "BLEU:effective_order=true", "↑", "TER", "↓"]
    assert lines[2].split() == ["good", bleu, ter]
    assert lines[-1].startswith("ter|refs=1|tertium=")
    assert f"<strong>{bleu[:-1]}</strong>" in scores._repr_html_()
    alone = tertium.score("chrf", ["a b"], ["a c"])
    assert repr(alone).splitlines()[1].split() == ["chrF", "↑"]
    many = tertium.score("chrf", {f"s{k}": ["a b"] for k in range(20)}, ["a c"])
    assert "… and 8 more" in repr(many)


def test_names_are_escaped():
    found = tertium.score("chrf", {"<script>": ["a b"]}, ["a c"])
    assert "<script>" not in found._repr_html_()
    assert "<evening>" not in tertium.align(TER(), "a", ["<evening> a"])._repr_html_()


def test_alignments_are_drawn_and_coloured():
    found = tertium.align(TER(), "in the evening the door is locked", ["the door is always locked in the evening"])
    lines = repr(found).splitlines()
    assert lines[0] == "ter 25.00 (reference 1: 1 deletion, 1 shift)"
    assert lines[1].split() == ["REF:", *"the door is always locked in the evening".split()]
    assert lines[2].split() == ["HYP:", *"the door is ****** locked in the evening".split()]
    assert lines[3].split() == ["D"]
    assert "background:rgba(204,121,167" in found._repr_html_()
    assert [one["kind"] for one in found.rows_of_frame()] == [one.kind for one in found.operations]
    assert repr(tertium.align(METEOR(), "a dog", ["a dog"]))


def test_comparisons_and_intervals_index_by_system_and_metric(scores):
    compared = tertium.compare(scores, samples=50)
    assert compared["poor", "ter"] is compared.of("poor", "ter")
    assert compared["poor"]["ter"] is compared.of("poor", "ter")
    assert [one.metric for one in compared] == list(scores.metrics)
    assert len(compared) == 2
    found = tertium.confidence(scores, samples=20)
    assert found["good", "ter"] is found.of("good", "ter")
    assert found["good", "ter", "a"] is found.of("good", "ter", "a")
    assert found["good"]["ter"] is found.of("good", "ter")
    alone = tertium.confidence(tertium.score("chrf", GOOD, REFERENCES), samples=20)
    assert alone["chrf"].score == alone.intervals[0].score
    with pytest.raises(UnknownNameError, match="Did you mean 'poor'"):
        compared["por"]
    with pytest.raises(UnknownNameError, match="Known: good, poor"):
        found["bleu"]
    three = tertium.compare(
        tertium.score("ter", {"a": GOOD, "b": POOR, "c": GOOD}, REFERENCES), all_pairs=True, samples=20
    )
    with pytest.raises(InputError, match="against several systems"):
        three["c"]
    assert three["c", "ter", "b"].baseline == "b"


def test_data_frames_are_systems_and_reference_sets():
    pandas, polars = pytest.importorskip("pandas"), pytest.importorskip("polars")
    sides = {"one": REFERENCES, "two": GOOD}
    expected = tertium.score("chrf", {"good": GOOD, "poor": POOR}, reference_sets=list(sides.values()))
    for frame in (pandas.DataFrame, polars.DataFrame):
        found = tertium.score("chrf", frame({"good": GOOD, "poor": POOR}), frame(sides))
        assert found.corpus == expected.corpus
        with pytest.raises(InputError, match="is a data frame"):
            BLEU().statistics(frame(sides), REFERENCES)


_WITHOUT_PYARROW = """
import sys
sys.modules["pyarrow"] = None
import numpy as np, pandas, polars, tertium
ours, theirs = ["a b c d", "e f g h"], ["a b c d", "e f g i"]
expected = tertium.score("chrf", ours, theirs).corpus
makers = [pandas.Series, pandas.Index, polars.Series, np.array, lambda texts: np.array(texts, object)]
makers += [lambda texts, kind=kind: pandas.Series(texts, index=[9, 3], dtype=kind) for kind in ("string", object, "category")]
for column in makers:
    assert tertium.score("chrf", column(ours), column(theirs), documents=column(["x", "y"])).corpus == expected
several = tertium.score("chrf", ours, pandas.Series([[text, "z"] for text in theirs])).corpus
assert several == tertium.score("chrf", ours, polars.Series([[text, "z"] for text in theirs])).corpus
print("equal")
"""


def test_columns_need_no_pyarrow():
    pytest.importorskip("pandas"), pytest.importorskip("polars")
    done = subprocess.run([sys.executable, "-c", _WITHOUT_PYARROW], capture_output=True, text=True, check=False)
    assert done.stdout == "equal\n", done.stderr


def test_names_are_all_in_dir():
    names = dir(tertium)
    assert set(tertium.__all__) <= set(names)
    assert {"judgments", "meta", "read", "read_testset", "report", "rewards"} <= set(names)
    for name in names:
        getattr(tertium, name)
