"""How `tertium gate` shows its verdict: a table, Markdown for a comment, JUnit's XML."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from tertium.cli.output.score_tables import as_remark, with_signatures
from tertium.cli.output.writing import RECORDS, prose, records_as, table
from tertium.text.visible import visible

if TYPE_CHECKING:
    from tertium.significance.gate import Check, Decision

_MARKS = {"better": "🟢", "same": "🟢", "worse": "🔴", "cannot tell": "🟡", "not comparable": "⚪"}


def rendered(
    decision: "Decision",
    style: str,
    decimals: int,
    baseline: str | None,
    told: str | None,
    signatures: Mapping[str, str],
) -> str | Iterator[str]:
    """Return the verdict in one of the formats; TSV, CSV and JSON lines hold a row per metric.

    Signatures stand below tables as they are `told`, and in records in full.
    """
    if style in RECORDS:
        from tertium import __version__

        whole = decision.to_dict()
        rows = whole.pop("checks")
        if told is not None:
            rows = list(with_signatures(rows, signatures))
        return records_as(style, rows, head={"tertium": __version__, "baseline": baseline} | whole, key="checks")
    parts = [_changes(decision)] if decision.changes else [_table(decision, style, decimals)]
    concluded = f"{_conclusion(decision, baseline)}\n"
    return "\n".join(
        [*parts, prose(concluded) if style == "table" else concluded, *([as_remark(style, told)] if told else [])]
    )


def marked(decision: "Decision", decimals: int, baseline: str | None) -> str:
    """Return Markdown that begins with a mark nobody sees: a bot finds its comment by it, and replaces it."""
    name = Path(baseline).stem if baseline else "floor"
    title = f"{_MARKS[decision.verdict]} **Translation quality: {decision.verdict}**"
    body = _changes(decision) if decision.changes else _table(decision, "markdown", decimals)
    mark = f"<!-- tertium-gate: {re.sub('-{2,}', '-', visible(name))} -->"
    return f"{mark}\n{title}\n\n{body}\n{_conclusion(decision, baseline)}\n"


def _table(decision: "Decision", style: str, decimals: int) -> str:
    from tertium.metrics.names import title

    header = ["Metric", "Verdict", "Baseline", "Now", "Difference", "Interval", "p", "Detectable"]
    rows = [
        [title(one.metric), one.verdict, _number(one.baseline, decimals), _number(one.score, decimals),
         "-" if one.difference is None else f"{one.difference:+.{decimals}f}",
         "-" if one.low is None else f"[{one.low:.{decimals}f}, {one.high:.{decimals}f}]",
         _number(one.p_adjusted, 4), _number(one.detectable, decimals)]
        for one in decision.checks
    ]  # fmt: skip
    last = len(header) - (style == "table")  # the line below says what is detectable, where one cannot tell
    shown = [k for k in range(last) if k == 0 or any(row[k] != "-" for row in rows)]
    cells = [[row[k] for k in shown] for row in rows]
    said = "".join(f"- {title(one.metric)}: {one.verdict} ({one.reason})\n" for one in decision.checks)
    told = table(style, [header[k] for k in shown], cells, best=set(), texts=2)
    return told if style == "latex" else f"{told}\n{said}"


def _number(value: float | None, decimals: int) -> str:
    return "-" if value is None else f"{value:.{decimals}f}"


def _changes(decision: "Decision") -> str:
    lines = [f"- {change}" for change in decision.changes]
    return "\n".join(["What has changed since the baseline:", "", *lines]) + "\n"


def _conclusion(decision: "Decision", baseline: str | None) -> str:
    against = f" against {baseline}" if baseline else ""
    ends = {0: "pass", 3: "fail", 4: "no verdict"}[decision.code]
    advice = ""
    if decision.changes:
        advice = " Score the old system again and make a new baseline of it, with --update."
    elif decision.verdict == "cannot tell":
        advice = " More segments would tell; so may a tolerance (--tolerance X --test randomization)."
    return (
        f"{decision.system}{against}, {decision.segments:,} segments: {decision.verdict}, {ends} "
        f"(exit {decision.code}).{advice}"
    )


def junit_xml(decision: "Decision") -> str:
    """Return a test suite with a test per metric; what is not comparable is an error, a regression a failure."""
    failing = [one for one in decision.checks if _fails(decision, one)]
    cases = [_case(decision, one) for one in decision.checks]
    if decision.changes:
        said = escape(visible("; ".join(map(str, decision.changes))))
        cases = [_opened(decision, "comparable") + f'<error message="not comparable">{said}</error></testcase>']
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<testsuite name="tertium gate" tests="{len(cases)}" failures="{len(failing)}" '
        f'errors="{int(bool(decision.changes))}" skipped="0">\n  ' + "\n  ".join(cases) + "\n</testsuite>\n"
    )


def _fails(decision: "Decision", one: "Check") -> bool:
    return one.verdict == "worse" or (decision.strict and one.verdict == "cannot tell")


def _opened(decision: "Decision", name: str) -> str:
    return f"<testcase classname={quoteattr(visible(decision.system))} name={quoteattr(visible(name))}>"


def _case(decision: "Decision", one: "Check") -> str:
    said = f"{one.verdict} ({one.reason}): {one.metric} {one.score!r}"
    said += "" if one.baseline is None else f", baseline {one.baseline!r}"
    tag = "failure" if _fails(decision, one) else "system-out"
    message = f" message={quoteattr(visible(f'{one.verdict} ({one.reason})'))}" if tag == "failure" else ""
    return f"{_opened(decision, one.metric)}<{tag}{message}>{escape(visible(said))}</{tag}></testcase>"
