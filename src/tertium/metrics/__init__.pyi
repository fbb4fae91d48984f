"""The metrics, one file each. A new one is added to `PLACES`; everything else finds it there."""

from tertium.metrics.bleu import BLEU as BLEU
from tertium.metrics.chrf import CHRF as CHRF
from tertium.metrics.nist import NIST as NIST
from tertium.metrics.wer import WER as WER
from tertium.metrics.per import PER as PER
from tertium.metrics.cder import CDER as CDER
from tertium.metrics.ter.metric import TER as TER
from tertium.metrics.terp.metric import TERp as TERp
from tertium.metrics.meteor.metric import METEOR as METEOR
from tertium.metrics.alignment import Alignment as Alignment
from tertium.metrics.alignment import Chunk as Chunk
from tertium.metrics.alignment import Operation as Operation
from tertium.metrics.alignment import Shift as Shift
from tertium.metrics.averaged import Averaged as Averaged
from tertium.metrics.base import Floats as Floats
from tertium.metrics.base import Metric as Metric
from tertium.metrics.combination import Combination as Combination
from tertium.metrics.every import METRICS as METRICS
from tertium.metrics.long_jumps import LongJump as LongJump
from tertium.metrics.long_jumps import long_jump as long_jump
from tertium.metrics.names import ALIASES as ALIASES
from tertium.metrics.names import labels as labels
from tertium.metrics.names import parse_metric as parse_metric
from tertium.metrics.settings import setting as setting

PLACES: dict[str, str]
