"""What every layout of judgments has: a name, a way to tell its files, and a way to read them."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import ClassVar

from tertium.corpus.formats import kind_of
from tertium.corpus.records import first_line, read_fields
from tertium.corpus.tables import columns_of
from tertium.errors import InputError
from tertium.judgments.mqm_weights import MQMWeights
from tertium.judgments.numbering import checked_against, lines_of_names, names_of_places, numbered_through
from tertium.judgments.table import Judgments, Warn


@dataclass(frozen=True)
class Reading:
    """How to read a file.

    `weights` are those of MQM errors; `first_segment` is what the file calls the first segment, 0 or 1. `documents` is
    each line's document: numbers count within documents if `within_documents`, else they are checked against it.
    `segment_ids` is what each line is called in a file that names segments. `language_pair` picks the rows of a file
    that has several. `tasks` is a file of what raters were shown, where a program keeps that apart from the answers.
    """

    weights: MQMWeights = field(default_factory=MQMWeights)
    first_segment: int = 1
    documents: Sequence[str] | None = None
    within_documents: bool = True
    segment_ids: Sequence[str] | None = None
    language_pair: str | None = None
    tasks: str | None = None
    warn: Warn = lambda message: None

    def __post_init__(self) -> None:
        if self.first_segment not in (0, 1):
            raise InputError(
                f"first_segment is what the file calls the first segment, 0 or 1, not {self.first_segment}."
            )

    def placed(self, judgments: Judgments, name: str) -> Judgments:
        """Return the judgments with segments numbered as the lines of the test set are, as far as that is known."""
        if judgments.segment_ids is not None:
            if self.segment_ids is not None:
                return lines_of_names(judgments, self.segment_ids, "the segments' ids")
            if self.documents is not None:
                return lines_of_names(judgments, names_of_places(self.documents), "the documents")
        elif self.documents is not None:
            if self.within_documents:
                return numbered_through(judgments, self.documents)
            return checked_against(judgments, self.documents, name)
        return judgments


@dataclass(frozen=True)
class Glimpse:
    """What tells a file's layout: its name, its kind of table, its first line."""

    path: str

    @cached_property
    def kind(self) -> str:
        """The kind of table: tsv, csv, jsonl, parquet or text."""
        return kind_of(self.path, "score")

    @cached_property
    def line(self) -> str:
        """The first line; nothing of a binary file."""
        return "" if self.kind == "parquet" else first_line(self.path)

    @cached_property
    def head(self) -> str:
        """The first lines, as far as they tell anything."""
        lines = (line for _, (line,) in read_fields(self.path, warn=lambda message: None, split=lambda line: [line]))
        return "\n".join(islice(lines, 60))[:200_000]

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The first line, cut at blanks, tabs and commas."""
        return tuple(word.strip('"') for word in self.line.replace(",", " ").replace("\t", " ").split())

    @cached_property
    def names(self) -> frozenset[str]:
        """What the columns are called if the file has a header, in small letters."""
        is_named = self.kind in ("jsonl", "parquet")
        return frozenset(name.lower() for name in (columns_of(self.path, self.kind) if is_named else self.words))

    @property
    def is_file(self) -> bool:
        """Whether there is something to look at: standard input or a pipe can be read only once."""
        return Path(self.path).is_file()


class Form(ABC):
    """A layout of judgments."""

    name: ClassVar[str]
    holds: ClassVar[str]  # what a file of this layout is, in a line

    @abstractmethod
    def recognises(self, file: Glimpse) -> bool:
        """Whether a file looks like this layout."""

    @abstractmethod
    def read(self, path: str, reading: Reading) -> Judgments:
        """Read a file of this layout."""
