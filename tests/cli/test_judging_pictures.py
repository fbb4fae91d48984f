"""--report and --plot of `tertium correlate` and `tertium rank`: files appear whole, and bad ones are refused first."""

import pytest

from cli.test_correlate import SYSTEMS, files  # noqa: F401

METRICS = ["-m", "chrf", "-m", "ter"]
BOTH = ["--level", "segment", "--level", "system"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["correlate", *BOTH],
        ["rank"],
        ["rank", "--level", "segment", "--method", "kendall-b"],
        ["rank", "--average", *BOTH],
    ],
    ids=" ".join,
)
def test_a_page_and_a_picture(tertium, files, arguments):  # noqa: F811
    plain = tertium(*arguments, *SYSTEMS, *METRICS, "--samples", "50")
    result = tertium(*arguments, *SYSTEMS, *METRICS, "--samples", "50", "--report", "p.html", "--plot", "p.svg")
    assert result.code == 0, result.err
    assert (result.out, result.err) == (plain.out, plain.err)  # pictures change nothing else
    page = (files / "p.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert "tertium " + arguments[0] in page
    assert "<bdi>chrF</bdi>" in page
    assert "<bdi>chrf</bdi>" not in page  # as in tables; signatures and the command keep the name that -m takes
    assert (files / "p.svg").read_text(encoding="utf-8").startswith("<svg ")
    again = tertium(*arguments, *SYSTEMS, *METRICS, "--samples", "50", "--report", "p.html", "--plot", "p.svg")
    assert again.code == 0
    assert (files / "p.html").read_text(encoding="utf-8") == page


def test_a_folder_has_pages_too(tertium, tmp_path):
    folder = tmp_path / "set"
    for name, text in {
        "sources/en-de.txt": "a\nb\nc\nd\n",
        "references/en-de.refA.txt": "a\nb\nc\nd\n",
        "system-outputs/en-de/x.txt": "a\nb\nc\nd\n",
        "system-outputs/en-de/y.txt": "a\nz\nc\nz\n",
        "human-scores/en-de.mqm.seg.score": "".join(f"{s} {k}\n" for s in "xy" for k in range(4)),
        "metric-scores/en-de/M-refA.seg.score": "".join(f"{s} {k * k}\n" for s in "xy" for k in range(4)),
        "metric-scores/en-de/N-refA.sys.score": "x 2\ny 1\n",
    }.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    result = tertium("correlate", "set", "en-de", *BOTH, "--samples", "20", "--report", "p.html", "--plot", "p.svg")
    assert result.code == 0, result.err
    page = (tmp_path / "p.html").read_text(encoding="utf-8")
    assert "M-refA" in page
    assert "scores of another program" in page


@pytest.mark.parametrize("command", ["correlate", "rank"])
@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--plot", "p.pdf"], 1, "must end in .svg or .png"),
        (["--report", "nowhere/p.html"], 1, "there is no directory nowhere"),
        (["--report", "p.svg", "--plot", "p.svg"], 2, "must name different files"),
        (["--report", "p.html", "--output", "p.html", "--format", "tsv"], 2, "must name different files"),
    ],
)
def test_bad_files_are_refused_before_any_work(tertium, tmp_path, command, arguments, code, message):
    result = tertium(command, "no-such-file.txt", "-r", "none.txt", "--judgments", "none.tsv", *arguments)
    assert result.code == code
    assert message in result.err
    assert not list(tmp_path.iterdir())


def test_preferences_alone_have_no_points(tertium, files):  # noqa: F811
    pairs = [f"{k}\txx-en\tgood\txx-en\tpoor" for k in range(1, 6)] + ["6\txx-en\tpoor\txx-en\tfair"]
    (files / "human.rank").write_text("\n".join(pairs) + "\n", encoding="utf-8")
    result = tertium("correlate", *SYSTEMS[:5], "--judgments", "human.rank", *METRICS, "--method", "agreement",
                     "--report", "p.html", "--plot", "p.svg")  # fmt: skip
    assert result.code == 0, result.err
    assert 'id="clouds"' not in (files / "p.html").read_text(encoding="utf-8")
