"""Test sets that a user has given a name: files of his own, which stay where they are."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tertium.corpus.named.catalogue import named_sets
from tertium.errors import Argument, InputError, UnknownNameError
from tertium.files.writing import unwritable, write_whole
from tertium.text.lexicon.cache import cache_directory


@dataclass(frozen=True)
class OwnPair:
    """The files of a language pair; formats and columns are as the commands take them."""

    references: tuple[str, ...]
    source: str | None = None
    documents: str | None = None


def own_sets() -> dict[str, dict[str, OwnPair]]:
    """Return the language pairs of each own test set."""
    try:
        found = json.loads(_registry().read_text(encoding="utf-8"))
        return {name: {pair: _own(files) for pair, files in pairs.items()} for name, pairs in found.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, TypeError, AttributeError, KeyError) as error:
        raise InputError(f"{_registry()} cannot be read ({error}). Delete it, and add test sets again.") from None


def own_pair(name: str, pair: str | None) -> OwnPair:
    """Return the files of an own test set."""
    pairs = own_sets()[name]
    if pair is None:
        raise InputError(
            f"The test set {name} needs a language pair: ", Argument("pair", of="load"), f". It has {', '.join(pairs)}."
        )
    if pair not in pairs:
        raise UnknownNameError.of(f"language pair of {name}", pair, pairs)
    return pairs[pair]


def add_own(name: str, pair: str, files: OwnPair) -> None:
    """Give files a name."""
    if name in named_sets():
        raise InputError(f"'{name}' cannot be the name of a test set of your own: sacreBLEU has one of that name.")
    if set(name) & set(",:/\\ \t") or not name.isprintable() or not name:
        raise InputError(f"{name!r} cannot be the name of a test set of your own: write one word without , : / or \\.")
    if pair.count("-") != 1 or not all(pair.split("-")):
        raise InputError(f"'{pair}' is no language pair. Write source and target, such as en-de.")
    known = {key: {other: _plain(one) for other, one in pairs.items()} for key, pairs in own_sets().items()}
    known.setdefault(name, {})[pair] = _plain(files)
    try:
        _registry().parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise unwritable(_registry(), error) from None
    write_whole(_registry(), json.dumps(known, indent=1))  # in ASCII, which spells file names that are no text too


def _registry() -> Path:
    return cache_directory() / "testsets.json"


def _plain(files: OwnPair) -> dict[str, Any]:
    return {"references": list(files.references), "source": files.source, "documents": files.documents}


def _own(files: Any) -> OwnPair:
    return OwnPair(tuple(map(str, files["references"])), files["source"], files["documents"])
