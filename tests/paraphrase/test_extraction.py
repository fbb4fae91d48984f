"""Paraphrases from bitexts: worked examples, the textbook on generated bitexts, filters, interruption, bad input."""

import gzip
import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import pivot as textbook

from examples import examples
from tertium.errors import InputError, UnknownNameError
from tertium.paraphrase import AlignedBitext, Extraction, Filters, PivotTable, extract

OPEN = Filters(floor=0, same=False, punctuation=False)  # everything passes


def write(path, lines):
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return str(path)


def bitext(folder, pairs, name="b", **options):
    """Write (text, pivot, links) triples as three files."""
    columns = zip(*pairs, strict=True)
    files = [
        write(folder / f"{name}.{kind}", lines) for kind, lines in zip(("en", "xx", "links"), columns, strict=True)
    ]
    return AlignedBitext(*files, **options)


def table(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "phrase_ref\tphrase_hyp\tprob"
    rows = [line.split("\t") for line in lines[1:]]
    assert len({(a, b) for a, b, _ in rows}) == len(rows)
    return {(a, b): float(p) for a, b, p in rows}


def extracted(folder, *sources, filters=OPEN, longest=5, **options):
    output = folder / "out.tsv"
    report = extract(sources, output, Extraction(longest, filters), **options)
    assert not (folder / "out.tsv.work").exists()
    return table(output), report


WORKED = [
    ("big ship", "stor båt", "0-0 1-1"),
    ("large ship", "stor båt", "0-0 1-1"),
    ("large boat", "stor båt", "0-0 1-1"),
    ("large boat", "rymlig båt", "0-0 1-1"),
]


def test_a_bitext_small_enough_for_paper(tmp_path):
    # stor: big 1, large 2; rymlig: large 1; so p(stor|large) = 2/3, p(big|stor) = 1/3, p(large|stor) = 2/3.
    found, report = extracted(tmp_path, bitext(tmp_path, WORKED))
    assert found["large", "big"] == pytest.approx(2 / 3 * 1 / 3, abs=1e-12)
    assert found["big", "large"] == pytest.approx(2 / 3, abs=1e-12)
    assert found["ship", "boat"] == pytest.approx(1 / 2, abs=1e-12)
    # "stor båt" stands for three phrases once each; "large boat" has it in one of two cases.
    assert found["large boat", "big ship"] == pytest.approx(1 / 2 * 1 / 3, abs=1e-12)
    assert found["large ship", "large boat"] == pytest.approx(1 / 3, abs=1e-12)
    assert set(found) == {
        ("large", "big"), ("big", "large"), ("ship", "boat"), ("boat", "ship"),
        *((a, b) for a in ("big ship", "large ship", "large boat") for b in ("big ship", "large ship", "large boat") if a != b),
    }  # fmt: skip
    assert report.kept == len(found)
    assert report.sources[0]["lines"] == 4


def test_words_without_links_widen_spans(tmp_path):
    found, _ = extracted(
        tmp_path, bitext(tmp_path, [("the cat", "katt", "1-0"), ("a cat", "katt", "1-0"), ("cat", "katt", "0-0")])
    )
    assert found["the cat", "a cat"] == pytest.approx(1 / 5, abs=1e-12)
    assert found["the cat", "cat"] == pytest.approx(3 / 5, abs=1e-12)


words = st.lists(st.sampled_from(["a", "b", "c", "dd", "E", ",", "7", "ß", "häuser-recht"]), min_size=1, max_size=6)


@st.composite
def sentence_pairs(draw):
    text, pivot = draw(words), draw(words)
    places = st.tuples(st.integers(0, len(text) - 1), st.integers(0, len(pivot) - 1))
    return text, pivot, draw(st.lists(places, max_size=8))


@examples(60)
@given(
    st.lists(st.lists(sentence_pairs(), min_size=1, max_size=8), min_size=1, max_size=3),
    st.integers(1, 5),
    st.integers(1, 3),
    st.booleans(),
)
def test_generated_bitexts_against_the_textbook(tmp_path_factory, bitexts, longest, threads, inverse):
    folder = tmp_path_factory.mktemp("generated")
    weights = [1.0, 0.5, 2.25][: len(bitexts)]
    sources, tables = [], []
    for number, (pairs, weight) in enumerate(zip(bitexts, weights, strict=True)):
        lines = [
            (" ".join(t), " ".join(p), " ".join(f"{j}-{i}" if inverse else f"{i}-{j}" for i, j in links))
            for t, p, links in pairs
        ]
        sources.append(bitext(folder, lines, f"b{number}", weight=weight, inverse=inverse))
        counts = Counter(pair for t, p, links in pairs for pair in textbook.phrase_pairs(t, p, links, longest))
        tables.append(textbook.probabilities(counts))
    wanted = {(" ".join(a), " ".join(b)): p for (a, b), p in textbook.paraphrases(tables, weights).items()}
    # A little memory makes many runs, so that merging is put to work.
    found, _ = extracted(folder, *sources, longest=longest, threads=threads, memory=1)
    assert found.keys() == wanted.keys()
    for pair, probability in wanted.items():
        assert found[pair] == pytest.approx(probability, abs=1e-12)


@pytest.mark.slow
def test_runs_on_disk_give_what_memory_gives(tmp_path):
    pairs = [(f"w{i % 7} x{i % 11} y{i % 5}", f"u{i % 13} v{i % 3}", "0-0 1-1 2-1") for i in range(5000)]
    source = bitext(tmp_path, pairs)
    small, _ = extracted(tmp_path, source, memory=1, threads=3)
    large, _ = extracted(tmp_path, source)
    assert small == large


@pytest.mark.slow
def test_more_runs_than_files_that_may_be_open(tmp_path):
    import resource

    pairs = [(f"w{i % 7} x{i % 11} y{i % 5}", f"u{i % 13} v{i % 3}", "0-0 1-1 2-1") for i in range(5000)]
    source = bitext(tmp_path, pairs)
    large, _ = extracted(tmp_path, source)
    usual = resource.getrlimit(resource.RLIMIT_NOFILE)
    taken = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0  # by whatever runs the tests
    resource.setrlimit(resource.RLIMIT_NOFILE, (taken + 200, usual[1]))
    try:
        small, _ = extracted(tmp_path, source, memory=1, threads=20)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, usual)
    assert small == large


