"""Scores of translations in the lm-evaluation-harness, each with a standard error from a thousand resampled test sets.

The harness scores a hundred resampled test sets anew, which takes long and says little. Here rows are made once and
drawn again. In a task's YAML:

    metric_list:
      - metric: bleu
        aggregation: !function tertium_metrics.bleu      # a file with: from tertium.compat.lm_eval import *

and, before the evaluation, `tertium.compat.lm_eval.install()`, which makes the harness ask here for the standard errors
of these functions and of its own bleu, chrf, chrf++ and ter.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from tertium.errors import InputError, MissingExtraError
from tertium.metrics import parse_metric
from tertium.metrics.base import Metric, thread_count
from tertium.significance.sampling import SEED, replicate_scores, state_of

__all__ = ["bleu", "chrf", "chrfpp", "install", "standard_error", "ter"]

Items = Sequence[tuple[Any, Any]]  # reference or references, and what was generated
_TEXTS = {"bleu": "bleu", "chrf": "chrf", "chrfpp": "chrf++", "ter": "ter:variant=sacrebleu"}
_REPLICATES = 1000


def bleu(items: Items) -> float:
    """Return corpus BLEU, as sacreBLEU has it."""
    return _score("bleu", items)


def chrf(items: Items) -> float:
    """Return corpus chrF."""
    return _score("chrf", items)


def chrfpp(items: Items) -> float:
    """Return corpus chrF++."""
    return _score("chrfpp", items)


def ter(items: Items) -> float:
    """Return corpus TER, as sacreBLEU has it; lower is better."""
    return _score("ter", items)


def standard_error(name: str, items: Items, *, samples: int = _REPLICATES, seed: int = SEED) -> float:
    """Return the standard deviation of the score over test sets that are drawn from this one."""
    metric = _metric(name)
    rows = _rows(metric, items)
    if len(rows) < 2:
        raise InputError("A standard error needs at least two items.")
    return float(np.std(replicate_scores(metric, [rows], state_of(seed), samples, thread_count(None))[0], ddof=1))


def install() -> None:
    """Make the harness take standard errors of translation scores from here."""
    try:
        from lm_eval import evaluator_utils
        from lm_eval.api import metrics
    except ImportError:
        raise MissingExtraError("The lm-evaluation-harness is not here: pip install lm_eval.") from None
    theirs = metrics.stderr_for_metric
    if getattr(theirs, "stands_in", False):
        return
    ours = {bleu: "bleu", chrf: "chrf", chrfpp: "chrfpp", ter: "ter"}
    ours |= {getattr(metrics, name): name for name in _TEXTS if hasattr(metrics, name)}

    def stderr_for_metric(metric: Any, bootstrap_iters: int) -> Callable[[Any], float] | None:
        if metric not in ours or bootstrap_iters <= 0:
            found: Callable[[Any], float] | None = theirs(metric, bootstrap_iters)
            return found
        return lambda items: standard_error(ours[metric], items, samples=max(bootstrap_iters, _REPLICATES))

    stderr_for_metric.stands_in = True  # type: ignore[attr-defined]  # a mark of ours
    metrics.stderr_for_metric = stderr_for_metric
    evaluator_utils.stderr_for_metric = stderr_for_metric


@lru_cache(maxsize=8)
def _metric(name: str) -> Metric:
    if name not in _TEXTS:
        from tertium.errors import UnknownNameError

        raise UnknownNameError.of("metric", name, _TEXTS)
    return parse_metric(_TEXTS[name])


def _rows(metric: Metric, items: Items) -> Any:
    references = [[one] if isinstance(one, str) else list(one) for one, _ in items]
    generated = [one if isinstance(one, str) else one[0] for _, one in items]
    return metric.statistics(generated, references)


def _score(name: str, items: Items) -> float:
    metric = _metric(name)
    return float(metric.score(_rows(metric, items).sum(axis=0)))
