"""Test sets as WMT publishes them: folders with canaries, JSON lines with paragraphs; and mt-metrics-eval's data."""

import json
import random
import shutil
from pathlib import Path

import pytest

from corpus import named_archives
from corpus.test_fuzz import mutated
from tertium.corpus.named.published import is_published, paragraphs, published
from tertium.errors import InputError, TertiumError, UnknownNameError
from tertium.judgments import evaluation_data

CANARY = "canary GUID 1234: this text must not be in training data"


def quiet(message):
    pass


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Two segments in WMT24's layout, in a repository's folder."""
    monkeypatch.chdir(tmp_path)
    texts = {
        "sources/en-de.txt": [CANARY, "one", "two"],
        "references/en-de.refA.txt": [CANARY, "eins", "zwei"],
        "references/en-de.refB.txt": [CANARY, "Eins", "Zwei"],
        "documents/en-de.docs": ["canary\tcanary", "news\tdoc-1", "speech\tdoc-2"],
        "system-outputs/en-de/First.txt": [CANARY, "eins", "zwo"],
        "system-outputs/en-de/Second.txt": ["Kanarienvogel", "ein", "zwei"],
    }
    for name, lines in texts.items():
        path = tmp_path / "wmt24/txt" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines))
    return tmp_path / "wmt24"


def test_the_canary_is_no_segment(folder):
    warnings = []
    found = published("wmt24", "en-de", warn=warnings.append)
    assert found.loaded.source == ["one", "two"]
    assert list(found.loaded.references.values()) == [["eins", "zwei"], ["Eins", "Zwei"]]
    assert found.loaded.documents == ["doc-1", "doc-2"]
    assert found.outputs(warn=quiet) == {"First": ["eins", "zwo"], "Second": ["ein", "zwei"]}
    assert warnings == ["wmt24/txt: the first line of en-de is a canary and no segment; it is left out on all sides."]
    (folder.parent / "mine.txt").write_text("eins\nzwei\n")
    assert found.output("mine.txt", warn=quiet) == ["eins", "zwei"]  # without a canary of its own
    (folder.parent / "mine.txt").write_text("eins\n")
    with pytest.raises(InputError, match="mine.txt has 1 segments, but wmt24/txt en-de has 2 after its canary line"):
        found.output("mine.txt", warn=quiet)


def test_what_does_not_fit_in_a_folder_is_told(folder):
    with pytest.raises(UnknownNameError, match="No language pair of wmt24/txt is called 'en-fr'"):
        published("wmt24", "en-fr", warn=quiet)
    with pytest.raises(InputError, match="needs a language pair"):
        published("wmt24", None, warn=quiet)
    (folder / "txt/references/en-de.refA.txt").write_text("eins\nzwei\n")
    with pytest.raises(InputError, match="refA of en-de has 2 lines, but the source has 3"):
        published("wmt24", "en-de", warn=quiet)
    shutil.rmtree(folder / "txt/references")
    with pytest.raises(InputError, match="holds no reference for en-de"):
        published("wmt24", "en-de", warn=quiet)
    shutil.rmtree(folder / "txt/sources")
    with pytest.raises(InputError, match="is no test set"):
        published("wmt24", "en-de", warn=quiet)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<p>a<br>b</p>\n<p>c</p>", ["a<br>b", "c"]),
        ("a\nb\n\nc\n", ["a b", "c"]),
        ("<p>a</p>\nb</p>\n\n<p>c", ["a", "b", "c"]),  # as systems write it
        ("a", ["a"]),
        ("\n \n", []),
    ],
)
def test_paragraphs(text, expected):
    assert paragraphs(text) == expected


def lines(path: Path, *records):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


SET = [
    {"doc_id": "d1", "src_lang": "cs", "tgt_lang": "de_DE", "src_text": "a\n\nb", "refs": {"refA": "A\n\nB", "refB": "x\n\ny"}},
    {"doc_id": "d2", "src_lang": "cs", "tgt_lang": "de_DE", "src_text": "<p>c</p>", "refs": {"refA": "<p>C</p>"}},
    {"doc_id": "d3", "src_lang": "cs", "tgt_lang": "de_DE", "src_text": "e", "refs": {}},
    {"doc_id": "d4", "src_lang": "cs", "tgt_lang": "uk_UA", "src_text": "f", "tgt_text": {"refA": "F", "First": "g"}},
]  # fmt: skip


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """Four documents in WMT26's layout; the names of systems have blanks."""
    monkeypatch.chdir(tmp_path)
    lines(tmp_path / "data/wmt26-genmt.jsonl", *SET)
    lines(tmp_path / "data/systems/Big Model 2.jsonl", {"doc_id": "d2", "hypothesis": "<p>C</p>"},
          {"doc_id": "d1", "hypothesis": "A</p>\n<p>b"}, {"doc_id": "d4", "hypothesis": "F"})  # fmt: skip
    lines(
        tmp_path / "data/systems/Odd.jsonl", {"doc_id": "d1", "hypothesis": "one"}, {"doc_id": "d2", "hypothesis": "C"}
    )
    lines(tmp_path / "data/systems/Other.jsonl", {"doc_id": "d4", "hypothesis": "F"})
    return tmp_path


