"""Every command, metric and tokenizer has its page, and what the pages show is what happens.

In README.md, CONTRIBUTING.md and docs/:

- blocks marked `python` run in order, in one namespace per page; a block marked `text` that follows at once holds
  what the block before it printed;
- in blocks marked `console`, each line after `$ ` runs in a shell, and the lines below it are what it prints;
- both run in a directory that holds the files of `tertium demo --keep example`;
- numbers are compared to eight decimals; a block that needs an optional package which is not here is passed over.

`python tests/test_docs.py [PAGE …]` writes the outputs anew.
"""

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import as_file, files
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import tertium
from tertium.cli.main import COMMANDS
from tertium.errors import MissingExtraError
from tertium.metrics import ALIASES, METRICS
from tertium.metrics.settings import settings_of
from tertium.text import tokenizer_names

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOCS.rglob("*.md")])
_FENCED = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block: its mark, what it holds, and where that stands in the page."""

    mark: str
    text: str
    begin: int
    end: int


def blocks(page: str) -> list[Block]:
    return [Block(found[1], found[2], *found.span(2)) for found in _FENCED.finditer(page)]


def follows_at_once(one: Block, two: Block, page: str) -> bool:
    return page[one.end : two.begin].strip() == "```\n\n```text"


def rewritten(page: str, folder: Path) -> str:
    """Return the page with all outputs as they really are."""
    result, done = "", 0
    for block, text in _outputs(page, folder):
        result += page[done : block.begin] + text
        done = block.end
    return result + page[done:]


def rounded(text: str) -> str:
    """Round long numbers: their last digits are the processor's own."""
    return re.sub(r"\d+\.\d{9,}", lambda number: f"{float(number[0]):.8f}", text)


def _outputs(page: str, folder: Path) -> Iterator[tuple[Block, str]]:
    names: dict[str, Any] = {"__name__": "page"}
    found = [*blocks(page), Block("", "", len(page), len(page))]
    for block, following in pairwise(found):
        if block.mark == "python":
            try:
                printed = _printed(block.text, names, folder)
            except MissingExtraError:  # then nobody can tell, and what is shown stands
                continue
            if following.mark == "text" and follows_at_once(block, following, page):
                yield following, printed
            else:
                assert printed == "", f"nothing shows what this prints:\n{block.text}"
        elif block.mark == "console":
            yield block, "".join(f"$ {call}\n{_said(call, folder)}" for call in _calls(block.text))


def _printed(code: str, names: dict[str, Any], folder: Path) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.chdir(folder):
        exec(compile(code, "page", "exec"), names)
    return out.getvalue()


def _calls(block: str) -> list[str]:
    """Return the commands of a block; a backslash at the end of a line continues it."""
    return re.findall(r"^\$ ((?:.*\\\n)*.*)$", block, re.MULTILINE)


def _said(call: str, folder: Path) -> str:
    bin_folder = Path(sys.executable).parent
    environment = {
        **os.environ,
        "PATH": f"{bin_folder}{os.pathsep}{os.environ.get('PATH', '')}",
        "COLUMNS": "80",
        "PYTHONIOENCODING": "utf-8",
        "SACREBLEU": str(folder / "testsets"),
    }
    finished = subprocess.run(
        call, shell=True, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    return finished.stdout.decode()


@contextlib.contextmanager
def example_folder() -> Iterator[Path]:
    """Give the example's files, and no files of METEOR's, which some have installed and some have not."""
    with (
        TemporaryDirectory() as name,
        TemporaryDirectory() as empty,
        as_file(files("tertium") / "data" / "demo") as demo,
    ):
        shutil.copytree(demo, Path(name) / "example")
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("TERTIUM_METEOR", empty)
            yield Path(name)


@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_pages_show_what_happens(path):
    page = path.read_text(encoding="utf-8")
    with example_folder() as folder:
        assert rounded(page) == rounded(rewritten(page, folder))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_page_with_its_help(name):
    page = (DOCS / "commands" / f"{name}.md").read_text(encoding="utf-8")
    assert f"\n$ tertium {name} --help\n" in page


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_every_metric_has_its_page_with_its_settings(metric):
    page = (DOCS / "metrics" / f"{metric.name}.md").read_text(encoding="utf-8")
    for name, setting in settings_of(metric).items():
        assert f"| `{name}` |" in page
        for value in () if setting.check else setting.choices:
            assert f"`{value}`" in page


def test_every_tokenizer_has_its_section():
    page = (DOCS / "tokenizers.md").read_text(encoding="utf-8")
    headings = " ".join(re.findall(r"^## (.*)$", page, re.MULTILINE))
    for name in (*tokenizer_names(), "spm:FILE", "tokens"):
        assert f"`{name}`" in headings


def test_every_alias_is_explained():
    pages = "".join(path.read_text(encoding="utf-8") for path in (DOCS / "metrics").glob("*.md"))
    for alias in ALIASES:
        assert f"`{alias}`" in pages


def test_every_public_name_is_in_the_reference():
    page = (DOCS / "python.md").read_text(encoding="utf-8")
    for name in tertium.__all__:
        assert f"`{name}" in page or f"`tertium.{name}" in page


def test_every_page_can_be_reached():
    contents = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    for path in DOCS.rglob("*.md"):
        assert str(path.relative_to(DOCS)) in contents


def test_changelog_begins_with_this_version():
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## (\S+)", changelog, re.MULTILINE)
    assert versions[0] == tertium.__version__


if __name__ == "__main__":
    for path in [Path(name).resolve() for name in sys.argv[1:]] or PAGES:
        before = path.read_text(encoding="utf-8")
        with example_folder() as folder:
            after = rewritten(before, folder)
        if rounded(after) != rounded(before):
            path.write_text(after, encoding="utf-8")
            print(f"{path.relative_to(ROOT)} was brought up to date")


def test_every_extra_of_users_is_on_the_page_of_installing():
    extras = set(
        tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    )
    page = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")
    of_developers = {"dev", "peers", "browser", "docs", "wheels"}
    assert {extra for extra in extras if f"`{extra}`" not in page} == of_developers
