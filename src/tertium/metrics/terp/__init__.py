"""TERp: an edit rate that knows stems, synonyms and paraphrases."""

from tertium.metrics.terp.metric import TERp

__all__ = ["TERp"]
