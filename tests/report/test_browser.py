"""The page in a real browser: no message, no request, and every control does what it says.

Needs Debian's chromium (or TERTIUM_CHROMIUM=PROGRAM) and playwright; axe is TERTIUM_AXE=axe.min.js, or what `make
test-all` installs: npm's axe-core, else the package axe-core-python.
"""

import csv
import os
import shutil
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from report.conftest import NAMES, contents_of, texts_of
from tertium.report.pages.comparison import compare_page

CHROMIUM = os.environ.get("TERTIUM_CHROMIUM") or shutil.which("chromium")
playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]


def axe():
    """Return the file of axe-core, if it is anywhere."""
    package = find_spec("axe_core_python")
    inside = str(Path(package.origin).with_name("axe.min.js")) if package and package.origin else ""
    installed = f"{sys.prefix}/axe/node_modules/axe-core/axe.min.js"
    places = (os.environ.get("TERTIUM_AXE", ""), installed, inside)
    return next((place for place in places if Path(place).is_file()), None)


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as run:
        browser = run.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def file(page, tmp_path_factory):
    path = tmp_path_factory.mktemp("pages") / "report.html"
    path.write_text(page, encoding="utf-8")
    return path.as_uri()


@pytest.fixture
def tab(browser, file):
    """The page, opened from its file; what it says to the console and asks of the network is kept."""
    tab = browser.new_page(viewport={"width": 1200, "height": 900})
    tab.messages, tab.requests = [], []
    tab.on("console", lambda message: tab.messages.append(message.text))
    tab.on("pageerror", lambda error: tab.messages.append(str(error)))
    tab.on("request", lambda request: tab.requests.append(request.url))
    tab.on("dialog", lambda dialog: (tab.messages.append("dialog"), dialog.dismiss()))
    tab.goto(file)
    tab.wait_for_selector("html[data-ready]")
    yield tab
    assert tab.messages == []
    assert set(tab.requests) == {file}
    tab.close()


def found(tab):
    return int(tab.locator("#found").inner_text().split(" ")[0].replace(",", ""))


def test_it_opens_without_a_message_or_a_request(tab):
    assert "compared" in tab.title()
    for name in NAMES:
        assert name in tab.locator("h1").inner_text()
    visible = tab.locator("svg.chart:visible")
    assert visible.count() == 4  # of the first metric; the frequencies are folded
    assert visible.first.bounding_box()["height"] > 50


def test_metric_and_systems_can_be_chosen(tab):
    assert tab.locator("[data-metric='0']").first.is_visible()
    tab.select_option("#metric", "1")
    assert not tab.locator("[data-metric='0']").first.is_visible()
    assert tab.locator("[data-metric='1']").first.is_visible()
    assert ", by TER" in tab.locator(".pair").inner_text()
    before = tab.locator(".pair").inner_text()
    tab.click("#swap")
    after = tab.locator(".pair").inner_text()
    assert before != after
    assert after.startswith(f"A is {NAMES[1]}")
    tab.select_option("#two", "2")
    assert NAMES[2] in tab.locator(".pair").inner_text()


def test_differences_by_document_length_frequency_and_ngram(tab, shown):
    assert tab.locator("#documents tbody tr").count() == min(10, len(shown.documents.names))
    if len(shown.documents.names) > 10:
        tab.locator("#documents button.quiet").click()
    assert tab.locator("#documents tbody tr").count() == len(shown.documents.names)
    assert tab.locator("#lengths tbody tr").count() == len(shown.lengths.names)
    assert tab.locator("#frequencies tbody tr").count() == len(shown.frequencies.groups)
    differences = [
        float(text.replace("−", "-")) for text in tab.locator("#documents tbody td:nth-child(5)").all_inner_texts()
    ]
    assert differences == sorted(differences, reverse=True)
    assert not {"fell", "."} & set(tab.locator("#ngrams-one tbody th").all_inner_texts())  # they are everywhere
    tab.check("#common")
    labels = tab.locator("#ngrams-one tbody th").all_inner_texts()
    assert "fell" in labels or "Snow" in labels
    tab.select_option("#order", "3")
    assert all(len(label.split()) == 3 for label in tab.locator("#ngrams-one tbody th").all_inner_texts())


def test_every_table_can_be_sorted(tab):
    assert tab.locator("main table thead th:not(:has(.hidden)):not(:has(button))").count() == 0
    scores = tab.locator("#overview [data-metric='0'] table").first
    scores.locator("thead button").nth(1).click()
    assert scores.locator("th[aria-sort=descending]").inner_text().startswith("Score")
    down = scores.locator("tbody th").all_inner_texts()
    scores.locator("thead button").nth(1).click()
    assert scores.locator("tbody th").all_inner_texts() == down[::-1]


