"""`tertium.report`: the page of a comparison, made from texts."""

import pytest

import tertium
import tertium.report
from tertium.errors import InputError

REFERENCES = ["the cat sat on the mat", "a dog ran home", "it rained all day long", "we met at the old bridge"] * 3
SYSTEMS = {"good": REFERENCES, "poor": ["cat mat", "the horse", "rain", "old </iframe> bridge meeting was"] * 3}


def test_a_page_of_two_systems(tmp_path):
    page = tertium.report(SYSTEMS, REFERENCES, ["chrf", "ter"], sources=REFERENCES, samples=20)
    assert page.html.startswith("<!doctype html>")
    assert "poor" in page.html
    page.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page.html
    assert page._repr_html_().count("</iframe>") == 1
    assert "KiB" in repr(page)


def test_what_cannot_be_compared_is_refused():
    with pytest.raises(InputError, match="give two or more by name"):
        tertium.report({"good": REFERENCES}, REFERENCES)
    with pytest.raises(InputError, match="sources has 1 texts"):
        tertium.report(SYSTEMS, REFERENCES, "chrf", sources=["one"], samples=20)
