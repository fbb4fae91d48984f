"""Alignments as text for a terminal, and as a page."""

import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from itertools import groupby

from tertium.metrics.alignment import Alignment
from tertium.metrics.drawn_alignment import as_lines, as_steps, remarks, summary
from tertium.report.pages.page import framed
from tertium.text.visible import visible


@dataclass(frozen=True)
class Shown:
    """An alignment with where it comes from."""

    system: str
    segment: int
    alignment: Alignment


def as_text(items: Iterable[Shown], *, color: bool, width: int | None = None) -> Iterator[str]:
    """Return alignments as lines of text that fit the window, piece by piece."""
    columns = width or shutil.get_terminal_size((80, 24)).columns
    for item in items:
        yield visible(_heading(item)) + "\n"
        yield from as_lines(item.alignment, width=columns, color=color)
        for line in remarks(item.alignment):
            yield f"  {visible(line)}\n"
        yield "\n"


def _heading(item: Shown) -> str:
    system = f"{item.system}, " if item.system else ""
    return f"{system}segment {item.segment}, {summary(item.alignment)}"


_LEGEND = """<h1>Alignments</h1>
<p class="legend">Above the line the reference, below it the hypothesis after all shifts.
<span class="substitution">&nbsp;S substitution&nbsp;</span> <span class="insertion">&nbsp;I extra word&nbsp;</span>
<span class="deletion">&nbsp;D missing word&nbsp;</span> <span class="jump">&nbsp;J jump&nbsp;</span>
<span class="stem">&nbsp;stem, syn, para: matched by stem, as a synonym or paraphrase&nbsp;</span>
<span class="moved"><span class="hyp">moved by a shift</span></span></p>
"""


def as_html(items: Iterable[Shown], signature: str = "") -> str:
    """Return a page that needs nothing else. Systems stand side by side if there is room."""
    groups = (map(_section, group) for _, group in groupby(items, key=lambda item: item.segment))
    sections = "".join(f'<div class="segment">{"".join(group)}</div>\n' for group in groups)
    below = f'<p class="legend"><code>{escape(signature)}</code></p>\n' if signature else ""
    return framed(_LEGEND + sections + below, title="Alignments", style="alignments.css")


def _section(item: Shown) -> str:
    said = "<br>".join(escape(line, quote=False) for line in remarks(item.alignment))
    return (
        f'<section><h2>{escape(_heading(item))}</h2><div class="alignment">{as_steps(item.alignment)}</div>'
        + (f'<p class="shifts">{said}</p>' if said else "")
        + "</section>\n"
    )
