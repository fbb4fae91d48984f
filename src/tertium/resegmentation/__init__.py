"""Segments that do not match: a stream or document is cut so that its pieces fit the reference's segments."""

from tertium.resegmentation.methods import CHOICES, LIKE, METHODS
from tertium.resegmentation.segmentation import Segmentation, resegment

__all__ = ["CHOICES", "LIKE", "METHODS", "Segmentation", "resegment"]
