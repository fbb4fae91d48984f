"""Hostile texts, names, answers, tokens and requests: nothing executes, leaks or is lost; refusals are clear."""

import json
import re
import sqlite3

import pytest

from annotate.conftest import material, served, work_through
from tertium.annotate.serving.limits import Buckets
from tertium.annotate.serving.requests import LARGEST_BODY
from tertium.annotate.study import Study

JSON = {"content-type": "application/json"}
HOSTILE_TEXTS = [
    "<script>alert(1)</script>", "</script><svg onload=alert(1)>", "{{7*7}}${7*7}<%=7%>", "'; DROP TABLE answer; --", "\u202eevil\u202c",
    "a\x00b", "a\u2028b\u2029c", "\ufeffBOM", "x" * 10_000, "👨‍👩‍👧‍👦" * 300, "𝒳\u0301" * 100, "&lt;b&gt;&amp;", "%s %d {0} \\n", "=cmd|' /C calc'!A0",
]  # fmt: skip
WRONG_PATHS = [
    "/", "/a", "/a/", "/a/x", "/a/x/", "/a/x/screen", "/a/x/about", "/a/x/annotate.js", "/join/x", "/organiser", "/organiser/x", "/organiser/x/status",
    "/organiser/x/export.zip", "/page/annotate.js", "/study.db", "/a/..%2f..%2fetc%2fpasswd", "/a/%00", "/a/\u202e", "/admin", "/.env", "/a/x/../../status",
    "/a/" + "x" * 5000, "/a/%ff%fe", "/docs", "/openapi.json", "/robots.txt", "/favicon.ico",
]  # fmt: skip


def post(site, what, content, headers=None, number=1):
    return site.client.post(
        f"/a/{site.token(number)}/{what}", content=content, headers=JSON if headers is None else headers
    )


@pytest.mark.parametrize("text", HOSTILE_TEXTS, ids=range(len(HOSTILE_TEXTS)))
def test_texts_come_back_as_they_are(tmp_path, text):
    texts = material(sources=[text] * 4, systems={text[:50]: [text] * 4, "south": [text] * 4}, references=[text] * 4)
    path = tmp_path / "study.db"
    with served(path, texts=texts, title=text, instructions=text) as site:
        shown = site.client.get(f"/a/{site.token()}/screen")
        assert shown.headers["content-type"] == "application/json"
        assert shown.json()["rows"][0]["source"] == text
        assert site.client.get(f"/a/{site.token()}/about").json()["title"] == text
        page = site.client.get(f"/a/{site.token()}/").text
        assert text not in page  # which holds no data at all
        work_through(site, 1)
        assert json.loads(json.dumps(site.client.get(f"/organiser/{site.organiser}/status").json()))
    from tertium.annotate.offline import page_of
    from tertium.annotate.report import report_of

    study = Study.opened(path)
    for page in (report_of(study), page_of(study, "A01")):
        assert "<script>alert" not in page
        assert "<svg onload" not in page


@pytest.mark.parametrize("path", WRONG_PATHS, ids=range(len(WRONG_PATHS)))
def test_without_a_token_nothing_can_be_read(site, path):
    found = site.client.get(path)
    assert (found.status_code, found.text) == (404, "Not found.\n")


@pytest.mark.parametrize(("content", "headers", "status"), [
    (b"{}", {"content-type": "text/plain"}, 415),
    (b"{}", {}, 415),
    (b"{}", {"content-type": "application/x-www-form-urlencoded"}, 415),
    (b"{}", {**JSON, "origin": "https://evil.example"}, 403),
    (b"{}", {**JSON, "origin": "null"}, 403),
    (b"", JSON, 400),
    (b"{", JSON, 400),
    (b"\xff\xfe", JSON, 400),
    (b'{"saves": NaN}', JSON, 400),
    (b'{"saves": [Infinity]}', JSON, 400),
    (b"[" * 100_000, JSON, 400),
    (b"null", JSON, 400),
    (b"[]", JSON, 400),
    (b'"saves"', JSON, 400),
    (b'{"saves": {}}', JSON, 400),
    (b'{"saves": [' + b"0," * 200 + b"0]}", JSON, 400),
    (b'{"saves": ["' + b"x" * LARGEST_BODY + b'"]}', JSON, 413),
])  # fmt: skip
def test_requests_that_no_page_of_ours_sends_are_turned_away(site, content, headers, status):
    for what in ("save", "done"):
        found = post(site, what, content, headers)
        assert found.status_code == status
        assert found.json()["error"]
    assert site.query("SELECT * FROM event") == []


