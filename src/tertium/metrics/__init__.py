"""The metrics, one file each. A new one is added to `METRICS`; everything else finds it there."""

from tertium.metrics.alignment import Alignment, Chunk, Operation, Shift
from tertium.metrics.averaged import Averaged
from tertium.metrics.base import Floats, Metric
from tertium.metrics.bleu import BLEU
from tertium.metrics.cder import CDER
from tertium.metrics.chrf import CHRF
from tertium.metrics.combination import Combination
from tertium.metrics.long_jumps import LongJump, long_jump
from tertium.metrics.meteor.metric import METEOR
from tertium.metrics.names import ALIASES, labels, parse_metric
from tertium.metrics.nist import NIST
from tertium.metrics.per import PER
from tertium.metrics.settings import setting
from tertium.metrics.ter.metric import TER
from tertium.metrics.terp.metric import TERp
from tertium.metrics.wer import WER

METRICS: tuple[type[Metric], ...] = (BLEU, CHRF, NIST, WER, PER, CDER, TER, TERp, METEOR)

__all__ = [
    "ALIASES",
    "BLEU",
    "CDER",
    "CHRF",
    "METEOR",
    "METRICS",
    "NIST",
    "PER",
    "TER",
    "WER",
    "Alignment",
    "Averaged",
    "Chunk",
    "Combination",
    "Floats",
    "LongJump",
    "Metric",
    "Operation",
    "Shift",
    "TERp",
    "labels",
    "long_jump",
    "parse_metric",
    "setting",
]
