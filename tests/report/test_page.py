"""The page as a file: nothing is loaded, nothing of a user's is code, and all of it is there."""

import base64
import builtins
import hashlib
import json
import re
import zlib
from html.parser import HTMLParser

import numpy as np
import pytest

from report.conftest import NAMES, contents_of, texts_of
from tertium import TER
from tertium.errors import InputError, MissingExtraError
from tertium.report.drawing import plots
from tertium.report.drawing.plots import check_plot, in_format
from tertium.report.pages.comparison import compare_page, comparison_plot
from tertium.report.pages.page import check_installed
from tertium.report.pages.segments import Texts


class Elements(HTMLParser):
    """Collects tags, attributes and what stands in scripts."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.scripts, self.inside = [], [], False
        self.words = ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self.inside = tag == "script"
        if self.inside:
            self.scripts.append("")

    def handle_endtag(self, tag):
        self.inside = False

    def handle_data(self, data):
        if self.inside:
            self.scripts[-1] += data
        else:
            self.words += data


def data_of(page):
    packed = Elements(page).scripts[0]
    return json.loads(zlib.decompress(base64.b64decode(packed)))


def test_names_and_texts_are_words_and_never_code(page):
    found = Elements(page)
    assert [tag for tag, _ in found.tags].count("script") == 2
    assert not [tag for tag, _ in found.tags if tag in ("img", "iframe", "object", "base")]
    assert not [name for _, attributes in found.tags for name in attributes if name.startswith("on")]
    for name in NAMES:
        assert name in found.words
    assert list(data_of(page)["segments"]["references"][-4]) == ["</script><script>alert(1)</script>"]


def test_nothing_is_loaded(page):
    links = [a[key] for _, a in Elements(page).tags for key in ("src", "href", "action") if key in a]
    assert all(link.startswith(("#", "data:")) for link in links)
    assert "url(" not in page
    assert "@import" not in page


def test_only_our_script_may_run(page):
    script = Elements(page).scripts[1]
    expected = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{expected}'" in page
    assert "default-src 'none'" in page


def test_everything_that_was_promised_is_there(page, shown):
    ids = {attributes.get("id") for _, attributes in Elements(page).tags}
    assert {"overview", "distributions", "by-segment", "by-document", "by-length", "by-ngram", "by-frequency"} <= ids
    assert {"segments", "search", "sort", "view", "method"} <= ids
    for signature in [*shown.scores.signatures.values(), shown.compared.signature]:
        assert signature in Elements(page).words
    assert page.count('class="chart"') == 5 * 2 + 1  # per metric; differences are drawn wide and narrow
    assert "seed 12345" in Elements(page).words


def test_the_same_input_gives_the_same_page(shown, page):
    assert compare_page(shown) == page


@pytest.mark.slow
def test_a_large_page_stays_small():
    rng = np.random.default_rng(1)
    vocabulary = ["".join(rng.choice(list("abcdefghiklmnoprstuvwäöüß"), size=rng.integers(2, 12))) for _ in range(8000)]

    def sentences():
        return [" ".join(vocabulary[k] for k in rng.zipf(1.3, size=22) % 8000) for _ in range(2000)]

    references = sentences()
    systems = {f"system-{k}": [sentences()] for k in range(5)}
    large = contents_of(Texts(systems, [[text] for text in references], sentences()), metrics=[TER()])
    written = compare_page(large)
    assert len(large.segments) == 2000
    assert len(written.encode()) < 3_000_000


def test_without_jinja2_a_report_is_refused_with_what_to_do(monkeypatch):
    real = builtins.__import__

    def none(name, *rest, **more):
        if name in ("jinja2", "resvg_py"):
            raise ImportError(name)
        return real(name, *rest, **more)

    monkeypatch.setattr(builtins, "__import__", none)
    with pytest.raises(MissingExtraError, match=re.escape("pip install 'tertium[report]'")):
        check_installed()
    with pytest.raises(MissingExtraError, match=re.escape("pip install 'tertium[png]'")):
        check_plot("a.png")
    check_plot("a.svg")


def test_a_picture_in_either_format(shown):
    svg = in_format(comparison_plot(shown.compared), "a.svg")
    assert svg.startswith("<svg ")
    assert svg.count('class="chart"') == 1 + 2 * 2
    assert "var(" not in svg
    pytest.importorskip("resvg_py")
    try:
        assert in_format(comparison_plot(shown.compared), "a.PNG").startswith(b"\x89PNG")
    except InputError as error:
        assert "font" in str(error)


def test_a_png_without_fonts_is_refused(shown, monkeypatch):
    pytest.importorskip("resvg_py")
    monkeypatch.setattr(plots, "_drawn", lambda inside: b"")
    with pytest.raises(InputError, match="no font|none was found"):
        in_format(comparison_plot(shown.compared), "a.png")


def test_other_pictures_are_refused():
    with pytest.raises(InputError, match="must end in .svg or .png"):
        check_plot("a.pdf")


def test_clusters_are_shaded(shown):
    drawn = comparison_plot(shown.compared).svg()
    clusters = {place.rank.cluster for place in shown.overview["ter"]}
    assert ('class="band"' in drawn) == (max(clusters) > 1)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "p is the share of coin tosses that set two systems at least as far apart as these are."),
        ({"test": "bootstrap"}, "p is the share of replicates whose difference is at least as far from their mean"),
        ({"test": "bootstrap", "alternative": "better"}, "replicates in which the system is not better"),
    ],
)
def test_it_says_what_p_is(options, said):
    assert said in Elements(compare_page(contents_of(texts_of(2), **options))).words
