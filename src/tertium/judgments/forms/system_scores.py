"""Scores of whole systems, as WMT publishes them beside or instead of judgments of segments."""

import re
from collections.abc import Iterator
from itertools import chain

import numpy as np

from tertium.corpus.records import Table, read_fields, table_of
from tertium.errors import InputError
from tertium.judgments.forms.columns import checked_names, numbers, tell_missing
from tertium.judgments.forms.form import Form, Glimpse, Reading
from tertium.judgments.forms.language_pairs import of_pair
from tertium.judgments.table import Judgments

_RANKING = ("RAW.SCR", "Z.SCR", "N", "N.ALL", "SYS")  # what a ranking holds, which has no header
_KINDS = {"RAW.SCR": "DA-raw", "Z.SCR": "DA-z", "HUMAN_RAW": "DA-raw", "HUMAN": "DA-z", "human": "human"}
_NAMES = ("SYS", "SYSTEM", "system")


class SystemScores(Form):
    """`ad-sys-scores-*.csv` (RAW.SCR Z.SCR N SYS), `ad-sys-ranking-*.csv` (no header), `DA-syslevel.csv` (LP …)."""

    name = "systems"
    holds = "WMT's scores of systems: ad-sys-scores-*.csv, ad-sys-ranking-*.csv, DA-syslevel.csv"

    def recognises(self, file: Glimpse) -> bool:
        """Whether the header names systems and their scores and no segments, or a line is four numbers and a name."""
        words = set(file.words)
        has_scores = bool(words & set(_KINDS)) and bool(words & set(_NAMES)) and not words & {"SID", "sid", "score"}
        return (has_scores and not words & {"segment", "rater"}) or _is_ranking(file.line)

    def read(self, path: str, reading: Reading) -> Judgments:
        """Read the scores of a language pair."""
        table = _table(path, read_fields(path, warn=reading.warn, split=str.split))
        if "LP" in table.columns:
            table = of_pair(table, table.columns["LP"], reading)
        system = table.find(*_NAMES)
        found = [column for column in _KINDS if column in table.columns]
        if system is None or not found:
            raise InputError(
                f"{path}, line 1 has the columns {', '.join(table.columns)[:80]}, but scores of systems have SYS or "
                "SYSTEM, and RAW.SCR, Z.SCR or HUMAN."
            )
        names = checked_names(table, system)
        # A system's score rests on so many segments; its judgments may be more.
        counts = numbers(table, "N") if "N" in table.columns else np.ones(len(table))
        parts = []
        for column in found:
            scores = numbers(table, column)
            tell_missing(table, scores, reading.warn)
            kept = np.isfinite(scores)
            parts.append(
                Judgments.of(
                    system=[name for name, keep in zip(names, kept, strict=True) if keep],
                    score=scores[kept],
                    count=np.maximum(np.nan_to_num(counts[kept], nan=1), 1),
                    kind=_KINDS[column],
                )
            )
        return Judgments.joined(parts)


def _is_ranking(line: str) -> bool:
    return bool(re.fullmatch(r"(-?\d+(\.\d+)?(e-?\d+)?\s+){2}\d+\s+\d+\s+[^\s\d]\S*\s*", line))


def _table(path: str, records: Iterator[tuple[int, list[str]]]) -> Table:
    line, first = next(records, (0, []))
    if _is_ranking(" ".join(first)):
        return table_of(path, chain([(line, first)], records), _RANKING)
    return table_of(path, records, first)
