"""chrF and chrF++ with sacreBLEU's interface."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from tertium import _native
from tertium.compat.sacrebleu.metrics.base import Metric, Rows, Score, Signature, rows_of
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.compat.sacrebleu.metrics.base import Float32s, Float64s

_TINY = 1e-16


class CHRFSignature(Signature):
    """The signature of chrF: case, effective order, character and word orders, blanks."""

    _names: ClassVar[dict[str, str]] = {"case": "c", "eff": "e", "nc": "nc", "nw": "nw", "space": "s"}

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        self.info["case"] = "lc" if args["lowercase"] else "mixed"
        self.info["eff"] = "yes" if not args["eps_smoothing"] else "no"
        self.info["nc"] = args["char_order"]
        self.info["nw"] = args["word_order"]
        self.info["space"] = "yes" if args["whitespace"] else "no"


class CHRFScore(Score):
    """chrF, named after its beta, with a plus for each word order."""

    def __init__(self, score: float, char_order: int, word_order: int, beta: float) -> None:
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order
        super().__init__(f"chrF{beta}" + "+" * word_order, score)


class CHRF(Metric[CHRFScore]):
    """chrF, or with word_order=2 chrF++, with sacreBLEU's settings."""

    CHAR_ORDER = 6
    WORD_ORDER = 0
    BETA = 2
    _SIGNATURE_TYPE = CHRFSignature

    def __init__(
        self,
        char_order: int = CHAR_ORDER,
        word_order: int = WORD_ORDER,
        beta: float = BETA,
        lowercase: bool = False,
        whitespace: bool = False,
        eps_smoothing: bool = False,
        references: Sequence[Sequence[str]] | None = None,
        *,
        strict: bool = True,
    ) -> None:
        for name, order in (("char_order", char_order), ("word_order", word_order)):
            if not isinstance(order, int) or order < 0:
                raise InputError(f"CHRF: {name} must be a whole number of at least 0, not {order!r}.")
        if not 1 <= char_order + word_order <= 1000:
            raise InputError("CHRF: char_order and word_order must add up to something from 1 to 1000.")
        self.beta = beta
        self.char_order = char_order
        self.word_order = word_order
        self.order = char_order + word_order
        self.lowercase = lowercase
        self.whitespace = whitespace
        self.eps_smoothing = eps_smoothing
        self._factor = beta**2
        super().__init__(references, strict=strict)

    def _prepared(self, references: _native.Texts, *, keep: bool = False) -> _native.Texts:
        return references

    def _rows(self, hypotheses: _native.Texts, references: _native.Texts, workers: int) -> Rows:
        rows: Any = rows_of(len(hypotheses), 3 * self.order)
        _native.chrf_rows(
            hypotheses,
            references,
            char_order=self.char_order,
            word_order=self.word_order,
            beta=abs(self.beta),
            lowercase=bool(self.lowercase),
            whitespace=bool(self.whitespace),
            eps_smoothing=bool(self.eps_smoothing),
            unicode="none",
            threads=workers,
            rows=rows,
        )
        return rows

    def _preprocess_segment(self, sent: str) -> str:
        return sent.lower() if self.lowercase else sent

    def _score(self, totals: list[float]) -> CHRFScore:
        return CHRFScore(self._f_score(totals), self.char_order, self.word_order, self.beta)

    def _f_score(self, totals: list[float]) -> float:
        factor = self._factor
        smoothed = mean_precision = mean_recall = 0.0
        used = 0
        for ours, theirs, common in zip(totals[0::3], totals[1::3], totals[2::3], strict=True):
            precision = common / ours if ours > 0 else _TINY
            recall = common / theirs if theirs > 0 else _TINY
            below = factor * precision + recall
            smoothed += (1 + factor) * precision * recall / below if below > 0 else _TINY
            if ours > 0 and theirs > 0:
                mean_precision += precision
                mean_recall += recall
                used += 1
        if self.eps_smoothing:
            return 100 * smoothed / self.order
        if used == 0 or mean_precision + mean_recall == 0:
            return 0.0
        mean_precision /= used
        mean_recall /= used
        score = (1 + factor) * mean_precision * mean_recall
        return 100 * (score / (factor * mean_precision + mean_recall))

    def _replicate_scores(self, totals: "Float32s") -> "Float32s | Float64s":
        from tertium.significance.single_precision import chrf_scores

        return chrf_scores(totals, self._factor, bool(self.eps_smoothing))
