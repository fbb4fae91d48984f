"""Tidy tables of pairs: first, second, outcome, and segment, document, rater where there are any."""

import numpy as np

from tertium.corpus.formats import kind_of
from tertium.corpus.records import read_table
from tertium.errors import InputError
from tertium.judgments.forms.columns import checked_names, whole_numbers
from tertium.judgments.forms.form import Form, Glimpse, Reading
from tertium.judgments.forms.paired import judged
from tertium.judgments.preferences import Preferences
from tertium.judgments.table import Judgments

_OUTCOMES = {"better": 1, "1": 1, "+1": 1, "tie": 0, "0": 0, "worse": -1, "-1": -1}


class Pairs(Form):
    """A row per pair; the outcome is that the first is better, worse, or neither (tie)."""

    name = "pairs"
    holds = "a table with first, second and outcome (better, tie, worse), and segment, document, rater"

    def recognises(self, file: Glimpse) -> bool:
        """Whether the header names two systems and an outcome."""
        return {"first", "second", "outcome"} <= file.names

    def read(self, path: str, reading: Reading) -> Judgments:
        """Read a table; its kind is told by the suffix, TSV if that says nothing."""
        kind = kind_of(path, "outcome")
        table = read_table(path, kind if kind in ("csv", "jsonl", "parquet") else "tsv", warn=reading.warn)
        outcomes = []
        for index, text in enumerate(table.column("outcome")):
            if text not in _OUTCOMES:
                raise InputError(
                    f"{table.where(index)}: the outcome is '{text[:40]}', but better, tie or worse was expected."
                )
            outcomes.append(_OUTCOMES[text])
        first, second = (checked_names(table, name) for name in ("first", "second"))
        for index, (one, two) in enumerate(zip(first, second, strict=True)):
            if one == two:
                raise InputError(f"{table.where(index)}: '{one}' is compared with itself.")
        numbered = "segment" in table.columns
        segments = (
            whole_numbers(table, "segment", reading.first_segment) if numbered else np.zeros(len(table), np.int64)
        )
        rater, document = table.columns.get("rater"), table.columns.get("document")
        pairs = Preferences.of(first, second, segments, outcomes, rater=rater, document=document)
        return judged(pairs, path, reading.warn)
