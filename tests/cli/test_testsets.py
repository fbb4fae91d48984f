"""`tertium testsets`, and `-t` in other commands."""

import json

import pytest

from corpus import named_archives
from tertium.corpus.named import catalogue

TEXTS = ["r " + text for text in named_archives.TEXTS]


@pytest.fixture
def sets(tmp_path, monkeypatch):
    """A mirror with archives, a catalogue with their checksums, and two systems."""
    made = named_archives.archives()
    named_archives.mirror(made, tmp_path / "mirror")
    known = named_archives.patched(named_archives.checksums(made))
    monkeypatch.setattr(catalogue, "_catalogue", lambda: known)
    monkeypatch.setenv("TERTIUM_MIRROR", str(tmp_path / "mirror"))
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "sets"))
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path / "cache"))
    for name, change in (("a", "the"), ("b", "a")):
        (tmp_path / f"{name}.txt").write_text("".join(f"{text.replace('the', change)}\n" for text in TEXTS))
    return made


def scores(result):
    return {(row["system"], row["document"]): row["score"] for row in json.loads(result.out)["scores"]}


def test_list_info_get_path(tertium, sets, tmp_path):
    rows = json.loads(tertium("testsets", "list", "--format", "json").out)["testsets"]
    assert (len(rows), sum(len(row["pairs"]) for row in rows), sum(len(row["here"]) for row in rows)) == (67, 452, 0)
    assert tertium("testsets", "get", "wmt18", "-l", "de-en").out.startswith("wmt18 de-en: 6 segments\nin ")
    here = json.loads(tertium("testsets", "list", "--here", "--format", "json").out)["testsets"]
    assert [(row["name"], row["here"]) for row in here] == [("wmt18", ["de-en"])]
    facts = json.loads(tertium("testsets", "info", "wmt18", "-l", "de-en", "--format", "json").out)
    assert (facts["here"], facts["fields"]) == ("yes", "src, ref, docid, genre, origlang")
    path = tertium("testsets", "path", "wmt18", "-l", "de-en", "docid").out
    assert path == f"{tmp_path / 'sets/wmt18/wmt18.de-en.docid'}\n"
    assert len(tertium("testsets", "path", "wmt20/tworefs", "-l", "de-en").out.splitlines()) == 2


def test_scores_are_those_of_the_same_files(tertium, sets, tmp_path):
    by_name = tertium("score", "a.txt", "b.txt", "-t", "wmt18", "-l", "de-en", "-m", "bleu", "--format", "json")
    reference = tertium("testsets", "path", "wmt18", "-l", "de-en").out.strip()
    by_file = tertium("score", "a.txt", "b.txt", "-r", reference, "-l", "de-en", "-m", "bleu", "--format", "json")
    assert by_name.out == by_file.out
    by_document = tertium(
        "score", "a.txt", "-t", "wmt18", "-l", "de-en", "-m", "ter", "--level", "document", "--format", "json"
    )
    assert [document for _, document in scores(by_document)] == [name for name, *_ in named_archives.DOCUMENTS]


def test_a_part_is_chosen_from_both_sides(tertium, sets, tmp_path):
    arguments = ["-t", "wmt18", "-l", "de-en", "-m", "bleu", "--format", "json"]
    whole = tertium("score", "b.txt", *arguments, "--level", "document")
    part = tertium("score", "b.txt", *arguments, "--origlang", "de")
    assert scores(part)["b", None] == scores(whole)["b", "guardian.181611"]
    (tmp_path / "short.txt").write_text("one\n")
    refused = tertium("score", "short.txt", *arguments, "--origlang", "de")
    assert (refused.code, refused.out) == (1, "")
    assert "short.txt has 1 segments, but wmt18 de-en has 6" in refused.err


def test_compare_and_align_take_them(tertium, sets):
    found = tertium("compare", "a.txt", "b.txt", "-t", "wmt20/tworefs", "-l", "de-en", "-m", "bleu", "--unit", "document",
                    "--samples", "50", "--format", "json")  # fmt: skip
    assert json.loads(found.out)["comparisons"][0]["system"] == "b"
    assert "segment 3" in tertium("align", "b.txt", "-t", "wmt18", "-l", "de-en", "--segment", "3").out.lower()


