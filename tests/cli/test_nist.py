"""NIST on the command line: it learns from all references before anything is scored, whatever they come from."""

import json

import pytest

from tertium import NIST, score

REFS = ("-r", "ref.a.txt", "-r", "ref.b.txt")


@pytest.fixture
def expected(files):
    references = [files["ref.a.txt"], files["ref.b.txt"]]
    return score(NIST(), {"north": files["north.txt"], "south": files["south.txt"]}, reference_sets=references)


def scores(result):
    assert result.code == 0, result.err
    return {one["system"]: one["score"] for one in json.loads(result.out)["scores"]}


def test_all_systems_share_what_is_learnt(tertium, expected):
    result = tertium("score", "north.txt", "south.txt", *REFS, "-m", "nist", "--format", "json")
    assert scores(result) == {system: by["nist"] for system, by in expected.corpus.items()}
    assert json.loads(result.out)["metrics"][0]["signature"] == expected.signatures["nist"]


@pytest.mark.parametrize("block", [1, 3])
def test_blocks_do_not_show(tertium, expected, monkeypatch, block):
    monkeypatch.setattr("tertium.cli.arguments.inputs._BLOCK", block)
    result = tertium("score", "north.txt", "south.txt", *REFS, "-m", "nist", "--format", "json")
    assert scores(result) == pytest.approx({system: by["nist"] for system, by in expected.corpus.items()}, rel=1e-12)


def test_references_from_standard_input_and_a_directory(tertium, expected, tmp_path, files):
    text = "".join(f"{line}\n" for line in files["ref.b.txt"]).encode()
    result = tertium("score", "north.txt", "-r", "ref.a.txt", "-r", "-", "-m", "nist", "--format", "json", stdin=text)
    assert scores(result)["north"] == expected.corpus["north"]["nist"]
    folder = tmp_path / "references"
    folder.mkdir()
    for name in ("ref.a.txt", "ref.b.txt"):
        (tmp_path / name).rename(folder / name)
    result = tertium("score", "north.txt", "--refs-dir", "references", "-m", "nist", "--format", "json")
    assert scores(result)["north"] == expected.corpus["north"]["nist"]


def test_levels_and_parts(tertium, expected):
    call = ("score", "north.txt", *REFS, "-m", "nist", "-m", "averaged-nist", "--documents", "docs.txt", "--parts")
    levels = ("--level", "corpus", "--level", "document", "--level", "segment")
    records = json.loads(tertium(*call, *levels, "--format", "json").out)["scores"]
    nist = [one for one in records if one["metric"] == "nist"]
    assert nist[0]["parts"]["cumulative_5"] == pytest.approx(nist[0]["score"])
    assert {"bp", "ratio", "individual_1", "information_5", "totals_5"} <= set(nist[0]["parts"])
    segments = [one["score"] for one in nist if one["level"] == "segment"]
    assert segments == expected.segments["north"]["nist"].tolist()
    averaged = next(one for one in records if (one["metric"], one["level"]) == ("averaged-nist", "corpus"))
    assert averaged["score"] == pytest.approx(sum(segments) / 4)
    table = tertium(*call, *levels)
    assert (table.code, table.err) == (0, "")


def test_compare_and_confidence(tertium, expected):
    call = ("compare", "north.txt", "south.txt", *REFS, "-m", "nist", "-m", "nist+bleu:weights=1+0.1")
    whole = json.loads(tertium(*call, "--samples", "100", "--format", "json").out)
    difference = expected.corpus["south"]["nist"] - expected.corpus["north"]["nist"]
    assert whole["comparisons"][0]["difference"] == pytest.approx(difference)
    assert tertium("score", "north.txt", *REFS, "-m", "nist", "--confidence").code == 0


def test_a_language_picks_the_tokenizer(tertium, expected):
    assert tertium("score", "north.txt", *REFS, "-m", "nist", "-l", "zh").code == 0


def test_explain_reads_a_fitted_signature(tertium, expected):
    signature = expected.signatures["nist"]
    mark = expected.metrics["nist"].information.mark
    rows = {
        one["setting"]: one for one in json.loads(tertium("explain", signature, "--format", "json").out)["settings"]
    }
    assert (rows["information"]["value"], rows["information"]["is_default"]) == (mark, False)
    (row,) = json.loads(tertium("explain", signature, signature.replace(mark, "unfitted"), "--format", "json").out)[
        "differences"
    ]
    assert (row["setting"], row["first"], row["second"]) == ("information", mark, "unfitted")
    result = tertium("score", "north.txt", *REFS, "-m", signature.partition("|")[0])
    assert (result.code, "a text cannot bring back" in result.err) == (1, True)


def test_metrics_shows_it(tertium):
    out = tertium("metrics", "nist").out
    assert "0 and up, higher is better" in out
    assert "information=unfitted" in out


@pytest.mark.parametrize(("inside", "expected"), [("", 1), (" ", 2)])
@pytest.mark.parametrize("names", [("hyp.sgm", "ref.sgm"), ("set.xml", "set.xml")])
def test_mtevals_international_tokenization_takes_segments_as_a_file_has_them(
    tertium, tmp_path, inside, expected, names
):
    # mteval -v --international-tokenization splits the dot of 1990. off where a blank follows it in the file.
    segment = f'<seg id="1">{inside}1990.{inside}</seg>'
    (tmp_path / "hyp.sgm").write_text(f'<tstset><doc docid="d" sysid="s">{segment}</doc></tstset>\n')
    (tmp_path / "ref.sgm").write_text(f'<refset><doc docid="d" sysid="r">{segment}</doc></refset>\n')
    parts = "".join(
        f"<{kind}>{segment}</{kind.split()[0]}>" for kind in ("src", 'ref translator="A"', 'hyp system="s"')
    )
    (tmp_path / "set.xml").write_text(f'<dataset id="x"><doc id="d">{parts}</doc></dataset>\n')
    call = (
        "score",
        names[0],
        "-r",
        names[1],
        "-m",
        "bleu:tokenize=mteval-intl,orders=1",
        "--format",
        "json",
        "--parts",
    )
    found = json.loads(tertium(*call, "--quiet").out)
    assert found["scores"][0]["parts"]["hypothesis_length"] == expected
    assert "tokenize=mteval-intl-bare," in found["metrics"][0]["signature"]


def test_mtevals_international_tokenization_of_plain_text_sees_blanks(tertium, tmp_path):
    (tmp_path / "text").write_text("1990.\n")
    call = ("score", "text", "-r", "text", "-m", "bleu:tokenize=mteval-intl,orders=1", "--format", "json", "--parts")
    assert json.loads(tertium(*call, "--quiet").out)["scores"][0]["parts"]["hypothesis_length"] == 2
