"""`tertium align`: text that wraps, records, a page, and the segments that were asked for."""

import json

import pytest

from tertium import TER, WER, align
from tertium.metrics.drawn_alignment import shown_width
from tertium.report.pages.alignments import Shown, as_html, as_text

HYPOTHESIS, REFERENCE = "in the morning the boat leaves", "the boat leaves early in the morning"


def test_one_pair(tertium):
    result = tertium("align", "--text", HYPOTHESIS, REFERENCE)
    assert result.code == 0
    assert "REF: the boat leaves early in the morning" in result.out
    assert "HYP: the boat leaves ***** in the morning" in result.out
    assert "shift 1: 'in the morning', words 1 to 3, to place 4" in result.out


@pytest.mark.parametrize("metric", ["wer", "cder", "ter"])
def test_text_fits_the_width(tertium, metric):
    result = tertium(
        "align", "--text", f"{HYPOTHESIS} {HYPOTHESIS}", f"{REFERENCE} 猫 {REFERENCE}", "-m", metric, "--width", "40"
    )
    lines = [line for line in result.out.splitlines() if line.startswith(("REF", "HYP", "    "))]
    assert lines
    assert all(shown_width(line) <= 40 for line in lines)
    words = " ".join(line.removeprefix("REF: ") for line in result.out.splitlines() if line.startswith("REF"))
    assert [word for word in words.split() if "*" not in word] == f"{REFERENCE} 猫 {REFERENCE}".split()


def test_records_hold_the_alignment(tertium):
    found = json.loads(tertium("align", "--text", HYPOTHESIS, REFERENCE, "--format", "json").out)
    assert found["metric"] == "ter"
    (record,) = found["alignments"]
    assert record["shifts"] == [{"start": 0, "end": 3, "target": 3, "words": ["in", "the", "morning"]}]
    assert [operation["kind"] for operation in record["operations"]].count("deletion") == 1
    assert record["score"] == pytest.approx(200 / 7)


def test_worst_and_chosen_segments(tertium, tmp_path):
    (tmp_path / "h.txt").write_text("a b c\nx y z\na b d\n")
    (tmp_path / "r.txt").write_text("a b c\na b c\na b c\n")
    worst = tertium("align", "h.txt", "-r", "r.txt", "--worst", "2").out
    assert [line.split(",")[1] for line in worst.splitlines() if "segment" in line] == [" segment 2", " segment 3"]
    chosen = tertium("align", "h.txt", "-r", "r.txt", "--segment", "1", "-m", "wer").out
    assert "segment 1, wer 0.00 (reference 1: no edit)" in chosen
    beyond = tertium("align", "h.txt", "-r", "r.txt", "--segment", "9")
    assert (beyond.code, "There is no segment 9: the files have 3." in beyond.err) == (1, True)
    beyond = tertium("align", "h.txt", "-r", "r.txt", "--segment", "9", "--format", "json")
    assert (beyond.code, beyond.out, "segment 9" in beyond.err) == (1, "", True)  # no beginning of a record either


def test_two_systems_stand_together(tertium, tmp_path):
    (tmp_path / "one.txt").write_text("a b\n")
    (tmp_path / "two.txt").write_text("a c\n")
    (tmp_path / "r.txt").write_text("a b\n")
    result = tertium("align", "one.txt", "two.txt", "-r", "r.txt")
    assert "one, segment 1, ter 0.00" in result.out
    assert "two, segment 1, ter 50.00" in result.out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "Missing argument"),
        (["--text", "a", "b", "-m", "bleu"], 1, "bleu aligns no words"),
        (["--text", "a", "b", "-m", "ter", "-m", "wer"], 1, "one metric at a time"),
        (["h.txt", "-r", "h.txt", "--text", "a", "b"], 1, "leave out the files"),
    ],
)
def test_what_cannot_be_meant(tertium, arguments, code, message):
    result = tertium("align", *arguments)
    assert result.code == code
    assert message in result.err


def test_a_page_needs_nothing_else():
    page = as_html([Shown("<mine>", 3, align(TER(), HYPOTHESIS + " <b>", REFERENCE + " & more"))])
    assert "&lt;mine&gt;" in page
    assert "&lt;b&gt;" in page
    assert "http:" not in page
    assert "https:" not in page
    assert "{{" not in page
    assert "default-src 'none'" in page


def test_colours_only_when_wanted():
    item = Shown("", 1, align(WER(), "a x", "a b"))
    assert "\x1b[" in "".join(as_text([item], color=True, width=80))
    assert "\x1b[" not in "".join(as_text([item], color=False, width=80))


