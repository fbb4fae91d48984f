"""Files that belong together segment by segment, and what may have gone wrong when they do not."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tertium import _native
from tertium.corpus.readers import TextFile
from tertium.corpus.testsets import HeldFile, in_order_of, missing
from tertium.errors import Argument, InputError
from tertium.files.lines import Warn

_COMPARED = 100_000  # segments that are compared to find where two files part


@dataclass(frozen=True)
class Block:
    """Some segments: each system's hypotheses, the references in groups; documents and sources if they are known."""

    hypotheses: dict[str, _native.Texts]
    references: _native.Texts
    documents: list[str] | None
    sources: list[str] | None = None
    resegmented: str | None = None  # by which method the hypotheses were cut to these segments, if they were
    progress: Callable[[int], None] | None = field(default=None, compare=False)  # told how many segments are scored

    def pieces(self, size: int) -> "Iterator[Block]":
        """Return the block in pieces, for what is told in between."""
        for begin in range(0, len(self), size):
            yield Block(
                {system: texts.slice(begin, begin + size) for system, texts in self.hypotheses.items()},
                self.references.slice(begin, begin + size),
                None,
            )

    def __len__(self) -> int:
        return len(self.references)

    def of_system(self, system: str) -> "Block":
        """Return the block with this system alone."""
        return replace(self, hypotheses={system: self.hypotheses[system]})

    @property
    def reference_count(self) -> int | str:
        """How many references each segment has; "var" where that varies."""
        return self.references.group_size or "var"


def parallel_blocks(
    systems: Mapping[str, TextFile],
    references: Sequence[TextFile],
    documents: TextFile | None,
    *,
    size: int,
    warn: Warn,
    source: TextFile | None = None,
) -> Iterator[Block]:
    """Read all files side by side, up to `size` segments at a time; refuse them if they do not fit together."""
    files = [*systems.values(), *references, *([source] if source else []), *([documents] if documents else [])]
    blocks = _by_id if any(file.ids is not None for file in files) else _by_position
    count = 0
    empty: dict[str, tuple[int, int]] = {}  # how many hypotheses are, and the first; they score 0, often by mistake
    for block in blocks(systems, references, source, documents, size):
        for system, texts in block.hypotheses.items():
            if texts.group_size != 1:
                raise InputError(
                    f"{systems[system].name} has segments with several texts, but one hypothesis is expected."
                )
            found, place = texts.empty()
            if found:
                before, first = empty.get(systems[system].name, (0, count + place + 1))
                empty[systems[system].name] = (before + found, first)
        count += len(block)
        yield block
    for name, (found, first) in empty.items():
        what = "hypothesis is" if found == 1 else "hypotheses are"
        warn(f"{name}: {found:,} {what} empty, the first at segment {first:,}.")
    if count == 0:
        raise InputError(f"{files[0].name} and its references are empty: there is no segment to score.")


def all_references(blocks: Sequence[Block]) -> _native.Texts:
    """Return the references of all blocks, for metrics that learn from them."""
    return _native.joined_texts([block.references for block in blocks])


def _by_position(
    systems: Mapping[str, TextFile],
    references: Sequence[TextFile],
    source: TextFile | None,
    documents: TextFile | None,
    size: int,
) -> Iterator[Block]:
    files = [*systems.values(), *references, *([source] if source else []), *([documents] if documents else [])]
    while True:
        parts = [file.take(size) for file in files]
        if len({len(part) for part in parts}) > 1:
            raise InputError(mismatch(files), *_remedy(list(systems.values()), references))
        if len(parts[0]) == 0:
            return
        ours, theirs = parts[: len(systems)], parts[len(systems) : len(systems) + len(references)]
        yield Block(
            hypotheses=dict(zip(systems, ours, strict=True)),
            references=theirs[0] if len(theirs) == 1 else _native.zipped_texts(theirs),
            documents=_first_texts(parts[-1]) if documents else None,
            sources=_first_texts(parts[len(systems) + len(references)]) if source else None,
        )


def _first_texts(texts: _native.Texts) -> list[str]:
    return [texts[i][0] for i in range(len(texts))]


