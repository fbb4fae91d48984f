"""Lists of the n best translations of each sentence: Moses' format, and JSON lines."""

import json
import re
from typing import Any

from tertium.errors import InputError
from tertium.files.lines import Lines, Warn

_TERCOM_ID = re.compile(r"\[[^\]]*\]\[[^\]]*\](?::\d+)?$")
_DIGITS = 18  # of a sentence's number: no list is as long
_TEXTS = ("text", "hypothesis", "translation")


def read_nbest(path: str, *, warn: Warn) -> dict[int, list[str]]:
    """Return the translations of each sentence, by its number from 0, in the order of the file.

    A line of Moses' format is `number ||| text ||| features ||| score`, of which all after the text is passed over;
    tercom's ids `[document][segment]:rank` are numbered as they come. A line of JSON is {"id": 0, "text": …}, or
    {"id": 0, "candidates": [ … ]}; without ids the latter are numbered by lines.
    """
    lists: dict[int, list[str]] = {}
    numbers: dict[str, int] = {}
    last = 0
    is_json: bool | None = None
    for number, line in enumerate(Lines(path, warn=warn), start=1):
        where = f"{path}, line {number:,}"
        if not line.strip():
            raise InputError(f"{where} is empty, but each line holds a translation: number ||| text.")
        if is_json is None:
            is_json = line.lstrip().startswith("{")
        identity, texts = _json_line(line, where, number) if is_json else _moses_line(line, where)
        sentence = identity if isinstance(identity, int) else numbers.setdefault(identity, len(numbers))
        if sentence < last:
            raise InputError(
                f"{where} is about sentence {identity}, but the line before is about a later one. Sort the file by "
                "sentence."
            )
        last = sentence
        lists.setdefault(sentence, []).extend(texts)
    if not lists:
        raise InputError(f"{path} is empty: there is no translation.")
    return lists


def _moses_line(line: str, where: str) -> tuple[int | str, list[str]]:
    identity, *fields = (field.strip(" \t") for field in line.split("|||"))
    if not fields:
        raise InputError(
            f"{where} is {line!r:.40}, but a line of an n-best list is: number ||| text ||| features ||| score."
        )
    if _TERCOM_ID.match(identity):
        return identity.rpartition(":")[0] or identity, fields[:1]
    if not (identity.isascii() and identity.isdigit() and len(identity) <= _DIGITS):
        raise InputError(f"{where} begins with '{identity:.40}', but the number of a sentence, from 0, was expected.")
    return int(identity), fields[:1]


def _json_line(line: str, where: str, number: int) -> tuple[int | str, list[str]]:
    try:
        record: Any = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where} is no JSON ({error}).") from None
    if not isinstance(record, dict):
        raise InputError(f'{where} is no JSON object, such as {{"id": 0, "text": "…"}}.')
    texts = record.get("candidates")
    if texts is None:
        texts = [record[name] for name in _TEXTS if name in record][:1]
        if "id" not in record or not texts:
            raise InputError(
                f'{where} has the keys {", ".join(record) or "none"}, but "id" with "text", or "candidates", were '
                "expected."
            )
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise InputError(f"{where}: the translations are {texts!r:.40}, but strings were expected.")
    identity = record.get("id", number - 1)
    if (
        isinstance(identity, bool)
        or not isinstance(identity, int | str)
        or (isinstance(identity, int) and identity < 0)
    ):
        raise InputError(f"{where}: the id is {identity!r:.40}, but a number from 0, or a text, was expected.")
    return identity, texts
