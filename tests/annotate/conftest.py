"""Small studies, and a client that answers them."""

import json
import sqlite3
import warnings
from dataclasses import dataclass

import pytest

pytest.importorskip("starlette", reason="tertium[annotate] is not installed")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # starlette would rather have httpx2, which is not everywhere yet
    from starlette.testclient import TestClient

from tertium.annotate.protocols import parse_protocol
from tertium.annotate.serving.app import application
from tertium.annotate.serving.desk import Desk
from tertium.annotate.study import Design, Material, Study, create, keys

SOURCES = ["Die Brücke ist gesperrt.", "Es schneit 🎿 heute.", "Niemand weiß warum.", "Fragen Sie am Bahnhof."]
SYSTEMS = {
    "north": ["The bridge is closed.", "It is snowing 👩‍👩‍👧 today.", "Nobody knows why.", "Ask at the station."],
    "south": ["The bridge is blocked.", "It snows today e\u0301.", "No one knows the why.", "Ask you on the station."],
}
REFERENCES = ["The bridge is closed.", "It is snowing today.", "Nobody knows why.", "Ask at the station."]
DOCUMENTS = ["a", "a", "b", "c"]


def material(**changes):
    return Material(
        **{"sources": SOURCES, "systems": SYSTEMS, "references": REFERENCES, "documents": DOCUMENTS} | changes
    )


@dataclass
class Site:
    """A study that is being served to a test."""

    path: object
    study: Study
    key: bytes
    client: TestClient

    def token(self, number=1):
        return keys.annotator_token(self.key, number, 0)

    @property
    def organiser(self):
        return keys.organiser_token(self.key)

    def screen(self, number=1, n=None):
        found = self.client.get(f"/a/{self.token(number)}/screen" + (f"?n={n}" if n else ""))
        assert found.status_code == 200, found.text
        return found.json()

    def save(self, *saves, number=1):
        found = self.client.post(f"/a/{self.token(number)}/save", json={"saves": list(saves)})
        assert found.status_code == 200, found.text
        return found.json()["saves"]

    def done(self, screen, number=1, client="done-00000000"):
        return self.client.post(
            f"/a/{self.token(number)}/done", json={"id": f"{client}-{number}-{screen}", "screen": screen}
        ).json()

    def query(self, text, *values):
        db = sqlite3.connect(self.path)
        db.row_factory = sqlite3.Row
        try:
            return db.execute(text, values).fetchall()
        finally:
            db.close()


def answer_for(parts, text, value=None):
    """Return a complete answer to what a screen asks; `value` picks among what can be chosen."""
    answer = {}
    for part in parts:
        if part["part"] == "slider":
            answer[part["name"]] = value if value is not None else 85
        elif part["part"] == "choice":
            options = [option for option, _ in part["options"]]
            answer[part["name"]] = options[(value or 0) % len(options)]
        elif part["part"] == "rank":
            answer["rank"] = 1 + (value or 0) % 2
        elif part["part"] == "edit":
            answer["text"] = text + " indeed"
        elif part["part"] == "spans":
            span = {
                "start": 0,
                "end": 1,
                "side": "target",
                "severity": part["severities"][-1],
                "text": text[:1],
                "note": "",
            }
            if part["typology"]:
                name, subs = part["typology"]["categories"][0]
                span["category"] = f"{name}/{subs[0]}" if subs else name
            answer["spans"] = [span] if text else []
    return answer


def work_through(site, number=1, value=lambda position, place: 85):
    """Answer everything an annotator is given; return how many screens that was."""
    count = 0
    while not (shown := site.screen(number)).get("finished"):
        for row, segment in enumerate(shown["rows"]):
            for place, output in enumerate(segment["outputs"]):
                own = {**output["answer"], **answer_for(shown["parts"], output["text"], value(shown["n"], place))}
                (result,) = site.save(
                    {"id": f"save-{number}-{shown['n']}-{shown['phase']}-{row}-{place}", "screen": shown["n"],
                     "output": output["id"], "base": output["version"], "answer": own, "session": "s", "trace": []},
                    number=number,
                )  # fmt: skip
                assert result["status"] == "saved" or result["version"], result
        result = site.done(shown["n"], number, client=f"done-phase-{shown['phase']}")
        assert result["status"] in ("done", "phase"), result
        count += 1
        assert count < 200
    return count


@pytest.fixture
def site(tmp_path, request):
    """A served study; `indirect` parameters go to the design, `protocol` first."""
    settings = dict(getattr(request, "param", {}))
    with served(tmp_path / "study.db", **settings) as found:
        yield found


class served:
    """A study made and served for as long as a block runs."""

    def __init__(self, path, *, protocol="esa", annotators=2, texts=None, **design):
        self.path = path
        if not path.exists():
            self.key = create(path, texts or material(), Design(parse_protocol(protocol), [""] * annotators, **design))
        else:
            self.key = keys.read_key(path)

    def __enter__(self):
        self.study = Study.opened(self.path)
        self.client = TestClient(
            application(Desk(self.study, self.key)), base_url="http://testserver", follow_redirects=False
        )
        self.client.__enter__()
        return Site(self.path, self.study, self.key, self.client)

    def __exit__(self, *error):
        self.client.__exit__(*error)


def loads(row, column):
    return json.loads(row[column])