def _by_id(
    systems: Mapping[str, TextFile],
    references: Sequence[TextFile],
    source: TextFile | None,
    documents: TextFile | None,
    size: int,
) -> Iterator[Block]:
    """Bring everything into the order of the first file that has ids."""
    leader = next(file for file in (*systems.values(), *references) if file.ids is not None)
    ids = leader.ids or []
    ours = {system: _ordered(file, ids, leader, whole=True) for system, file in systems.items()}
    sides = [_ordered(file, ids, leader, whole=False) for file in references]
    theirs = []
    for index, (document, segment) in enumerate(ids):
        group = [text for side in sides for text in side[index] or ()]
        if not group:
            raise missing(references[0].name, document, segment, leader.name)
        theirs.append(group)
    if documents is not None:
        names = [group[0] for group in _ordered(documents, ids, leader, whole=True) if group]
    else:
        names = [document for document, _ in ids]
    sources = None
    if source is not None:
        sources = [group[0] for group in _ordered(source, ids, leader, whole=True) if group]
    for begin in range(0, len(ids), size):
        end = begin + size
        yield Block(
            hypotheses={s: _native.grouped_texts(side[begin:end], systems[s].name) for s, side in ours.items()},
            references=_native.grouped_texts(theirs[begin:end], "references"),
            documents=names[begin:end] if any(names) else None,
            sources=None if sources is None else sources[begin:end],
        )


def _ordered(
    file: TextFile, ids: Sequence[tuple[str, str]], leader: TextFile, *, whole: bool
) -> list[list[str] | None]:
    """Return a file's texts for these ids; one without ids by position."""
    if isinstance(file, HeldFile):
        groups = in_order_of(ids, file, leader.name)
        if whole:
            for identity, group in zip(ids, groups, strict=True):
                if group is None:
                    raise missing(file.name, *identity, leader.name)
        return groups
    plain: list[list[str] | None] = []
    while len(block := file.take(1 << 15)):
        plain += [block[i] for i in range(len(block))]
    if len(plain) != len(ids):
        raise InputError(
            f"{leader.name} has {_segments(len(ids))}, but {file.name} has {len(plain):,}. Give the same segments, in "
            "the same order."
        )
    return plain


def _segments(count: int) -> str:
    return f"{count:,} segment{'' if count == 1 else 's'}"


def mismatch(files: Sequence[TextFile]) -> str:
    """Say which files have not as many segments, and where they may have parted."""
    counts = [file.taken + file.count_rest() for file in files]
    other = next(i for i, count in enumerate(counts) if count != counts[0])
    message = f"{files[0].name} has {_segments(counts[0])}, but {files[other].name} has {counts[other]:,}."
    shorter, longer = sorted((counts[0], counts[other]))
    if longer <= _COMPARED and longer - shorter <= max(1, longer // 10):
        message += _where_they_part(files[0], files[other])
    for file in (files[0], files[other]):
        if file.lacks_final_newline:
            message += f" {file.name} has no line end after its last line: was it cut short?"
    return message + " Give files with one segment per line, in the same order."


def _remedy(systems: Sequence[TextFile], references: Sequence[TextFile]) -> list[str | Argument]:
    """Say what helps if a hypothesis has other lines than the references, which agree with each other."""
    ours = [file.taken + file.count_rest() for file in systems]
    theirs = {file.taken + file.count_rest() for file in references}
    other = next((count for count in ours if count not in theirs), None)
    if len(theirs) != 1 or other is None:
        return []
    lines = f" {theirs.pop():,} reference lines, {other:,} in the hypothesis: add "
    return [lines, Argument("resegment", "soft")]


def _where_they_part(one: TextFile, two: TextFile) -> str:
    """Guess the segment from which on one file is shifted against the other."""
    first, second = _words_of_segments(one), _words_of_segments(two)
    if not first or not second:
        return ""
    if len(first) > len(second):
        one, two, first, second = two, one, second, first
    line = misaligned_from(first, second) + 1
    if line > len(first):
        return f" {one.name} seems to stop early: the lines before fit each other."
    lost = len(second) - len(first)
    lines = "a line is" if lost == 1 else f"{lost:,} lines are"
    return f" They first look misaligned at line {line:,} ({lines} missing from {one.name} there?)."


def _words_of_segments(file: TextFile) -> list[frozenset[str]]:
    again = file.again()
    if again is None:
        return []
    words: list[frozenset[str]] = []
    while len(block := again.take(1 << 15)):
        words += [frozenset(" ".join(block[i]).split()) for i in range(len(block))]
    return words


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
