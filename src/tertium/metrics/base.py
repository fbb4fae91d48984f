"""What every metric is: a segment becomes a row of numbers, a score is a function of a sum of rows."""

import os
import sys
from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, TypeGuard

import numpy as np
from numpy.typing import NDArray

from tertium import __version__, _native
from tertium.corpus import Segments, check_parallel, hypothesis_texts, reference_texts
from tertium.corpus.segments import TokenSegments, token_segments
from tertium.errors import InputError, UnknownNameError
from tertium.metrics.alignment import Alignment
from tertium.metrics.tunable import Tunable
from tertium.text import UNICODE_FORMS, Tokenizer, tokenizer
from tertium.text.tokenizers import check_tokenizer, model_mark

if TYPE_CHECKING:
    from tertium.text.canonical import Canonical

Floats = NDArray[np.float64]
References = Sequence[str | Sequence[str | None]]

_TUNED_TOKENIZERS = ("13a", "intl", "char", "none")
_MOST_THREADS = 1024  # more than that is a slip of the finger, and the system might not give them


def thread_count(threads: int | None) -> int:
    """Return how many threads to use: those asked for, or all cores the process may use."""
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not isinstance(threads, int) or threads < 1:
        raise InputError(f"threads must be a whole number of at least 1, not {threads!r}.")
    return min(threads, _MOST_THREADS)


class Metric(ABC):
    """Subclasses are frozen dataclasses whose fields are the settings that change scores."""

    name: ClassVar[str]
    higher_is_better: ClassVar[bool]
    perfect: ClassVar[float | None] = None  # the score of a text that equals its reference, if there is one
    range: ClassVar[str]
    aggregation: ClassVar[str] = "statistics are added up over segments, then scored"
    source: ClassVar[str]
    choices: ClassVar[dict[str, tuple[str, ...]]] = {}
    meanings: ClassVar[dict[str, str]]  # of each setting, in a few words

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
        ours, theirs = self.segments(hypotheses, references)
        check_parallel(len(ours), len(theirs), nested=references)
        return self.rows(ours, theirs, threads=thread_count(threads))

    def segments(
        self, hypotheses: Sequence[Any], references: Sequence[Any]
    ) -> tuple[Segments | TokenSegments, Segments | TokenSegments]:
        """Check the texts and hold them as `rows` takes them."""
        return Segments(hypothesis_texts(hypotheses)), Segments(reference_texts(references))

    def align(self, hypothesis: str, references: Sequence[str]) -> Alignment:
        """Return which words stand for which, against the reference that counts; for metrics that align words."""
        raise InputError(f"{self.name} aligns no words. Metrics that do: {', '.join(_aligning())}.")

    def fitted_to(self, references: References) -> Self:
        """Return a copy that has learnt what it needs from the whole reference side."""
        return self

    @property
    def is_fitted(self) -> bool:
        """Whether nothing has to be learnt from the references first."""
        return True

    def tunables(self) -> dict[str, Tunable]:
        """Return what may be tuned, by name; most settings may not."""
        return {}

    def with_values(self, values: Mapping[str, Any]) -> "Metric":
        """Return a copy with other values of its tunables; those not named stay."""
        raise InputError(f"{self.name} has nothing to tune.")

    def rescored(self, totals: Floats, values: Mapping[str, Any]) -> Floats:
        """Return the scores of `with_values(values)`, quickly; values that change rows are not for this."""
        return self.with_values(values).score(totals)

    def realigned(self) -> "Metric":
        """Return the metric that makes its rows by the values it scores with, where the two can differ."""
        return self

    @property
    def takes_tokens(self) -> bool:
        """Whether segments come as lists of tokens rather than as text."""
        return False

    @property
    def tokenizer(self) -> Hashable | None:
        """What the metric splits texts with; metrics with equal ones share the tokens."""
        return None

    def with_tokenizer(self, name: str) -> "Metric":
        """Return a copy that splits texts that way, if the metric splits texts at all."""
        return self

    def default(self) -> "Metric":
        """Return the metric of this kind with all settings at their defaults."""
        return type(self)()

    def settings(self) -> dict[str, str]:
        """Return every setting as it is written in a signature."""
        return {field.name: written(getattr(self, field.name)) for field in fields(self)}  # type: ignore[arg-type]

    def signature(self, references: int | str | None = None) -> str:
        """Return what fixes the score: every setting, the number of references, the versions that matter."""
        settings = ",".join(f"{key}={value}" for key, value in self.settings().items())
        refs = "" if references is None else f"|refs={references}"
        return f"{self.name}:{settings}{refs}|unicode={_native.unicode_version}|tertium={__version__}"

    def text_settings(self) -> dict[str, str]:
        """Return every setting as it is written after -m: as in a signature, but files by their paths."""
        found = self.settings()
        for field in fields(self):  # type: ignore[arg-type]
            kind, colon, path = str(getattr(self, field.name)).rpartition(":")
            place = str(Path(path).absolute())
            named = path in ("", Path(path).stem)  # a resource that is known by name, not a file
            if "@" in found.get(field.name, "") and kind in ("", "spm") and not named and Path(path).is_file():
                found[field.name] = found[field.name] if "," in place else f"{kind}{colon}{place}"
        return found

    def metric_text(self) -> str:
        """Return what brings the metric back after -m, on this machine."""
        return f"{self.name}:" + ",".join(f"{key}={value}" for key, value in self.text_settings().items())

    def checked(self, totals: Floats) -> Floats:
        """Return rows or sums of rows as numbers, if they can be this metric's."""
        totals = np.asarray(totals, np.float64)
        if totals.ndim == 0 or totals.shape[-1] != len(self.columns):
            raise InputError(
                f"{self.name} scores rows of {len(self.columns)} numbers ({', '.join(self.columns[:3])}, …), but the "
                f"shape given is {totals.shape}. Are these the rows of another metric, or of other settings?"
            )
        return totals

    def check_choices(self) -> None:
        """Refuse a value that a setting does not have."""
        for setting, known in self.choices.items():
            if getattr(self, setting) not in known:
                raise UnknownNameError.of(f"value of {self.name}'s {setting}", getattr(self, setting), known)


