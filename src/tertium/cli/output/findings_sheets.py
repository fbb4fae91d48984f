"""The tables of `tertium shared-task`, each for a paper (LaTeX) and for a program (CSV)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tertium.cli.output.writing import records_as, tex

if TYPE_CHECKING:
    from tertium.meta import MetricComparisons
    from tertium.meta.findings import Findings, HumanRanking
    from tertium.meta.task_sets import Task
    from tertium.meta.tasks import TaskAverage, TaskAverages

Row = dict[str, Any]


@dataclass(frozen=True)
class Sheet:
    """A table: `records` with all digits for programs; `header` and `body` as a paper prints them.

    `texts` columns are words, the rest numbers; a line is drawn above the rows that `opens` names: clusters.
    """

    name: str  # of its files
    title: str
    records: list[Row]
    header: list[str]
    body: list[list[str]]
    texts: int = 1
    opens: frozenset[int] = frozenset()
    bold: frozenset[tuple[int, int]] = frozenset()
    note: str = ""

    def csv(self) -> str:
        """Return the records as CSV."""
        return "".join(records_as("csv", self.records, head={}, key=""))

    def latex(self) -> str:
        """Return a tabular, with its title as a comment."""
        lines = [f"% {self.title}", *([f"% {self.note}"] if self.note else [])]
        lines += [r"\begin{tabular}{" + "l" * self.texts + "r" * (len(self.header) - self.texts) + "}", r"\hline"]
        lines.append(" & ".join(map(tex, self.header)) + r" \\ \hline")
        for i, row in enumerate(self.body):
            if i in self.opens:
                lines.append(r"\hline")
            cells = [rf"\textbf{{{tex(cell)}}}" if (i, j) in self.bold else tex(cell) for j, cell in enumerate(row)]
            lines.append(" & ".join(cells) + r" \\")
        return "\n".join([*lines, r"\hline", r"\end{tabular}"]) + "\n"


def sheets(found: "Findings", decimals: int) -> Iterator[Sheet]:
    """Yield the tables: people's rankings, metrics by test set, the average, then tasks and tests one by one."""
    for human in found.humans:
        yield _human(human, found.kind, decimals)
    yield _average(found.average, decimals)
    for human in found.humans:
        if (sheet := _metrics(found, human.name, decimals)) is not None:
            yield sheet
    for task in found.tasks:
        yield _task(task, decimals)
    for human in found.humans:
        if human.ranks is not None:
            yield _people_tests(human, found.kind)
    if found.average.ranks is not None:
        yield _tests(found.average.ranks.comparisons, "average", "the average over tasks")
    for task in found.tasks:
        if task.ranks is not None:
            yield _tests(task.ranks.comparisons, task.tasks[0].name, task.tasks[0].name)


def _human(human: "HumanRanking", kind: str, decimals: int) -> Sheet:
    title = f"Systems by {kind}{_of(human.name)}"
    domains = list(human.by_domain)
    header = ["System", kind, *domains]
    means = {system: [human.by_domain[domain].get(system) for domain in domains] for system in human.scores}
    if human.ranks is None:
        records = [{"system": system, "score": score} for system, score in human.scores.items()]
        body = [[system, _number(score, decimals)] for system, score in human.scores.items()]
        return Sheet(_file("human", human.name), title, records, header[:2], body)
    records, body = [], []
    for rank in human.ranks.ranks:
        own = {key: value for key, value in rank.to_dict().items() if key != "kind"}
        records.append(own | dict(zip(domains, means[rank.system], strict=True)))
        numbers = [rank.score, *means[rank.system]]
        body.append([_span(rank.start, rank.end), rank.system, *(_number(one, decimals) for one in numbers),
                     str(rank.wins), _span(rank.best, rank.worst)])  # fmt: skip
    opens = _opens([rank.cluster for rank in human.ranks.ranks])
    note = f"{human.ranks.rule.says}; p < {human.ranks.alpha:g}."
    return Sheet(_file("human", human.name), title, records, ["Rank", *header, "Wins", "Places"], body, 2, opens,
                 note=note)  # fmt: skip


def _average(found: "TaskAverages", decimals: int) -> Sheet:
    names = [task.name for task in found.tasks]
    records = [_fields(one, one.average) | dict(zip(names, one.values, strict=True)) for one in found.averages]
    body = [
        [*_places(one, decimals), *(_number(value, decimals) for value in one.values)] for one in found.averages
    ]  # fmt: skip
    note = "Weights: " + ", ".join(f"{task.name} {task.weight:g}" for task in found.tasks) + "."
    header = ["Rank", "Metric", "Average", "Interval", "Places", *names]
    return Sheet("average", "Metrics on average over tasks", records, header, body, 2,
                 _opens([one.rank for one in found.averages]), note=note)  # fmt: skip


