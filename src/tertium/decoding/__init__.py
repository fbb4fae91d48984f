"""Choosing among translations by their scores: minimum Bayes risk, best of n."""

from tertium.decoding.best import Best, best_of
from tertium.decoding.mbr import Choice, mbr, mbr_batch, probabilities

__all__ = ["Best", "Choice", "best_of", "mbr", "mbr_batch", "probabilities"]