def test_bold_is_best_and_arrows_are_significant(tab):
    scores = tab.locator("#overview [data-metric='0'] table").first
    assert scores.locator("tbody tr strong").count() == 1
    assert scores.locator("tbody tr").first.locator("strong").count() == 1
    assert "*" not in tab.locator("#overview").inner_text()


def test_a_link_brings_back_what_is_shown(tab):
    tab.select_option("#metric", "1")
    tab.select_option("#sort", "number")
    tab.fill("#search", "snow")
    tab.wait_for_url("**#*search=snow*")
    link, count = tab.url, found(tab)
    tab.goto("about:blank")
    tab.goto(link)
    tab.wait_for_selector("html[data-ready]")
    assert tab.evaluate("[metric.value, sort.value, search.value]") == ["1", "number", "snow"]
    assert found(tab) == count


def test_what_is_shown_can_be_saved(tab, tmp_path):
    with tab.expect_download() as download:
        tab.click("#csv")
    download.value.save_as(tmp_path / "segments.csv")
    rows = list(csv.reader((tmp_path / "segments.csv").open(encoding="utf-8-sig", newline="")))
    assert rows[0][0] == "segment"
    assert len(rows) - 1 == found(tab)
    assert not any(cell.startswith(("=", "+", "@")) for row in rows for cell in row)


def test_up_to_four_systems_stand_side_by_side(tab):
    assert tab.locator("#list article").first.locator(".sides > div").count() == 2
    tab.select_option("#third", "2")
    assert tab.locator("#list article").first.locator(".sides > div").count() == 3


def test_the_brush_filters_segments(tab, shown):
    tab.uncheck("#differing")
    total = shown.scores.segment_count
    assert found(tab) == total
    box = tab.locator("#brush svg").bounding_box()
    tab.locator("#brush svg").scroll_into_view_if_needed()
    box = tab.locator("#brush svg").bounding_box()
    middle = box["y"] + box["height"] / 2
    tab.mouse.move(box["x"] + 2, middle)
    tab.mouse.down()
    tab.mouse.move(box["x"] + box["width"] / 2, middle, steps=4)
    tab.mouse.up()
    assert 0 < found(tab) < total
    assert "differences from" in tab.locator("#brushed").inner_text()
    tab.click("#all")
    assert found(tab) == total


def test_the_brush_works_by_keyboard(tab, shown):
    tab.uncheck("#differing")
    tab.focus("#from")
    for _ in range(5):
        tab.keyboard.press("ArrowRight")
    assert found(tab) == shown.scores.segment_count - 5
    tab.focus("#to")
    tab.keyboard.press("Home")  # cannot pass the other end
    assert found(tab) == 1


def test_search_sort_and_filter(tab):
    tab.fill("#search", "SNOWED")
    tab.wait_for_timeout(250)
    assert found(tab) == 8
    assert all("snowed" in text for text in tab.locator(".card").all_inner_texts())
    tab.fill("#search", "<script>alert(1)")
    tab.wait_for_timeout(250)
    assert found(tab) == 1
    assert "</script><script>alert(1)</script> x" in tab.locator("#list").inner_text()
    tab.fill("#search", "")
    tab.wait_for_timeout(250)
    everything = found(tab)
    tab.select_option("#document", "0")
    assert 0 < found(tab) < everything
    tab.select_option("#document", "")
    tab.select_option("#sort", "number")
    numbers = [int(text.split()[1]) for text in tab.locator(".card h3 bdi").all_inner_texts()]
    assert numbers == sorted(numbers)
    assert len(numbers) == 20
    tab.click("#more")
    assert tab.locator(".card").count() == everything
    assert tab.locator("#more").is_hidden()


def test_edits_are_marked_in_the_words_own_order(tab):
    tab.fill("#search", "Today the bridge")
    tab.wait_for_timeout(250)
    card = tab.locator(".card").first
    assert card.locator(".a p").inner_text() == "The bridge is closed today ."
    shifted = card.locator(".b")
    assert shifted.locator("p").inner_text() == "Today the bridge is closed ."
    assert shifted.locator(".moved").count() >= 1
    assert shifted.locator("mark, ins, del").count() == 0  # a shift is all it takes
    tab.fill("#search", "please ask")
    tab.wait_for_timeout(250)
    other = tab.locator(".card").first.locator(".b")
    assert set(other.locator("ins").all_inner_texts()) & {"Please", "now"}
    assert other.locator("del, mark:not(.error)").count() >= 1
    tab.select_option("#view", "pair")
    assert "Please" in tab.locator(".card").first.locator(".b ins").all_inner_texts()
    assert tab.locator("#edit-legend").is_hidden()
    tab.select_option("#view", "plain")
    assert tab.locator(".card ins, .card mark:not(.error), .card del").count() == 0


