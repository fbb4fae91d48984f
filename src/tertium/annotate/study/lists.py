"""Fixed lists: who judges what, with even loads, shared items, and no document twice."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tertium.errors import Argument, InputError


@dataclass(frozen=True)
class Task:
    """A document with some systems' outputs, to be judged by one person at a time."""

    id: int
    document: int
    systems: tuple[int, ...]
    words: int


def check_people(annotators: int, tasks: int, judgments: int, *, same_document: bool) -> None:
    """Refuse too few people for documents of this many tasks, each judged this often."""
    if tasks * judgments > annotators and not same_document:
        raise InputError(
            f"A document has up to {tasks * judgments} judgments to be made (systems x judgments per item), but there "
            f"are only {annotators} annotators, and nobody should see a document twice. Give ",
            Argument("annotators", tasks * judgments),
            " or more, or say ",
            Argument("same_document", True),
            ": then people see a document again with another system's output.",
        )
    if judgments > annotators:
        raise InputError(f"{judgments} judgments per item need as many annotators, not {annotators}.")


def fixed_lists(
    tasks: Sequence[Task],
    annotators: int,
    *,
    judgments: int = 1,
    overlap: float = 0.0,
    same_document: bool = False,
    rng: random.Random,
) -> list[list[Task]]:
    """Return a list of tasks for each annotator.

    Every task is judged `judgments` times, a share `overlap` of the documents once more. Long documents are given out
    first, always to whoever has the least to read so far; among equals to whom has seen these systems least, then
    to whom has shared least with the others who judge the same task.
    """
    by_document: dict[int, list[Task]] = {}
    for task in tasks:
        by_document.setdefault(task.document, []).append(task)
    documents = list(by_document)
    rng.shuffle(documents)
    twice = set(documents[: round(overlap * len(documents))])
    most = max(map(len, by_document.values()), default=0)
    check_people(annotators, most, judgments + bool(twice), same_document=same_document)
    documents.sort(key=lambda document: -sum(task.words for task in by_document[document]))
    lists: list[list[Task]] = [[] for _ in range(annotators)]
    words, seen, shared = [0] * annotators, Counter[tuple[int, int]](), Counter[tuple[int, int]]()
    for document in documents:
        busy: Counter[int] = Counter()
        for task in sorted(by_document[document], key=lambda task: -task.words):
            judges: list[int] = []
            for _ in range(judgments + (document in twice)):

                def cost(one: int, task: Task = task, judges: list[int] = judges) -> tuple[float, ...]:
                    met = sum(seen[one, system] for system in task.systems)
                    known = sum(shared[min(one, other), max(one, other)] for other in judges)
                    return (known if judges else 0, words[one], met, rng.random())

                free = [one for one in range(annotators) if one not in judges and (not busy[one] or same_document)]
                # Who has not met the document comes before who has.
                least = min(busy[one] for one in free)
                judge = min((one for one in free if busy[one] == least), key=cost)
                for other in judges:
                    shared[min(judge, other), max(judge, other)] += 1
                judges.append(judge)
                busy[judge] += 1
                words[judge] += task.words
                lists[judge].append(task)
                for system in task.systems:
                    seen[judge, system] += 1
    for one in lists:
        rng.shuffle(one)
    return lists


def with_checks(length: int, checks: int, rng: random.Random) -> list[tuple[int, int]]:
    """Return where checks go in a list: pairs of the place of a task and after how many tasks its check comes.

    Checks are spread over the list and stand apart from what they check, so that nobody sees a pattern.
    """
    checks = min(checks, max(length - 1, 0))
    places = rng.sample(range(length), checks)
    found = []
    for place in places:
        earliest = min(place + max(2, length // 4), length)
        found.append((place, rng.randint(earliest, length)))
    return found
