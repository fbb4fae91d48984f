"""Is the difference real? Tests, intervals, corrections for many tests, and ranks."""

from tertium.significance.rank_clusters import Rank as Rank
from tertium.significance.rank_clusters import clusters as clusters
from tertium.significance.rank_clusters import ranked as ranked
from tertium.significance.comparison import Comparison as Comparison
from tertium.significance.comparison import Comparisons as Comparisons
from tertium.significance.comparison import compare as compare
from tertium.significance.corrections import adjusted as adjusted
from tertium.significance.intervals import Confidence as Confidence
from tertium.significance.intervals import Interval as Interval
from tertium.significance.intervals import bca as bca
from tertium.significance.intervals import confidence as confidence
from tertium.significance.intervals import percentile as percentile
from tertium.significance.power import detectable_difference as detectable_difference
from tertium.significance.power import power_of as power_of
from tertium.significance.power import segments_needed as segments_needed
from tertium.significance.runs import Runs as Runs
from tertium.significance.sacrebleu import PairedResult as PairedResult
from tertium.significance.sacrebleu import like_sacrebleu as like_sacrebleu