def phrase_table(folder, lines):
    return PivotTable(write(folder / "phrases.moses", lines))


def test_a_phrase_table_brings_its_own_probabilities(tmp_path):
    lines = [
        "stor ||| big ||| 0.5 0.4 0.25 0.3 ||| 0-0 ||| 4 8 2",
        "stor ||| large ||| 0.75 0.4 0.5 0.3",
        "a b c d e f ||| one two three four five six ||| 1 1 1 1",
    ]
    found, report = extracted(tmp_path, phrase_table(tmp_path, lines))
    # p(stor|big) p(large|stor) and the other way round.
    assert found == {("big", "large"): 0.5 * 0.5, ("large", "big"): 0.75 * 0.25}
    assert report.sources[0]["too_long"] == 1
    turned = PivotTable(str(tmp_path / "phrases.moses"), side="source")
    assert extracted(tmp_path, turned)[0] == {}


@pytest.mark.parametrize("common", [3, *(pytest.param(n, marks=pytest.mark.slow) for n in (1, 8, 12))])
def test_common_pivots_add_up_with_rare_ones(tmp_path, common):
    # Long lists of phrases are summed up in another way than short ones, and many of them in a third.
    rng = np.random.default_rng(common)
    phrases, rare = 1600, 300
    has = np.hstack([rng.random((phrases, common)) < 0.9, rng.random((phrases, rare)) < 0.004])
    given_phrase, given_pivot = (np.where(has, rng.uniform(0.001, 1, has.shape) / (common + 8), 0) for _ in range(2))
    lines = [
        f"f{j} ||| w{i} ||| {float(given_phrase[i, j])!r} 1 {float(given_pivot[i, j])!r} 1"
        for i, j in zip(*(axis.tolist() for axis in has.nonzero()), strict=True)
    ]
    sums = given_phrase @ given_pivot.T
    np.fill_diagonal(sums, 0)
    floor = np.sort(sums, axis=None)[-20_000] + 1e-9
    found, report = extracted(
        tmp_path, phrase_table(tmp_path, lines), filters=Filters(floor=floor, same=False, punctuation=False), threads=2
    )
    wanted = {(f"w{i}", f"w{j}"): sums[i, j] for i, j in zip(*np.nonzero(sums >= floor), strict=True)}
    assert found.keys() == wanted.keys()
    assert all(p == pytest.approx(min(wanted[pair], 1), abs=1e-12) for pair, p in found.items())
    assert report.dropped["floor"] == np.count_nonzero(sums) - len(wanted)