def test_correlate_takes_them(tertium, sets, tmp_path):
    rows = [f"{system}\t{segment}\t{segment * 7 % 5}" for system in "ab" for segment in range(1, 7)]
    (tmp_path / "human.tsv").write_text("system\tsegment\tscore\n" + "\n".join(rows) + "\n")
    found = tertium(
        "correlate", "a.txt", "b.txt", "-t", "wmt18", "-l", "de-en", "--judgments", "human.tsv", "-m", "chrf", "--format", "json"
    )  # fmt: skip
    assert json.loads(found.out)["correlations"][0]["n"] == 12


def test_outputs_that_were_published_are_scored_if_none_is_named(tertium, sets):
    found = tertium("score", "-t", "wmt22", "-l", "de-en", "-m", "chrf", "--format", "json")
    assert [system for system, _ in scores(found)] == ["First", "Second"]
    part = tertium("score", "-t", "wmt22", "-l", "de-en", "-m", "chrf", "--origlang", "de", "--format", "json")
    assert json.loads(part.out)["scores"][0]["segments"] == 1
    assert "wmt18 has no outputs of systems" in tertium("score", "-t", "wmt18", "-l", "de-en").err


def test_own_files_get_a_name(tertium, sets, tmp_path):
    added = tertium("testsets", "add", "mine", "-l", "en-de", "-r", "a.txt", "--source", "b.txt")
    assert added.out == "mine en-de: 6 segments, 1 references\n"
    assert "mine" in tertium("testsets", "list", "-l", "en-de").out
    assert scores(tertium("score", "a.txt", "-t", "mine", "-l", "en-de", "-m", "ter", "--format", "json")) == {
        ("a", None): 0.0
    }
    assert tertium("testsets", "path", "mine", "-l", "en-de", "src").out == f"{tmp_path / 'b.txt'}\n"
    assert "Known: ref, src" in tertium("testsets", "path", "mine", "-l", "en-de", "docid").err
    for option in ("--origlang", "--subset"):
        refused = tertium("score", "a.txt", "-t", "mine", "-l", "en-de", option, "de")
        assert f"{option}: nothing is known of the documents of mine" in refused.err
    (tmp_path / "archive").write_bytes(sets["wmt18"][0])
    assert "test.tgz is in" in tertium("testsets", "add", "wmt18", "archive").out


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("score a.txt -t wmt99 -l de-en", "No test set is called 'wmt99'"),
        ("score a.txt -t wmt18", "The test set wmt18 needs a language pair: -l PAIR. It has"),
        ("score a.txt -t wmt18 -l en-fr", "No language pair of wmt18 is called 'en-fr'"),
        ("score a.txt -t wmt18 -l de-en -r b.txt", "leave out -r"),
        ("score a.txt -r b.txt --origlang en", "name one with -t"),
        ("score a.txt -t wmt20 -l de-en --subset US", "nothing is known of the documents of wmt20"),
        ("score a.txt -t wmt18 -l de-en --subset xyz", "has no segment with subset xyz"),
        ("score a.txt -t mtedx/test -l el-en --origlang el", "--origlang needs documents"),
        ("testsets get wmt18 -l xx-yy", "No language pair of wmt18"),
        ("testsets path wmt18 -l de-en nothing", "No field of wmt18 de-en is called 'nothing'"),
        ("testsets add mine", "give its archive, or files of your own"),
        ("testsets add mine -l en -r a.txt", "'en' is no language pair"),
        ("testsets add wmt22 nofile", "nofile is no file"),
        ("testsets add wmt22 a.txt", "it is no file of wmt22"),
        ("testsets add wmt22 -l en-de -r a.txt", "sacreBLEU has one of that name"),
        ("testsets add ../mine -l en-de -r a.txt", "write one word without"),
        ("testsets add mine -l en-de -r a.txt --source none.txt", "none.txt cannot be read"),
    ],
)
def test_what_is_refused(tertium, sets, arguments, reason):
    result = tertium(*arguments.split())
    assert (result.code, result.out) == (1, "")
    assert reason in result.err
    assert "Traceback" not in result.err


