"""The metrics, one file each. A new one is added to `METRICS`; everything else finds it there."""

from tertium.metrics.alignment import Alignment, Operation, Shift
from tertium.metrics.averaged import Averaged
from tertium.metrics.base import Metric
from tertium.metrics.bleu import BLEU
from tertium.metrics.chrf import CHRF
from tertium.metrics.names import ALIASES, labels, parse_metric
from tertium.metrics.ter import TER

METRICS: tuple[type[Metric], ...] = (BLEU, CHRF, TER)

__all__ = [
    "ALIASES",
    "BLEU",
    "CHRF",
    "METRICS",
    "TER",
    "Alignment",
    "Averaged",
    "Metric",
    "Operation",
    "Shift",
    "labels",
    "parse_metric",
]
