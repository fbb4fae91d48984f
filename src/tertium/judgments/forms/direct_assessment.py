"""Direct assessment: scores from 0 to 100, as WMT's files hold them."""

import re
from collections.abc import Sequence
from functools import partial

import numpy as np

from tertium.corpus.records import first_line, read_fields, table_of
from tertium.errors import InputError
from tertium.judgments.forms.columns import numbers, segments, tell_missing, tell_repeated
from tertium.judgments.forms.form import Form, Glimpse, Reading
from tertium.judgments.forms.item_types import by_type
from tertium.judgments.forms.language_pairs import of_language_pair
from tertium.judgments.table import Judgments


class DirectAssessment(Form):
    """WMT's `ad-seg-scores-*.csv` (SYS SID RAW.SCR Z.SCR N) or `ad-*-stnd*.csv` (HITId WorkerId … sys_id … score)."""

    name = "da"
    holds = "WMT's direct assessments: ad-seg-scores-*.csv, or single ones, ad-*-raw.csv and ad-*-stnd.csv"

    def recognises(self, file: Glimpse) -> bool:
        """Whether the header is one of the two."""
        return file.words[:2] == ("SYS", "SID") or {"sys_id", "sid", "score"} <= file.names

    def read(self, path: str, reading: Reading) -> Judgments:
        """Read segment scores or single assessments."""
        header = first_line(path).split()
        if header[:2] == ["SYS", "SID"]:
            found = _segment_scores(path, header, reading)
        elif "sys_id" in header and "sid" in header:
            found = _single_assessments(path, header, reading)
        else:
            raise InputError(
                f"{path} begins with '{' '.join(header)[:60]}', but WMT's direct assessments begin with SYS SID "
                "RAW.SCR Z.SCR N, or HITId WorkerId … sys_id rid type sid score."
            )
        return reading.placed(found, path)


def _segment_scores(path: str, header: Sequence[str], reading: Reading) -> Judgments:
    records = read_fields(path, warn=reading.warn, split=str.split)
    next(records)
    table = table_of(path, records, header)
    segment, segment_ids = segments(table, "SID", reading.first_segment)
    counts = numbers(table, "N") if "N" in table.columns else np.ones(len(table))
    parts = []
    for column, kind in (("RAW.SCR", "DA-raw"), ("Z.SCR", "DA-z")):
        if column in table.columns:
            scores = numbers(table, column)
            tell_missing(table, scores, reading.warn)
            kept = np.isfinite(scores)
            parts.append(
                Judgments.of(
                    system=[name for name, keep in zip(table.columns["SYS"], kept, strict=True) if keep],
                    segment=segment[kept],
                    segment_ids=segment_ids,
                    score=scores[kept],
                    count=np.maximum(np.nan_to_num(counts[kept], nan=1), 1),
                    kind=kind,
                )
            )
    found = Judgments.joined(parts)
    tell_repeated(found, table.name, reading.warn)
    return found


def _single_assessments(path: str, header: Sequence[str], reading: Reading) -> Judgments:
    # The header is separated by blanks even where the rows are separated by tabs, or by some of both.
    records = read_fields(path, warn=reading.warn, split=partial(_fields, width=len(header)))
    next(records)
    table = of_language_pair(table_of(path, records, header), "Input.src", "Input.trg", reading)
    scores = numbers(table, "score")
    standard = "stnd" in path or bool((scores < 0).any())
    segment, segment_ids = segments(table, "sid", reading.first_segment)
    return by_type(
        table, table.column("type"), system="sys_id", rater="WorkerId", segment=segment, segment_ids=segment_ids,
        kind="DA-z" if standard else "DA-raw", documents=None, warn=reading.warn,
    )  # fmt: skip


def _fields(line: str, width: int) -> list[str]:
    cut = line.split("\t")
    return [text.strip().strip('"') for text in (cut if len(cut) == width else re.findall(r'"[^"]*"|\S+', line))]
