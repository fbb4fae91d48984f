"""Files as lists, for notebooks and scripts: the texts of a file or column, and all sides of a test set."""

import warnings
from dataclasses import dataclass, field
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from tertium.corpus.formats import kind_of, open_references, split_column
from tertium.corpus.readers import TextFile
from tertium.corpus.testsets import references_of, sources_of, systems_of
from tertium.errors import InputError
from tertium.results import Shown, Table

_SEVERAL = ("xml", "sgml", "trans")


def read(file: str | PathLike[str]) -> list[str]:
    """Return the texts of a file, one per segment.

    It holds lines, plain or compressed, or is a column of a table: `results.tsv:system`, also .csv, .jsonl, .parquet.
    """
    argument = fspath(file)
    if (kind := kind_of(*split_column(argument))) in _SEVERAL:
        raise InputError(f"{argument} is a test set ({kind}), which has several sides: read it with read_testset.")
    return _texts(open_references(argument, kind=kind, warn=_warn)[0])


@dataclass(frozen=True, repr=False)
class TestSet(Shown):
    """A test set: source texts, references by translator, hypotheses by system, the document of each segment."""

    __test__ = False  # pytest would take it for tests

    sources: list[str] | None
    references: dict[str, list[str]]
    systems: dict[str, list[str]] = field(default_factory=dict)
    documents: list[str] | None = None

    @property
    def reference_sets(self) -> list[list[str]]:
        """The references as `tertium.score` takes them: `reference_sets=found.reference_sets`."""
        return list(self.references.values())

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data."""
        return {
            "sources": self.sources,
            "references": self.references,
            "systems": self.systems,
            "documents": self.documents,
        }

    def rows_of_frame(self) -> list[dict[str, Any]]:
        """Return a row for each segment, with a column for each side."""
        sides = {"document": self.documents, "source": self.sources}
        sides |= {f"reference {name}".strip(): texts for name, texts in self.references.items()}
        sides |= {f"system {name}".strip(): texts for name, texts in self.systems.items()}
        there = {name: texts for name, texts in sides.items() if texts is not None}
        return [dict(zip(there, row, strict=True)) for row in zip(*there.values(), strict=True)]

    def table(self) -> Table:
        """Return what there is."""
        sides = [("source", "", self.sources)] if self.sources is not None else []
        sides += [("reference", name, texts) for name, texts in self.references.items()]
        sides += [("system", name, texts) for name, texts in self.systems.items()]
        rows = [[side, name, f"{len(texts or ()):,}"] for side, name, texts in sides]
        documents = "" if self.documents is None else f" in {len(set(self.documents)):,} documents"
        return Table(f"Test set{documents}", ["Side", "Name", "Segments"], rows, words=2)


def read_testset(file: str | PathLike[str], *more: str | PathLike[str], language: str | None = None) -> TestSet:
    """Return the sides of a test set: WMT's XML, of which one file has all, or NIST's SGML; or one known by name.

    Of SGML give the files of source, references and systems, in any order. A name (`wmt22`) needs a language pair
    (`language="en-de"`); what is not here yet is fetched, as with `tertium score -t`.
    """
    paths = [fspath(one) for one in (file, *more)]
    if language is not None:
        if more or Path(paths[0]).is_file():
            raise InputError(f"language is for test sets known by name, such as wmt22, but {paths[-1]} is a file.")
        return _named(paths[0], language)
    sources: list[str] | None = None
    references: dict[str, list[str]] = {}
    systems: dict[str, list[str]] = {}
    documents: list[str] | None = None
    for path in paths:
        kind = kind_of(path, None)
        if kind not in ("xml", "sgml"):
            raise InputError(f"{path} is no test set in WMT's XML or NIST's SGML. Read plain files with tertium.read.")
        for side in _sides(path, kind):
            if side == "src":
                held = sources_of(path, kind)
                sources = _texts(held)
                documents = [document for document, _ in held.ids or ()]
            elif side == "ref":
                references |= {name: _texts(one) for name, one in references_of(path, kind).items()}
            else:
                systems |= {name: _texts(one) for name, one in systems_of(path, kind).items()}
    sizes = {len(texts) for texts in (*references.values(), *systems.values(), *([sources] if sources else []))}
    if len(sizes) > 1:
        raise InputError(
            f"The sides of {', '.join(paths)} have {' and '.join(f'{size:,}' for size in sorted(sizes))} segments. Not "
            "all are of all segments: score the files themselves, which are then matched by their ids."
        )
    return TestSet(sources, references, systems, documents if documents and any(documents) else None)


def _named(name: str, pair: str) -> TestSet:
    from tertium.corpus.named.loading import load

    found = load(name, pair)
    return TestSet(found.source if found.has_source else None, found.references, {}, found.documents)


def _sides(path: str, kind: str) -> list[str]:
    """Return which sides a file has."""
    from tertium.files.reading import whole

    text = whole(path).lower()
    marks = {"src": b"<srcset", "ref": b"<refset", "hyp": b"<tstset"}
    if kind == "xml":
        marks = {"src": b"<src", "ref": b"<ref", "hyp": b"<hyp"}
    return [side for side, mark in marks.items() if mark in text]


def _texts(file: TextFile) -> list[str]:
    texts: list[str] = []
    while count := len(block := file.take(1 << 15)):
        for i in range(count):
            if len(group := block[i]) != 1:
                raise InputError(f"{file.name} has {len(group)} texts at segment {len(texts) + 1:,}, one was expected.")
            texts.append(group[0])
    return texts


def _warn(message: str) -> None:
    warnings.warn(message, stacklevel=4)
