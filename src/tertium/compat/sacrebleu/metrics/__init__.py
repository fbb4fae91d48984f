"""The metrics by the names and in the order that sacreBLEU gives them."""

from typing import Any

from tertium.compat.sacrebleu.metrics.base import Metric, Score, Signature
from tertium.compat.sacrebleu.metrics.bleu import BLEU, BLEUScore
from tertium.compat.sacrebleu.metrics.chrf import CHRF, CHRFScore
from tertium.compat.sacrebleu.metrics.ter import TER, TERScore

METRICS: dict[str, type[Metric[Any]]] = {"BLEU": BLEU, "CHRF": CHRF, "TER": TER}

__all__ = ["BLEU", "CHRF", "METRICS", "TER", "BLEUScore", "CHRFScore", "Metric", "Score", "Signature", "TERScore"]