TEXT_MEANINGS = {
    "unicode": "Unicode normalization first",
    "stem": "compare stems of this language instead of words",
    "synonyms": "compare concepts of this source (wordnet, a file) instead of words",
}


class WordMetric(Metric):
    """A metric on tokens; its dataclass has the fields tokenize, lowercase, unicode, stem and synonyms."""

    tokenize: Any
    lowercase: bool
    unicode: str
    stem: str | None
    synonyms: str | None

    def tunables(self) -> dict[str, Tunable]:
        """Return the tokenizer and case, which need other rows."""
        if not isinstance(self.tokenize, str) or self.takes_tokens:
            return {}
        names = tuple(dict.fromkeys((self.tokenize, *_TUNED_TOKENIZERS)))
        case = Tunable(written(self.lowercase), choices=("false", "true"), fixed_rows=False)
        return {"tokenize": Tunable(self.tokenize, choices=names, fixed_rows=False), "lowercase": case}

    def with_values(self, values: Mapping[str, Any]) -> "Metric":
        """Return a copy with other tokens."""
        text: dict[str, Any] = {"tokenize": values.get("tokenize", self.tokenize), "lowercase": self.lowercase}
        if "lowercase" in values:
            text["lowercase"] = values["lowercase"] == "true"
        return replace(self, **text)  # type: ignore[type-var]

    def with_tokenizer(self, name: str) -> "Metric":
        """Return a copy that splits texts that way."""
        return replace(self, tokenize=name)  # type: ignore[type-var]

    def check_text_settings(self) -> None:
        """Refuse settings of text that do not exist."""
        check_tokenizer(self.tokenize)
        check_flags(self, "lowercase")
        if self.unicode not in UNICODE_FORMS:
            raise UnknownNameError.of("Unicode form", self.unicode, UNICODE_FORMS)
        if self.tokenize == "tokens" and (self.lowercase or self.unicode != "none"):
            raise InputError("tokenize='tokens' takes tokens as they are: lowercase and unicode cannot be set.")
        settle_lexicon(self)

    @property
    def takes_tokens(self) -> bool:
        """Whether segments come as lists of tokens rather than as text."""
        return bool(self.tokenize == "tokens")

    @property
    def tokenizer(self) -> "Tokenizer | Canonical | None":
        """What splits the texts; None for texts that come as lists of tokens and are compared as they are."""
        return canonical(self.word_tokenizer, self.stem, self.synonyms)  # type: ignore[no-any-return]

    @property
    def word_tokenizer(self) -> Tokenizer | None:
        """What splits the texts, leaving words as they stand; None for texts that come as lists of tokens."""
        if self.takes_tokens:
            return None
        return tokenizer(self.tokenize, lowercase=self.lowercase, unicode=self.unicode)

    def segments(
        self, hypotheses: Sequence[Any], references: Sequence[Any]
    ) -> tuple[Segments | TokenSegments, Segments | TokenSegments]:
        """Check the texts, or the lists of tokens."""
        if self.takes_tokens:
            return token_segments(hypotheses, "hypotheses"), token_segments(references, "references")
        return super().segments(hypotheses, references)

    def settings(self) -> dict[str, str]:
        """Return every setting; a model file is named with its hash."""
        settings = super().settings()
        if isinstance(self.tokenize, str) and (self.tokenize.startswith(("spm:", "flores"))):
            kind = "spm" if self.tokenize.startswith("spm:") else self.tokenize
            settings["tokenize"] = f"{kind}:{model_mark(self.tokenize)}"
        return settings | lexicon_settings(self)


