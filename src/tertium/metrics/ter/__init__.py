"""Translation edit rate: word edits and shifts."""

from tertium.metrics.ter.metric import TER

__all__ = ["TER"]
