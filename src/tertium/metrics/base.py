"""What every metric is: a segment becomes a row of numbers, a score is a function of a sum of rows."""

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import Field, replace
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from tertium import __version__, _native
from tertium.corpus import Segments, check_parallel, hypothesis_texts, reference_texts
from tertium.errors import InputError
from tertium.metrics.alignment import Alignment
from tertium.metrics.pairs import Rows, pair_by_pair
from tertium.metrics.settings import Setting, settings_of, written
from tertium.text import Tokenizer
from tertium.text.languages import Language

Floats = NDArray[np.float64]
References = Sequence[str | Sequence[str | None]]

_MOST_THREADS = 1024  # more than that is a slip of the finger, and the system might not give them


def thread_count(threads: int | None) -> int:
    """Return how many threads to use: those asked for, or all cores the process may use."""
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not isinstance(threads, int) or threads < 1:
        raise InputError(f"threads must be a whole number of at least 1, not {threads!r}.")
    return min(threads, _MOST_THREADS)


class Metric(ABC):
    """Subclasses are frozen dataclasses whose fields are the settings that change scores.

    A subclass says what it is called and counts, makes `rows`, and has `score` and `parts` of their sums. The rest is
    here: checks of what is given, signatures, and what few metrics have (alignments, things to learn first, tokens).
    """

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    name: str
    title: str = ""  # what people call it, where that is not its name
    higher_is_better: bool
    range: str
    source: str
    perfect: float | None = None  # the score of a text that equals its reference, if there is one
    aggregation: str = "statistics are added up over segments, then scored"

    @property
    def limits(self) -> tuple[float | None, float | None]:
        """The least and the greatest score there can be, as `range` says it first: "0 to 100", "0 and more"."""
        found = re.match(r"(-?[\d.]+) (?:to (-?[\d.]+)|and )", self.range)
        if found is None:
            return None, None
        return float(found[1]), None if found[2] is None else float(found[2])

    @property
    @abstractmethod
    def columns(self) -> tuple[str, ...]:
        """What each statistic counts."""

    @abstractmethod
    def rows(self, hypotheses: Segments, references: Segments, *, threads: int) -> Floats:
        """Return (segments, columns) for segments that were checked before."""

    @abstractmethod
    def score(self, totals: Floats) -> Floats:
        """Map (..., columns) to (...): one row, one sum, or thousands of resampled sums."""

    @abstractmethod
    def parts(self, totals: Floats) -> dict[str, Floats]:
        """Return what the score is made of, each value of the shape (...)."""

    def statistics(self, hypotheses: Sequence[Any], references: Sequence[Any], *, threads: int | None = None) -> Floats:
        """Return (segments, columns). `references[i]` belongs to `hypotheses[i]`."""
        return self.rows(*self.segments(hypotheses, references), threads=thread_count(threads))

    def segments(self, hypotheses: Sequence[Any], references: Sequence[Any]) -> tuple[Segments, Segments]:
        """Check the texts and hold them as `rows` takes them."""
        ours, theirs = Segments(hypothesis_texts(hypotheses)), Segments(reference_texts(references))
        check_parallel(len(ours), len(theirs), nested=references)
        return ours, theirs

    def pairwise_statistics(
        self, hypotheses: Sequence[str], references: Sequence[str], *, threads: int | None = None
    ) -> Floats:
        """Return (hypotheses, references, columns): the row of each hypothesis with each reference."""
        ours, theirs = hypothesis_texts(hypotheses), hypothesis_texts(references, "references")
        rows = self.pair_rows(Segments(theirs), threads=thread_count(threads))(Segments(ours))
        return rows.reshape(len(ours), len(theirs), len(self.columns))

    def checked(self, totals: Floats) -> Floats:
        """Return rows or sums of rows as numbers, if they can be this metric's."""
        try:
            totals = np.asarray(totals, np.float64)
        except (TypeError, ValueError, OverflowError):
            raise InputError(f"{self.name} scores rows of numbers, not {totals!r:.80}.") from None
        if totals.ndim == 0 or totals.shape[-1] != len(self.columns):
            raise InputError(
                f"{self.name} scores rows of {len(self.columns)} numbers ({', '.join(self.columns[:3])}, …), but the "
                f"shape given is {totals.shape}. Are these the rows of another metric, or of other settings?"
            )
        if not np.isfinite(totals.sum()) and not np.isfinite(totals).all():
            raise InputError(
                f"{self.name} cannot score rows that hold nan or inf: such a row was made of no segment. Leave it out."
            )
        return totals

    # --- settings: what was given is checked line by line, then as a whole

    def __post_init__(self) -> None:
        declared = settings_of(type(self)).items()
        given = {name: one.checked(f"{self.name}'s {name}", getattr(self, name)) for name, one in declared}
        for name, value in self.resolved(given).items():
            object.__setattr__(self, name, value)

    @classmethod
    def resolved(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Return the settings to use for those given: refuse what cannot go together, fill in what others bring."""
        return given

    def default(self) -> "Metric":
        """Return the metric of this kind with all settings at their defaults."""
        return type(self)()

    def settings(self) -> dict[str, str]:
        """Return every setting as it is written in a signature."""
        return {name: written(getattr(self, name)) for name in settings_of(type(self))}

    @property
    def meanings(self) -> dict[str, str]:
        """What each setting means, in a few words."""
        return {name: one.meaning for name, one in settings_of(type(self)).items()}

    def signature(self, references: int | str | None = None, resegmented: str | None = None) -> str:
        """Return what fixes the score: every setting, the number of references, the versions that matter.

        `resegmented` says how hypotheses were cut to segments, if they were.
        """
        settings = ",".join(f"{key}={value}" for key, value in self.settings().items())
        refs = _fields(references, resegmented)
        return f"{self.name}:{settings}{refs}|unicode={_native.unicode_version}|tertium={__version__}"

    def short_signature(self, references: int | str | None = None, resegmented: str | None = None) -> str:
        """Return what differs from the defaults, then references and version: `bleu|refs=2|tertium=0.1.0`."""
        told = ",".join(f"{key}={value}" for key, value in self.told_settings().items() if key not in self.learnt)
        refs = _fields(references, resegmented)
        return f"{self.name}{':' if told else ''}{told}{refs}|tertium={__version__}"

    def told_settings(self) -> dict[str, str]:
        """Return the settings that do not go without saying: neither the default, nor brought by another setting."""
        ours, usual = self.settings(), self.default().settings()
        brought = {name for name, one in self.own_settings().items() if one.default is None}
        return {
            key: value
            for key, value in ours.items()
            if (replace(self, **{key: None}) != self if key in brought else value != usual.get(key))
        }

    def own_settings(self) -> dict[str, Setting]:
        """Return the lines that declare the settings; a metric made of others has none of its own."""
        return settings_of(type(self))

    # --- what few metrics have

    learnt: ClassVar[tuple[str, ...]] = ()  # settings that fitted_to fills in

    def pair_rows(self, references: Segments, *, threads: int) -> Rows:
        """Return what makes the rows of hypotheses with all references, hypothesis by hypothesis."""
        return pair_by_pair(self, references, threads=threads)

    def aggregated_rows(self, references: Segments, weights: Floats, *, threads: int) -> Rows:
        """Return what makes the rows of hypotheses with all references as one, whose counts are weighted sums."""
        raise InputError(f"{self.name} cannot make one of several references. Metrics that do: bleu, chrf.")

    def align(self, hypothesis: str, references: Sequence[str]) -> Alignment:
        """Return which words stand for which, against the reference that counts; for metrics that align words."""
        raise self.no_alignment()

    @property
    def aligns(self) -> bool:
        """Whether it aligns words."""
        return type(self).align is not Metric.align

    def no_alignment(self) -> InputError:
        """Say that it aligns no words, and which metrics do."""
        from tertium.metrics import METRICS  # which imports this file

        aligning = [metric.name for metric in METRICS if metric.align is not Metric.align]
        return InputError(f"{self.name} aligns no words. Metrics that do: {', '.join(aligning)}.")

    def fitted_to(self, references: References) -> Self:
        """Return a copy that has learnt what it needs from the whole reference side."""
        return self

    @property
    def is_fitted(self) -> bool:
        """Whether nothing has to be learnt from the references first."""
        return True

    @property
    def takes_tokens(self) -> bool:
        """Whether segments come as lists of tokens rather than as text."""
        return False

    @property
    def tokenizer(self) -> Tokenizer | None:
        """What splits the texts; metrics with equal ones share the tokens. None where texts are not split."""
        return None

    # --- languages

    @classmethod
    def language_settings(cls, language: Language, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the settings that a target language brings; those given win over them."""
        return {}

    def shortcoming(self, language: Language) -> str:
        """Return what is missing for a language, as a sentence, or nothing if all is there."""
        return ""


def _fields(references: int | str | None, resegmented: str | None) -> str:
    """Return what a signature says of the texts."""
    refs = "" if references is None else f"|refs={references}"
    return refs if resegmented is None else f"{refs}|resegment={resegmented}"
