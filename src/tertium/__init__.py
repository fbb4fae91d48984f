"""How good a translation is, how sure one can be of that, and how far the number can be trusted."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

if TYPE_CHECKING:
    from tertium.metrics import (
        BLEU,
        CDER,
        CHRF,
        METEOR,
        NIST,
        PER,
        TER,
        WER,
        Averaged,
        Combination,
        Metric,
        long_jump,
        parse_metric,
    )
    from tertium.scoring.accumulator import Accumulator
    from tertium.scoring.loop import align, score
    from tertium.scoring.scores import Scores
    from tertium.significance import compare, confidence

# Names are loaded when first used, so that the command line can answer --version without numpy.
_HOMES = {
    "Accumulator": "tertium.scoring.accumulator",
    "BLEU": "tertium.metrics",
    "CHRF": "tertium.metrics",
    "NIST": "tertium.metrics",
    "WER": "tertium.metrics",
    "PER": "tertium.metrics",
    "CDER": "tertium.metrics",
    "TER": "tertium.metrics",
    "TERp": "tertium.metrics",
    "METEOR": "tertium.metrics",
    "Averaged": "tertium.metrics",
    "Combination": "tertium.metrics",
    "long_jump": "tertium.metrics",
    "Metric": "tertium.metrics",
    "parse_metric": "tertium.metrics",
    "Scores": "tertium.scoring.scores",
    "align": "tertium.scoring.loop",
    "compare": "tertium.significance",
    "confidence": "tertium.significance",
    "score": "tertium.scoring.loop",
}

__all__ = [
    "BLEU",
    "CDER",
    "CHRF",
    "METEOR",
    "NIST",
    "PER",
    "TER",
    "WER",
    "Accumulator",
    "Averaged",
    "Combination",
    "Metric",
    "Scores",
    "TERp",
    "__version__",
    "align",
    "compare",
    "confidence",
    "long_jump",
    "parse_metric",
    "score",
]


def __getattr__(name: str) -> Any:
    if name == "meta":
        return import_module("tertium.meta")
    if name not in _HOMES:
        raise AttributeError(f"module 'tertium' has no attribute '{name}'")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
