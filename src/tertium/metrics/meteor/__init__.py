"""METEOR: words matched in stages, by spelling, stem, synonym and paraphrase."""

from tertium.metrics.meteor.metric import METEOR

__all__ = ["METEOR"]