def _metrics(found: "Findings", name: str, decimals: int) -> Sheet | None:
    """Return the metrics of one test set: their coefficients in its tasks, with ranks in brackets."""
    ours = [one for one in found.tasks if one.tasks[0].pairs == (name,)]
    if not ours:
        return None
    order = [one.metric for one in found.average.averages]
    order += [one.metric for task in ours for one in task.averages]
    by_task = [(task.tasks[0], {one.metric: one for one in task.averages}) for task in ours]
    records, body = [], []
    for metric in dict.fromkeys(order):
        record: Row = {"metric": metric}
        row = [metric]
        for task, placed in by_task:
            one = placed.get(metric)
            values: Sequence[Any] = [None] * 4 if one is None else [one.values[0], *_unmapped(task, one), one.rank]
            record |= dict(zip((f"{_what(task)}{end}" for end in ("", " low", " high", " rank")), values, strict=True))
            row.append("–" if one is None else f"{_number(one.values[0], decimals)} ({one.rank})")
        if len({*row[1:]} - {"–"}):
            records.append(record)
            body.append(row)
    best = frozenset(
        (i, j + 1) for j, (_, placed) in enumerate(by_task) for i, row in enumerate(records)
        if placed.get(row["metric"]) is not None and placed[row["metric"]].rank == 1
    )  # fmt: skip
    title = f"Metrics{_of(name)}, with their ranks"
    return Sheet(_file("metrics", name), title, records, ["Metric", *(_what(task) for task, _ in by_task)], body, 1,
                 bold=best, note="Bold: the first rank.")  # fmt: skip


def _task(found: "TaskAverages", decimals: int) -> Sheet:
    (task,) = found.tasks
    records, body = [], []
    for one in found.averages:
        low, high = _unmapped(task, one)
        records.append(_fields(one, one.values[0]) | {"low": low, "high": high})
        body.append([str(one.rank), one.metric, _number(one.values[0], decimals), _between(low, high, decimals),
                     _span(one.best, one.worst)])  # fmt: skip
    opens = _opens([one.rank for one in found.averages])
    title = f"Metrics in {task.name}"
    header = ["Rank", "Metric", task.method, "Interval", "Places"]
    return Sheet(_file("task", task.name), title, records, header, body, 2, opens)


def _tests(compared: "MetricComparisons", name: str, words: str) -> Sheet:
    """Return the matrix of p-values of metrics."""
    matrix = compared.matrix
    records = [{"metric": one, **matrix[one]} for one in compared.metrics]
    body = [
        [one, *("" if (p := matrix[one][other]) is None else f"{p:.3f}" for other in compared.metrics)]
        for one in compared.metrics
    ]
    bold = frozenset(
        (i, j + 1) for i, one in enumerate(compared.metrics) for j, other in enumerate(compared.metrics)
        if (p := matrix[one][other]) is not None and p <= compared.alpha
    )  # fmt: skip
    note = f"p of the row's metric being better than the column's; bold: p <= {compared.alpha:g}. {compared.signature}"
    return Sheet(_file("significance", name), f"Tests in {words}", records, ["p", *compared.metrics], body, 1,
                 bold=bold, note=note)  # fmt: skip


def _people_tests(human: "HumanRanking", kind: str) -> Sheet:
    assert human.ranks is not None
    names = [rank.system for rank in human.ranks.ranks]
    table = human.ranks.p_values
    records = [
        {"system": one} | {two: None if i == j else float(table[i, j]) for j, two in enumerate(names)}
        for i, one in enumerate(names)
    ]
    body = [[one, *("" if i == j else f"{table[i, j]:.3f}" for j in range(len(names)))] for i, one in enumerate(names)]
    wins = human.ranks.wins()
    bold = frozenset((i, j + 1) for i in range(len(names)) for j in range(len(names)) if i != j and wins[i, j])
    if (table == table.T).all():
        note = f"p of the two systems' difference; bold: the row's is better, p < {human.ranks.alpha:g}."
    else:
        note = f"p of the row's system being better than the column's; bold: p < {human.ranks.alpha:g}."
    return Sheet(_file("human-significance", human.name), f"Tests of systems by {kind}{_of(human.name)}", records,
                 ["p", *names], body, 1, bold=bold, note=note)  # fmt: skip


def _fields(one: "TaskAverage", value: float) -> Row:
    return {"rank": one.rank, "metric": one.metric, "value": value, "low": one.low, "high": one.high,
            "best": one.best, "worst": one.worst}  # fmt: skip


def _places(one: "TaskAverage", decimals: int) -> list[str]:
    return [str(one.rank), one.metric, _number(one.average, decimals), _between(one.low, one.high, decimals),
            _span(one.best, one.worst)]  # fmt: skip


def _unmapped(task: "Task", one: "TaskAverage") -> tuple[float | None, float | None]:
    """Return the interval on the coefficient's own scale."""
    low, high = (None if end is None else task.unmapped(end) for end in (one.low, one.high))
    return low, high


def _what(task: "Task") -> str:
    return task.name.removeprefix(f"{task.pairs[0]} ")


def _of(name: str) -> str:
    return f" of {name}" if name else ""


def _opens(clusters: Sequence[int]) -> frozenset[int]:
    return frozenset(i for i in range(1, len(clusters)) if clusters[i] != clusters[i - 1])


def _number(value: float | None, decimals: int) -> str:
    return "–" if value is None or value != value else f"{value:.{decimals}f}"


def _between(low: float | None, high: float | None, decimals: int) -> str:
    return "–" if low is None or high is None else f"[{low:.{decimals}f}, {high:.{decimals}f}]"


def _span(best: int | None, worst: int | None) -> str:
    return "–" if best is None else str(best) if best == worst else f"{best}-{worst}"


def _file(kind: str, name: str) -> str:
    """Return a file's name in letters that all systems take."""
    plain = re.sub(r"[^\w.-]+", "-", name).strip("-.")
    return f"{kind}.{plain}" if plain else kind
