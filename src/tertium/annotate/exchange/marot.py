"""Marot's ten columns: a row per error, one `No-error` row for a clean segment; spans as places of tokens."""

import json
import re
from contextlib import closing
from typing import Any

from tertium.annotate.exchange.answers import Record, came_as, records
from tertium.annotate.exchange.form import ExportForm
from tertium.annotate.exchange.offsets import as_stored
from tertium.annotate.study.building import Material
from tertium.annotate.study.file import Study
from tertium.annotate.study.results import Results, Said, imported_rows
from tertium.errors import InputError
from tertium.judgments.forms.form import Reading
from tertium.judgments.forms.mqm import MACHINE, NO_ERRORS, marked_span
from tertium.judgments.forms.span_json import is_number

COLUMNS = ["system", "doc", "docSegId", "globalSegId", "rater", "source", "target", "category", "severity", "metadata"]
_MARK = re.compile(r"</?v>")
_TOKEN = re.compile(r"\s+|[^\s]+")


class Marot(ExportForm):
    """The table that Google's viewer and the published MQM data have."""

    name = "marot"
    holds = "MQM errors in Marot's ten columns"

    def suits(self, study: Study) -> bool:
        """Whether the protocol marks errors."""
        return any(hasattr(part, "severities") for phase in study.protocol.phases for part in phase.parts)

    def written(self, study: Study, *, names: bool) -> dict[str, str]:
        """Return one TSV with a header."""
        lines = ["\t".join(COLUMNS)]
        came = came_as(study, self.name)
        if came:
            lines = list(study.meta["imported"]["head"])
            with closing(study.reader()) as db:
                lines += [line if names else _called(line, user) for user, line in imported_rows(db, names=names)]
        within: dict[str, dict[int, int]] = {}
        for record in records(study, names=names, ours=came):
            if record.system is None or record.kind not in ("target", "repeat"):
                continue
            places = within.setdefault(record.document, {})
            number = places.setdefault(record.segment, len(places) + 1)
            spans: list[dict[str, Any] | None] = [*record.spans] or [None]
            for span in spans:
                lines.append("\t".join(_row(record, number, span)))
        return {"marot.tsv": "\n".join(lines) + "\n"}


def _called(line: str, user: str) -> str:
    """Return a line with the rater called otherwise."""
    fields = line.split("\t")
    return "\t".join([*fields[:4], user, *fields[5:]])


def read_table(text: str, path: str) -> tuple[Material, dict[str, Any], Results]:
    """Return the texts of Marot's rows, and everybody's errors; a row per error becomes an answer per output."""
    lines = text.removesuffix("\n").split("\n")
    head = lines[:1] if lines[0].startswith("system\tdoc") else []
    weights = Reading().weights
    rows: list[tuple[str, Any]] = []
    segments: dict[tuple[str, str], str] = {}
    texts: dict[str, dict[tuple[str, str], str]] = {}
    marked: dict[tuple[str, str, tuple[str, str]], tuple[list[dict[str, Any]], list[float], float | None]] = {}
    for number, line in enumerate(lines[len(head) :], start=len(head) + 1):
        where = f"{path}, line {number:,}"
        fields = line.removesuffix("\r").split("\t")
        if len(fields) != len(COLUMNS):
            raise InputError(f"{where} has {len(fields)} fields, but Marot's tables have {', '.join(COLUMNS)}.")
        system, document, place, _, rater, source, target, category, severity, metadata = fields
        at = (document, place)
        plain = [_MARK.sub("", text) for text in (source, target)]
        if (
            segments.setdefault(at, plain[0]) != plain[0]
            or texts.setdefault(system, {}).setdefault(at, plain[1]) != plain[1]
        ):
            raise InputError(f"{where}: segment {place} of {document} has another text than on an earlier line.")
        rows.append((rater, line))
        spans, costs, _ = marked.get((rater, system, at), ([], [], None))
        if not {severity.lower(), category.lower()} & set(NO_ERRORS):
            spans.append(as_stored(marked_span(source, target, severity, category), plain[1], plain[0]))
        costs.append(weights.of(severity, category, where))
        marked[rater, system, at] = (spans, costs, _time(metadata, where))
    whole = [at for at in segments if all(at in own for own in texts.values())]
    if not whole:
        raise InputError(f"{path}: no segment has outputs of all systems ({', '.join(texts)}).")
    numbers = {at: number for number, at in enumerate(whole, start=1)}
    said = [
        Said(
            rater, f"{at[0]} {system}", numbers.get(at), at[0], segments[at], system, texts[system][at],
            "machine" if MACHINE.match(rater) else "target", {"spans": spans}, {"mqm": 0.0 - sum(costs)}, None, ended,
        )
        for (rater, system, at), (spans, costs, ended) in marked.items()
    ]  # fmt: skip
    material = Material(
        [segments[at] for at in whole], {name: [own[at] for at in whole] for name, own in texts.items()},
        documents=[document for document, _ in whole],
    )  # fmt: skip
    said_of = {"protocol": "mqm:typology=google", "left_out": len(segments) - len(whole)}
    return material, said_of, Results("marot", rows, said, head)


def is_table(text: str) -> bool:
    """Whether a text is Marot's: ten columns, the last of them JSON, or their names."""
    first = text.partition("\n")[0].removesuffix("\r").split("\t")
    return first == COLUMNS or (len(first) == len(COLUMNS) and first[9].startswith("{"))


def _time(metadata: str, where: str) -> float | None:
    try:
        found = json.loads(metadata or "{}")
    except (ValueError, RecursionError):
        raise InputError(f"{where}: the metadata is no JSON: {metadata[:40]}") from None
    stamp = found.get("timestamp") if isinstance(found, dict) else None
    return stamp / 1000 if is_number(stamp) else None


def _row(record: Record, number: int, span: dict[str, Any] | None) -> list[str]:
    source, target, spans = record.source, record.output, {}
    if span is None:
        category = severity = "No-error"
    else:
        category = span["category"] or "Unspecified"
        if span["side"] == "missing":
            category = span["category"] or "Accuracy/Omission"
        severity = (span["severity"] or "Neutral").capitalize()
        start, end = span["start"], span["end"]
        if span["side"] == "target":
            target = f"{target[:start]}<v>{target[start:end]}</v>{target[end:]}"
            spans["target_spans"] = [_tokens_of(record.output, start, end)]
        elif span["side"] == "source":
            source = f"{source[:start]}<v>{source[start:end]}</v>{source[end:]}"
            spans["source_spans"] = [_tokens_of(record.source, start, end)]
    metadata = {
        **spans,
        "segment": {"source_tokens": _TOKEN.findall(record.source), "target_tokens": _TOKEN.findall(record.output)},
        "timestamp": int((record.done or 0) * 1000),
    }
    if span is not None:
        metadata["code_points"] = [span["start"], span["end"], span["side"]]
        if span.get("note"):
            metadata["note"] = span["note"]
    cells = [record.system or "", record.document, str(number), str(record.segment), record.rater, source, target]
    shown = [cell.replace("\t", " ").replace("\n", " ").replace("\r", " ") for cell in (*cells, category, severity)]
    return [*shown, json.dumps(metadata, ensure_ascii=False)]


def _tokens_of(text: str, start: int, end: int) -> list[int]:
    """Return the first and last token that a span touches."""
    touched = [i for i, found in enumerate(_TOKEN.finditer(text)) if found.start() < end and start < found.end()]
    return [touched[0], touched[-1]] if touched else [0, 0]
