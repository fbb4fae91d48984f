"""Who judges what: even loads, shared items, no document twice, known probabilities, leases that return."""

import random
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotate.conftest import answer_for, served, work_through
from tertium.annotate.study import checks
from tertium.annotate.study.building import system_groups
from tertium.annotate.study.draws import inclusion, systematic
from tertium.annotate.study.lists import Task, fixed_lists, with_checks
from tertium.errors import InputError


def tasks_of(documents, systems, rng):
    return [Task(d * systems + s, d, (s,), rng.randint(5, 60)) for d in range(documents) for s in range(systems)]


@given(
    st.integers(1, 30), st.integers(1, 4), st.integers(1, 3), st.integers(0, 10), st.floats(0, 1), st.integers(0, 99)
)
def test_lists_keep_their_promises(documents, systems, judgments, more, overlap, seed):
    rng = random.Random(seed)
    tasks = tasks_of(documents, systems, rng)
    annotators = systems * (judgments + 1) + more
    lists = fixed_lists(tasks, annotators, judgments=judgments, overlap=overlap, rng=rng)
    judged = Counter(task.id for one in lists for task in one)
    twice = round(overlap * documents) * systems
    assert sorted(judged.values()) == sorted([judgments] * (len(tasks) - twice) + [judgments + 1] * twice)
    for one in lists:
        seen = [task.document for task in one]
        assert len(seen) == len(set(seen))


def test_loads_are_even():
    rng = random.Random(1)
    lists = fixed_lists(tasks_of(200, 2, rng), 10, rng=rng)
    words = [sum(task.words for task in one) for one in lists]
    assert max(words) - min(words) < 60  # one document at most


def test_every_pair_shares_items():
    rng = random.Random(1)
    lists = fixed_lists(tasks_of(60, 2, rng), 6, overlap=0.5, rng=rng)
    sets = [{task.id for task in one} for one in lists]
    assert all(one & two for one, two in combinations(sets, 2))


def test_too_few_annotators_are_refused_with_the_number():
    rng = random.Random(1)
    with pytest.raises(InputError, match="annotators=4 or more"):
        fixed_lists(tasks_of(5, 2, rng), 2, judgments=2, rng=rng)
    lists = fixed_lists(tasks_of(5, 2, rng), 2, judgments=2, same_document=True, rng=rng)
    assert [len(one) for one in lists] == [10, 10]


@given(st.integers(2, 40), st.integers(0, 40), st.integers(0, 99))
def test_checks_come_after_what_they_check(length, count, seed):
    for place, after in with_checks(length, count, random.Random(seed)):
        assert place + 1 <= after <= length


@given(st.integers(2, 9), st.integers(2, 6), st.integers(0, 99))
def test_groups_hold_every_system_and_nobody_alone(systems, columns, seed):
    groups = system_groups(range(systems), min(columns, systems), random.Random(seed))
    assert set().union(*groups) == set(range(systems))
    assert all(2 <= len(group) <= columns and len(set(group)) == len(group) for group in groups)


@given(st.lists(st.floats(0, 100), min_size=2, max_size=12), st.integers(1, 5))
def test_inclusion_probabilities_sum_to_the_columns(means, columns):
    found = inclusion({i: (9, mean) for i, mean in enumerate(means)}, columns, coldstart=5)
    assert sum(found.values()) == pytest.approx(min(columns, len(means)))
    assert all(0 < value <= 1 + 1e-9 for value in found.values())


def test_systems_are_drawn_with_exactly_their_probabilities():
    rng = random.Random(5)
    wanted = inclusion({i: (9, float(-i)) for i in range(6)}, 3, coldstart=5)
    drawn = Counter(system for _ in range(20_000) for system in systematic(wanted, rng))
    for system, probability in wanted.items():
        assert drawn[system] / 20_000 == pytest.approx(probability, abs=0.02)


def test_a_system_without_enough_judgments_makes_all_alike():
    assert set(inclusion({1: (9, 80.0), 2: (4, 10.0), 3: (9, 5.0)}, 1, coldstart=5).values()) == {1 / 3}