def test_documents_of_json_lines(repository):
    warnings = []
    found = published("data/wmt26-genmt.jsonl", "cs-de", warn=warnings.append)
    assert found.loaded.source == ["a", "b", "c"]
    assert found.loaded.references == {"cs-de_DE refA": ["A", "B", "C"]}  # which all documents have
    assert found.loaded.documents == ["d1", "d1", "d2"]
    assert "1 of 3 documents of cs-de_DE have no reference" in warnings[0]
    assert found.output("data/systems/Big Model 2.jsonl", warn=quiet) == ["A", "b", "C"]
    assert published(".", "cs-uk_UA", warn=quiet).outputs(warn=quiet) == {"Big Model 2": ["F"], "Other": ["F"]}


def test_other_numbers_of_paragraphs_are_told_with_two_ways_out(repository):
    found = published("data/wmt26-genmt.jsonl", "cs-de_DE", warn=quiet)
    with pytest.raises(InputError, match="more or fewer paragraphs than the source in 1 of 2 documents, first 'd1': 1, not 2") as error:  # fmt: skip
        found.output("data/systems/Odd.jsonl", warn=quiet)
    assert "resegment='METHOD'" in str(error.value)
    assert "data/wmt26-genmt.jsonl:documents" in str(error.value)
    assert found.output("data/systems/Odd.jsonl", warn=quiet, free=True) == ["one", "C"]
    whole = published("data/wmt26-genmt.jsonl:documents", "cs-de_DE", warn=quiet)
    assert whole.loaded.source == ["a b", "<p>c</p>"]
    assert whole.output("data/systems/Odd.jsonl", warn=quiet) == ["one", "C"]
    warnings = []
    assert set(whole.outputs(warn=warnings.append)) == {"Big Model 2", "Odd"}
    assert "not translated by Other" in warnings[0]


def test_a_set_without_language_pairs_is_refused(repository):
    (repository / "x.jsonl").write_text("")
    with pytest.raises(InputError, match=r"x.jsonl is empty"):
        published("x.jsonl", "cs-de_DE", warn=quiet)
    lines(repository / "x.jsonl", SET[0], {"doc_id": "d9", "src_text": "a", "src_lang": "cs"})
    with pytest.raises(InputError, match=r"x.jsonl, line 2 has no text called tgt_lang"):
        published("x.jsonl", "cs-de_DE", warn=quiet)