def test_published_sets_bring_their_systems(tertium, tmp_path):
    for name, lines in {
        "sources/en-de": ["canary", "one here", "two there"], "references/en-de.refA": ["canary", "eins hier", "zwei da"],
        "system-outputs/en-de/First": ["canary", "eins hier", "zwei da"], "system-outputs/en-de/Second": ["x", "a", "b"],
    }.items():  # fmt: skip
        path = tmp_path / "txt" / f"{name}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{line}\n" for line in lines))
    found = tertium("score", "-t", "txt", "-l", "en-de", "-m", "ter", "--format", "json")
    assert scores(found) == {("First", None): 0.0, ("Second", None): 100.0}
    assert "is a canary and no segment" in found.err
    named = tertium(
        "score", "mine=txt/system-outputs/en-de/First.txt", "-t", "txt", "-l", "en-de", "-m", "ter", "--format", "json"
    )
    assert scores(named) == {("mine", None): 0.0}
    compared = tertium("compare", "-t", "txt", "-l", "en-de", "-m", "ter", "--samples", "20", "--format", "json")
    assert [row["system"] for row in json.loads(compared.out)["comparisons"]] == ["Second"]
    assert tertium("score", "-m", "ter").code == 2


def test_paragraphs_are_cut_to_the_reference_on_demand(tertium, tmp_path):
    rows = [{"doc_id": "d", "src_lang": "en", "tgt_lang": "de_DE", "src_text": "a b c\n\nd e f", "refs": {"refA": "x y z\n\nu v w"}}]  # fmt: skip
    (tmp_path / "genmt.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "s.jsonl").write_text(json.dumps({"doc_id": "d", "hypothesis": "x y z u v w"}) + "\n")
    arguments = ["score", "s.jsonl", "-t", "genmt.jsonl", "-l", "en-de_DE", "-m", "ter", "--format", "json"]
    refused = tertium(*arguments)
    assert refused.code == 1
    assert "with --resegment METHOD, or score whole documents: -t genmt.jsonl:documents." in refused.err
    assert scores(tertium(*arguments, "--resegment", "mwer"))["s", None] == 0
    arguments[3] = "genmt.jsonl:documents"
    assert scores(tertium(*arguments))["s", None] == 0


def test_evaluation_data_by_name(tertium, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = tmp_path / ".mt-metrics-eval/mt-metrics-eval-v2/wmt23"
    texts = [f"text {i}" for i in range(6)]
    for name, lines in {
        "sources/en-de.txt": texts, "references/en-de.refA.txt": texts, "documents/en-de.docs": ["news\tdoc"] * 6,
        **{f"system-outputs/en-de/{s}.txt": [f"text {i * k}" for i in range(6)] for k, s in enumerate("ABC")},
        "human-scores/en-de.mqm.seg.score": [f"{s}\t{i * k % 4}" for k, s in enumerate("ABC", 1) for i in range(6)],
        "human-scores/en-de.da.seg.score": [f"{s}\t{i + k}" for k, s in enumerate("ABC", 1) for i in range(6)],
        "metric-scores/en-de/M-refA.seg.score": [f"{s}\t{i * k % 3}" for k, s in enumerate("ABC", 1) for i in range(6)],
    }.items():  # fmt: skip
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
    found = tertium("correlate", "-t", "wmt23.mqm", "-l", "en-de", "-m", "chrf", "--format", "json")
    rows = json.loads(found.out)["correlations"]
    assert {(row["metric"], row["kind"], row["n"]) for row in rows} == {("chrf", "mqm", 18), ("M-refA", "mqm", 18)}
    by_folder = tertium("correlate", folder, "en-de", "--kind", "mqm", "-m", "chrf", "-l", "en-de", "--format", "json")
    assert json.loads(by_folder.out)["correlations"] == rows
    assert tertium("rank", "-t", "wmt23.mqm", "-l", "en-de", "-m", "chrf", "--samples", "20").code == 0
    assert "-l PAIR. It has en-de" in tertium("correlate", "-t", "wmt23").err
