"""TERp's lists: stop words, whose blocks are not shifted, and phrases that mean the same."""

import os
import re
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from pathlib import Path

from tertium.errors import InputError
from tertium.files.reading import whole
from tertium.text import Tokenizer

_MARKS = (".", ",", '"', "'", "(", ")", "&", "!", "?", "-", "$", ":", ";", "+")


def text_lines(path: str | Path) -> list[str]:
    """Return the lines of a small file of text, without their ends and a byte-order mark."""
    content = whole(str(path)).removeprefix(b"\xef\xbb\xbf")
    try:
        lines = content.decode().split("\n")
    except UnicodeDecodeError as error:
        number = content.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}, line {number:,}: a byte is not UTF-8. Save the file as UTF-8.") from None
    return [line.removesuffix("\r") for line in lines]


def file_mark(path: str) -> str:
    """Return what a signature says of a file: its name, and a hash of what is in it."""
    return f"{Path(path).name.split('.')[0]}@{sha256(whole(path)).hexdigest()[:12]}"


def _state(path: str) -> tuple[int, int]:
    try:
        status = os.stat(path)
    except OSError:
        return 0, 0
    return status.st_size, status.st_mtime_ns


def stop_words(source: str, tokenizer: Tokenizer) -> tuple[str, ...]:
    """Return the words of a stop list, one a line, as they look in the texts."""
    path = stop_list(source)
    return _stop_words(path, tokenizer, _state(path))


@lru_cache(maxsize=16)
def _stop_words(path: str, tokenizer: Tokenizer, state: tuple[int, int]) -> tuple[str, ...]:
    words = [tokenizer(line) for line in text_lines(path) if not line.startswith("# ")]
    if path == _own_list():
        words += [[mark] for mark in _MARKS]
    return tuple(sorted({found[0] for found in words if len(found) == 1}))


def stop_list(source: str) -> str:
    """Return the file of a stop list. "terp" is TERp's own in the directory TERTIUM_TERP, else ours for English."""
    if source != "terp":
        return source
    home = os.environ.get("TERTIUM_TERP")
    if not home:
        return _own_list()
    for name in ("", "shift_word_stop_list.txt", "data/shift_word_stop_list.txt", "data/data_shift_word_stop_list.txt"):
        if (Path(home) / name).is_file():
            return str(Path(home) / name)
    raise InputError(f"TERTIUM_TERP is {home}, but there is no shift_word_stop_list.txt. Name the directory it is in.")


def _own_list() -> str:
    return str(files("tertium") / "data" / "function_words" / "en.txt")


def equivalences(path: str) -> tuple[tuple[str, ...], ...]:
    """Return the phrases of a file that mean the same; each line's first stands for all of it."""
    return _equivalences(path, _state(path))


@lru_cache(maxsize=16)
def _equivalences(path: str, state: tuple[int, int]) -> tuple[tuple[str, ...], ...]:
    sets = []
    for number, line in enumerate(text_lines(path), start=1):
        if not line.strip():
            continue
        phrases = tuple(" ".join(phrase.split()) for phrase in re.findall("<p>(.*?)</p>", line))
        if len(phrases) < 2 or re.sub("<p>.*?</p>", "", line).strip():
            raise InputError(
                f"{path}, line {number:,}: {line.strip()[:60]!r} is no set of phrases. A line reads '<p>a</p> "
                "<p>b</p> …': b and all that follow are replaced by a."
            )
        if not all(phrases[1:]):
            raise InputError(f"{path}, line {number:,}: a phrase is empty, so nothing can be replaced.")
        sets.append(phrases)
    return tuple(sets)
