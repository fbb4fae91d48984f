"""Files of JSON: whole, or an object on each line."""

import json
from collections.abc import Iterator
from typing import Any

from tertium.corpus.records import read_fields
from tertium.errors import InputError
from tertium.files.lines import Warn


def read_json(path: str, *, warn: Warn) -> Any:
    """Read a file that is one value."""
    lines = [line for _, (line,) in read_fields(path, warn=warn, split=lambda line: [line])]
    try:
        return json.loads("\n".join(lines))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is no JSON ({error}).") from None


def read_objects(path: str, *, warn: Warn) -> Iterator[tuple[str, dict[str, Any]]]:
    """Read a file with an object on each line; each comes with where it stands."""
    for number, (line,) in read_fields(path, warn=warn, split=lambda line: [line]):
        where = f"{path}, line {number:,}"
        try:
            found = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{where} is no JSON ({error}).") from None
        if not isinstance(found, dict):
            raise InputError(f"{where} is {line[:40]}, but an object was expected on each line.")
        yield where, found
