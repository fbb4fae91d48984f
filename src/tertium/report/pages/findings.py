"""The page of `tertium shared-task`: all tables of a findings paper in one file."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tertium.report.drawing.svg import Drawing
from tertium.report.pages.judging_charts import ranks_chart, significance_matrix
from tertium.report.pages.judging_pages import Made
from tertium.report.pages.page import page

if TYPE_CHECKING:
    from tertium.meta.findings import Findings


def findings_page(
    found: "Findings", tables: Sequence[Any], log: Sequence[str], metrics: Sequence[dict[str, Any]], command: str = ""
) -> str:
    """Return the page: charts of the average first, then every table, then what was left out.

    A table has a name, title, note, header and body, how many columns are `texts`, and rows and cells that are marked.
    `metrics` are those that were computed here, with their signatures.
    """
    ranks = found.average.ranks
    charts: list[tuple[str, Drawing]] = []
    signature = ""
    if ranks is not None:
        tests = significance_matrix(ranks.comparisons)
        charts = [
            ("Averages with intervals; shading: clusters", ranks_chart(ranks)),
            ("p of the row's metric being better than the column's", tests),
        ]
        signature = ranks.comparisons.signature
    names = " ".join(human.name for human in found.humans).strip()
    return page(
        "findings.html", title=f"Findings by {found.kind}{f': {names}' if names else ''}", data={},
        scripts=("theme.js",), kind=found.kind, tables=tables, charts=charts, log=log,
        made=Made(signature, metrics, (), (), command),
    )  # fmt: skip
