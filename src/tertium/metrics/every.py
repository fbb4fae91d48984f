"""All metrics, for whoever lists them: this reads all their files."""

from tertium.metrics import PLACES
from tertium.metrics.base import Metric
from tertium.metrics.names import metric_called

METRICS: tuple[type[Metric], ...] = tuple(map(metric_called, PLACES))