def test_a_sum_that_reaches_the_floor_but_for_rounding_stays(tmp_path):
    # 0.7 + 0.1 + 0.1 is 0.8999999999999999 in binary.
    shares = {"x": 0.7, "y": 0.1, "z": 0.1}
    lines = [f"{f} ||| a ||| {p} 1 0.5 1" for f, p in shares.items()] + [f"{f} ||| b ||| 0.2 1 1 1" for f in shares]
    found, report = extracted(
        tmp_path, phrase_table(tmp_path, lines), filters=Filters(floor=0.9, same=False, punctuation=False)
    )
    assert list(found) == [("a", "b")]
    assert report.dropped["floor"] == 1


def test_each_filter_leaves_out_and_counts_its_own(tmp_path):
    phrases = ["The house", "the house", "the house ,", "houses", "house", "12", "13", "it", ",", "a 12", "a 14"]
    lines = [f"x ||| {phrase} ||| 1 1 0.05 1" for phrase in phrases]
    source = phrase_table(tmp_path, lines)
    everything, _ = extracted(tmp_path, source)
    assert len(everything) == len(phrases) * (len(phrases) - 1)

    def left_out(**filters):
        found, report = extracted(
            tmp_path, source, filters=Filters(**{"floor": 0, "same": False, "punctuation": False} | filters)
        )
        assert sum(report.dropped.values()) == len(everything) - len(found) == len(everything) - report.kept
        assert [name for name, count in report.dropped.items() if count] == [next(iter(filters))]
        return everything.keys() - found.keys()

    assert left_out(same=True) == {("The house", "the house"), ("the house", "The house")}
    assert ("the house", "the house ,") in left_out(punctuation=True)
    assert all("," in pair or "house" in pair[0] for pair in left_out(punctuation=True))
    assert ("12", "house") in left_out(numbers=True)
    assert ("a 12", "a 14") in left_out(numbers=True)
    assert ("a 12", "house") not in left_out(numbers=True)
    assert left_out(floor=0.06) == everything.keys()
    found, report = extracted(tmp_path, source, filters=Filters(floor=0, same=False, punctuation=False, top=3))
    assert Counter(a for a, _ in found) == dict.fromkeys(phrases, 3)
    assert report.dropped["top"] == len(phrases) * (len(phrases) - 1 - 3)


@pytest.mark.parametrize("layout", ["table", "meteor", "terp"])
def test_layouts(tmp_path, layout):
    source = bitext(tmp_path, WORKED[:2])
    name = {"table": "o.tsv", "meteor": "o.gz", "terp": "o.terp"}[layout]
    extract([source], tmp_path / name)
    path = tmp_path / name
    text = gzip.decompress(path.read_bytes()).decode() if name.endswith(".gz") else path.read_text(encoding="utf-8")
    line = {"table": "big\tlarge\t0.5\n", "meteor": "0.5\nbig\nlarge\n", "terp": "0.5 <p>big</p> <p>large</p>\n"}
    assert line[layout] in text


