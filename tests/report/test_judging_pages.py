"""Pages about metrics as files: nothing is loaded, nothing of a user's is code, and all of it is there."""

import base64
import hashlib

import pytest

from report.judged import IMPORTED, KINDS, SYSTEMS, judgments, scores
from report.test_page import Elements
from tertium.meta import average_ranks, correlate, rank_metrics
from tertium.meta.judged_points import clouds
from tertium.report.pages.judging_pages import averages_page, correlate_page, rank_page

COMMAND = "tertium correlate '</pre><script>alert(3)</script>'"


@pytest.fixture(scope="session")
def judging_pages():
    """The three pages, by name."""
    found = correlate(scores(), judgments(), ["segment", "system"], ["pearson", "kendall-b"], samples=100)
    ranks = rank_metrics(scores(), judgments(), kind=KINDS[0], samples=100)
    seen = clouds(scores(), judgments(), samples=100)
    ours = [one for one in seen if (one.level, one.kind) == ("segment", KINDS[0])]
    return {
        "correlate": correlate_page(found, seen, COMMAND),
        "rank": rank_page(ranks, ours, scores().head()["metrics"], SYSTEMS, COMMAND),
        "average": averages_page(average_ranks(found), found, seen, COMMAND),
    }


@pytest.fixture(params=["correlate", "rank", "average"])
def page(request, judging_pages):
    return judging_pages[request.param]


def test_names_are_words_and_never_code(page):
    found = Elements(page)
    assert [tag for tag, _ in found.tags].count("script") == 2
    assert not [tag for tag, _ in found.tags if tag in ("img", "iframe", "object", "base", "i", "b")]
    assert not [name for _, attributes in found.tags for name in attributes if name.startswith("on")]
    for name in (*SYSTEMS, KINDS[0], IMPORTED, COMMAND):
        assert name in found.words


def test_nothing_is_loaded(page):
    links = [a[key] for _, a in Elements(page).tags for key in ("src", "href", "action") if key in a]
    assert all(link.startswith(("#", "data:")) for link in links)
    assert "url(" not in page
    assert "@import" not in page


def test_only_our_script_may_run(page):
    expected = base64.b64encode(hashlib.sha256(Elements(page).scripts[1].encode()).digest()).decode()
    assert f"script-src 'sha256-{expected}'" in page


def test_links_lead_somewhere_and_ids_are_unique(page):
    found = Elements(page).tags
    ids = [attributes["id"] for _, attributes in found if "id" in attributes]
    assert len(set(ids)) == len(ids)
    assert {a["href"][1:] for tag, a in found if tag == "a"} <= set(ids)


@pytest.mark.parametrize(("name", "charts"), [("correlate", 1 + 8 + 16), ("rank", 3 + 4), ("average", 2 + 1 + 16)])
def test_everything_that_was_promised_is_there(judging_pages, name, charts):
    page = judging_pages[name]
    assert page.count('class="chart"') == charts
    said = Elements(page).words
    for metric in scores().head()["metrics"]:
        assert (metric["signature"] or "scores of another program") in said
    assert "2 of 150 segments have no judgment" in said
    assert "seed=12345" in said


def test_all_coefficients_are_in_the_table(judging_pages):
    rows = judging_pages["correlate"].split("All coefficients</caption>")[1].split("</table>")[0]
    assert rows.count("<tr") == 1 + 4 * 2 * 2 * 2


def test_one_metric_and_no_points_make_a_page():
    found = correlate(scores().parts[0], judgments(), kind=KINDS[0], samples=20)
    written = correlate_page(found, ())
    assert 'id="clouds"' not in written
    assert "By this command" not in written
