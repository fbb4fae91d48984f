"""Lists of the n best translations of each sentence, as decoders write them."""

import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

from tertium.errors import InputError, UnknownNameError
from tertium.files.lines import Lines, Warn

_TERCOM_ID = re.compile(r"\[[^\]]*\]\[[^\]]*\](?::\d+)?$")
_MOST_CANDIDATES = 10**9
_DIGITS = 18  # of a sentence's number: no list is as long
_TEXTS = ("text", "hypothesis", "translation")


FORMATS = ("auto", "marian", "moses", "t2t", "lines:N", "jsonl")
_BLOCK = 1 << 15  # lines that are taken at once

Group = tuple[int | str, list[str]]  # what a sentence is called, and its translations


def read_nbest(path: str, *, warn: Warn) -> dict[int, list[str]]:
    """Return the translations of each sentence, by its number from 0, in the order of the file.

    tercom's ids `[document][segment]:rank`, and ids of JSON lines that are texts, are numbered as they come.
    """
    lists: dict[int, list[str]] = {}
    numbers: dict[str, int] = {}
    for identity, texts in nbest_lists(path, warn=warn):
        sentence = identity if isinstance(identity, int) else numbers.setdefault(identity, len(numbers))
        lists.setdefault(sentence, []).extend(texts)
    return lists


def nbest_lists(path: str, form: str = "auto", *, warn: Warn) -> Iterator[Group]:
    """Return sentence by sentence what it is called and its translations, in the order of the file.

    | form | a line is |
    |---|---|
    | marian, moses | `number ||| text ||| features ||| score`; all after the text is passed over |
    | t2t | all translations of a sentence, with tabs between them |
    | lines:N | one translation; each N lines belong to one sentence |
    | jsonl | {"id": 0, "text": …} or {"id": 0, "candidates": [ … ]}; without ids numbered by lines |
    """
    lines: Iterator[tuple[int, str]] = enumerate(Lines(path, warn=warn), 1)
    first = next(lines, None)
    if first is None:
        raise InputError(f"{path} is empty: there is no translation.")
    kind = _recognised(first[1], path) if form == "auto" else form
    lines = chain([first], lines)
    if kind.startswith("lines:"):
        return _by_count(lines, kind, path)
    if kind == "t2t":
        return ((number - 1, line.split("\t")) for number, line in lines)
    if kind not in ("marian", "moses", "jsonl"):
        raise UnknownNameError.of("form of n-best lists", form, FORMATS)
    return _by_identity(lines, path, is_json=kind == "jsonl")


def _recognised(line: str, path: str) -> str:
    if line.lstrip().startswith("{"):
        return "jsonl"
    if "|||" in line:
        return "moses"
    if "\t" in line:
        return "t2t"
    raise InputError(
        f"{path}, line 1 is {line!r:.40}, which is no line of an n-best list: number ||| text, JSON, or translations "
        "with tabs between them. If each N lines are the translations of one sentence, say so: lines:N."
    )


def _by_count(lines: Iterator[tuple[int, str]], kind: str, path: str) -> Iterator[Group]:
    size = kind.removeprefix("lines:")
    if not (size.isascii() and size.isdigit() and 0 < int(size) < _MOST_CANDIDATES):
        raise InputError(f"'{kind}' is no form of n-best lists: after lines: comes how many belong to one sentence.")
    texts: list[str] = []
    sentence = 0
    for _, line in lines:
        texts.append(line)
        if len(texts) == int(size):
            yield sentence, texts
            texts, sentence = [], sentence + 1
    if texts:
        raise InputError(
            f"{path} ends with {len(texts):,} translations of sentence {sentence:,}, but each has {size}. Is the file "
            "cut short, or the number wrong?"
        )


def _by_identity(lines: Iterator[tuple[int, str]], path: str, *, is_json: bool) -> Iterator[Group]:
    """Put together lines that are about the same sentence."""
    current: int | str | None = None
    texts: list[str] = []
    met: set[str] = set()
    begun: str | None = None  # how the line before began, up to its first bars
    for number, line in lines:
        if not is_json:
            head, *rest = line.split("|||", 2)
            if rest and head == begun:  # the same sentence once more, as most lines are
                texts.append(rest[0].strip(" \t"))
                continue
            begun = head
        where = f"{path}, line {number:,}"
        if not line.strip():
            raise InputError(f"{where} is empty, but each line holds a translation: number ||| text.")
        identity, found = _json_line(line, where, number) if is_json else _moses_line(line, where)
        if identity != current:
            if current is not None:
                yield current, texts
            earlier = identity in met if isinstance(identity, str) else isinstance(current, int) and identity < current
            if earlier:
                raise InputError(
                    f"{where} is about sentence {identity}, but the line before is about a later one. Sort the file by "
                    "sentence."
                )
            if isinstance(identity, str):
                met.add(identity)
            current, texts = identity, []
        texts += found
    if current is not None:
        yield current, texts


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
