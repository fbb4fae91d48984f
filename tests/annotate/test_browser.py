"""The page in a real browser: by keyboard, by mouse, by touch; spans of every script; offline; two tabs; axe.

Needs Debian's chromium (or TERTIUM_CHROMIUM=PROGRAM) and playwright; axe is TERTIUM_AXE=axe.min.js, or what `make
test-all` installs: npm's axe-core, else the package axe-core-python. Nothing here waits for a fixed time: a slow
machine takes longer and finds the same.
"""

import json
import socket
import threading
import time
from pathlib import Path

import pytest

from annotate.conftest import Site, material
from report.test_browser import CHROMIUM, axe, playwright
from tertium.annotate.protocols import PROTOCOLS, parse_protocol
from tertium.annotate.serving.app import application
from tertium.annotate.serving.desk import Desk
from tertium.annotate.study import Design, Study, create, keys

uvicorn = pytest.importorskip("uvicorn", reason="tertium[annotate] is not installed")
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed"),
    pytest.mark.filterwarnings(
        "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning", "ignore::DeprecationWarning"
    ),
    pytest.mark.slow,
]
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync"]  # fmt: skip


@pytest.fixture(scope="module")
def browser():
    with playwright.sync_playwright() as run:
        browser = run.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


class Served:
    """A study behind a real port. Its pages are closed before it stops, else they would complain that it is gone."""

    def __init__(self, path, texts=None, port=0, **design):
        self.socket = socket.create_server(("127.0.0.1", port))
        self.port = self.socket.getsockname()[1]
        self.pages = []
        protocol = parse_protocol(design.pop("protocol", "esa"))
        if not path.exists():
            create(path, texts or material(), Design(protocol, [""] * design.pop("annotators", 2), **design))
        study = Study.opened(path)
        key = keys.read_key(path)
        self.server = uvicorn.Server(
            uvicorn.Config(
                application(Desk(study, key)),
                log_level="critical",
                ws="none",
                timeout_graceful_shutdown=1,
            )
        )
        self.site = Site(path, study, key, None)

    def __enter__(self):
        self.thread = threading.Thread(target=self.server.run, args=([self.socket],))
        self.thread.start()
        while not self.server.started:
            assert self.thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        return self

    def __exit__(self, *error):
        for page in self.pages:
            page.context.close()
        self.server.should_exit = True
        self.thread.join()
        self.socket.close()

    def url(self, number=1):
        return f"http://127.0.0.1:{self.port}/a/{self.site.token(number)}/"

    def answers(self):
        return [
            json.loads(row["answer"])
            for row in self.site.query("SELECT answer FROM answer ORDER BY annotator, screen, output")
        ]


@pytest.fixture
def open_page(browser):
    """Opens pages and, at the end, says what they complained about; pages may ask only their own server."""
    contexts, said = [], []

    def opened(served, *, path=None, width=1280, height=900, outlives=False, closes=True, **options):
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        context.set_default_timeout(60000)
        page = context.new_page()
        if not outlives:
            served.pages.append(page)
            page.on("console", lambda message: said.append(message.text))
        home = f"http://127.0.0.1:{served.port}/"
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: said.append(request.url) if not request.url.startswith(home) else None)
        page.goto(home + path if path else served.url())
        page.wait_for_selector("html[data-ready]")
        if closes and page.locator("dialog[open]").count():
            page.locator("dialog .primary").click()
        return page

    yield opened
    for context in contexts:
        context.close()
    assert said == []


def saved(page):
    page.wait_for_selector(".saved[data-state=saved]")


def answer_all(page):
    """Answer everything on the screen with the controls that are there."""
    for fieldset in page.locator("fieldset.choice").all():
        fieldset.locator("input").first.check()
    for number in page.locator(".score .number").all():
        number.fill("85")
    for button in page.locator(".edit .flag").all()[::2]:
        button.click()


def finish(page):
    """Answer screen after screen, up to the last."""
    while not page.locator(".end").count():
        before = page.locator("h1").inner_text()
        answer_all(page)
        page.locator(".bottom .primary").click()
        page.wait_for_function("(before) => document.querySelector('h1').innerText !== before", arg=before)


