"""Direct assessment: scores from 0 to 100, as WMT's files and Appraise's exports hold them."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np

from tertium.corpus.records import Table, first_line, read_csv, read_fields, table_of
from tertium.errors import InputError
from tertium.judgments.forms.tidy import numbers, tell_missing, tell_repeated, whole_numbers
from tertium.judgments.labels import Labels
from tertium.judgments.table import Judgments, Warn

_JUDGED = ("SYSTEM", "REPEAT", "TGT")  # repeats are second judgments of the same item by the same rater
_DEGRADED = ("BAD_REF", "BAD")
_APPRAISE = ("username", "system", "itemId", "itemType", "srcLang", "trgLang", "score")
_APPRAISE_DOCUMENT = ("docId", "isDocScore")


@dataclass(frozen=True, eq=False)
class Assessments:
    """Judgments, and those of degraded outputs that were mixed in to test the raters."""

    judgments: Judgments
    degraded: Judgments


def read_da(path: str, *, first_segment: int = 1, warn: Warn) -> Assessments:
    """Read WMT's `ad-seg-scores-*.csv` (SYS SID RAW.SCR Z.SCR N) or `ad-*-stnd*.csv` (HITId WorkerId …)."""
    header = first_line(path).split()
    if header[:2] == ["SYS", "SID"]:
        return Assessments(_segment_scores(path, header, first_segment, warn), _none())
    if "sys_id" in header and "sid" in header:
        return _single_assessments(path, header, first_segment, warn)
    raise InputError(
        f"{path} begins with '{' '.join(header)[:60]}', but WMT's direct assessments begin with SYS SID RAW.SCR "
        "Z.SCR N, or HITId WorkerId … sys_id rid type sid score."
    )


def _segment_scores(path: str, header: Sequence[str], first_segment: int, warn: Warn) -> Judgments:
    records = read_fields(path, warn=warn, split=str.split)
    next(records)
    table = table_of(path, records, header)
    segments = whole_numbers(table, "SID", first_segment)
    counts = numbers(table, "N") if "N" in table.columns else np.ones(len(table))
    parts = []
    for column, kind in (("RAW.SCR", "DA-raw"), ("Z.SCR", "DA-z")):
        if column in table.columns:
            scores = numbers(table, column)
            tell_missing(table, scores, warn)
            kept = np.isfinite(scores)
            parts.append(
                Judgments.of(
                    system=[name for name, keep in zip(table.columns["SYS"], kept, strict=True) if keep],
                    segment=segments[kept],
                    score=scores[kept],
                    count=np.maximum(np.nan_to_num(counts[kept], nan=1), 1),
                    kind=kind,
                )
            )
    found = Judgments.joined(parts)
    tell_repeated(found, table.name, warn)
    return found


def _single_assessments(path: str, header: Sequence[str], first_segment: int, warn: Warn) -> Assessments:
    # The header is separated by blanks even where the rows are separated by tabs.
    records = read_fields(path, warn=warn, split=lambda line: line.split("\t") if "\t" in line else line.split())
    next(records)
    table = table_of(path, records, header)
    scores = numbers(table, "score")
    standard = "stnd" in path or bool((scores < 0).any())
    return _by_type(
        table, table.column("type"), system="sys_id", rater="WorkerId",
        segment=whole_numbers(table, "sid", first_segment),
        kind="DA-z" if standard else "DA-raw", documents=None, warn=warn,
    )  # fmt: skip


