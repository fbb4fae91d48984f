"""TER with sacreBLEU's interface."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from tertium import _native
from tertium.compat.sacrebleu.metrics.base import Metric, Rows, Score, Signature, warn
from tertium.compat.sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

if TYPE_CHECKING:
    from tertium.compat.sacrebleu.metrics.base import Float32s

_EDITS = ("insertions", "deletions", "substitutions", "shifts")


class TERSignature(Signature):
    """The signature of TER: case, tokenizer, normalization, punctuation, Asian scripts."""

    _names: ClassVar[dict[str, str]] = {"case": "c", "tok": "t", "norm": "nr", "punct": "pn", "asian": "as"}

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self.info["case"] = "mixed" if args["case_sensitive"] else "lc"
        self.info["tok"] = args["tokenizer_signature"]
        self.info["norm"] = args["normalized"]
        self.info["punct"] = not args["no_punct"]
        self.info["asian"] = args["asian_support"]


class TERScore(Score):
    """TER with the number of edits and the mean length of the references."""

    def __init__(self, score: float, num_edits: int, ref_length: float) -> None:
        super().__init__("TER", score)
        self.num_edits = num_edits
        self.ref_length = ref_length


class TER(Metric[TERScore]):
    """TER as sacreBLEU computes it, with its settings."""

    _SIGNATURE_TYPE = TERSignature

    def __init__(
        self,
        normalized: bool = False,
        no_punct: bool = False,
        asian_support: bool = False,
        case_sensitive: bool = False,
        references: Sequence[Sequence[str]] | None = None,
        *,
        strict: bool = True,
    ) -> None:
        if asian_support and not (normalized or no_punct):
            warn("TER: asian_support changes nothing without normalized.")
        self.no_punct = no_punct
        self.normalized = normalized
        self.asian_support = asian_support
        self.case_sensitive = case_sensitive
        self.tokenizer_signature = "tercom"
        super().__init__(references, strict=strict)

    @property
    def tokenizer(self) -> TercomTokenizer:
        """What texts go through; to change it, make another TER."""
        return TercomTokenizer(self.normalized, self.no_punct, self.asian_support, self.case_sensitive)

    def _preprocess_segment(self, sent: str) -> str:
        return self.tokenizer(sent.rstrip())

    def _plain(self, row: list[float]) -> list[Any]:
        edits, length = row
        return [int(edits), length]

    def _prepared(self, references: _native.Texts, *, keep: bool = False) -> _native.Texts:
        return references

    def _rows(self, hypotheses: _native.Texts, references: _native.Texts, workers: int) -> Rows:
        import numpy as np

        from tertium import metrics
        from tertium.corpus import Segments

        metric = metrics.TER(
            variant="sacrebleu",
            normalized=bool(self.normalized),
            no_punct=bool(self.no_punct),
            asian_support=bool(self.asian_support),
            case_sensitive=bool(self.case_sensitive),
        )
        rows = metric.rows(Segments(hypotheses), Segments(references), threads=workers)
        edits = rows[:, [metric.columns.index(name) for name in _EDITS]].sum(axis=1)
        return np.column_stack([edits, rows[:, metric.columns.index("reference_length")]])

    def _score(self, totals: list[float]) -> TERScore:
        edits, length = totals
        rate = edits / length if length > 0 else float(edits > 0)
        return TERScore(100 * rate, int(edits), length)

    def _replicate_scores(self, totals: "Float32s") -> "Float32s":
        from tertium.significance.single_precision import ter_scores

        return ter_scores(totals)
