"""mt-metrics-eval's files of scores and ratings: a block of lines per system, a line per segment."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tertium.errors import InputError
from tertium.files.lines import Lines
from tertium.judgments.details import Details
from tertium.judgments.forms.form import Form, Glimpse, Reading
from tertium.judgments.forms.span_json import is_number, is_place
from tertium.judgments.labels import Floats
from tertium.judgments.mqm_weights import MQMWeights
from tertium.judgments.spans import NOWHERE, Span
from tertium.judgments.table import Judgments, Warn

LEVELS = {"seg": "segment", "doc": "document", "sys": "system", "domain": "domain"}
_NAME = re.compile(r"(?:[a-z]{2,3}-[\w]{2,}\.)?(.+)\.(?:(seg|sys)\.score|seg\.rating)")
_RATER = re.compile(r"(.+?)[.-](rater\w+)")  # mqm.rater1: what rater1 said of the kind mqm


class Mtme(Form):
    """A file on its own: `en-de.KIND.sys.score`, `en-de.KIND.seg.score` or `en-de.KIND.seg.rating`."""

    name = "mtme"
    holds = "a file of mt-metrics-eval: PAIR.KIND.sys.score, PAIR.KIND.seg.score, PAIR.KIND.seg.rating"

    def recognises(self, file: Glimpse) -> bool:
        """Whether its name says so."""
        return _NAME.fullmatch(Path(file.path).name) is not None

    def read(self, path: str, reading: Reading) -> Judgments:
        """Read scores of systems, or of segments in the order of the text."""
        name = _NAME.fullmatch(Path(path).name)
        kind = name[1] if name else Path(path).stem
        if path.endswith(".rating"):
            kind, rater = kind_and_rater(kind)
            found, _ = ratings_in(path, kind, rater, reading.weights, reading.warn)
        else:
            of_systems = name is not None and name[2] == "sys"
            blocks = scores_in(path, reading.warn)
            found = Judgments.joined(
                [_rows(kind, one, numbers_of(v, path, one), of_systems) for one, v in blocks.items()]
            )
        if not len(found):
            raise InputError(f"{path} holds no scores; a system and a score were expected on each line.")
        return reading.placed(found, path)


def _rows(kind: str, system: str, values: Floats, of_systems: bool) -> Judgments:
    judged = np.flatnonzero(np.isfinite(values))
    return Judgments.of(
        system=[system] * len(judged), segment=None if of_systems else judged + 1, kind=kind, score=values[judged]
    )


def kind_and_rater(name: str) -> tuple[str, str | None]:
    """Return the kind of judgment and the rater that the name of a file of ratings says."""
    found = _RATER.fullmatch(name)
    return (found[1], found[2]) if found else (name, None)


def fields_of(file: str, warn: Warn) -> Iterator[tuple[int, list[str]]]:
    """Return the fields of each line, between tabs or else between blanks."""
    for number, line in enumerate(Lines(file, warn=warn), start=1):
        yield number, [field.strip() for field in line.split("\t")] if "\t" in line else line.split()


def scores_in(file: str, warn: Warn, *, domains: dict[str, list[str]] | None = None) -> dict[str, list[str]]:
    """Return the scores of each system as they stand; with `domains`, a first column goes there."""
    width = 2 if domains is None else 3
    values: dict[str, list[str]] = {}
    for number, fields in fields_of(file, warn):
        if not fields:
            continue
        if len(fields) != width:
            raise InputError(
                f"{file}, line {number:,} has {len(fields)} fields, but {'a domain, ' * (width == 3)}a system and a "
                "score were expected."
            )
        values.setdefault(fields[-2], []).append(fields[-1])
        if domains is not None:
            domains.setdefault(fields[1], []).append(fields[0])
    return values


def numbers_of(texts: Sequence[str], file: str, system: str) -> Floats:
    """Return scores as numbers; None is missing."""
    try:
        scores = np.array(["nan" if text == "None" else text for text in texts], np.float64)
    except ValueError:
        bad = next(text for text in texts if text != "None" and not _is_number(text))
        raise InputError(f"{file}: a score of {system} is '{bad[:40]}', but a number or None was expected.") from None
    if np.isinf(scores).any():
        raise InputError(f"{file}: a score of {system} is infinite.")
    return scores


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def ratings_in(
    file: str, kind: str, rater: str | None, weights: MQMWeights, warn: Warn
) -> tuple[Judgments, Mapping[str, int]]:
    """Read what raters marked: a line per segment, errors or None; and how many lines each system has."""
    systems, segments, raters, scores, spans = [], [], [], [], []
    seen: dict[str, int] = {}
    for number, line in enumerate(Lines(file, warn=warn), start=1):
        fields = line.split("\t")
        where = f"{file}, line {number:,}"
        if len(fields) not in (2, 3):
            raise InputError(f"{where} has {len(fields)} columns; a system, errors and a rater are expected.")
        system = fields[0]
        seen[system] = seen.get(system, 0) + 1
        if fields[1] == "None":
            continue
        errors = _errors(fields[1], where)
        systems.append(system)
        segments.append(seen[system])
        raters.append(fields[2] if len(fields) == 3 else rater)
        scores.append(0.0 - sum(_weight(error, weights, where) for error in errors))
        spans.append([_span(error) for error in errors])
    found = Judgments.of(
        system=systems, segment=segments, rater=raters, kind=kind, score=scores,
        details=Details.of(len(systems), spans=spans) if any(spans) else None,
    )  # fmt: skip
    return found, seen


def _errors(text: str, where: str) -> list[Any]:
    try:
        found = json.loads(text)
        errors = found["errors"] if isinstance(found, dict) else None
    except (ValueError, KeyError, RecursionError):
        errors = None
    if not isinstance(errors, list) or not all(isinstance(error, dict) for error in errors):
        raise InputError(f'{where}: {text[:40]} is not {{"errors": […]}}, as JSON.')
    return errors


def _weight(error: Any, weights: MQMWeights, where: str) -> float:
    given = error.get("score")
    if given is not None:
        if not is_number(given):
            raise InputError(f"{where}: an error's score is {given!r:.40}, but a finite number was expected.")
        return float(given)
    return weights.of(str(error.get("severity", "")), str(error.get("category", "")), where)


def _span(error: Any) -> Span:
    start, end = error.get("start"), error.get("end")
    known = is_place(start) and is_place(end) and start <= end
    side = "source" if error.get("is_source_error") else "target"
    severity, category = (str(error[name]) if error.get(name) else None for name in ("severity", "category"))
    return Span(start if known else NOWHERE, end if known else NOWHERE, side, severity, category)