def read_appraise(path: str, *, first_segment: int = 1, kind: str = "DA-raw", warn: Warn) -> Assessments:
    """Read Appraise's export: username, system, itemId, itemType, srcLang, trgLang, score [, docId, isDocScore], …

    A header may stand above. Judgments of whole documents are rows of the document; outputs that were made worse on
    purpose (BAD) are kept apart.
    """
    records = read_csv(path, warn=warn)
    line, first = next(records, (0, []))
    if [name.strip().lower() for name in first[:2]] == ["username", "system"]:
        table = table_of(path, records, first)
    else:
        if len(first) < len(_APPRAISE) + 2:
            raise InputError(
                f"{path}, line {line:,} has {len(first)} columns, but Appraise's exports have 9 or 11: "
                f"{', '.join(_APPRAISE)}, [{', '.join(_APPRAISE_DOCUMENT)},] timeStart, timeEnd."
            )
        known = [*_APPRAISE, *(_APPRAISE_DOCUMENT if len(first) >= 11 else ())]
        header = [*known, *(f"column {i + 1}" for i in range(len(known), len(first)))]
        table = table_of(path, chain([(line, first)], records), header)
    documents = table.columns.get("docId")
    if "isDocScore" in table.columns:  # the number beside a document's score is no segment's
        whole = [text.strip().lower() == "true" for text in table.columns["isDocScore"]]
        numbered = ["" if is_whole else text for is_whole, text in zip(whole, table.column("itemId"), strict=True)]
        table = replace(table, columns=table.columns | {"itemId": numbered})
    segments = whole_numbers(table, "itemId", first_segment)
    return _by_type(
        table, table.column("itemType"), system="system", rater="username", segment=segments, kind=kind,
        documents=documents, warn=warn,
    )  # fmt: skip


def _by_type(
    table: Table, types: Sequence[str], *, system: str, rater: str, segment: np.ndarray[tuple[int], np.dtype[np.int64]],
    kind: str, documents: Sequence[str] | None, warn: Warn,
) -> Assessments:  # fmt: skip
    """Keep judgments of outputs and of degraded ones; judgments of references and checks are counted and left out."""
    scores = numbers(table, "score")
    tell_missing(table, scores, warn)
    everything = Judgments(
        system=Labels.of(table.columns[system]),
        document=Labels.of(documents) if documents is not None else Labels.constant(None, len(table)),
        segment=segment,
        rater=Labels.of(table.column(rater)),
        kind=Labels.constant(kind, len(table)),
        score=scores,
        count=np.ones(len(table)),
    )
    plain = [re.sub(r"\..*", "", text.strip().upper()) for text in types]  # TGT.1 is a second pass over TGT
    there = np.isfinite(scores) & (everything.system.codes >= 0)
    judged = there & np.array([text in _JUDGED for text in plain], bool)
    degraded = there & np.array([text in _DEGRADED for text in plain], bool)
    others = sorted(set(plain) - {*_JUDGED, *_DEGRADED})
    if others:
        count = len(plain) - sum(text in (*_JUDGED, *_DEGRADED) for text in plain)
        warn(f"{table.name}: {count:,} judgments of other items ({', '.join(others)[:80]}) were left out.")
    if degraded.any():
        warn(f"{table.name}: {int(degraded.sum()):,} judgments are of degraded outputs; they serve to test the raters.")
    if not judged.any():
        raise InputError(f"{table.name} holds no judgment of a system's output, only {', '.join(sorted(set(plain)))}.")
    # A second pass (REPEAT, TGT.1) is meant to repeat; the same item twice in one pass is not.
    passes = np.unique(np.asarray([text.strip().upper() for text in types]), return_inverse=True)[1].astype(np.int64)
    tell_repeated(everything[judged], table.name, warn, also=passes[judged])
    return Assessments(everything[judged], everything[degraded])


def _none() -> Judgments:
    return Judgments.of(system=[], score=[])


def without_submission_numbers(judgments: Judgments) -> Judgments:
    """Return the same judgments with WMT's submission numbers cut off the names: `Online-B.0` is `Online-B`."""
    return renamed(judgments, lambda name: re.sub(r"\.\d+$", "", name))


def renamed(judgments: Judgments, rename: Callable[[str], str]) -> Judgments:
    """Return the same judgments with systems called otherwise."""
    names = [rename(name) for name in judgments.systems]
    clash = next((name for name in names if names.count(name) > 1), None)
    if clash is not None:
        raise InputError(f"Two systems would both be called '{clash}'.")
    pairs = judgments.preferences
    return replace(
        judgments,
        system=Labels(tuple(names), judgments.system.codes),
        preferences=replace(pairs, system=tuple(rename(name) for name in pairs.system)),
    )
