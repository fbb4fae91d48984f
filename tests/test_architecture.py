"""What is said of how tertium is built: the picture is drawn from today's imports, and every path named exists."""

import re

import pytest
from tools.package_picture import PAGE, PICTURE, ROOT, Packages, picture, with_table
from tools.walks import WALKS, walk

_PATH = re.compile(r"`((?:src|native|tests|tools|docs|benchmarks)/[\w./-]*)`")


def test_the_picture_shows_the_imports():
    """If not: python -m tools.package_picture."""
    packages = Packages()
    assert PICTURE.read_text(encoding="utf-8") == picture(packages)
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_table(page, packages)


@pytest.mark.parametrize("page", ["docs/architecture.md"])
def test_paths_exist(page):
    named = _PATH.findall((ROOT / page).read_text(encoding="utf-8"))
    assert named
    assert [path for path in named if not (ROOT / path).exists()] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", WALKS)
def test_walks_can_be_counted(name):
    passed = walk(WALKS[name])
    assert "main" in passed["cli/main.py"]
