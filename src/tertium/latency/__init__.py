"""How late words come: latency of simultaneous translation, a row for each segment as any metric has."""

from tertium.latency.measures import MEASURES
from tertium.latency.measuring import latency

__all__ = ["MEASURES", "latency"]
