"""WMT's released human evaluation from 2024 on: a line of JSON per segment, with what was said of each system."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from tertium.corpus.json_files import read_objects
from tertium.errors import InputError
from tertium.judgments.details import UNKNOWN, Details
from tertium.judgments.forms.form import Form, Glimpse, Reading
from tertium.judgments.forms.language_pairs import chosen_pair
from tertium.judgments.forms.span_json import in_text, inclusive_span, number_or_none
from tertium.judgments.segment_ids import named, place_name
from tertium.judgments.spans import Span
from tertium.judgments.table import Judgments

_BETWEEN = "_#_"


@dataclass(frozen=True)
class _Answer:
    system: str
    segment: int  # which line of the file
    rater: str | None
    kind: str
    score: float | None
    started: float
    ended: float
    spans: list[Span]
    length: int


class WMTJson(Form):
    """doc_id (pair_#_domain_#_document_#_place), src_text, tgt_text {system}, scores {system: judgments}."""

    name = "wmt-json"
    holds = "WMT's human evaluation of 2024 and 2025: JSON lines with doc_id, src_text, tgt_text, scores"

    def recognises(self, file: Glimpse) -> bool:
        """Whether the first line has these fields."""
        return file.kind == "jsonl" and {"doc_id", "scores"} <= file.names

    def read(self, path: str, reading: Reading) -> Judgments:
        """Read the judgments of a language pair. A segment is its document and its place there."""
        records = [(where, record, _id(record, where)) for where, record in read_objects(path, warn=reading.warn)]
        pair = chosen_pair(path, [parts[0] for _, _, parts in records], reading)
        records = [(where, record, parts) for where, record, parts in records if pair is None or parts[0] == pair]
        names, documents = _names([parts for _, _, parts in records], reading)
        found = [a for n, (where, record, _) in enumerate(records) for a in _answers(record, n, where, path)]
        scored = [answer for answer in found if answer.score is not None]
        if not scored:
            raise InputError(f"{path} holds no judgment with a score.")
        if len(found) > len(scored):
            reading.warn(
                f"{path}: {len(found) - len(scored):,} of {len(found):,} judgments have no score; they were left out."
            )
        segment, segment_ids = named([names[answer.segment] for answer in scored])
        judgments = Judgments.of(
            system=[answer.system for answer in scored],
            document=[documents[answer.segment] for answer in scored],
            segment=segment,
            segment_ids=segment_ids,
            rater=[answer.rater for answer in scored],
            kind=[answer.kind for answer in scored],
            score=[answer.score or 0.0 for answer in scored],
            details=Details.of(
                len(scored), started=[a.started for a in scored], ended=[a.ended for a in scored],
                length=[a.length for a in scored], spans=[a.spans for a in scored],
            ),
        )  # fmt: skip
        return reading.placed(judgments, path)


def _id(record: dict[str, Any], where: str) -> list[str]:
    parts = str(record.get("doc_id", "")).split(_BETWEEN)
    if len(parts) < 4:
        raise InputError(
            f"{where}: the doc_id is {record.get('doc_id')!r:.60}, but pair_#_domain_#_document_#_place was expected."
        )
    return parts


def _names(parts: list[list[str]], reading: Reading) -> tuple[list[str], list[str]]:
    """Return what each line's segment is called, and its document: by the whole id, or as the test set has it."""
    known = set(reading.documents or ())
    documents = [_BETWEEN.join(part[:-1]) for part in parts]
    if known and not known & set(documents):
        documents = [_BETWEEN.join(part[2:-1]) for part in parts]
    order: dict[str, list[tuple[bool, int, int]]] = {}
    for row, (part, document) in enumerate(zip(parts, documents, strict=True)):
        last = part[-1]
        order.setdefault(document, []).append((not last.isdecimal(), int(last) if last.isdecimal() else 0, row))
    names = [""] * len(parts)
    for document, rows in order.items():
        for place, (_, _, row) in enumerate(sorted(rows), 1):
            names[row] = place_name(document, place)
    return names, documents


def _answers(record: dict[str, Any], segment: int, where: str, path: str) -> Iterator[_Answer]:
    scores, texts = record.get("scores"), record.get("tgt_text") or {}
    if not isinstance(scores, dict) or not isinstance(texts, dict):
        raise InputError(f"{where}: scores are {scores!r:.40}, but judgments by system were expected.")
    for system, judgments in scores.items():
        text = texts.get(system) if isinstance(texts.get(system), str) else None
        for one in _judgments(judgments, where):
            errors = one.get("errors") or []
            if not isinstance(errors, list) or not all(isinstance(error, dict) for error in errors):
                raise InputError(f"{where}: the errors of {system} are {errors!r:.40}, but a list was expected.")
            spans = in_text([inclusive_span(error, partial(str, where)) for error in errors], text)
            started, ended = _times(one.get("times"))
            score = number_or_none(one.get("score"), f"{where}: a score of {system}")
            rater = one.get("annotator")
            kind = str(one.get("protocol") or "ESA")
            yield _Answer(
                system, segment, str(rater) if rater else None, kind, score, started, ended, spans, len(text or "")
            )


def _judgments(found: Any, where: str) -> list[dict[str, Any]]:
    """Return judgments of an output: a list of them (2024), or fields that are numbered, human1, errors1 … (2025)."""
    if isinstance(found, list) and all(isinstance(one, dict) for one in found):
        return found
    if not isinstance(found, dict):
        raise InputError(f"{where}: the judgments of an output are {found!r:.40}, but a list was expected.")
    numbers = dict.fromkeys(key.removeprefix("human") for key in found if key.startswith("human"))
    return [
        {"score": found[f"human{n}"], **{name: found.get(f"{name}{n}") for name in ("errors", "annotator", "times")}}
        for n in numbers
    ]


def _times(times: Any) -> tuple[float, float]:
    if isinstance(times, list) and len(times) == 2 and all(isinstance(time, int | float) for time in times):
        return float(min(times)), float(max(times))
    return UNKNOWN, UNKNOWN