def test_broken_json_lines_are_told(repository):
    for record, reason in [
        ({"doc_id": "d1", "hypothesis": "x"}, "lacks 1 documents of data/wmt26-genmt.jsonl cs-de_DE, first 'd2'"),
        ({"doc_id": "d1"}, "line 1 has no doc_id and hypothesis"),
        ([1], "an object was expected"),
    ]:
        lines(repository / "x.jsonl", record)
        with pytest.raises(InputError, match=reason):
            published("data/wmt26-genmt.jsonl", "cs-de_DE", warn=quiet).output("x.jsonl", warn=quiet)
    lines(repository / "x.jsonl", *[{"doc_id": "d1", "hypothesis": "x"}] * 2)
    with pytest.raises(InputError, match="line 2 has the document 'd1' once more"):
        published("data/wmt26-genmt.jsonl", "cs-de_DE", warn=quiet).output("x.jsonl", warn=quiet)
    lines(repository / "y.jsonl", {**SET[0], "refs": {"refA": "one only"}})
    with pytest.raises(InputError, match="the reference refA of 'd1' has 1 paragraphs, but its source has 2"):
        published("y.jsonl", "cs-de_DE", warn=quiet)
    lines(repository / "y.jsonl", SET[2])
    with pytest.raises(InputError, match="has no document of cs-de_DE with a reference"):
        published("y.jsonl", "cs-de_DE", warn=quiet)


def test_names_are_no_folders(repository):
    assert not is_published("wmt22")
    assert is_published("data")
    assert is_published("data/wmt26-genmt.jsonl:documents")


@pytest.mark.parametrize("cases", [600, pytest.param(30_000, marks=pytest.mark.long)])
def test_no_file_breaks_the_reader(repository, cases):
    rng = random.Random(f"published {cases}")
    good = (repository / "data/wmt26-genmt.jsonl").read_bytes()
    system = (repository / "data/systems/Big Model 2.jsonl").read_bytes()
    refused = 0
    for number in range(cases):
        (repository / "set.jsonl").write_bytes(mutated(good, rng) if number % 2 else good)
        (repository / "system.jsonl").write_bytes(system if number % 2 else mutated(system, rng))
        try:
            found = published("set.jsonl", "cs-de", warn=quiet)
            texts = found.output("system.jsonl", warn=quiet)
            assert len(texts) == len(found.loaded)
        except TertiumError as error:
            refused += 1
            assert str(error)
    assert 0 < refused < cases


def test_evaluation_data_by_name(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(InputError, match="mt-metrics-eval's data is not here"):
        evaluation_data.evaluation_folder("wmt23")
    for name in ("wmt23", "wmt21.news"):
        for part in ("sources", "system-outputs"):
            (tmp_path / ".mt-metrics-eval/mt-metrics-eval-v2" / name / part).mkdir(parents=True)
    root = evaluation_data.evaluation_root()
    for name, expected in [
        ("wmt23", ("wmt23", None)), ("wmt23.mqm", ("wmt23", "mqm")), ("wmt21.news", ("wmt21.news", None)),
        ("wmt21.news.mqm", ("wmt21.news", "mqm")),
    ]:  # fmt: skip
        assert evaluation_data.evaluation_folder(name) == (root / expected[0], expected[1])
    with pytest.raises(UnknownNameError, match=r"Known: wmt21.news, wmt23"):
        evaluation_data.evaluation_folder("wmt99")


def test_evaluation_data_is_fetched_whole(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TERTIUM_MIRROR", str(tmp_path / "mirror"))
    place = tmp_path / "mirror" / evaluation_data.REMOTE.address.partition("://")[2]
    place.parent.mkdir(parents=True)
    inside = "mt-metrics-eval-v2/wmt23"
    good = {f"{inside}/sources/en-de.txt": b"a\n", f"{inside}/system-outputs/en-de/S.txt": b"b\n"}
    for bad in ({**good, "../evil": b"x"}, {"other/file": b"x"}):
        place.write_bytes(named_archives.tar(bad))
        with pytest.raises(InputError, match=r"leads out|does not hold"):
            evaluation_data.fetch_evaluation_data(say=quiet)
        assert not evaluation_data.evaluation_root().exists()
        (tmp_path / ".mt-metrics-eval" / "mt-metrics-eval-v2.tgz.part").unlink()
    place.write_bytes(named_archives.tar(good))
    assert evaluation_data.fetch_evaluation_data(say=quiet) == evaluation_data.evaluation_root()
    assert evaluation_data.evaluation_sets() == ["wmt23"]
    left = {path.name for path in (tmp_path / ".mt-metrics-eval").iterdir()}
    assert left == {"mt-metrics-eval-v2", "mt-metrics-eval-v2.tgz.lock"}