@pytest.mark.parametrize("site", [{"assignment": "pool", "annotators": 3}], indirect=True)
def test_the_pool_gives_each_task_once_and_no_document_twice(site):
    counts = [work_through(site, number) for number in (1, 2, 3)]
    assert sum(counts) == 6  # three documents, two systems
    rows = site.query("SELECT annotator, document FROM assignment JOIN screen ON screen.id = screen")
    assert len(rows) == len({tuple(row) for row in rows})
    assert all(0 < row["document_probability"] <= 1 for row in site.query("SELECT * FROM draw"))


@pytest.mark.parametrize("site", [{"assignment": "pool", "annotators": 3}], indirect=True)
def test_leases_hold_and_return(site):
    for number in (1, 2):
        site.screen(number)
    held = {row["screen"] for row in site.query("SELECT screen FROM assignment")}
    assert len(held) == 2  # different tasks
    work_through(site, 3)  # never gets what is held
    assert not held & {row["screen"] for row in site.query("SELECT screen FROM assignment WHERE annotator = 3")}
    db = site.study.writer()
    db.execute("UPDATE assignment SET leased_until = 1 WHERE done IS NULL")
    db.close()
    from tertium.annotate.study.draws import _open_tasks

    reader = site.study.reader()
    tasks = {row["screen"] for row in _open_tasks(reader, site.study, 99, 2.0)}
    reader.close()
    assert held <= tasks  # after an hour somebody else may have them


@pytest.mark.parametrize("site", [{"assignment": "adaptive", "annotators": 2, "coldstart": 1}], indirect=True)
def test_adaptive_draws_store_their_probabilities(site):
    for number in (1, 2):
        assert work_through(site, number, value=lambda position, place: 85) == 3
    rows = site.query("SELECT * FROM draw")
    assert len(rows) == 6
    assert all(0 < row["probability"] <= 1 for row in rows)


def test_a_degraded_copy_is_never_the_same():
    rng = random.Random(3)
    for text in (
        "a",
        "a a",
        "word",
        "The bridge is closed today and tomorrow.",
        "今天下雪了，桥关了。",
        "",
        "a. b. c.",
    ):
        assert checks.degraded(text, ["one two three four five six seven", "其他的句子在这里呢"], rng) != text


@pytest.mark.parametrize(
    ("words", "length"), [(1, 1), (2, 2), (5, 2), (6, 3), (8, 3), (9, 4), (15, 4), (16, 5), (20, 5), (21, 6), (90, 6)]
)
def test_longer_sentences_lose_more_words(words, length):
    assert checks.phrase_length(words) == length


def test_checks_are_judged_on_the_server(tmp_path):
    with served(tmp_path / "study.db", control=0.4, annotators=2) as site:
        kinds = {
            (row["annotator"], row["position"]): row["kind"]
            for row in site.query("SELECT annotator, position, kind FROM assignment JOIN screen ON screen.id = screen")
        }
        assert "degraded" in kinds.values()
        work_through(site, 1, value=lambda n, place: 10 if kinds[1, n] == "degraded" else 90)
        work_through(site, 2, value=lambda n, place: 90)
        good, bad = (site.screen(number)["code"] for number in (1, 2))
        assert [good, bad] == site.study.meta["codes"]
        from tertium.annotate.status import status_of

        one, two = status_of(site.study).workers
        assert (one.passes, two.passes) == (True, False)
        assert one.checks == one.passed > 0
        assert two.passed == 0


def test_an_answer_to_every_part_is_complete():
    from tertium.annotate.protocols import PROTOCOLS, Shown, checked_answer

    for protocol in PROTOCOLS:
        own = protocol()
        last = len(own.phases) - 1
        answer = answer_for([part.described() for part in own.parts(last)], "text")
        checked = checked_answer(own.parts(last), answer, Shown("text", "source", 2))
        assert own.missing(checked, last) is None