BAD = {
    "link out of range": (
        ["a b"],
        ["x"],
        ["0-0 2-0"],
        r"links, line 1 links word 2 of .*has only 2 words.*inverse=True",
    ),
    "pivot out of range": (["a b"], ["x"], ["0-1"], r"links, line 1 links word 1 of .*\.xx.*only 1 words"),
    "malformed link": (["a", "b"], ["x", "y"], ["0-0", "0-0 1"], r"links, line 2 holds '0-0 1'.*look like"),
    "negative link": (["a"], ["x"], ["-1-0"], r"line 1 holds '-1-0'"),
    "unequal lengths": (["a", "b"], ["x"], ["0-0", "0-0"], r"same number of lines.*en has 2.*xx has 1.*links has 2"),
    "empty text": (["a", ""], ["x", "y"], ["0-0", ""], r"\.en, line 2 is empty.*skip_empty=True"),
    "empty pivot": (["a", "b"], ["x", ""], ["0-0", ""], r"\.xx, line 2 is empty"),
    "nothing": ([], [], [], r"\.en is empty"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_bitexts_are_named(tmp_path, case):
    texts, pivots, links, message = BAD[case]
    source = AlignedBitext(
        write(tmp_path / "b.en", texts), write(tmp_path / "b.xx", pivots), write(tmp_path / "b.links", links)
    )
    with pytest.raises(InputError, match=message):
        extract([source], tmp_path / "out.tsv")
    assert not list(tmp_path.glob("*out.tsv*"))  # no table, and nothing to go on from


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("a ||| b", r"line 2 is no line of a phrase table"),
        ("a ||| b ||| 0.1 0.1", r"line 2 is no line"),
        ("a ||| b ||| 0.1 x 0.1", r"line 2: the 2\. score is no number"),
        ("a ||| b ||| 0.1 0.1 0", r"line 2: the 3\. score is no probability"),
        ("a ||| b ||| 1.1 0.1 0.2", r"line 2: the 1\. score is no probability"),
        ("a ||| b ||| nan 0.1 0.2", r"line 2: the 1\. score is no probability"),
        (" ||| b ||| 1 1 1", r"line 2 has an empty phrase"),
        ("a |||  ||| 1 1 1", r"line 2 has an empty phrase"),
        ("q ||| r ||| 1 1 1 1", r"same translation twice: 'r'"),
    ],
)
def test_bad_phrase_tables_are_named(tmp_path, line, message):
    with pytest.raises(InputError, match=message):
        extract([phrase_table(tmp_path, ["q ||| r ||| 1 1 1 1", line])], tmp_path / "out.tsv")
    assert not (tmp_path / "out.tsv").exists()


def test_bad_settings_are_refused(tmp_path):
    source = bitext(tmp_path, WORKED)
    with pytest.raises(InputError, match="1 to 10 words"):
        Extraction(longest=11)
    with pytest.raises(InputError, match="floor"):
        Filters(floor=float("nan"))
    with pytest.raises(InputError, match=r"End the name in \.tsv"):
        extract([source], tmp_path / "table")
    with pytest.raises(InputError, match="weight"):
        extract([bitext(tmp_path, WORKED, weight=0)], tmp_path / "out.tsv")
    with pytest.raises(InputError, match="Nothing to extract"):
        extract([], tmp_path / "out.tsv")


def test_lines_with_one_empty_side_can_be_passed_over(tmp_path):
    pairs = [*WORKED, ("", "stor", ""), ("big", "", ""), ("", "", "")]
    found, report = extracted(tmp_path, bitext(tmp_path, pairs, skip_empty=True))
    assert report.sources[0]["skipped"] == 3
    assert found == extracted(tmp_path, bitext(tmp_path, WORKED))[0]


RUN = """
import sys
from tertium.paraphrase import AlignedBitext, extract
extract([AlignedBitext(*sys.argv[2:5])], sys.argv[1], memory=1 << 18)
"""


@pytest.mark.parametrize(
    "growth", [pytest.param(1.5, marks=pytest.mark.slow), pytest.param(1.05, marks=pytest.mark.long)]
)
def test_a_killed_run_leaves_no_table_and_the_next_one_ends_well(tmp_path, growth):
    pairs = [(f"w{i % 97} x{i % 101} y{i % 53}", f"u{i % 89} v{i % 3} t{i % 7}", "0-0 1-1 2-2") for i in range(3000)]
    source = bitext(tmp_path, pairs)
    output = tmp_path / "out.tsv"
    delay = 0.05
    kills = 0
    while True:
        process = subprocess.Popen([sys.executable, "-c", RUN, str(output), *source.files])
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        if process.wait() == 0 or output.exists():  # killed after the table took its name, it is complete
            break
        kills += 1
        delay *= growth
    assert kills
    again = tmp_path / "again.tsv"
    extract([source], again)
    assert output.read_bytes() == again.read_bytes()


