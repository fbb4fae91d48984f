"""Judgments from a file, whatever its form."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path

from tertium.corpus.formats import kind_of
from tertium.corpus.records import first_line
from tertium.corpus.tables import columns_of
from tertium.errors import InputError, UnknownNameError
from tertium.judgments.forms.direct_assessment import read_appraise, read_da
from tertium.judgments.forms.mqm import MQMWeights, read_mqm
from tertium.judgments.forms.rankings import read_meteor_rank, read_pairs, read_ranking, read_terp_pairs
from tertium.judgments.forms.tidy import read_tidy, with_errors
from tertium.judgments.numbering import numbered_through
from tertium.judgments.table import Judgments, Warn

FORMS = ("tidy", "da", "mqm", "appraise", "ranking", "pairs", "meteor-rank", "terp")
_PAIRED = ("ranking", "pairs", "meteor-rank", "terp")


def read_judgments(
    path: str,
    *,
    form: str | None = None,
    lower_is_better: Collection[str] = (),
    weights: MQMWeights | None = None,
    first_segment: int = 1,
    documents: Sequence[str] | None = None,
    language_pair: str | None = None,
    warn: Warn = lambda message: None,
) -> Judgments:
    """Read judgments; the form is told by the file's header and content unless it is given.

    `weights` are those of MQM errors; `first_segment` is what the file calls the first segment, 0 or 1. `documents`,
    each segment's document, is given if the file counts segments within documents. `language_pair` picks the rows of
    a ranking that has several.
    """
    form = form or form_of(path)
    if form not in FORMS:
        raise UnknownNameError.of("form of judgments", form, FORMS)
    if first_segment not in (0, 1):
        raise InputError(f"first_segment is what the file calls the first segment, 0 or 1, not {first_segment}.")
    if form in _PAIRED:
        return _paired(path, form, first_segment, documents, language_pair, warn)
    if form == "mqm":
        judgments = read_mqm(path, weights=weights, first_segment=first_segment, documents=documents, warn=warn)
    elif form == "tidy":
        judgments = read_tidy(path, first_segment=first_segment, documents=documents, warn=warn)
    else:
        read = read_da if form == "da" else read_appraise
        judgments = read(path, first_segment=first_segment, warn=warn).judgments
        if documents is not None:
            judgments = numbered_through(judgments, documents)
    return with_errors(judgments, lower_is_better, path, warn)


def _paired(
    path: str, form: str, first_segment: int, documents: Sequence[str] | None, language_pair: str | None, warn: Warn
) -> Judgments:
    if form == "ranking":
        source, dash, target = (language_pair or "").partition("-")
        pairs = read_ranking(path, language_pair=(source, target) if dash else None, warn=warn)
    elif form == "pairs":
        pairs = read_pairs(path, first_segment=first_segment, warn=warn)
    elif form == "terp":
        pairs = read_terp_pairs(path, documents=documents, warn=warn)
    else:
        pairs = read_meteor_rank(path, warn=warn)
    repeated = pairs.repeated()
    if repeated:
        by = "by the same rater" if len(pairs.rater.names) else "in a file that names no raters"
        warn(
            f"{path}: {repeated:,} of {len(pairs):,} pairs repeat an earlier one of the same segment and systems, {by}"
            ". Each counts. If they are copies, remove them."
        )
    return replace(Judgments.of(system=[], score=[]), preferences=pairs)


def form_of(path: str) -> str:
    """Tell the form of a file by its name and first line."""
    if not Path(path).is_file():  # standard input or a pipe can be read only once
        return "tidy"
    kind = kind_of(path, "score")
    if kind in ("jsonl", "parquet"):
        return "pairs" if {"first", "second", "outcome"} <= set(columns_of(path, kind)) else "tidy"
    if path.endswith(".rank"):
        return "meteor-rank"
    line = first_line(path)
    words = line.replace(",", " ").replace("\t", " ").split()
    names = {word.strip('"').lower() for word in words}
    if words[:2] == ["SYS", "SID"] or {"sys_id", "sid", "score"} <= names:
        return "da"
    if {"first", "second", "outcome"} <= names:
        return "pairs"
    if {"system1id", "system1rank"} <= names:
        return "ranking"
    if {"severity", "category", "system"} <= names:
        return "mqm"
    if {"username", "system", "itemid"} <= names or _is_appraise(line):
        return "appraise"
    fields = line.split("\t")
    if len(fields) == 5 and fields[0].isdecimal() and fields[1] == fields[3]:
        return "meteor-rank"
    if len(fields) == 5 and fields[2].isdecimal():
        return "terp"
    return "tidy"


def _is_appraise(line: str) -> bool:
    """Appraise's exports have no header: user, system, number, a type in capitals, …"""
    fields = line.split(",")
    return len(fields) >= 9 and fields[2].isdecimal() and fields[3][:3] in ("TGT", "BAD", "REF", "CHK")
