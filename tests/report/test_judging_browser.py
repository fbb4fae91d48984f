"""Pages about metrics in a real browser; what is needed stands in test_browser.py."""

import pytest

from report.test_browser import CHROMIUM, axe, browser, playwright  # noqa: F401
from report.test_judging_pages import judging_pages  # noqa: F401

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
    pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module")
def files(judging_pages, tmp_path_factory):  # noqa: F811
    folder = tmp_path_factory.mktemp("pages")
    for name, page in judging_pages.items():
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    return {name: (folder / f"{name}.html").as_uri() for name in judging_pages}


@pytest.fixture(params=["correlate", "rank", "average"])
def tab(browser, files, request):  # noqa: F811
    tab = browser.new_page(viewport={"width": 1200, "height": 900})
    messages, requests = [], []
    tab.on("console", lambda message: messages.append(message.text))
    tab.on("pageerror", lambda error: messages.append(str(error)))
    tab.on("request", lambda request: requests.append(request.url))
    tab.on("dialog", lambda dialog: (messages.append("dialog"), dialog.dismiss()))
    tab.goto(files[request.param])
    tab.wait_for_selector("html[data-ready]")
    yield tab
    assert messages == []
    assert requests == [files[request.param]]
    tab.close()


def test_the_metric_whose_points_are_shown_can_be_chosen_by_keyboard(tab):
    blocks = tab.locator("[data-metric]")
    assert [block.is_visible() for block in blocks.all()] == [True, False, False, False]
    tab.focus("#metric")
    tab.keyboard.press("ArrowDown")
    assert [block.is_visible() for block in blocks.all()] == [False, True, False, False]
    assert blocks.nth(1).locator("svg.chart").first.bounding_box()["height"] > 100
    tab.select_option("#metric", "all")
    assert all(block.is_visible() for block in blocks.all())


def test_numbers_behind_points_can_be_opened_by_keyboard(tab):
    first = tab.locator("[data-metric='0'] details").first
    first.locator("summary").focus()
    tab.keyboard.press("Enter")
    assert first.locator("tbody tr").first.is_visible()


def test_dark_and_light(tab):
    def paper():
        return tab.evaluate("getComputedStyle(document.body).backgroundColor")

    light = paper()
    tab.click("#theme")
    assert paper() != light


@pytest.mark.parametrize("width", [320, 768])
def test_nothing_sticks_out_on_a_small_screen(tab, width):
    tab.set_viewport_size({"width": width, "height": 800})
    assert tab.evaluate("document.documentElement.scrollWidth") <= width


def test_the_columns_of_ranks_are_all_seen_on_a_phone(browser, files):  # noqa: F811
    tab = browser.new_page(viewport={"width": 375, "height": 800})
    tab.goto(files["rank"])
    table = "document.querySelector('#ranks table, table')"
    assert tab.evaluate(f"{table}.getBoundingClientRect().right") <= 375
    tab.close()


def test_without_scripts_everything_is_shown(browser, files):  # noqa: F811
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto(files["correlate"])
    assert tab.locator("[data-metric] svg.chart").last.is_visible()
    context.close()


@pytest.mark.skipif(axe() is None, reason="axe-core is not installed")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["correlate", "rank", "average"])
def test_axe_finds_no_serious_fault(browser, files, name, scheme):  # noqa: F811
    context = browser.new_context(bypass_csp=True, color_scheme=scheme, viewport={"width": 1200, "height": 900})
    tab = context.new_page()
    tab.goto(files[name])
    tab.wait_for_selector("html[data-ready]")
    tab.add_script_tag(path=axe())
    faults = tab.evaluate("axe.run().then((found) => found.violations)")
    context.close()
    assert [
        (fault["id"], [node["html"][:120] for node in fault["nodes"][:3]])
        for fault in faults if fault["impact"] in ("serious", "critical", "moderate")
    ] == []  # fmt: skip
