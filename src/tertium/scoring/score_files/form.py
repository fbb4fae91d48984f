"""What a reader of others' scores is: it tells its files when it sees them, and makes a list of scores of them."""

import json
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tertium.corpus.formats import kind_of, stem_of
from tertium.corpus.records import first_line
from tertium.files.lines import Warn
from tertium.files.reading import head
from tertium.scoring.imported_scores import ImportedScore


@dataclass(frozen=True)
class ScoreFile:
    """A file as it was named, and a glimpse of what it holds."""

    path: str
    column: str | None
    name: str | None

    @property
    def system(self) -> str:
        """The system whose scores the file holds if it names none: as it was named, or the file's stem."""
        return self.name if self.name is not None else stem_of(self.path)

    @cached_property
    def kind(self) -> str:
        """What kind of file it is, tables being `tsv` unless they look like something else."""
        kind = kind_of(self.path, self.column or "score")
        return kind if kind in ("csv", "jsonl", "parquet") else "tsv"

    @cached_property
    def start(self) -> str:
        """How the file begins."""
        return head(self.path, 4096).decode("utf-8-sig", "replace").lstrip()

    @cached_property
    def record(self) -> dict[str, Any]:
        """The first line, if it is an object of JSON."""
        if not self.start.startswith("{"):
            return {}
        try:
            found = json.loads(first_line(self.path))
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}


class ScoreForm(ABC):
    """A kind of file that holds scores of segments."""

    name: str
    holds: str
    takes_name = True  # whether NAME= names something that the file leaves open

    @abstractmethod
    def recognises(self, file: ScoreFile) -> bool:
        """Whether a file looks like one of these."""

    @abstractmethod
    def read(self, file: ScoreFile, warn: Warn) -> list[ImportedScore]:
        """Read all scores; what is wrong with one is said with its place."""
