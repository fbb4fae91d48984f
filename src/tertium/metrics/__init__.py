"""The metrics, one file each. A new one is added to `METRICS`; everything else finds it there."""

from tertium.metrics.averaged import Averaged
from tertium.metrics.base import Metric
from tertium.metrics.bleu import BLEU
from tertium.metrics.chrf import CHRF
from tertium.metrics.names import ALIASES, labels, parse_metric

METRICS: tuple[type[Metric], ...] = (BLEU, CHRF)

__all__ = ["ALIASES", "BLEU", "CHRF", "METRICS", "Averaged", "Metric", "labels", "parse_metric"]
