"""Files that belong together line by line, and what may have gone wrong when they do not."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tertium import _native
from tertium.corpus.readers import LineFile, Warn
from tertium.errors import InputError

_COMPARED = 200_000  # lines that are compared to find where two files part


@dataclass(frozen=True)
class Block:
    """Some segments: each system's hypotheses, and the references in groups."""

    hypotheses: dict[str, _native.Texts]
    references: _native.Texts
    documents: list[str] | None

    def __len__(self) -> int:
        return len(self.references)


def parallel_blocks(
    systems: Mapping[str, str], references: Sequence[str], documents: str | None, *, size: int, warn: Warn
) -> Iterator[Block]:
    """Read all files side by side, `size` lines at a time; refuse them if one is longer than another."""
    paths = [*systems.values(), *references, *([documents] if documents else [])]
    files = [LineFile(path, warn=warn) for path in paths]
    while True:
        parts = [file.take(size) for file in files]
        if len({len(part) for part in parts}) > 1:
            raise InputError(_mismatch(files))
        if len(parts[0]) == 0:
            break
        yield Block(
            hypotheses=dict(zip(systems, parts, strict=False)),
            references=_native.zipped_texts(parts[len(systems) : len(systems) + len(references)]),
            documents=[parts[-1][i][0] for i in range(len(parts[-1]))] if documents else None,
        )
    if files[0].taken == 0:
        raise InputError(f"{files[0].name} and its references are empty: there is no segment to score.")


def _mismatch(files: Sequence[LineFile]) -> str:
    counts = [file.taken + file.count_rest() for file in files]
    other = next(i for i, count in enumerate(counts) if count != counts[0])
    message = f"{files[0].name} has {counts[0]:,} segments, but {files[other].name} has {counts[other]:,}."
    if files[0].path != "-" and files[other].path != "-":
        message += _where_they_part(files[0], files[other])
    return message + " Give files with one segment per line, in the same order."


def _where_they_part(one: LineFile, two: LineFile) -> str:
    """Guess the line from which on one file is shifted against the other."""
    first, second = _words_of_lines(one), _words_of_lines(two)
    if not first or not second:
        return ""
    if len(first) > len(second):
        one, two, first, second = two, one, second, first
    line = misaligned_from(first, second) + 1
    if line > len(first):
        return f" {one.name} seems to stop early: the lines before fit each other."
    missing = len(second) - len(first)
    lines = "a line is" if missing == 1 else f"{missing:,} lines are"
    return f" They first look misaligned at line {line:,} ({lines} missing from {one.name} there?)."


def _words_of_lines(file: LineFile) -> list[frozenset[str]]:
    texts = LineFile(file.path, warn=lambda _: None).take(_COMPARED)
    return [frozenset(texts[i][0].split()) for i in range(len(texts))]


def misaligned_from(shorter: Sequence[frozenset[str]], longer: Sequence[frozenset[str]]) -> int:
    """Return the index from which `shorter` fits `longer` best if shifted by the difference of their lengths."""
    shift = len(longer) - len(shorter)
    unshifted = [_likeness(a, b) for a, b in zip(shorter, longer, strict=False)]
    shifted = [_likeness(a, b) for a, b in zip(shorter, longer[shift:], strict=True)]
    best = fit = sum(shifted)
    where = 0
    for index, (stays, moves) in enumerate(zip(unshifted, shifted, strict=True)):
        fit += stays - moves
        if fit > best:
            best, where = fit, index + 1
    return where


def _likeness(a: frozenset[str], b: frozenset[str]) -> float:
    if not a or not b:
        return float(a == b)
    return len(a & b) / max(len(a), len(b))
