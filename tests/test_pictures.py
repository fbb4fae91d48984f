"""The pictures of the README and the documentation can be made anew, and are where they are shown."""

import re
import shutil
import struct
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("page", ["README.md", "docs/index.md"])
def test_pictures_are_there_and_say_what_they_show(page):
    path = ROOT / page
    shown = re.findall(r"!\[(.*?)\]\((.*?)\)", path.read_text(encoding="utf-8"))
    assert shown
    for words, place in shown:
        assert len(words.split()) > 4
        assert (path.parent / place).is_file()


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("chromium") is None, reason="chromium is not installed")
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_pictures_can_be_made_anew(tmp_path):
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    from tools.pictures import IMAGES, PAGES, main

    main(tmp_path)
    for name, (_, size) in PAGES.items():
        for folder in (tmp_path, IMAGES):
            data = (folder / f"{name}.png").read_bytes()
            assert data[:8] == b"\x89PNG\r\n\x1a\n"
            assert struct.unpack(">II", data[16:24]) == size
