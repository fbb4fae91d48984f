"""The command line, called in this process, with what it printed and how it ended."""

import io
import sys
from dataclasses import dataclass

import pytest

from tertium.cli.main import main


@dataclass(frozen=True)
class Result:
    """What a command left behind."""

    code: int
    out: str
    err: str


@pytest.fixture
def tertium(monkeypatch, capsys, tmp_path):
    """Run `tertium ARGUMENTS…` in an empty directory."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments, stdin=b""):
        monkeypatch.setattr(sys, "argv", ["tertium", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = 0
        try:
            main()
        except SystemExit as end:
            code = end.code or 0
        printed = capsys.readouterr()
        return Result(code, printed.out, printed.err)

    return run


@pytest.fixture
def files(tmp_path):
    """Two systems, two references and document ids, four segments each."""
    texts = {
        "north.txt": [
            "The bridge is closed today.",
            "Snow fell on the pass.",
            "Nobody knows why.",
            "Ask at the station.",
        ],
        "south.txt": [
            "Today is the bridge closed.",
            "It snowed on the pass.",
            "Nobody knows.",
            "Please ask the station.",
        ],
        "ref.a.txt": [
            "The bridge is closed today.",
            "Snow fell on the pass.",
            "No one knows why.",
            "Ask at the station.",
        ],
        "ref.b.txt": [
            "Today the bridge is closed.",
            "It snowed on the pass.",
            "Nobody knows why.",
            "Ask in the station.",
        ],
        "docs.txt": ["roads", "roads", "talk", "talk"],
    }
    for name, lines in texts.items():
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    return texts