@pytest.mark.parametrize("kind", ["ter", "sum", "sum_nbest", "pra", "pra_more", "xml"])
def test_tercom_files(tertium, tmp_path, kind):
    (tmp_path / "h.txt").write_text("a b c\nx y z\n")
    (tmp_path / "r.txt").write_text("a b c\na b c\n")
    result = tertium("align", "h.txt", "-r", "r.txt", "--format", kind, "--output", f"out.{kind}")
    assert (result.code, result.out) == (0, "")
    text = (tmp_path / f"out.{kind}").read_text()
    assert ("h.txt" in text) == (kind in ("ter", "sum", "xml"))
    assert {"sum": "TOTAL               | 0    | 0    | 3 ", "ter": "2:1 3.0 3.0 1.0\n"}.get(kind, "") in text


def test_tercom_files_are_about_one_system_and_ter(tertium, tmp_path):
    (tmp_path / "h.txt").write_text("a\n")
    (tmp_path / "g.txt").write_text("a\n")
    other = tertium("align", "h.txt", "-r", "g.txt", "-m", "wer", "--format", "pra")
    assert (other.code, "a report on TER, not on wer" in other.err) == (1, True)
    both = tertium("align", "h.txt", "g.txt", "-r", "g.txt", "--format", "sum")
    assert (both.code, "a report on one system, but 2 were given" in both.err) == (1, True)


def test_moved_words_are_marked():
    alignment = align(TER(), HYPOTHESIS, REFERENCE)
    assert [alignment.shifted[place] for place in sorted(alignment.moved)] == ["in", "the", "morning"]
    assert as_html([Shown("", 1, alignment)]).count('class="step match moved"') == 3
    assert "\x1b[32mmorning\x1b[0m" in "".join(as_text([Shown("", 1, alignment)], color=True, width=80))


def test_systems_stand_side_by_side_in_a_page():
    one, two = (Shown(name, 1, align(WER(), text, "a b")) for name, text in (("one", "a b"), ("two", "a c")))
    other = Shown("one", 2, align(WER(), "a", "a"))
    assert [part.count("<section>") for part in as_html([one, two, other]).split('<div class="segment">')] == [0, 2, 1]


METEOR_PAIR = ("The dogs were running quickly.", "The dog ran fast.")


def test_meteor_shows_modules_chunks_and_parts(tertium):
    result = tertium("align", "--text", *METEOR_PAIR, "-m", "meteor:modules=exact+stem+synonym")
    assert "2 matches, 1 stem, 1 synonym, 2 insertions, 1 deletion" in result.out
    assert "HYP: the dogs were running quickly **** ." in result.out
    assert "         stem I    syn     I       D" in result.out
    assert "chunk 1: 'the dogs' for 'the dog'" in result.out
    assert "precision 51.67, recall 56.36, mean 55.61, penalty 0.5665" in result.out


def test_meteor_records_hold_modules_chunks_and_parts(tertium):
    metric = "meteor:modules=exact+stem+synonym"
    found = json.loads(tertium("align", "--text", *METEOR_PAIR, "-m", metric, "--format", "json").out)
    (record,) = found["alignments"]
    assert [step["kind"] for step in record["operations"] if step["cost"] == 0] == ["match", "stem", "synonym", "match"]
    assert len(record["chunks"]) == record["parts"]["chunks"] == 3
    assert record["parts"]["penalty"] == pytest.approx(0.5664525, abs=1e-7)
    assert record["search"] == "beam"


def test_meteor_page(tertium):
    page = tertium("align", "--text", *METEOR_PAIR, "-m", "meteor:modules=exact+stem+synonym", "--format", "html").out
    assert '<span class="step stem" title="stem, cost 0"><span class="ref">dog</span>' in page
    assert "chunk 2: 'running' for 'ran'" in page
    assert "penalty 0.5665" in page


def test_the_language_option_is_meteors(tertium, tmp_path):
    for name, text in (("h", "लड़कों ने पढ़ा"), ("r", "लड़के ने पढ़ा")):
        (tmp_path / name).write_text(text + "\n", encoding="utf-8")
    result = tertium("align", str(tmp_path / "h"), "-r", str(tmp_path / "r"), "-m", "meteor", "-l", "hi")
    assert "1 stem" in result.out


def test_the_signature_stands_below_and_names_are_short(tertium, tmp_path):
    for name in ("hyp.north.txt", "hyp.south.txt", "ref.txt"):
        (tmp_path / name).write_text("one two three\n")
    call = ["align", "hyp.north.txt", "hyp.south.txt", "-r", "ref.txt", "-m", "ter:normalized=true"]
    lines = tertium(*call).out.splitlines()
    assert lines[0].startswith("north, segment 1")
    assert lines[-1].startswith("ter:normalized=true|tertium=")
    assert "|tertium=" not in tertium(*call, "--signatures", "none").out
    assert "hyp.north" in tertium(*call, "--format", "json").out
