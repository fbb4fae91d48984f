"""Shards as they are named: `shards/*.parquet:hyp` stands for files that are read one after another."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from glob import glob, has_magic
from pathlib import Path

from tertium.corpus.formats import split_column
from tertium.errors import InputError
from tertium.files.reading import legible

_NUMBERED = re.compile(r"(\d+)[-_]of[-_](\d+)")  # train-00003-of-00032.parquet


@dataclass(frozen=True)
class Pattern:
    """What a pattern stands for: files in order, each with a name that does not depend on where the folder is."""

    text: str
    column: str | None
    paths: tuple[str, ...]
    names: tuple[str, ...]  # relative to the folder before the first wildcard
    parts: tuple[str, ...]  # what the wildcards stand for: equal for shards that belong together

    def argument(self, shard: int) -> str:
        """Return a shard as an argument that names one file."""
        return self.paths[shard] if self.column is None else f"{self.paths[shard]}:{self.column}"

    def beside(self, column: str, shard: int) -> str:
        """Return another column of a shard as an argument."""
        return f"{self.paths[shard]}:{column}"


def is_pattern(argument: str) -> bool:
    """Whether an argument stands for several files: it has a wildcard, and no file is called so."""
    path, _ = split_column(argument)
    return has_magic(path) and not Path(path).exists()


def found(argument: str) -> Pattern:
    """Return the files that a pattern, or the name of one file, stands for."""
    text, column = split_column(argument)
    if not is_pattern(argument):
        return Pattern(argument, column, (text,), (legible(Path(text).name),), ("",))
    paths = sorted((path for path in glob(text, recursive=True) if Path(path).is_file()), key=_natural)
    if not paths:
        raise InputError(f"No file is called like {text}. Look at the folder, and quote the pattern: '{argument}'.")
    root = _root(text)
    names = tuple(legible(Path(path).relative_to(root).as_posix() if root else path) for path in paths)
    matcher = re.compile(_as_expression(text))
    parts = tuple("/".join(match.groups()) if (match := matcher.fullmatch(path)) else path for path in paths)
    return Pattern(argument, column, tuple(paths), names, parts)


def check_together(patterns: Sequence[Pattern]) -> int:
    """Refuse patterns whose shards do not belong together one by one; return how many shards there are."""
    first = patterns[0]
    for other in patterns[1:]:
        if len(other.paths) != len(first.paths):
            lonely = sorted(set(first.parts) ^ set(other.parts), key=_natural)
            told = f" Only one side has '{lonely[0]}'." if lonely and lonely[0] else ""
            raise InputError(
                f"{first.text} is {_files(first)}, but {other.text} is {_files(other)}.{told} Give each shard of one "
                "side its shard of the other."
            )
        for ours, theirs, path in zip(first.parts, other.parts, first.paths, strict=True):
            if ours != theirs and len(first.paths) > 1:
                raise InputError(
                    f"{path} has no partner: {first.text} has a shard '{ours}' where {other.text} has '{theirs}'. "
                    "Shards belong together if their wildcards stand for the same."
                )
    return len(first.paths)


def missing_numbers(names: Sequence[str]) -> list[str]:
    """Return which shards are missing of those that count themselves, as in part-00003-of-00032."""
    seen: dict[tuple[str, str, int], set[int]] = {}
    for name in names:
        if match := _NUMBERED.search(name):
            start, end = name[: match.start()], name[match.end() :]
            seen.setdefault((start, end, int(match[2])), set()).add(int(match[1]))
    missing = []
    for (start, end, count), numbers in seen.items():
        first = 0 if 0 in numbers or count not in numbers else 1
        width = max(5, len(str(count)))
        lost = sorted(set(range(first, first + count)) - numbers)
        missing += [f"{start}{number:0{width}}-of-{count:0{width}}{end}" for number in lost]
    return missing


def _files(pattern: Pattern) -> str:
    return "one file" if len(pattern.paths) == 1 else f"{len(pattern.paths):,} files"


def _natural(path: str) -> list[tuple[int, str]]:
    """Sort part-2 before part-10."""
    return [(int(piece), "") if piece.isdigit() else (-1, piece) for piece in re.split(r"(\d+)", path) if piece]


def _root(text: str) -> str:
    fixed = []
    for piece in Path(text).parts[:-1]:
        if has_magic(piece):
            break
        fixed.append(piece)
    return str(Path(*fixed)) if fixed else ""


def _as_expression(text: str) -> str:
    """Return a pattern as a regular expression with a group for each wildcard."""
    pieces = re.split(r"(\*\*/?|\*|\?|\[[^\]]+\])", text)
    kinds = {"**/": "((?:.*/)?)", "**": "(.*)", "*": "([^/]*)", "?": "([^/])"}
    return "".join(
        kinds.get(piece) or (f"({piece.replace('[!', '[^')})" if piece.startswith("[") else re.escape(piece))
        for piece in pieces
        if piece
    )