@pytest.mark.parametrize("protocol", [protocol.name for protocol in PROTOCOLS])
def test_a_whole_task_by_mouse(open_page, tmp_path, protocol):
    with Served(tmp_path / "study.db", protocol=protocol) as served:
        page = open_page(served)
        finish(page)
        assert "All done" in page.locator("h1").inner_text()
        assert page.locator(".code output").inner_text() == served.site.study.meta["codes"][0]
        left = served.site.query("SELECT COUNT(*) AS n FROM assignment WHERE annotator = 1 AND done IS NULL")
        assert left[0]["n"] == 0


def tab_to(page, kind):
    """Press Tab until the next control of a kind has the focus; give up where Tab comes round to where it began."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("(kind) => document.activeElement.matches(kind)", kind):
            return
    raise AssertionError(f"Tab does not lead to {kind}")


def by_keys(page, protocol, marked):
    """Answer what a screen asks with the keyboard alone; remember which text was marked."""
    cards = page.locator(".card").count()
    if page.locator("fieldset.preference").count():
        for _ in range(page.locator("fieldset.preference").count()):
            tab_to(page, "fieldset.preference input")
            page.keyboard.press("5")
        return
    for place in range(cards):
        if protocol in MARKING:
            tab_to(page, ".card > .text")
            page.keyboard.press("ArrowRight")
            page.keyboard.press("Shift+ArrowRight")
            marked.append("".join(page.locator(".pending").all_inner_texts()))
            page.keyboard.press("2")
            if protocol == "mqm":  # the focus is on the category already
                page.keyboard.press("ArrowDown")
        if page.locator(".score").count():
            tab_to(page, "input[type=range]")
            page.keyboard.press("Home")
        elif page.locator("fieldset.choice").count():
            tab_to(page, "fieldset.choice input")
            page.keyboard.press(str(1 + place % 2))
        elif page.locator(".edit").count():
            tab_to(page, ".edit textarea")
            page.keyboard.press("Control+End")
            page.keyboard.type(" indeed")


MARKING = ("esa", "esa-ai", "cesa", "mqm")


@pytest.mark.parametrize("protocol", [protocol.name for protocol in PROTOCOLS])
def test_a_whole_task_by_keyboard_alone(open_page, tmp_path, protocol):
    with Served(tmp_path / "study.db", protocol=protocol) as served:
        page = open_page(served, closes=False)
        assert page.evaluate("document.activeElement.closest('dialog') !== null")  # the instructions
        page.keyboard.press("Enter")
        marked = []
        for _ in range(10):
            if page.locator(".end").count():
                break
            before = page.locator("h1").inner_text()
            by_keys(page, protocol, marked)
            page.keyboard.press("Alt+n")
            page.wait_for_function("(before) => document.querySelector('h1').innerText !== before", arg=before)
        assert page.locator(".end").count()
        answers = served.answers()
        assert len(answers) >= 4
        for answer in answers:
            assert answer.get("score", 0) == 0  # the lowest value is as reachable as any
            assert answer.get("text", " indeed").endswith(" indeed")
        if protocol in MARKING:
            spans = [span for answer in answers for span in answer["spans"]]
            assert sorted(marked) == sorted(span["text"] for span in spans)
            assert len(spans) == len(answers)
            assert {span["severity"] for span in spans} == {"minor" if protocol == "mqm" else "major"}


SCRIPTS = [
    "Sure 👍🏽 the family 👨‍👩‍👧‍👦 is here 🇺🇦 now", "यह एक क्षत्रिय परीक्षा है", "هذه الجملة بالعربية للاختبار", "ภาษาไทยไม่มีช่องว่าง",
    "e\u0301te\u0301 a\u0308o\u0308 n\u0303", "line one\u2028line two here", "今天天气很好，𠮷野家", "한국어 문장 하나", "ab\u200dcd \u200fmixed عربي text",
]  # fmt: skip


@pytest.mark.parametrize("text", SCRIPTS)
def test_what_is_marked_is_what_is_stored(open_page, tmp_path, text):
    texts = material(systems={"north": [text] * 4, "south": [text] * 4})
    with Served(tmp_path / "study.db", texts=texts) as served:
        page = open_page(served)
        target = page.locator(".card > .text").first
        pieces = target.locator(".piece").all_inner_texts()
        assert target.evaluate("(element) => element.textContent") == text
        # mark every piece that is not blank, one by one; then in single characters
        count = target.evaluate("(element) => element.tertium.stops.length")
        assert count > 1
        for i in range(count):
            target.evaluate(
                "(element, i) => { const t = element.tertium; t.choose(t.stops[i], t.stops[i]); t.mark('minor'); }", i
            )
        saved(page)
        stored = served.answers()[0]["spans"]
        assert [span["text"] for span in stored] == target.locator("mark").evaluate_all(
            "(all) => all.map((one) => one.textContent)"
        )
        for span in stored:
            assert text[span["start"] : span["end"]] == span["text"]
        assert pieces


def test_characters_are_what_a_reader_sees(open_page, tmp_path):
    text = "👨‍👩‍👧‍👦 e\u0301 क्ष 🇺🇦"
    texts = material(systems={"north": [text] * 4, "south": [text] * 4})
    with Served(tmp_path / "study.db", texts=texts) as served:
        page = open_page(served)
        page.locator(".intro button").click()
        pieces = (
            page.locator(".card > .text")
            .first.locator(".piece")
            .evaluate_all("(all) => all.map((one) => one.textContent).filter((one) => one.trim())")
        )
        assert pieces == ["👨‍👩‍👧‍👦", "e\u0301", "क्ष", "🇺🇦"]


def test_dragging_marks_and_a_click_on_a_mark_goes_to_it(open_page, tmp_path):
    with Served(tmp_path / "study.db") as served:
        page = open_page(served)
        text = page.locator(".card > .text").first
        first, last = text.locator(".piece").nth(0).bounding_box(), text.locator(".piece").nth(4).bounding_box()
        page.mouse.move(first["x"] + 2, first["y"] + 10)
        page.mouse.down()
        page.mouse.move(last["x"] + last["width"] - 2, last["y"] + 10, steps=5)
        page.mouse.up()
        page.locator(".bar .severity").first.click()
        saved(page)
        (span,) = served.answers()[0]["spans"]
        shown = text.evaluate("(element) => element.textContent")
        assert shown.startswith(span["text"])
        assert len(span["text"].split()) == 3
        text.locator("mark").first.click()
        assert page.evaluate("document.activeElement.id").endswith("-severity")
        page.locator(".error .remove").first.click()
        page.wait_for_function("document.querySelectorAll('mark').length === 0")
        saved(page)
        assert served.answers()[0]["spans"] == []


def test_touch_marks_with_two_taps(open_page, tmp_path):
    with Served(tmp_path / "study.db") as served:
        page = open_page(served, width=375, height=700, has_touch=True, is_mobile=True)
        pieces = page.locator(".card > .text").first.locator(".piece")
        pieces.nth(0).tap()
        assert page.locator(".bar.docked").is_visible()
        pieces.nth(2).tap()
        page.locator(".bar .severity").nth(1).tap()
        page.locator(".missing").first.tap()
        saved(page)
        spans = served.answers()[0]["spans"]
        assert {span["side"] for span in spans} == {"target", "missing"}
        assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")


def test_spans_in_the_source(open_page, tmp_path):
    with Served(tmp_path / "study.db") as served:
        page = open_page(served)
        source = page.locator(".left .text").first
        source.locator(".piece").first.click()
        page.locator(".bar .severity").first.click()
        saved(page)
        (span,) = served.answers()[0]["spans"]
        assert span["side"] == "source"
        assert source.evaluate("(element) => element.textContent").startswith(span["text"])


def test_what_is_missing_is_said_and_focused(open_page, tmp_path):
    with Served(tmp_path / "study.db") as served:
        page = open_page(served)
        page.locator(".bottom .primary").click()
        assert "please give a score" in page.locator("main > .notice").inner_text()
        assert page.evaluate("document.activeElement.type") == "range"
        page.locator(".score .number").first.fill("30")
        for number in page.locator(".score .number").all():
            number.fill("30")
        page.locator(".bottom .primary").click()
        assert "marked no error" in page.locator("main > .notice").inner_text()
        before = page.locator("h1").inner_text()
        page.locator(".bottom .primary").click()  # asked once, not kept from going on
        page.wait_for_function("(before) => document.querySelector('h1').innerText !== before", arg=before)


def test_a_click_where_the_thumb_waits_counts(open_page, tmp_path):
    with Served(tmp_path / "study.db", protocol="da") as served:
        page = open_page(served)
        page.locator("input[type=range]").first.click()  # the middle
        saved(page)
        assert served.answers()[0]["score"] == 50


def test_answers_are_there_after_a_reload_and_on_another_machine(open_page, tmp_path):
    with Served(tmp_path / "study.db") as served:
        page = open_page(served)
        page.locator(".score .number").first.fill("42")
        saved(page)
        page.reload()
        page.wait_for_selector("html[data-ready]")
        assert page.locator(".score .number").first.input_value() == "42"
        other = open_page(served)
        assert other.locator(".score .number").first.input_value() == "42"


def test_offline_answers_are_kept_and_sent_later(open_page, tmp_path):
    path = tmp_path / "study.db"
    with Served(path) as served:
        port = served.port
        page = open_page(served, outlives=True)
    page.locator(".score .number").first.fill("13")  # the server is gone
    page.wait_for_selector(".saved[data-state=offline]")
    kept = page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('tertium:/a/')).length")
    assert kept == 1
    with Served(path, port=port) as served:
        page.evaluate("dispatchEvent(new Event('online'))")
        saved(page)
        assert served.answers() == [{"score": 13}]
        assert page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('tertium:/a/')).length") == 0


def test_what_waits_survives_closing_the_page(open_page, tmp_path):
    path = tmp_path / "study.db"
    with Served(path) as served:
        port = served.port
        page = open_page(served, outlives=True)
    page.locator(".score .number").first.fill("14")
    page.wait_for_selector(".saved[data-state=offline]")
    context = page.context
    page.close()
    with Served(path, port=port) as served:
        again = context.new_page()
        again.goto(served.url())
        again.wait_for_selector("html[data-ready]")
        saved(again)
        assert served.answers() == [{"score": 14}]


def test_two_tabs_of_one_browser_agree(open_page, tmp_path):
    with Served(tmp_path / "study.db") as served:
        one = open_page(served)
        two = one.context.new_page()
        two.goto(served.url())
        two.wait_for_selector("html[data-ready]")
        one.locator(".score .number").first.fill("61")
        saved(one)
        two.wait_for_function("document.querySelector('.score .number').value === '61'")
        two.keyboard.press("Escape")
        two.locator(".score .number").first.fill("62")
        saved(two)
        assert served.answers()[0]["score"] == 62
        assert not one.locator(".conflict").count()


def test_two_machines_are_told_of_each_other(open_page, tmp_path):
    with Served(tmp_path / "study.db") as served:
        one, two = open_page(served), open_page(served)
        one.locator(".score .number").first.fill("10")
        saved(one)
        two.locator(".score .number").first.fill("90")
        two.wait_for_selector(".conflict")
        assert two.locator(".score .number").first.input_value() == "10"
        assert two.locator(".conflict").count() == 1
        two.locator(".conflict .primary").click()
        two.wait_for_selector(".conflict", state="detached")
        saved(two)
        assert served.answers()[0]["score"] == 90
        kinds = [row["kind"] for row in served.site.query("SELECT kind FROM event ORDER BY id")]
        assert kinds == ["save", "conflict", "save"]


@pytest.mark.parametrize("protocol", ["esa", "post-edit", "ranking"])
def test_texts_are_only_ever_texts(open_page, tmp_path, protocol):
    odd = [
        "<script>window.hit = 1</script>",
        "<img src=x onerror='window.hit=1'>",
        "{{7*7}} </textarea><b>",
        "javascript:alert(1) &amp; \u202eabc",
    ]
    texts = material(sources=odd, systems={"<b>x</b>": odd, "south": odd}, references=odd)
    words = {"title": "<i>t</i>", "instructions": "# <img src=x onerror=1>\n**<b>**"}
    with Served(tmp_path / "study.db", texts=texts, protocol=protocol, **words) as served:
        page = open_page(served)
        shown = page.evaluate("document.body.innerHTML")
        assert "<script>window" not in shown
        assert page.evaluate("window.hit === undefined")
        assert page.locator("main img, main b i").count() == 0


def test_a_right_to_left_text_moves_the_other_way(open_page, tmp_path):
    text = "واحد اثنان ثلاثة"
    with Served(tmp_path / "study.db", texts=material(systems={"north": [text] * 4, "south": [text] * 4})) as served:
        page = open_page(served)
        target = page.locator(".card > .text").first
        target.focus()
        places = []
        for _ in range(2):
            page.keyboard.press("ArrowLeft")
            places.append(target.evaluate("(element) => element.tertium.stops.indexOf(element.tertium.caret)"))
        assert places[1] == places[0] + 1
        assert target.evaluate("(element) => getComputedStyle(element).direction") == "rtl"


WAYS = [("light", 1280), ("dark", 1280), ("light", 320), ("dark", 320)]
# Each protocol in one of them every day, in the others where there is time.
SCREENS = [
    pytest.param(protocol.name, *way, marks=[] if (number + place) % 4 == 0 else pytest.mark.long)
    for number, protocol in enumerate(PROTOCOLS)
    for place, way in enumerate(WAYS)
]
needs_axe = pytest.mark.skipif(axe() is None, reason="axe-core is not installed: make .venv/axe, or TERTIUM_AXE=FILE")


@needs_axe
@pytest.mark.parametrize(("protocol", "scheme", "width"), SCREENS)
def test_axe_finds_nothing_on_any_screen(open_page, tmp_path, protocol, scheme, width):
    """Instructions, each screen untouched, with marks, with what is missing, answered, with feedback; and the end."""
    with Served(tmp_path / "study.db", protocol=protocol, tutorial=True) as served:
        page = open_page(served, width=width, height=700, color_scheme=scheme, closes=False)
        page.evaluate(Path(axe()).read_text(encoding="utf-8"))

        def looked():
            page.wait_for_function("document.getAnimations().length === 0")
            assert faults(page) == []
            assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")

        looked()
        page.locator("dialog .primary").click()
        seen = set()
        while not page.locator(".end").count():
            before = page.locator("h1").inner_text()
            # Practice, the first real screen and each step of one look alike from screen to screen.
            kind = (page.locator(".advice").count(), before.partition("·")[2], page.locator(".row").count() > 1)
            new = kind not in seen
            seen.add(kind)
            if new:
                looked()
                if page.locator(".card .tools").count():
                    page.locator(".card > .text .piece").first.click()
                    looked()
                    page.locator(".bar .severity").last.click()
                    if page.locator("select.category").count():
                        page.locator("select.category").first.select_option(index=1)
                    page.locator(".missing").first.click()
                page.locator(".bottom .primary").click()
                looked()
                for remove in page.locator(".error .remove").all()[::-1]:
                    remove.click()
            answer_all(page)
            if new:
                looked()
            page.locator(".bottom .primary").click()
            page.wait_for_function(
                "(before) => document.querySelector('h1').innerText !== before || document.querySelector('main > .notice button')",
                arg=before,
            )
            if page.locator("main > .notice button").count():
                if new:
                    looked()
                page.locator("main > .notice button").click()
                page.wait_for_function("(before) => document.querySelector('h1').innerText !== before", arg=before)
        looked()


def faults(page):
    found = page.evaluate(
        "axe.run().then((found) => found.violations.map((one) => [one.id, one.nodes.map((node) => node.html + node.failureSummary)]))"
    )
    return [f"{name}: {nodes[:2]}" for name, nodes in found]


@needs_axe
@pytest.mark.parametrize(("scheme", "width"), WAYS)
def test_axe_finds_nothing_at_the_end_and_for_the_organiser(open_page, tmp_path, scheme, width):
    with Served(tmp_path / "study.db", protocol="da", annotators=4, judgments_per_item=2) as served:
        page = open_page(served, width=width, color_scheme=scheme)
        finish(page)
        script = Path(axe()).read_text(encoding="utf-8")
        page.evaluate(script)
        assert faults(page) == []
        organiser = open_page(served, path=f"organiser/{served.site.organiser}/", width=width, color_scheme=scheme)
        organiser.evaluate(script)
        assert faults(organiser) == []
        assert "north" in organiser.locator("main").inner_text()


def test_a_page_without_a_server_hands_back_a_result(browser, tmp_path):
    from tertium.annotate.offline import collect, page_of

    path = tmp_path / "study.db"
    create(path, material(), Design(parse_protocol("esa"), ["", ""]))
    file = tmp_path / "a.html"
    file.write_text(page_of(Study.opened(path), "A01"), encoding="utf-8")
    context = browser.new_context(accept_downloads=True)
    context.set_default_timeout(60000)
    page = context.new_page()
    said = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(file.as_uri())
    page.wait_for_selector("html[data-ready]")
    page.locator("dialog .primary").click()
    finish(page)
    assert "send it to whoever gave you this page" in page.inner_text("main")
    with page.expect_download() as download:
        page.locator(".end .primary").click()
    download.value.save_as(tmp_path / "result.json")
    context.close()
    assert said == []
    assert collect(Study.opened(path), str(tmp_path / "result.json")) == ("A01", 4, 3)