@pytest.mark.parametrize("entry", [
    None, 1, "x", [], {}, {"id": 5}, {"id": "short"}, {"id": "x" * 65}, {"id": "client-0001"}, {"id": "client-0001", "screen": "1"},
    {"id": "client-0001", "screen": 0}, {"id": "client-0001", "screen": -1}, {"id": "client-0001", "screen": 2**70},
    {"id": "client-0001", "screen": True}, {"id": "client-0001", "screen": 999}, {"id": "client-0001", "screen": 1},
    {"id": "client-0001", "screen": 1, "output": 5}, {"id": "client-0001", "screen": 1, "output": "0" * 18},
    {"id": "client-0001'; --", "screen": 1}, {"id": "client-\u202e001", "screen": 1},
])  # fmt: skip
def test_saves_that_make_no_sense_are_refused_one_by_one(site, entry):
    (result,) = json.loads(post(site, "save", json.dumps({"saves": [entry]}).encode()).content)["saves"]
    assert result["status"] == "refused"
    assert result["why"]
    assert site.query("SELECT * FROM event") == []


@pytest.mark.parametrize("trace", [None, 5, "x", [1], [[1]], [["a", "act"]], [[-5, "act"]], [[1, "evil"]], [[1, "act"]] * 100_000, [[10**15, "act"]]],
                         ids=range(10))  # fmt: skip
def test_odd_traces_do_no_harm(site, trace):
    shown = site.screen()
    entry = {
        "id": "client-0001",
        "screen": shown["n"],
        "output": shown["rows"][0]["outputs"][0]["id"],
        "base": 0,
        "answer": {"score": 5},
        "session": {"x": []},
        "trace": trace,
    }
    body = json.dumps({"saves": [entry]}).encode()
    found = post(site, "save", body)
    assert found.status_code == (413 if len(body) > LARGEST_BODY else 200)
    assert site.query("SELECT COALESCE(SUM(active_ms), 0) AS ms FROM assignment")[0]["ms"] >= 0


@pytest.mark.parametrize("number", ["0", "-1", "1.5", "x", "", "9" * 30, "1%00", "²", "1;DROP TABLE answer"])
def test_screens_that_are_not_there_are_not_found(site, number):
    assert site.client.get(f"/a/{site.token()}/screen", params={"n": number}).status_code == 404


def test_every_answer_has_its_headers(site):
    for path in (
        "/",
        f"/a/{site.token()}/",
        f"/a/{site.token()}/screen",
        f"/a/{site.token()}/annotate.js",
        f"/organiser/{site.organiser}/",
    ):
        found = site.client.get(path)
        policy = found.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert found.headers["referrer-policy"] == "no-referrer"
        assert found.headers["x-content-type-options"] == "nosniff"
        assert found.headers["cache-control"] == "no-store"
        assert "set-cookie" not in found.headers
        assert "server" not in found.headers


def test_pages_hold_no_inline_script_and_ask_nobody_else(site):
    for path in (f"/a/{site.token()}/", f"/organiser/{site.organiser}/"):
        page = site.client.get(path).text
        assert not re.search(r"<script(?![^>]* src=)|\son\w+=|style=|https?://", page)
        for name in re.findall(r'(?:src|href)="([^"]+)"', page):
            found = site.client.get(path + name)
            assert found.status_code == 200
            assert not re.search(r"https?://(?!www\.w3\.org)", found.text)


def test_other_methods_get_the_same_answer(site):
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS"):
        assert site.client.request(method, f"/a/{site.token()}/save").status_code == 404
    assert site.client.get(f"/a/{site.token()}/save").status_code == 404


