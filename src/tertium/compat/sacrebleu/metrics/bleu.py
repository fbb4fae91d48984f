"""BLEU with sacreBLEU's interface."""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from tertium import _native
from tertium.compat.sacrebleu.errors import UnknownSmoothingError, UnknownTokenizerError
from tertium.compat.sacrebleu.metrics.base import Metric, Rows, Score, Signature, rows_of, threads, warn
from tertium.compat.sacrebleu.tokenizers.packaged import PackagedTokenizer
from tertium.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer, NativeTokenizer
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.compat.sacrebleu.metrics.base import Float32s, Float64s

MAX_NGRAM_ORDER = 4
_LOG_OF_ZERO = -9999999999.0
_PERIODS = 100  # so many lines ending in " ." are no accident
_SMOOTHING: dict[str, float | None] = {"none": None, "floor": 0.1, "add-k": 1, "exp": None}
_TOKENIZERS = {
    "none": "tokenizer_none.NoneTokenizer",
    "zh": "tokenizer_zh.TokenizerZh",
    "13a": "tokenizer_13a.Tokenizer13a",
    "intl": "tokenizer_intl.TokenizerV14International",
    "char": "tokenizer_char.TokenizerChar",
    "ja-mecab": "tokenizer_ja_mecab.TokenizerJaMecab",
    "ko-mecab": "tokenizer_ko_mecab.TokenizerKoMecab",
    "spm": "tokenizer_spm.TokenizerSPM",
    "flores101": "tokenizer_spm.Flores101Tokenizer",
    "flores200": "tokenizer_spm.Flores200Tokenizer",
    "spBLEU-1K": "tokenizer_spm.spBLEU1KTokenizer",
}
_BY_LANGUAGE = {"zh": "zh", "ja": "ja-mecab", "ko": "ko-mecab"}


class BLEUSignature(Signature):
    """The signature of BLEU: case, effective order, tokenizer, smoothing."""

    _names: ClassVar[dict[str, str]] = {"case": "c", "eff": "e", "tok": "tok", "smooth": "s"}

    def __init__(self, args: dict[str, Any]) -> None:
        super().__init__(args)
        smoothing, value = args["smooth_method"], args["smooth_value"]
        if _SMOOTHING[smoothing] is not None:
            smoothing += f"[{_SMOOTHING[smoothing] if value is None else value:.2f}]"
        self.info["case"] = "lc" if args["lowercase"] else "mixed"
        self.info["eff"] = "yes" if args["effective_order"] else "no"
        self.info["tok"] = args["tokenizer_signature"]
        self.info["smooth"] = smoothing


class BLEUScore(Score):
    """BLEU with what it is made of. Precisions are in percent."""

    def __init__(
        self,
        score: float,
        counts: list[int],
        totals: list[int],
        precisions: list[float],
        bp: float,
        sys_len: int,
        ref_len: int,
    ) -> None:
        super().__init__("BLEU", score)
        self.bp = bp
        self.counts = counts
        self.totals = totals
        self.sys_len = sys_len
        self.ref_len = ref_len
        self.precisions = precisions
        self.prec_str = "/".join(f"{precision:.1f}" for precision in precisions)
        self.ratio = sys_len / ref_len if ref_len else 0
        self._verbose = (
            f"{self.prec_str} (BP = {bp:.3f} ratio = {self.ratio:.3f} hyp_len = {sys_len:d} ref_len = {ref_len:d})"
        )


