"""Files with judgments of several language pairs, whose segments are not the same."""

from collections.abc import Sequence
from dataclasses import replace

from tertium.corpus.records import Table
from tertium.errors import Argument, InputError
from tertium.judgments.forms.form import Reading
from tertium.text.languages import target_language


def of_language_pair(table: Table, source: str, target: str, reading: Reading) -> Table:
    """Keep the rows of the language pair that is asked for, by two columns. Without one, refuse several."""
    if source not in table.columns or target not in table.columns:
        return table
    return of_pair(
        table, [f"{one}-{two}" for one, two in zip(table.columns[source], table.columns[target], strict=True)], reading
    )


def chosen_pair(name: str, pairs: Sequence[str], reading: Reading) -> str | None:
    """Return the language pair (or campaign) to read; refuse several where none is asked for. None: all there is."""
    known = list(dict.fromkeys(pairs))
    listed = ", ".join(known[:12]) + (" …" if len(known) > 12 else "")
    if reading.language_pair is None and len(known) > 1:
        raise InputError(
            f"{name} has judgments of {len(known)} language pairs: {listed}. Say which: ",
            Argument("language_pair", known[0]),
            ".",
        )
    wanted = reading.language_pair
    if wanted is None or wanted in known:
        return wanted
    same = [pair for pair in known if _codes(pair) is not None and _codes(pair) == _codes(wanted)]
    if len(same) != 1:
        raise InputError(f"{name} has no judgments of {wanted}, only of {listed}.")
    return same[0]


def _codes(pair: str) -> tuple[str, ...] | None:
    """Return the languages of a pair by one code each, so that en-de is eng-deu; None if they are not known."""
    try:
        return tuple(target_language(side).code for side in pair.split("-")) if pair.count("-") == 1 else None
    except InputError:
        return None


def of_pair(table: Table, pairs: list[str], reading: Reading) -> Table:
    """Keep the rows of the language pair that is asked for; `pairs` is that of each row."""
    wanted = chosen_pair(table.name, pairs, reading)
    if wanted is None:
        return table
    kept = [row for row, pair in enumerate(pairs) if pair == wanted]
    columns = {name: [values[row] for row in kept] for name, values in table.columns.items()}
    return replace(table, columns=columns, lines=[table.lines[row] for row in kept])
