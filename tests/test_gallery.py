"""The gallery notebook shows what its cells show today. If not: python tools/run_notebook.py docs/gallery.ipynb."""

import json
import re

import pytest
from tools.run_notebook import executed

from test_docs import DOCS, rounded

NOTEBOOK = DOCS / "gallery.ipynb"


@pytest.mark.slow
def test_the_gallery_shows_what_happens():
    pytest.importorskip("pandas")
    pytest.importorskip("jinja2")
    kept = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    assert _plain(executed(kept)) == _plain(kept)


def test_every_kind_of_result_is_in_the_gallery():
    shown = NOTEBOOK.read_text(encoding="utf-8")
    for one in (
        "Scores of",
        "Differences between",
        "Intervals of",
        "ter 62.50",
        "Agreement of",
        "Coefficient",
        "tuned to",
    ):
        assert one in shown
    cells = [cell for cell in json.loads(shown)["cells"] if cell["cell_type"] == "code"]
    tables = [output for cell in cells for output in cell["outputs"] if "text/html" in output.get("data", {})]
    assert len(tables) >= 8


def _plain(notebook):
    return re.sub(r"tertium=[\d.]+", "", rounded(json.dumps(notebook, sort_keys=True)))
