"""Which way a score of another program points: what is known of names, and what the numbers say."""

import re

from tertium.metrics.base import Floats

_ERRORS = re.compile(r"metricx.*|(h?ter|wer|cer|mer|per|cder|h?terp|errors|.*-errors)([-_ ]ref.*)?", re.IGNORECASE)


def counts_errors(name: str, scores: Floats) -> bool:
    """Whether a metric of this name counts errors: MetricX, error rates, weights of marked errors.

    Where they were turned round, as in WMT's files, scores are below 0 and higher is better.
    """
    return _ERRORS.fullmatch(name) is not None and not bool((scores < 0).any())
