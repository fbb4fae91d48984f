"""The pages of `tertium correlate --report` and `tertium rank --report`: results in, one file of HTML out."""

import platform
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tertium import __version__
from tertium.metrics.names import title
from tertium.report.drawing.svg import Drawing
from tertium.report.pages.judging_charts import (
    averages_chart,
    cloud_chart,
    coefficients_chart,
    heat_map,
    place_name,
    place_of,
    places_chart,
    places_of,
    ranks_chart,
    significance_matrix,
)
from tertium.report.pages.page import page

if TYPE_CHECKING:
    from tertium.meta import AverageRank, Correlations, MetricRanks
    from tertium.meta.judged_points import Cloud


@dataclass(frozen=True)
class Made:
    """How results came about: what a reader needs to make them again."""

    signature: str
    metrics: Sequence[dict[str, Any]]  # metric, signature, higher_is_better
    systems: Sequence[str]
    dropped: Sequence[str]
    command: str = ""

    @property
    def versions(self) -> tuple[tuple[str, str], ...]:
        """What computed it."""
        return (("tertium", __version__), ("Python", platform.python_version()), ("NumPy", np.__version__))


def correlate_page(found: "Correlations", seen: "Sequence[Cloud]", command: str = "") -> str:
    """Return the page of coefficients."""
    places = places_of(found)
    metrics = list(dict.fromkeys(one.metric for one in found))
    notes: dict[tuple[str, str], list[str]] = {}
    for one in found:
        if one.note:
            notes.setdefault((" ".join(place_of(one)), one.note), []).append(one.metric)
    return _page(
        "correlate.html",
        f"{', '.join(map(title, metrics))}: agreement with people",
        seen,
        Made(found.signature, found.metrics, found.systems, found.dropped, command),
        found.confidence,
        found=found,
        metrics=metrics,
        heat=heat_map(found),
        conditions=[
            (place_name(place, places), place, coefficients_chart(found, place),
             [one for one in found if place_of(one) == place])
            for place in places
        ],
        notes=[(", ".join(map(title, names)), where, note) for (where, note), names in notes.items()],
    )  # fmt: skip


def rank_page(
    ranks: "MetricRanks", seen: "Sequence[Cloud]", metrics: Sequence[dict[str, Any]], systems: Sequence[str],
    command: str = "",
) -> str:  # fmt: skip
    """Return the page of ranks in one condition."""
    compared = ranks.comparisons
    return _page(
        "rank.html",
        f"{', '.join(map(title, compared.metrics))}, ranked",
        seen,
        Made(compared.signature, metrics, systems, compared.dropped, command),
        1 - compared.alpha,
        ranks=ranks.ranks,
        compared=compared,
        values=ranks_chart(ranks),
        places=places_chart(ranks),
        tests=significance_matrix(compared),
    )


def averages_page(
    averages: "Sequence[AverageRank]", found: "Correlations", seen: "Sequence[Cloud]", command: str = ""
) -> str:
    """Return the page of average ranks over many conditions."""
    metrics = list(dict.fromkeys(one.metric for one in averages))
    methods = dict.fromkeys(one.method for one in averages)
    return _page(
        "average-ranks.html",
        f"{', '.join(map(title, metrics))}, ranked over {averages[0].conditions} conditions",
        seen,
        Made(found.signature, found.metrics, found.systems, found.dropped, command),
        found.confidence,
        averages=averages,
        metrics=metrics,
        charts=[(method, averages_chart(averages, method)) for method in methods],
        heat=heat_map(found),
        found=found,
    )


def _page(template: str, heading: str, seen: "Sequence[Cloud]", made: Made, confidence: float, **found: Any) -> str:
    """Return a page with the clouds, by metric, and how all of it was made."""
    clouds: dict[str, list[tuple[Cloud, Drawing]]] = {}
    for one in seen:
        clouds.setdefault(one.metric, []).append((one, cloud_chart(one)))
    return page(
        template, title=heading, data={}, scripts=("theme.js", "judging.js"), clouds=clouds, made=made,
        confidence=confidence, **found,
    )  # fmt: skip
