"""How good a translation is, how sure one can be of that, and how far the number can be trusted."""

from tertium.metrics import Averaged as Averaged
from tertium.metrics import BLEU as BLEU
from tertium.metrics import CDER as CDER
from tertium.metrics import CHRF as CHRF
from tertium.metrics import Combination as Combination
from tertium.metrics import METEOR as METEOR
from tertium.metrics import Metric as Metric
from tertium.metrics import NIST as NIST
from tertium.metrics import PER as PER
from tertium.metrics import TER as TER
from tertium.metrics import TERp as TERp
from tertium.metrics import WER as WER
from tertium.metrics import long_jump as long_jump
from tertium.metrics import parse_metric as parse_metric
from tertium.corpus.whole import TestSet as TestSet
from tertium.corpus.whole import read as read
from tertium.corpus.whole import read_testset as read_testset
from tertium.scoring.accumulator import Accumulator as Accumulator
from tertium.scoring.loop import align as align
from tertium.scoring.loop import score as score
from tertium.scoring.pairwise import pairwise as pairwise
from tertium.decoding.mbr import mbr as mbr
from tertium.decoding.mbr import mbr_batch as mbr_batch
from tertium.scoring.scores import Scores as Scores
from tertium.significance import compare as compare
from tertium.significance import confidence as confidence
from tertium.report.notebook import Page as Page
from tertium.report.notebook import report as report
from tertium import judgments as judgments
from tertium import meta as meta
from tertium.resegmentation.segmentation import Segmentation as Segmentation
from tertium.resegmentation.segmentation import resegment as resegment
from tertium import rewards as rewards
from tertium import arrow as arrow
from tertium import duckdb as duckdb
from tertium import polars as polars
from tertium import spark as spark
from tertium import testing as testing

__version__: str