def test_marked_errors_are_shown_and_told_apart(tab):
    tab.fill("#search", "please ask")
    tab.wait_for_timeout(250)
    card = tab.locator(".card").first
    assert card.locator(".b .errors").count() == 3  # xCOMET, a rater in the text, another in the source
    one, *_ = errors = card.locator(".b mark.error").all()
    assert [error.get_attribute("class").split()[1] for error in errors] == ["minor", "major", "critical"]
    shapes = {error.evaluate("node => getComputedStyle(node).borderBottomStyle") for error in errors}
    assert shapes == {"dotted", "solid", "double"}
    assert one.get_attribute("title") == "minor: Style & <b>odd</b>"
    assert one.inner_text().startswith("Please\nminor") or one.inner_text().startswith("Pleaseminor")
    what = one.locator(".what")
    assert what.bounding_box()["width"] <= 1
    one.focus()
    assert what.bounding_box()["width"] > 40
    tab.emulate_media(media="print")
    assert all(error.locator(".what").bounding_box()["width"] > 40 for error in errors)
    tab.emulate_media(media="screen")
    assert "no error marked" in card.locator(".a .errors").first.inner_text()
    tab.select_option("#marker", "1")
    assert card.locator(".b .errors").count() == 1
    tab.select_option("#marker", "none")
    assert tab.locator(".card mark.error").count() == 0
    assert tab.locator("#error-legend").is_hidden()


def test_it_is_usable_by_keyboard(tab):
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.className") == "skip"
    tab.keyboard.press("Enter")
    assert tab.evaluate("document.activeElement.id") == "main"
    seen = set()
    for _ in range(120):
        tab.keyboard.press("Tab")
        seen.add(tab.evaluate("document.activeElement.id"))
    assert {"metric", "one", "swap", "two", "from", "to", "all", "order", "search", "sort", "view"} <= seen


def test_dark_and_light(tab):
    def paper():
        return tab.evaluate("getComputedStyle(document.body).backgroundColor")

    light = paper()
    tab.click("#theme")
    assert paper() != light
    tab.emulate_media(media="print")
    assert paper() == light
    tab.emulate_media(media="screen")
    tab.click("#theme")
    assert paper() == light


@pytest.mark.parametrize("width", [320, 390, 768])
def test_nothing_sticks_out_on_a_small_screen(tab, width):
    tab.set_viewport_size({"width": width, "height": 800})
    assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_a_very_long_name_does_not_stick_out_either(browser, tmp_path):
    texts = texts_of(2)
    systems = dict(zip(("verylong" * 20, "b", "c"), texts.systems.values(), strict=True))
    path = tmp_path / "long.html"
    path.write_text(compare_page(contents_of(replace(texts, systems=systems))), encoding="utf-8")
    tab = browser.new_page()
    tab.goto(path.as_uri())
    tab.wait_for_selector("html[data-ready]")
    for width, media in ((375, "screen"), (1200, "screen"), (690, "print")):
        tab.set_viewport_size({"width": width, "height": 800})
        tab.emulate_media(media=media)
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
    tab.close()


def test_tables_side_by_side_do_not_overlap_on_paper(tab):
    tab.set_viewport_size({"width": 690, "height": 980})  # A4 without its margins
    tab.emulate_media(media="print")
    beyond = "[...document.querySelectorAll('.columns > div')].map((one) => one.scrollWidth - one.clientWidth)"
    assert max(tab.evaluate(beyond)) <= 0


@pytest.mark.skipif(axe() is None, reason="axe-core is not installed")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 390])
def test_axe_finds_no_serious_fault(browser, file, scheme, width):
    context = browser.new_context(bypass_csp=True, color_scheme=scheme, viewport={"width": width, "height": 900})
    tab = context.new_page()
    tab.goto(file)
    tab.wait_for_selector("html[data-ready]")
    tab.add_script_tag(path=axe())
    faults = tab.evaluate("axe.run().then((found) => found.violations)")
    context.close()
    serious = [
        (fault["id"], [node["html"][:120] for node in fault["nodes"][:3]])
        for fault in faults
        if fault["impact"] in ("serious", "critical", "moderate")
    ]
    assert serious == []
