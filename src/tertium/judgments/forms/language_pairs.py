"""Files with judgments of several language pairs, whose segments are not the same."""

from dataclasses import replace

from tertium.corpus.records import Table
from tertium.errors import Argument, InputError
from tertium.judgments.forms.form import Reading


def of_language_pair(table: Table, source: str, target: str, reading: Reading) -> Table:
    """Keep the rows of the language pair that is asked for, by two columns. Without one, refuse several."""
    if source not in table.columns or target not in table.columns:
        return table
    return of_pair(
        table, [f"{one}-{two}" for one, two in zip(table.columns[source], table.columns[target], strict=True)], reading
    )


def of_pair(table: Table, pairs: list[str], reading: Reading) -> Table:
    """Keep the rows of the language pair that is asked for; `pairs` is that of each row."""
    known = list(dict.fromkeys(pairs))
    listed = ", ".join(known[:12]) + (" …" if len(known) > 12 else "")
    if reading.language_pair is None and len(known) > 1:
        raise InputError(
            f"{table.name} has judgments of {len(known)} language pairs: {listed}. Say which: ",
            Argument("language_pair", known[0]),
            ".",
        )
    if reading.language_pair is None or known == [reading.language_pair]:
        return table
    kept = [row for row, pair in enumerate(pairs) if pair == reading.language_pair]
    if not kept:
        raise InputError(f"{table.name} has no judgments of {reading.language_pair}, only of {listed}.")
    columns = {name: [values[row] for row in kept] for name, values in table.columns.items()}
    return replace(table, columns=columns, lines=[table.lines[row] for row in kept])