def test_finished_steps_are_not_repeated_unless_the_files_change(tmp_path, monkeypatch):
    source = bitext(tmp_path, WORKED)
    work = tmp_path / "work"
    monkeypatch.setattr("tertium.paraphrase.extraction._write", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        extract([source], tmp_path / "out.tsv", work_dir=work)
    monkeypatch.undo()
    counts = json.loads((work / "source-0.json").read_text())
    assert counts["lines"] == 4
    (work / "source-0.json").write_text(json.dumps({**counts, "lines": 99}))
    assert extract([source], tmp_path / "out.tsv", work_dir=work).sources[0]["lines"] == 99

    monkeypatch.setattr("tertium.paraphrase.extraction._write", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        extract([source], tmp_path / "out.tsv", work_dir=work)
    monkeypatch.undo()
    os.utime(source.text, ns=(0, 0))
    assert extract([source], tmp_path / "out.tsv", work_dir=work).sources[0]["lines"] == 4


def test_a_folder_of_something_else_is_left_alone(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("keep me")
    with pytest.raises(InputError, match="no folder of an earlier run"):
        extract([bitext(tmp_path, WORKED)], tmp_path / "out.tsv", work_dir=tmp_path / "mine")
    assert (tmp_path / "mine" / "letter.txt").read_text() == "keep me"


def test_a_folder_that_only_looks_like_one_of_ours_is_left_alone(tmp_path):
    (tmp_path / "mine").mkdir()
    for name in ("lock", "letter.txt"):
        (tmp_path / "mine" / name).write_text("keep me")
    with pytest.raises(InputError, match="no folder of an earlier run"):
        extract([bitext(tmp_path, WORKED)], tmp_path / "out.tsv", work_dir=tmp_path / "mine")
    assert (tmp_path / "mine" / "letter.txt").read_text() == "keep me"


DIES = """
import os, sys
import tertium.paraphrase.extraction as extraction
from tertium.paraphrase import AlignedBitext
def killed(pivot, words, filters, layout, file, *_):
    file.write(b"half a table")
    file.flush()
    os._exit(9)
extraction._write = killed
extraction.extract([AlignedBitext(*sys.argv[2:5])], sys.argv[1])
"""


@pytest.mark.parametrize("changed", [False, True])
def test_what_a_killed_run_had_written_is_removed_by_the_next(tmp_path, changed):
    source = bitext(tmp_path, WORKED)
    before = set(os.listdir(tmp_path))
    output = tmp_path / "out.tsv"
    assert subprocess.run([sys.executable, "-c", DIES, str(output), *source.files], check=False).returncode == 9
    assert len(set(os.listdir(tmp_path)) - before) <= 2  # the folder; a hidden draft where files cannot be nameless
    if changed:
        os.utime(source.text, ns=(0, 0))
    extract([source], output)
    assert set(os.listdir(tmp_path)) - before == {"out.tsv"}


def test_languages_and_names_are_checked_before_the_work(tmp_path):
    source = bitext(tmp_path, [("a", "x", "7-0")])  # an error of its own, if it were read
    for filters in (Filters(stems="klingon"), Filters(function_words="klingon")):
        with pytest.raises(UnknownNameError, match="klingon"):
            extract([source], tmp_path / "out.tsv", Extraction(filters=filters))
    with pytest.raises(InputError, match="is read, so the table cannot be written there"):
        extract([source], source.text, layout="table")
    assert (tmp_path / "b.en").read_text() == "a\n"


def test_a_table_without_paraphrases_is_told_of(tmp_path):
    told = []
    found, _ = extracted(tmp_path, bitext(tmp_path, WORKED[:1]), warn=told.append)
    assert not found
    assert "has no paraphrases" in told[0]
