"""A test set as it is scored: texts of one or several sets, all of them or those that a user chose."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import compress

from tertium import _native
from tertium.corpus.formats import open_references
from tertium.corpus.named.catalogue import NamedSet, Pair, named_set, named_sets
from tertium.corpus.named.conversion import has_documents
from tertium.corpus.named.own import OwnPair, own_pair, own_sets
from tertium.corpus.named.store import Say, all_fields, counted_references, field_lines
from tertium.corpus.readers import TextFile
from tertium.errors import Argument, InputError, Message
from tertium.files.reading import legible

_FACTS = ("src", "ref", "docid", "origlang", "domain")  # fields that are no system
_NOTHING_KNOWN = Message(Argument("subset"), ": nothing is known of the documents")


@dataclass(frozen=True)
class Loaded:
    """Texts of one language pair; `kept` says which segments of the whole they are."""

    name: str
    source: list[str]
    references: dict[str, list[str]]
    documents: list[str] | None
    kept: list[bool]
    has_source: bool = True

    def __len__(self) -> int:
        return len(self.source)


def load(
    names: str, pair: str | None, *, origlang: str | None = None, subset: str | None = None,
    say: Say = lambda what: None, own: OwnPair | None = None,
) -> Loaded:  # fmt: skip
    """Return the texts of a test set, or of several with commas between them, fetching what is not here.

    `own` are files that get this name, before they have it.
    """
    if own is not None:
        return _load_own(names, pair or "", own)
    parts = []
    known = own_sets()
    for name in names.split(","):  # before anything is fetched
        if name in known and name not in named_sets():
            own_pair(name, pair)
        else:
            named_set(name, known).pair(pair)
    for name in names.split(","):
        if name in known and name not in named_sets():
            if origlang or subset:
                asked = Argument("subset" if subset else "origlang")
                raise InputError(asked, f": nothing is known of the documents of {name}, a test set of your own.")
            parts.append(_load_own(name, pair or "", own_pair(name, pair)))
        else:
            one = named_set(name, known)
            parts.append(_load(one, one.pair(pair), origlang, subset, say))
    counts = {part.name: len(part.references) for part in parts}
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{name} has {count}" for name, count in counts.items())
        raise InputError(f"These sets cannot be joined, since their numbers of references differ: {told}.")
    joined = parts[0] if len(parts) == 1 else _joined(names, parts)
    if not len(joined):
        wanted = [f"{key} {value}" for key, value in (("origlang", origlang), ("subset", subset)) if value is not None]
        raise InputError(f"{joined.name} has no segment with {' and '.join(wanted) or 'any text'}.")
    return joined


def load_outputs(name: str, pair: str | None, *, say: Say = lambda what: None) -> dict[str, list[str]]:
    """Return the outputs of all systems that were published with a test set."""
    one = named_sets().get(name)
    if one is None or not one.is_xml:
        raise InputError(f"{name} has no outputs of systems with it: name the files that are scored against it.")
    found = one.pair(pair)
    fields = all_fields(one, found, say=say)
    systems = [field for field in fields if field not in _FACTS and not field.startswith("ref:")]
    if not systems:
        raise InputError(f"{name} {found.name} has no outputs of systems with it: name the files to score.")
    return {system: field_lines(one, found, system, say=say) for system in systems}


def _load(one: NamedSet, pair: Pair, origlang: str | None, subset: str | None, say: Say) -> Loaded:
    kept = segments_kept(one, pair, origlang=origlang, subset=subset, say=say)

    def texts(field: str) -> list[str]:
        lines = field_lines(one, pair, field, say=say)
        if len(lines) != len(kept):
            raise InputError(
                f"{one.name} {pair.name}: the field {field} has {len(lines):,} lines, but {len(kept):,} were expected. "
                "Delete the set's folder, to have it made anew."
            )
        return list(compress(lines, kept))

    return Loaded(
        name=f"{one.name} {pair.name}",
        source=texts("src"),
        references={f"{one.name} {pair.name} {name}": texts(name) for name in counted_references(one, pair)},
        documents=texts("docid") if has_documents(pair) else None,
        kept=kept,
    )


def _load_own(name: str, pair: str, files: OwnPair) -> Loaded:
    def texts(argument: str) -> list[str]:
        (file,) = open_references(argument, kind=None, warn=lambda message: None)
        lines: list[str] = []
        while count := len(block := file.take(1 << 15)):
            lines += [block[i][0] for i in range(count)]
        return lines

    references = {f"{name} {pair} {path}": texts(path) for path in files.references}
    sides = dict(references)
    for path in (files.source, files.documents):
        if path is not None:
            sides[path] = texts(path)
    (first, count), *others = ((where, len(lines)) for where, lines in sides.items())
    for where, other in others:
        if other != count:
            raise InputError(f"{first} has {count:,} segments, but {where} has {other:,}.")
    return Loaded(
        name=f"{name} {pair}",
        source=sides[files.source] if files.source else [""] * count,
        references=references,
        documents=sides[files.documents] if files.documents else None,
        kept=[True] * count,
        has_source=files.source is not None,
    )


def _joined(names: str, parts: Sequence[Loaded]) -> Loaded:
    documents = None
    if all(part.documents is not None for part in parts):
        documents = [name for part in parts for name in part.documents or ()]
    columns = zip(*(part.references.items() for part in parts), strict=True)
    return Loaded(
        name=f"{names} {parts[0].name.split()[-1]}",
        source=[text for part in parts for text in part.source],
        references={
            " + ".join(name for name, _ in column): [text for _, side in column for text in side] for column in columns
        },
        documents=documents,
        kept=[kept for part in parts for kept in part.kept],
        has_source=all(part.has_source for part in parts),
    )


def segments_kept(
    one: NamedSet, pair: Pair, *, origlang: str | None, subset: str | None, say: Say = lambda what: None
) -> list[bool]:
    """Tell of each segment whether it is among those wanted.

    `origlang` is a language that the text was first written in, or `non-` and one that it was not. `subset` is a
    regular expression that is looked for in what is known of the document, such as US-sport.
    """
    kept = [True] * len(field_lines(one, pair, "src", say=say))
    for option, value in (("origlang", origlang), ("subset", subset)):
        if value is not None and not has_documents(pair):
            raise InputError(Argument(option), f" needs documents, but the files of {one.name} do not tell them.")
    if origlang is not None:
        language = origlang.removeprefix("non-")
        wanted = language == origlang
        kept = [(found == language) is wanted for found in field_lines(one, pair, "origlang", say=say)]
    if subset is not None:
        kept = [a and b for a, b in zip(kept, _in_subset(one, pair, subset, say), strict=True)]
    return kept


def _in_subset(one: NamedSet, pair: Pair, subset: str, say: Say) -> Iterator[bool]:
    if not one.subsets:
        raise InputError(_NOTHING_KNOWN, f" of {one.name}, only of those of wmt18 and wmt19.")
    try:
        pattern = re.compile(subset.removeprefix("country:"))
    except re.error as error:
        raise InputError(Argument("subset", subset), f" is no regular expression: {error}.") from None
    return (pattern.search(one.subsets.get(name, "")) is not None for name in field_lines(one, pair, "docid", say=say))


class HeldLines(TextFile):
    """Lines that are in memory, each a text or the texts of a segment."""

    def __init__(self, name: str, lines: Sequence[str | list[str]]) -> None:
        self.name = legible(name)
        self._lines = lines

    def take(self, most: int) -> _native.Texts:
        """Return `most` further lines; fewer only at the end."""
        texts = self._lines[self.taken : self.taken + most]
        self.taken += len(texts)
        return _native.grouped_texts(list(texts), self.name)

    def again(self) -> "HeldLines":
        """Return the lines from their beginning."""
        return HeldLines(self.name, self._lines)


class Chosen(TextFile):
    """The segments of a file that were chosen from a test set; the file must have all of the set."""

    def __init__(self, file: TextFile, kept: Sequence[bool], test_set_name: str) -> None:
        self.name = file.name
        self._file, self._kept, self._set = file, kept, test_set_name
        self._rest: list[list[str]] | None = None

    def take(self, most: int) -> _native.Texts:
        """Return `most` further segments; fewer only at the end."""
        if self._rest is None:
            groups: list[list[str]] = []
            while count := len(block := self._file.take(1 << 15)):
                groups += [block[i] for i in range(count)]
            if len(groups) != len(self._kept):
                raise InputError(
                    f"{self.name} has {len(groups):,} segments, but {self._set} has {len(self._kept):,}. Give a "
                    "translation of all of it: ",
                    Argument("origlang"),
                    " and ",
                    Argument("subset"),
                    " choose from both.",
                )
            self._rest = list(compress(groups, self._kept))
        texts = self._rest[self.taken : self.taken + most]
        self.taken += len(texts)
        return _native.grouped_texts(texts, self.name)

    def again(self) -> "Chosen | None":
        """Return the same from its beginning, or None if it can be read only once."""
        again = self._file.again()
        return None if again is None else Chosen(again, self._kept, self._set)
