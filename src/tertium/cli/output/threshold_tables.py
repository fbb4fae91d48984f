"""How `tertium correlate --thresholds` shows its curves."""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from tertium.cli.output.writing import RECORDS, records_as, table

if TYPE_CHECKING:
    from tertium.meta.thresholds import Threshold


def rendered(curves: "Sequence[Threshold]", style: str, decimals: int) -> str | Iterator[str]:
    """Return curves in one of the formats; TSV and CSV have a row per curve, with the differences as JSON."""
    from tertium import __version__

    if style in RECORDS:
        rows = [one.to_dict() for one in curves]
        return records_as(style, rows, head={"tertium": __version__}, key="thresholds")
    from tertium.metrics.names import title

    header = ["Metric", "Kind", "Pairs", "Same order", "At most", "Interval", "b", "Interval"]
    fits = [
        [title(one.metric), one.kind, str(one.pairs), f"{100 * one.agreeing / one.pairs:.1f} %", f"{one.a:.1f} %",
         f"[{one.a_low:.1f}, {one.a_high:.1f}]", f"{one.b:.{decimals}f}",
         f"[{one.b_low:.{decimals}f}, {one.b_high:.{decimals}f}]"]
        for one in curves
    ]  # fmt: skip
    needed = [
        [title(one.metric), one.kind, f"{each.agreement} %", _number(each.difference, decimals),
         f"[{_number(each.low, decimals)}, {_number(each.high, decimals)}]"]
        for one in curves for each in one.needed
    ]  # fmt: skip
    parts = [
        table(style, header, fits, best=set(), texts=2),
        table(style, ["Metric", "Kind", "People agree", "Difference", "Interval"], needed, best=set(), texts=2),
    ]
    if style == "table":
        said = (
            "Two systems must differ by so much for people to agree with the metric\nabout so many of 100 such pairs.\n"
        )
        parts.append(
            said + "".join(f"Note: {title(one.metric)}, {one.kind}: {one.note}.\n" for one in curves if one.note)
        )
    return "\n".join(parts)


def _number(value: float, decimals: int) -> str:
    return f"{value:.{decimals}f}" if math.isfinite(value) else "never"
