"""What goes wrong in other programs that collect judgments, and does not here.

Beside what stands here: marks of emoji and conjuncts, keyboard, 320 px (test_browser), names and checks that never reach
the page (test_every_protocol), texts that are only texts, pages that ask nobody else (test_hostile), checks judged on
the server (test_assignment), a reset that takes back one rater's rows (judgments/test_campaign_files), exports of
nothing (test_commands), kill -9 (test_durability).
"""

import inspect
import json
import math

import numpy as np
import pytest

from annotate.conftest import SOURCES, SYSTEMS, material, served, work_through
from tertium.annotate.exchange.forms import form_named
from tertium.annotate.serving.running import serve
from tertium.annotate.study import keys
from tertium.cli.commands.annotate.serving import serve_
from tertium.judgments import Judgments, ranks, read_judgments


def test_nothing_is_for_other_sites_and_nobody_else_can_ask(site):
    for path in ("/", f"/a/{site.token()}/", f"/a/{site.token()}/screen", f"/organiser/{site.organiser}/"):
        found = site.client.get(path, headers={"origin": "https://elsewhere.example"})
        assert not [name for name in found.headers if name.startswith("access-control")]


def test_it_listens_to_this_machine_alone_unless_told_otherwise():
    assert inspect.signature(serve).parameters["host"].default == "127.0.0.1"
    assert {option.name: option.default for option in serve_.params}["host"] == "127.0.0.1"


def test_links_cannot_be_guessed():
    tokens = {keys.annotator_token(bytes([seed]) * 32, number, 0) for seed in range(20) for number in range(1, 50)}
    assert len(tokens) == 20 * 49
    assert min(len(token) for token in tokens) * math.log2(64) >= 128
    assert len(set("".join(tokens))) == 64  # all of the alphabet, not words


@pytest.mark.parametrize("assignment", ["lists", "pool", "adaptive"])
def test_nobody_sees_what_another_said(tmp_path, assignment):
    """The same outputs go to both people, and the second finds them untouched."""
    texts = material(systems={"north": SYSTEMS["north"]})
    with served(tmp_path / "study.db", texts=texts, assignment=assignment, judgments_per_item=2) as site:
        work_through(site, 1, lambda position, place: 37)
        judged = {row["text"] for row in site.query("SELECT text FROM answer JOIN output ON output.id = output")}
        seen = set()
        while not (shown := site.screen(2)).get("finished"):
            for row in shown["rows"]:
                for output in row["outputs"]:
                    assert output["answer"] == {}
                    assert output["version"] == 0
                    seen.add(output["text"])
            answer_one(site, shown)
        assert judged & seen


def answer_one(site, shown):
    for row, segment in enumerate(shown["rows"]):
        for place, output in enumerate(segment["outputs"]):
            site.save(
                {"id": f"second-{shown['n']}-{row}-{place}", "screen": shown["n"], "output": output["id"], "base": 0,
                 "answer": {"score": 90, "spans": []}, "session": "s", "trace": []},
                number=2,
            )  # fmt: skip
    assert site.done(shown["n"], 2)["status"] == "done"


def test_a_second_annotator_stands_beside_the_first(tmp_path):
    with served(tmp_path / "study.db", annotators=4, judgments_per_item=2) as site:
        for number in (1, 2, 3, 4):
            work_through(site, number, lambda position, place, number=number: 10 * number)
        judgments = read_judgments(str(tmp_path / "study.db"))
        found = {}
        for record in judgments.records():
            found.setdefault((record["system"], record["segment"]), set()).add((record["rater"], record["score"]))
        assert len(found) == len(SOURCES) * len(SYSTEMS)
        assert {len(said) for said in found.values()} == {2}
        lines = form_named("wmt").written(site.study, names=False)["study.jsonl"].splitlines()
        assert {len(said) for line in lines for said in json.loads(line)["scores"].values()} == {2}


def test_a_save_costs_the_same_in_a_large_study(tmp_path):
    """What one save adds to the log does not grow with what others have said, nor with the texts."""

    def written(count):
        texts = material(
            sources=SOURCES * count, references=None, documents=[str(i // 4) for i in range(4 * count)],
            systems={name: outputs * count for name, outputs in SYSTEMS.items()},
        )  # fmt: skip
        path = tmp_path / f"{count}.db"
        with served(path, protocol="da", texts=texts) as site:
            first, second = (site.screen(1)["rows"][0]["outputs"][0], site.screen(2)["rows"][0]["outputs"][0])
            log = path.with_name(path.name + "-wal")
            site.save(saved(first, "first-save-1"))
            before = log.stat().st_size
            site.save(saved(second, "second-save"), number=2)
            return log.stat().st_size - before

    small, large = written(1), written(250)
    assert 0 < small <= large < 2 * small + 40_000


def saved(output, name):
    return {
        "id": name,
        "screen": 1,
        "output": output["id"],
        "base": 0,
        "answer": {"score": 50},
        "session": "s",
        "trace": [],
    }


@pytest.mark.parametrize("count", [1, 7, 101])
def test_a_task_has_as_many_items_as_there_are(tmp_path, count):
    texts = material(
        sources=["Eins."] * count, systems={"north": ["One."] * count}, references=None, documents=["d"] * count
    )  # fmt: skip
    with served(tmp_path / "study.db", protocol="da", texts=texts, annotators=1) as site:
        assert work_through(site, 1) == -(-count // 10)  # ten on a screen
    assert len(read_judgments(str(tmp_path / "study.db"))) == count


@pytest.mark.slow
def test_equal_systems_are_told_apart_no_more_often_than_promised():
    """One test that was chosen beforehand; the better of two tests would be wrong more often than one time in twenty."""
    rng = np.random.default_rng(5)
    trials, apart = 200, 0
    for _ in range(trials):
        difficulty = rng.normal(70, 15, 40)
        scores = {name: np.clip(difficulty + rng.normal(0, 12, 40), 0, 100) for name in ("north", "south")}
        judgments = Judgments.of(
            system=[name for name in scores for _ in range(40)], segment=[*range(1, 41)] * 2, rater=["a"] * 80,
            kind=["DA"] * 80, score=np.concatenate(list(scores.values())),
        )  # fmt: skip
        apart += len({rank.cluster for rank in ranks(judgments, "DA").ranks}) > 1
    assert apart <= 20  # 5 % of 200 are 10; more than 20 come up once in a thousand times
