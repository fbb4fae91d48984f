"""What the three metrics share: checks, references that are kept, scores with their text, signatures.

Nothing here needs numpy, which takes longer to load than a test set takes to score. Statistics come from the core as
one block of doubles; a corpus score is a function of their sums, computed with Python's own numbers in sacreBLEU's
order, so that it has the same bits. Only confidence intervals load numpy.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from tertium import __version__, _native
from tertium.compat.sacrebleu.errors import EmptyCorpusError, NoReferencesError, TextTypeError, UnequalLengthsError
from tertium.errors import InputError, TertiumError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Float32s = NDArray[np.float32]
    Float64s = NDArray[np.float64]

# The release whose behaviour this is, then who computed it. Python reads it as a version that is not below 2.6.0.
RELEASE = "2.6.0"
VERSION = f"{RELEASE}+tertium.{__version__}"

_OF_TEST_SETS = {"test": "test_set", "lang": "langpair", "origlang": "origlang", "subset": "subset"}
_MANY = 50_000  # rows that numpy adds up faster than Python does, loading included


class Score:
    """A number with the name of its metric and, after bootstrap resampling, a confidence interval."""

    def __init__(self, name: str, score: float) -> None:
        self.name = name
        self.score = score
        self._mean = -1.0
        self._ci = -1.0
        self._verbose = ""

    def format(self, width: int = 2, score_only: bool = False, signature: str = "", is_json: bool = False) -> str:
        """Return the score as text with `width` decimals: alone, with name and signature, or as a JSON object."""
        shown, confidence = f"{self.score:.{width}f}", ""
        if self._mean > 0:
            confidence = f"μ = {self._mean:.{width}f} ± {self._ci:.{width}f}"
        if is_json and not score_only:
            return self._json(width, signature, confidence)
        if confidence:
            shown += f" ({confidence})"
        if score_only:
            return shown
        name = f"{self.name}|{signature}" if signature else self.name
        return f"{name} = {shown} {self._verbose}".rstrip()

    def _json(self, width: int, signature: str, confidence: str) -> str:
        import json

        data: dict[str, Any] = {"name": self.name, "score": _rounded(self.score, width), "signature": signature}
        if confidence:
            data["confidence_mean"] = _rounded(self._mean, width)
            data["confidence_var"] = _rounded(self._ci, width)
            data["confidence"] = confidence
        if self._verbose:
            data["verbose_score"] = self._verbose
        # A signature always has a colon in each field; texts of the user's own may not.
        fields = (field.partition(":") for field in signature.split("|") if ":" in field)
        data.update((key, value) for key, _, value in fields)
        return json.dumps(data, indent=1, ensure_ascii=False)

    def estimate_ci(self, scores: Sequence["Score"]) -> None:
        """Set the 95 % confidence interval from the scores of bootstrap replicates."""
        from tertium.compat.sacrebleu.confidence import interval

        self._mean, self._ci = interval([score.score for score in scores])

    def __repr__(self) -> str:
        return self.format()


def _rounded(value: float, width: int) -> float:
    return float(f"{value:.{width}f}")


class Signature:
    """What a score depends on, as `key:value` fields. `args` are the attributes of a metric."""

    _names: ClassVar[dict[str, str]] = {}  # each metric's own fields, with their short names

    def __init__(self, args: dict[str, Any]) -> None:
        if args.get("num_refs") is None:
            raise InputError("The number of references is not known yet. Score something first, then ask again.")
        shared = {"nrefs": "#", "bs": "bs", "ar": "ar", "seed": "rs"}
        shared |= {"test": "t", "lang": "l", "origlang": "o", "subset": "S"}
        self._abbr = {"version": "v", **shared, **self._names}
        self.info: dict[str, Any] = {"version": VERSION, **dict.fromkeys(shared)}
        self.info["nrefs"] = args["num_refs"] if args["num_refs"] != -1 else "var"
        self.info["bs"] = args.get("n_bootstrap")
        self.info["seed"] = args.get("seed")
        for field, attribute in _OF_TEST_SETS.items():
            self.info[field] = args.get(attribute)

    def update(self, key: str, value: object) -> None:
        """Set a field."""
        self.info[key] = value

    def format(self, short: bool = False) -> str:
        """Return the fields that are set, the version last, with long or short names."""
        parts = []
        for key in [*(key for key in self.info if key != "version"), "version"]:
            value = self.info[key]
            if value is not None:
                value = {True: "yes", False: "no"}[value] if isinstance(value, bool) else value
                parts.append(f"{self._abbr.get(key, key) if short else key}:{value}")
        return "|".join(parts)

    def __repr__(self) -> str:
        return self.format()


S = TypeVar("S", bound=Score)
Rows = Any  # (segments, columns) doubles: a memoryview, or what offers one


class Metric(ABC, Generic[S]):
    """A metric with sacreBLEU's methods."""

    _SIGNATURE_TYPE: type[Signature]

    def __init__(self, references: Sequence[Sequence[str]] | None = None, *, strict: bool = True) -> None:
        self.n_bootstrap: int | None = None
        self.seed: str | None = None
        self.num_refs: int | None = None
        self.strict = strict
        self.kept_references = references
        self._keep()

    def _keep(self) -> None:
        """Prepare the references that were given once for all scores."""
        self._kept: tuple[Any, int, int] | None = None
        if self.kept_references is not None:
            texts = self._reference_sets(self.kept_references)
            self.num_refs = texts.group_size or -1
            self._kept = self._prepared(texts, keep=True), len(texts), self.num_refs

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_kept"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        references = self.num_refs
        self._keep()
        self.num_refs = references

    def corpus_score(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str]] | None, n_bootstrap: int = 1
    ) -> S:
        """Return the score of a corpus. `references` holds one list per reference set, or is None for those kept."""
        rows = self._checked_rows(hypotheses, references)
        score = self._score(_totals(rows, len(rows)))
        self.n_bootstrap, self.seed = None, None
        if n_bootstrap > 1:
            from tertium.compat.sacrebleu.confidence import interval, replicates, seed

            self.n_bootstrap, self.seed = n_bootstrap, seed()
            score._mean, score._ci = interval(self._replicate_scores(replicates(rows, n_bootstrap, self.seed)))
        return score

    def replicate_scores(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str]], count: int, seed: str
    ) -> "Float32s | Float64s":
        """Return the scores of bootstrap replicates; a seed fixes the segments. sacreBLEU has no such method."""
        from tertium.compat.sacrebleu.confidence import replicates

        return self._replicate_scores(replicates(self._checked_rows(hypotheses, references), count, seed))

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> S:
        """Return the score of one segment. `references` holds all its references."""
        if not isinstance(hypothesis, str):
            raise TextTypeError(f"{self._label}: the hypothesis must be a string, not {hypothesis!r:.60}.")
        if not isinstance(references, Sequence) or isinstance(references, str):
            raise TextTypeError(f"{self._label}: references must be a list of strings, not {references!r:.60}.")
        if not references:
            raise EmptyCorpusError(f"{self._label}: there is no reference; the list is empty.")
        texts = self._grouped([list(references)], "references")
        self.num_refs = texts.group_size
        rows = self._rows(_native.flat_texts([hypothesis], "hypothesis"), self._prepared(texts), 1)
        return self._score(_totals(rows, 1))

    def segment_scores(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]]) -> list[S]:
        """Return what `sentence_score` gives for each segment, all at once. sacreBLEU has no such method."""
        return [self._score(row) for row in self._checked_rows(hypotheses, references).tolist()]

    def _checked_rows(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]] | None) -> Rows:
        """Return the statistics of each segment, after looking at what was given."""
        if not self.strict:
            hypotheses, references = self._as_the_original(hypotheses, references)
        try:
            texts = self._hypotheses(hypotheses)
            prepared, count, self.num_refs = self._references(references)
            self._check_lengths(len(texts), count)
        except UnequalLengthsError as error:
            raise UnequalLengthsError(f"{error} {self._what_the_original_does(hypotheses, references)}") from None
        return self._rows(texts, prepared, threads())

    def _as_the_original(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str]] | None
    ) -> tuple[list[str], list[list[str]]]:
        """Return texts as sacreBLEU would take those that are refused here: cut to the shortest list."""
        sets = self.kept_references if references is None else references
        if sets is None:
            raise NoReferencesError(f"{self._label}: no references were given, neither now nor to {self._label}(…).")
        count = min(map(len, [hypotheses, *sets]))
        return [_whole(text) for text in hypotheses[:count]], [[_whole(text) for text in one[:count]] for one in sets]

    def _what_the_original_does(self, hypotheses: Sequence[str], references: Sequence[Sequence[str]] | None) -> str:
        from copy import copy

        lenient = copy(self)
        lenient.strict = False
        try:
            shown = f"{lenient.corpus_score(hypotheses, references).score:.2f}"
        except TertiumError:
            return "sacreBLEU would fail later."
        return (
            f"sacreBLEU would cut all lists to the shortest and print {shown}, a number that says nothing of the text "
            "that was cut off, nor whether what is left belongs together. strict=False computes it."
        )

    def _extract_corpus_statistics(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str]] | None
    ) -> list[list[Any]]:
        """Return the statistics of each segment, by the name that other packages call."""
        return [self._plain(row) for row in self._checked_rows(hypotheses, references).tolist()]

    def _plain(self, row: list[float]) -> list[Any]:
        return [int(value) for value in row]

    def _compute_score_from_stats(self, stats: Sequence[float]) -> S:
        """Return the score of summed statistics, by the name that other packages call."""
        return self._score(list(stats))

    def _aggregate_and_compute(self, stats: Sequence[Sequence[float]]) -> S:
        """Return the score of the statistics of segments, by the name that other packages call."""
        return self._score([sum(column) for column in zip(*stats, strict=True)])

    def _preprocess_segment(self, sent: str) -> str:
        """Return what is compared of a text, by the name that other packages call."""
        return sent

    def get_signature(self) -> Signature:
        """Return what the last score depends on."""
        return self._SIGNATURE_TYPE(vars(self))

    @abstractmethod
    def _prepared(self, references: _native.Texts, *, keep: bool = False) -> Any:
        """Return the references as `_rows` takes them; those that are kept may be prepared further."""

    @abstractmethod
    def _rows(self, hypotheses: _native.Texts, references: Any, workers: int) -> Rows:
        """Return the statistics of each segment."""

    @abstractmethod
    def _score(self, totals: list[float]) -> S:
        """Return the score of summed statistics."""

    @abstractmethod
    def _replicate_scores(self, totals: "Float32s") -> "Float32s | Float64s":
        """Return the scores of many sums at once, rounded as sacreBLEU rounds them."""

    @property
    def _label(self) -> str:
        return type(self).__name__

    def _check_lengths(self, hypotheses: int, references: int) -> None:
        if hypotheses != references:
            raise UnequalLengthsError(
                f"{self._label}: there are {hypotheses:,} hypotheses, but {references:,} segments in the references. "
                "Give one list per reference set, each as long as the hypotheses: [[first references …], [second …]]."
            )
        if hypotheses == 0:
            raise EmptyCorpusError(f"{self._label}: there is no segment to score; hypotheses is empty.")

    def _hypotheses(self, hypotheses: Sequence[str]) -> _native.Texts:
        if not isinstance(hypotheses, Sequence) or isinstance(hypotheses, str):
            raise TextTypeError(f"{self._label}: hypotheses must be a list of strings, not {hypotheses!r:.60}.")
        try:
            return _native.flat_texts(hypotheses, "hypotheses")
        except InputError as error:
            raise TextTypeError(f"{self._label}: {error}{_advice(hypotheses)}") from None

    def _references(self, references: Sequence[Sequence[str]] | None) -> tuple[Any, int, int]:
        """Return the references as `_rows` takes them, the number of segments, and of references (-1: it varies)."""
        if references is not None:
            texts = self._reference_sets(references)
            return self._prepared(texts), len(texts), texts.group_size or -1
        if self._kept is None:
            raise NoReferencesError(f"{self._label}: no references were given, neither now nor to {self._label}(…).")
        return self._kept

    def _reference_sets(self, references: Sequence[Sequence[str]]) -> _native.Texts:
        if not isinstance(references, Sequence) or isinstance(references, str):
            raise TextTypeError(
                f"{self._label}: references must be a list of lists of strings, one per reference set, not "
                f"{references!r:.60}."
            )
        for index, one in enumerate(references):
            if not isinstance(one, Sequence) or isinstance(one, str):
                raise TextTypeError(
                    f"{self._label}: references[{index}] must be a list of strings, one per segment, not {one!r:.60}. "
                    "One reference set alone is given as [references]."
                )
            if len(one) != len(references[0]):
                raise UnequalLengthsError(
                    f"{self._label}: references[0] has {len(references[0]):,} segments, but references[{index}] has "
                    f"{len(one):,}. Give one list per reference set, all of the same length; None stands for a "
                    "missing reference."
                )
        if not references:
            raise EmptyCorpusError(f"{self._label}: there is no reference set; references is empty.")
        return self._grouped(list(zip(*references, strict=True)), "references by segment")

    def _grouped(self, groups: Sequence[Sequence[str | None]], name: str) -> _native.Texts:
        try:
            return _native.grouped_texts(groups, name)
        except InputError as error:
            raise TextTypeError(f"{self._label}: {error}{_advice(chain.from_iterable(groups))}") from None