class TakesLexicon(Protocol):
    """A metric that can compare stems or concepts."""

    @property
    def stem(self) -> str | None: ...
    @property
    def synonyms(self) -> str | None: ...


def settle_lexicon(metric: TakesLexicon) -> None:
    """Check stem and synonyms, and bring them into one form: a stemmer by its own name, 'none' as None."""
    if metric.stem is not None:
        from tertium.text.lexicon.stems import Stems

        name = None if metric.stem == "none" else Stems.open(metric.stem).name
        object.__setattr__(metric, "stem", name)
    if metric.synonyms is not None:
        from tertium.text.lexicon.synonyms import Synonyms

        source = None if metric.synonyms == "none" else Synonyms.open(metric.synonyms).source
        object.__setattr__(metric, "synonyms", source)


def lexicon_settings(metric: TakesLexicon) -> dict[str, str]:
    """Return how a signature names the two, with their hashes."""
    settings = {"stem": "none", "synonyms": "none"}
    if metric.stem is not None:
        from tertium.text.lexicon.stems import Stems

        settings["stem"] = Stems(metric.stem).mark
    if metric.synonyms is not None:
        from tertium.text.lexicon.synonyms import Synonyms

        settings["synonyms"] = Synonyms.open(metric.synonyms).mark
    return settings


def canonical(tokenizer: Any, stem: str | None, synonyms: str | None) -> Any:
    """Return a tokenizer that gives stems or concepts for words, or the one given if neither is wanted."""
    if stem is None and synonyms is None:
        return tokenizer
    from tertium.text.canonical import Canonical, Forms
    from tertium.text.lexicon import Stems, Synonyms

    stems = None if stem is None else Stems(stem)
    return Canonical(tokenizer, Forms(stems, None if synonyms is None else Synonyms.open(synonyms)))


def _aligning() -> list[str]:
    from tertium.metrics import METRICS  # which imports this file

    return [metric.name for metric in METRICS if metric.align is not Metric.align] or ["none yet"]


def written(value: object) -> str:
    """Return a setting's value as it stands in a signature and after -m."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "default"
    if isinstance(value, tuple):
        return "+".join(written(item) for item in value)
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, float):
        return str(value).replace("e+", "e")  # a plus joins the items of a list
    return "custom" if callable(value) else str(value)


def is_number(value: object) -> TypeGuard[float]:
    """Tell whether a value is a number that a double can hold, and no flag."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def check_flags(metric: Metric, *names: str) -> None:
    """Refuse a flag that is not True or False."""
    for name in names:
        if not isinstance(getattr(metric, name), bool):
            raise InputError(f"{metric.name}'s {name} must be True or False, not {getattr(metric, name)!r}.")


def check_number(metric: Metric, name: str, *, least: float, whole: bool = False, above: bool = False) -> None:
    """Refuse a number that is not finite, too small, or not whole where it must be."""
    value = getattr(metric, name)
    fits = is_number(value) and (isinstance(value, int) or not whole)
    if not fits or value < least or (above and value == least):
        bound = f"above {least:g}" if above else f"of at least {least:g}"
        raise InputError(f"{metric.name}'s {name} must be a {'whole ' if whole else ''}number {bound}, not {value!r}.")