class BLEU(Metric[BLEUScore]):
    """BLEU with sacreBLEU's settings."""

    SMOOTH_DEFAULTS: ClassVar[dict[str, float | None]] = _SMOOTHING
    TOKENIZERS: ClassVar[Sequence[str]] = tuple(_TOKENIZERS)
    TOKENIZER_DEFAULT = "13a"
    _SIGNATURE_TYPE = BLEUSignature

    def __init__(
        self,
        lowercase: bool = False,
        force: bool = False,
        tokenize: str | None = None,
        smooth_method: str = "exp",
        smooth_value: float | None = None,
        max_ngram_order: int = MAX_NGRAM_ORDER,
        effective_order: bool = False,
        trg_lang: str = "",
        references: Sequence[Sequence[str]] | None = None,
        *,
        strict: bool = True,
    ) -> None:
        if smooth_method not in _SMOOTHING:
            raise UnknownSmoothingError.of("smooth_method", smooth_method, _SMOOTHING)
        if not isinstance(max_ngram_order, int) or not 1 <= max_ngram_order <= 1000:
            raise InputError(f"BLEU: max_ngram_order must be a whole number from 1 to 1000, not {max_ngram_order!r}.")
        self._force = force
        self.trg_lang = trg_lang
        self.lowercase = lowercase
        self.smooth_value = smooth_value
        self.smooth_method = smooth_method
        self.max_ngram_order = max_ngram_order
        self.effective_order = effective_order
        self.tokenizer: Callable[[str], str] = (tokenizer := _get_tokenizer(_tokenizer_name(tokenize, trg_lang))())
        self.tokenizer_signature = tokenizer.signature()
        super().__init__(references, strict=strict)

    def corpus_score(
        self, hypotheses: Sequence[str], references: Sequence[Sequence[str]] | None, n_bootstrap: int = 1
    ) -> BLEUScore:
        """Return BLEU of a corpus. `references` holds one list per reference set, or is None for those kept."""
        score = super().corpus_score(hypotheses, references, n_bootstrap)
        if not self._force:
            _warn_of_tokenized(hypotheses)
        return score

    def sentence_score(self, hypothesis: str, references: Sequence[str]) -> BLEUScore:
        """Return BLEU of one segment. `references` holds all its references."""
        if not self.effective_order:
            warn("BLEU of single segments is of little use without effective_order=True: short ones get 0.")
        return super().sentence_score(hypothesis, references)

    @staticmethod
    def compute_bleu(
        correct: Sequence[int],
        total: Sequence[int],
        sys_len: int,
        ref_len: int,
        smooth_method: str = "none",
        smooth_value: float | None = None,
        effective_order: bool = False,
        max_ngram_order: int = MAX_NGRAM_ORDER,
    ) -> BLEUScore:
        """Return BLEU of summed counts: matching n-grams, all n-grams, the two lengths."""
        if smooth_method not in _SMOOTHING:
            raise UnknownSmoothingError.of("smooth_method", smooth_method, _SMOOTHING)
        value: Any = _SMOOTHING[smooth_method] if smooth_value is None else smooth_value
        counts, totals = list(correct), list(total)
        precisions = [0.0] * max_ngram_order
        bp = 1.0
        if sys_len < ref_len:
            bp = math.exp(1 - ref_len / sys_len) if sys_len > 0 else 0.0
        if not any(counts):
            return BLEUScore(0.0, counts, totals, precisions, bp, sys_len, ref_len)
        halving, used = 1.0, max_ngram_order
        for k in range(max_ngram_order):
            if smooth_method == "add-k" and k > 0:
                counts[k] += value
                totals[k] += value
            if totals[k] == 0:
                break
            if effective_order:
                used = k + 1
            if counts[k] > 0 or smooth_method in ("none", "add-k"):
                precisions[k] = 100.0 * counts[k] / totals[k]
            elif smooth_method == "exp":
                halving *= 2
                precisions[k] = 100.0 / (halving * totals[k])
            else:
                precisions[k] = 100.0 * value / totals[k]
        logs = [math.log(precision) if precision else _LOG_OF_ZERO for precision in precisions[:used]]
        return BLEUScore(bp * math.exp(sum(logs) / used), counts, totals, precisions, bp, sys_len, ref_len)

    def _prepared(self, references: _native.Texts, *, keep: bool = False) -> _native.TokenTexts:
        tokens = self._tokens(references)
        return tokens.stored(threads()) if keep else tokens

    def _rows(self, hypotheses: _native.Texts, references: _native.TokenTexts, workers: int) -> Rows:
        orders = list(range(1, self.max_ngram_order + 1))
        rows: Any = rows_of(len(hypotheses), 2 + 2 * len(orders))
        tokens = self._tokens(hypotheses)
        _native.bleu_rows(
            tokens,
            references,
            orders=orders,
            reference_length="closest",
            initial=False,
            final=False,
            single_boundary=False,
            threads=workers,
            rows=rows,
        )
        return rows

    def _tokens(self, texts: _native.Texts) -> _native.TokenTexts:
        """Return the tokens of many texts: by the core, or by whatever was put in the tokenizer's place."""
        if isinstance(self.tokenizer, (NativeTokenizer, PackagedTokenizer)):
            return self.tokenizer.tokens(texts, bool(self.lowercase))
        from tertium.text import tokenizer

        return tokenizer(self.split, lowercase=bool(self.lowercase)).tokens(texts)

    def split(self, line: str) -> list[str]:
        """Return the tokens of a text whose case is settled. sacreBLEU has no such method."""
        return self.tokenizer(line.rstrip()).split()

    def _preprocess_segment(self, sent: str) -> str:
        return self.tokenizer((sent.lower() if self.lowercase else sent).rstrip())

    def _score(self, totals: list[float]) -> BLEUScore:
        counts = [int(value) for value in totals]
        split = 2 + self.max_ngram_order
        return self.compute_bleu(
            counts[2:split],
            counts[split:],
            counts[0],
            counts[1],
            self.smooth_method,
            self.smooth_value,
            self.effective_order,
            self.max_ngram_order,
        )

    def _replicate_scores(self, totals: "Float32s") -> "Float64s":
        from tertium.significance.single_precision import bleu_scores

        default = _SMOOTHING[self.smooth_method]
        value = default if self.smooth_value is None else self.smooth_value
        return bleu_scores(totals, self.max_ngram_order, self.smooth_method, value or 0, self.effective_order)


def _tokenizer_name(name: str | None, language: str) -> str:
    usual = _BY_LANGUAGE.get(language, "13a")
    if name is None:
        return usual
    if name not in _TOKENIZERS:
        raise UnknownTokenizerError.of("tokenizer", name, _TOKENIZERS)
    if name == "spm":
        warn("The tokenizer name 'spm' stands for flores101; say flores101, or flores200 for the newer model.")
    elif language in _BY_LANGUAGE and name != usual:
        warn(f"The target language is {language}, for which '{usual}' is the usual tokenizer, not '{name}'.")
    return name


def _get_tokenizer(name: str) -> type[BaseTokenizer]:
    """Return the class of a tokenizer, by the name that other packages call."""
    from importlib import import_module

    module, _, found = _TOKENIZERS[name].partition(".")
    tokenizer: type[BaseTokenizer] = getattr(import_module(f"tertium.compat.sacrebleu.tokenizers.{module}"), found)
    return tokenizer


def _warn_of_tokenized(hypotheses: Iterable[str]) -> None:
    lines = 0
    for text in hypotheses:
        lines += text.endswith(" .")
    if lines >= _PERIODS:
        warn(
            f"{lines:,} hypotheses end in a period that stands alone. BLEU tokenizes by itself and is meant for "
            "detokenized text; force=True silences this."
        )