def _whole(text: Any) -> Any:
    """Return a text whose lone surrogates are private characters: as unlike all others, but characters."""
    if isinstance(text, str) and not _encodable(text):
        return "".join(chr(ord(one) + 0xF0000 - 0xD800) if 0xD800 <= ord(one) < 0xE000 else one for one in text)
    return text


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _advice(texts: Iterable[Any]) -> str:
    if all(not isinstance(text, str) or _encodable(text) for text in texts):
        return ""
    return (
        " sacreBLEU compares such halves of characters as if they were characters, so that text damaged in the same "
        "way counts as right. strict=False does that."
    )


def rows_of(count: int, columns: int) -> Rows:
    """Return room for the statistics of some segments."""
    return memoryview(bytearray(8 * count * columns)).cast("B").cast("d", [count, columns])


def _totals(rows: Rows, count: int) -> list[float]:
    """Add up the rows, column by column."""
    view = memoryview(rows)
    if count > _MANY:
        import numpy as np

        totals: list[float] = np.asarray(view).sum(axis=0).tolist()
        return totals
    columns = view.shape[1] if view.shape else 0
    flat = view.cast("B").cast("d")
    return [sum(flat[k::columns]) for k in range(columns)]


def threads() -> int:
    """Return how many threads to use: all cores the process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def warn(message: str) -> None:
    """Warn through sacreBLEU's logger, so that what silences the original silences this."""
    import logging  # late, for most calls have nothing to warn of

    logging.getLogger("sacrebleu").warning(message)
