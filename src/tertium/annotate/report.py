"""A study's results as one read-only page: ranks with intervals, agreement, every segment with everybody's spans."""

import base64
import hashlib
from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from tertium.annotate.exchange.answers import Record, records
from tertium.annotate.status import status_of
from tertium.annotate.study.file import Study
from tertium.errors import InputError, MissingExtraError
from tertium.judgments import Judgments, aggregates, ranks, read_judgments


def report_of(study: Study, *, names: bool = False) -> str:
    """Return the page; it runs no script and asks for nothing."""
    judgments = read_judgments(str(study.path))
    status = status_of(study)
    title = study.meta["title"] or study.path.stem
    parts = [
        f"<h1>{escape(title)}</h1>",
        f'<p class="faint">{escape(status.protocol)}: {status.judgments:,} judgments of finished screens by '
        f"{sum(worker.done > 0 for worker in status.workers)} annotators.</p>",
        *_results(judgments),
        "<h2>Agreement</h2>",
        _table(
            ("Measure", "Kind", "Raters", "Value", "Items"),
            [
                (one["measure"], one["kind"], f"{one['first']}, {one['second']}" if one["first"] else "all",
                 f"{one['value']:.2f}", one["units"])
                for one in status.agreements if one["value"] is not None
            ],
            "Agreement",
        ),
        "<h2>Annotators</h2>",
        _table(
            ("Annotator", "Judgments", "Minutes", "Mean", "Checks noticed"),
            [
                ((worker.name or worker.annotator) if names else worker.annotator, worker.judgments,
                 f"{worker.active_minutes:.1f}", "" if worker.mean is None else f"{worker.mean:.2f}",
                 f"{worker.passed} of {worker.checks}" if worker.checks else "")
                for worker in status.workers
            ],
            "Annotators",
        ),
        "<h2>Segments</h2>",
        *_segments(records(study, names=names)),
    ]  # fmt: skip
    style = (files("tertium.annotate.page") / "report.css").read_text(encoding="utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{digest}'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(parts)
        + "\n</main>\n</body>\n</html>\n"
    )


def _results(judgments: Judgments) -> Iterable[str]:
    if len(judgments.preferences):
        yield "<h2>Wins</h2>"
        pairs = judgments.preferences
        wins = {system: [0, 0, 0] for system in pairs.system}
        for first, second, outcome in zip(
            pairs.first.tolist(), pairs.second.tolist(), pairs.outcome.tolist(), strict=True
        ):
            wins[pairs.system[first]][1 - outcome] += 1
            wins[pairs.system[second]][1 + outcome] += 1
        order = sorted(wins, key=lambda system: -(wins[system][0] - wins[system][2]) / max(sum(wins[system]), 1))
        yield _table(("System", "Wins", "Ties", "Losses"), [(name, *wins[name]) for name in order], "Wins")
    for kind in judgments.kinds:
        yield f"<h2>Systems by {escape(kind)}</h2>"
        lower = kind in judgments.lower_is_better
        found = sorted(aggregates(judgments, kinds=[kind]), key=lambda one: one.score if lower else -one.score)
        try:
            places = {
                rank.system: f"{rank.cluster} ({rank.best}–{rank.worst})" for rank in ranks(judgments, kind).ranks
            }
        except (InputError, MissingExtraError):
            places = {}
        ends = [value for one in found for value in (one.low, one.high, one.score) if value is not None]
        rows = [
            (one.system, f"{one.score:.2f}", _between(one.low, one.high),
             _Raw(_interval(one, min(ends), max(ends))), places.get(one.system, ""), one.segments)
            for one in found
        ]  # fmt: skip
        yield _table(
            ("System", kind, "95 % (bootstrap over segments)", "Interval", "Cluster (ranks)", "Segments"), rows, kind
        )


def _between(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{low:.2f}–{high:.2f}"


class _Raw(str):
    """Markup of our own."""


def _interval(one: Any, low: float, high: float) -> str:
    if one.low is None:
        return ""
    left, right, middle = (200 * (value - low) / ((high - low) or 1) + 6 for value in (one.low, one.high, one.score))
    return (
        f'<svg width="212" height="14" role="img" aria-label="from {one.low:.2f} to {one.high:.2f}">'
        f'<rect class="bar" x="{left:.1f}" y="6" width="{max(right - left, 1):.1f}" height="3" rx="1.5"/>'
        f'<circle class="bar" cx="{middle:.1f}" cy="7.5" r="5"/></svg>'
    )


def _table(header: Sequence[str], rows: Sequence[Sequence[Any]], label: str) -> str:
    if not rows:
        return '<p class="faint">Nothing to show yet.</p>'
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in header)
    body = "".join(
        "<tr>" + "".join(f"<td>{cell if isinstance(cell, _Raw) else escape(str(cell))}</td>" for cell in row) + "</tr>"
        for row in rows
    )
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{escape(label)}"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _segments(found: Iterable[Record]) -> Iterable[str]:
    groups: dict[int, list[Record]] = {}
    for record in found:
        if record.system is not None and record.kind == "target":
            groups.setdefault(record.segment, []).append(record)
    for segment, own in groups.items():
        rows = "".join(
            f'<tr><th scope="row">{escape(record.system or "")}</th><td>{escape(record.rater)}</td>'
            f"<td>{escape(', '.join(f'{value:g}' for value in record.scores.values()))}</td>"
            f'<td class="text" dir="auto">{_marked(record)}</td></tr>'
            for record in own
        )
        yield (
            f'<details><summary>{segment}. <span dir="auto">{escape(own[0].source)}</span></summary><div '
            f'class="scroll" tabindex="0" role="region" aria-label="Segment {segment}"><table><thead><tr>'
            '<th scope="col">System</th><th scope="col">Annotator</th><th scope="col">Score</th>'
            f'<th scope="col">Output</th></tr></thead><tbody>{rows}</tbody></table></div></details>'
        )


def _marked(record: Record) -> str:
    text = record.answer.get("text") or record.output
    if "text" in record.answer:
        return escape(text)
    pieces, at = [], 0
    missing = ""
    for span in sorted(record.spans, key=lambda span: (span["start"], span["end"])):
        if span["side"] != "target":
            words = span["text"] or "something"
            missing += f" [{escape(span['severity'] or '')}, missing: {escape(words)}]"
        elif span["start"] >= at:
            pieces.append(escape(text[at : span["start"]]))
            about = " ".join(filter(None, (span["severity"], span["category"], span.get("note"))))
            inside = escape(text[span["start"] : span["end"]])
            pieces.append(
                f'<mark class="{escape(span["severity"] or "minor")}" title="{escape(about)}">{inside}</mark>'
            )
            at = span["end"]
    return "".join(pieces) + escape(text[at:]) + missing
