"""Human-targeted metrics: an output measured against its own post-edit (HTER, HBLEU, HMETEOR)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from inspect import signature
from typing import Any

import numpy as np

from tertium.errors import InputError
from tertium.judgments.labels import Floats
from tertium.judgments.table import Judgments
from tertium.metrics import TER, Metric


def human_targeted(
    outputs: Mapping[str, Sequence[str]],
    post_edits: Mapping[str, Sequence[Any]],
    *,
    references: Sequence[Any] | None = None,
    metric: Metric | None = None,
    kind: str | None = None,
    documents: Sequence[str] | None = None,
    threads: int | None = None,
) -> Judgments:
    """Return how far each output is from its post-edit: a row per segment, per document and per system.

    `post_edits[system][i]` is what people made of segment i's output, a string or a list of several. The metric is
    TER unless another is given. With `references`, made without the outputs, TER divides by their length, as tercom's
    `-a` does; without them by the post-edit's own. Scores of documents and systems are the metric's own, from sums of
    rows, and no means of segment scores.
    """
    metric = metric or TER()
    name = kind or f"h{metric.name}"
    if references is not None and not takes_lengths(metric):
        raise InputError(f"{metric.name} does not divide by a length of its own, so it takes no untargeted references.")
    missing = [system for system in outputs if system not in post_edits]
    if missing or not outputs:
        raise InputError(f"There are no post-edits of {', '.join(missing)}." if missing else "No output was given.")
    metric = metric.fitted_to([_several(text) for system in outputs for text in post_edits[system]])
    extra: dict[str, Any] = {} if references is None else {"length_references": references}
    parts = []
    for system, texts in outputs.items():
        rows = metric.statistics(texts, post_edits[system], threads=threads, **extra)
        if documents is not None and len(documents) != len(texts):
            raise InputError(f"{system} has {len(texts):,} segments, but there are {len(documents):,} document ids.")
        parts.append(_rows(system, name, metric, rows, documents))
    found = Judgments.joined(parts)
    return found if metric.higher_is_better else replace(found, lower_is_better=frozenset({name}))


def takes_lengths(metric: Metric) -> bool:
    """Whether a metric can be divided by the length of other references than those it is measured against."""
    return "length_references" in signature(metric.statistics).parameters


def _several(texts: Any) -> list[str]:
    return [texts] if isinstance(texts, str) else [text for text in texts if text is not None]


def _rows(system: str, kind: str, metric: Metric, rows: Floats, documents: Sequence[str] | None) -> Judgments:
    segments = Judgments.of(
        system=[system] * len(rows),
        segment=np.arange(1, len(rows) + 1),
        document=documents,
        score=metric.score(rows),
        kind=kind,
    )
    parts = [segments, Judgments.of(system=[system], score=[float(metric.score(rows.sum(axis=0)))], kind=kind)]
    if documents is not None:
        names = list(dict.fromkeys(documents))
        sums = np.zeros((len(names), rows.shape[1]))
        places = {name: place for place, name in enumerate(names)}
        np.add.at(sums, [places[name] for name in documents], rows)
        parts.append(Judgments.of(system=[system] * len(names), document=names, score=metric.score(sums), kind=kind))
    return Judgments.joined(parts)