def test_wrong_links_are_limited_and_right_ones_are_not(site):
    statuses = [site.client.get(f"/a/wrong-{i}/").status_code for i in range(30)]
    assert statuses[:20] == [404] * 20
    assert 429 in statuses
    assert site.screen()["n"] == 1


def test_too_many_requests_are_told_to_wait(site):
    statuses = {site.client.get(f"/a/{site.token()}/about").status_code for _ in range(300)}
    assert statuses == {200, 429}
    assert site.screen(2)["n"] == 1  # somebody else is not touched


def test_fast_honest_work_never_meets_the_limit():
    bucket = Buckets(240)
    assert all(bucket.take("a", now=second / 2) for second in range(600))  # two requests a second for five minutes


def test_an_annotator_is_no_organiser_and_the_other_way_round(site):
    assert site.client.get(f"/organiser/{site.token()}/status").status_code == 404
    assert site.client.get(f"/a/{site.organiser}/screen").status_code == 404
    assert site.client.get(f"/join/{site.token()}").status_code == 404


def test_the_file_alone_opens_nothing(site):
    stored = {bytes(row["token"]) for row in site.query("SELECT token FROM annotator")}
    assert all(len(token) == 32 for token in stored)
    for token in stored:
        assert site.client.get(f"/a/{token.hex()}/screen").status_code == 404


@pytest.mark.parametrize("site", [{"assignment": "pool", "annotators": 0}], indirect=True)
def test_the_public_link_makes_people_and_keeps_their_parameters(site):
    from tertium.annotate.study import keys

    join = f"/join/{keys.join_token(site.key)}"
    first = site.client.get(join + "?PROLIFIC_PID=abc&STUDY_ID=<b>&SESSION_ID=3").headers["location"]
    assert site.client.get(join + "?PROLIFIC_PID=abc").headers["location"] == first  # the same person
    other = site.client.get(join).headers["location"]
    assert other != first
    token = first.split("/a/")[1].strip("/")
    assert site.client.get(f"/a/{token}/screen").json()["n"] == 1
    kept = json.loads(site.query("SELECT platform FROM annotator ORDER BY id")[0]["platform"])
    assert kept == {"PROLIFIC_PID": "abc", "STUDY_ID": "<b>", "SESSION_ID": "3"}
    site.client.get(join + "?" + "&".join(f"k{i}={'v' * 999}" for i in range(40)))
    assert len(site.query("SELECT platform FROM annotator ORDER BY id DESC")[0]["platform"]) < 4000


def test_a_full_disk_is_said_and_nothing_is_acknowledged(site, monkeypatch):
    shown = site.screen()
    entry = {
        "id": "client-0001",
        "screen": shown["n"],
        "output": shown["rows"][0]["outputs"][0]["id"],
        "base": 0,
        "answer": {"score": 5},
    }

    def full(*values):
        raise sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr("tertium.annotate.study.saving._put", full)
    found = post(site, "save", json.dumps({"saves": [entry]}).encode())
    assert found.status_code == 503
    assert "Not saved" in found.json()["error"]
    monkeypatch.undo()
    assert site.save(entry)[0]["status"] == "saved"  # the page sends it again


def test_names_are_only_names(tmp_path):
    from tertium.annotate.protocols import parse_protocol
    from tertium.annotate.study import Design, create

    names = ["<script>alert(1)</script>", "'; DROP TABLE annotator; --", "A01\t\n", "\u202eanaJ"]
    create(tmp_path / "study.db", material(), Design(parse_protocol("da"), names))
    with served(tmp_path / "study.db") as site:
        work_through(site, 1)
        assert [
            worker["name"] for worker in site.client.get(f"/organiser/{site.organiser}/status").json()["workers"]
        ] == names
    from tertium.annotate.exchange.forms import form_named

    table = form_named("tidy").written(Study.opened(tmp_path / "study.db"), names=True)["judgments.tsv"]
    assert len({line.count("\t") for line in table.splitlines()}) == 1
