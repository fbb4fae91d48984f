"""What results have in common: plain data, data frames, and a table of a few lines at a prompt or in a notebook."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

from tertium.errors import MissingExtraError

_MOST_LINES = 12  # of a table at a prompt
_MOST_ROWS = 60  # of a table in a notebook
_STYLE = (
    "border-collapse:collapse;font-variant-numeric:tabular-nums",
    "text-align:left;padding:.15em .7em;border-bottom:1px solid currentColor",
    "padding:.15em .7em;text-align:",
)


class Result:
    """A result that can be had as plain data and as a data frame."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields, unless a result says it better."""
        return asdict(cast(Any, self))  # results are dataclasses

    def rows_of_frame(self) -> Iterable[dict[str, Any]]:
        """Return the rows of a data frame; a result of one piece is one row."""
        return [self.to_dict()]

    def to_pandas(self) -> Any:
        """Return a pandas data frame."""
        return pandas_frame(self.rows_of_frame())

    def to_polars(self) -> Any:
        """Return a Polars data frame."""
        return polars_frame(self.rows_of_frame())


class Shown(Result):
    """A result that says in a table what it is."""

    def table(self) -> "Table":
        """Return what is worth seeing at once."""
        raise NotImplementedError

    def __repr__(self) -> str:
        """Return the table as text."""
        return self.table().text()

    def _repr_html_(self) -> str:
        """Return the table as notebooks show it."""
        return self.table().html()


def pandas_frame(records: Iterable[dict[str, Any]]) -> Any:
    """Return records as a pandas data frame; pandas is imported only here."""
    try:
        import pandas
    except ImportError:
        raise MissingExtraError("to_pandas needs pandas: pip install pandas.") from None
    return pandas.DataFrame(list(records))


def polars_frame(records: Iterable[dict[str, Any]]) -> Any:
    """Return records as a Polars data frame; Polars is imported only here."""
    try:
        import polars
    except ImportError:
        raise MissingExtraError("to_polars needs Polars: pip install polars.") from None
    return polars.DataFrame(list(records), infer_schema_length=None, strict=False)


@dataclass(frozen=True)
class Table:
    """Cells with what stands above and below them; `best` are the places (row, column) that are marked."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()
    best: frozenset[tuple[int, int]] = frozenset()
    words: int = 1  # how many columns hold words

    def text(self) -> str:
        """Return aligned lines; of many rows the first."""
        shown = [
            [cell + ("*" if (i, j) in self.best else "") for j, cell in enumerate(row)]
            for i, row in enumerate(self.rows[:_MOST_LINES])
        ]
        widths = [max(map(len, column)) for column in zip(self.header, *shown, strict=True)]
        lines = [
            "  ".join(
                cell.ljust(width) if j < self.words else cell.rjust(width)
                for j, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in [self.header, *shown]
        ]
        return "\n".join([self.title, *lines, *self._rest(_MOST_LINES), *self.notes])

    def html(self) -> str:
        """Return a table of HTML that takes its colours from the page it stands in."""
        from html import escape

        whole, head, cell = _STYLE
        heads = "".join(f'<th style="{head}">{escape(name)}</th>' for name in self.header)
        rows = []
        for i, row in enumerate(self.rows[:_MOST_ROWS]):
            cells = []
            for j, text in enumerate(row):
                marked = f"<strong>{escape(text)}</strong>" if (i, j) in self.best else escape(text)
                cells.append(f'<td style="{cell}{"left" if j < self.words else "right"}">{marked}</td>')
            rows.append(f"<tr>{''.join(cells)}</tr>")
        notes = "".join(f"<br><small>{escape(note)}</small>" for note in [*self._rest(_MOST_ROWS), *self.notes])
        return (
            f'<div><p>{escape(self.title)}</p><table style="{whole}"><thead><tr>{heads}</tr></thead>'
            f"<tbody>{''.join(rows)}</tbody></table>{notes}</div>"
        )

    def _rest(self, most: int) -> list[str]:
        return [f"… and {len(self.rows) - most:,} more"] if len(self.rows) > most else []


def number(value: float | None, decimals: int = 2) -> str:
    """Return a number as a table shows it; a dash where there is none."""
    return "-" if value is None or value != value else f"{value:.{decimals}f}"


def interval(low: float | None, high: float | None, decimals: int = 2) -> str:
    """Return an interval in brackets; a dash where there is none."""
    if low is None or high is None or low != low or high != high:
        return "-"
    return f"[{low:.{decimals}f}, {high:.{decimals}f}]"
