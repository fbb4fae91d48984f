"""How `tertium orange` shows its results."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from tertium.cli.output.score_tables import as_remark, broken, full_signatures, with_interval, with_signatures
from tertium.cli.output.writing import RECORDS, SHEETS, records_as, table

if TYPE_CHECKING:
    from tertium.meta import Oranges

_COLUMNS = ("metric", "level", "segment", "value", "low", "high", "n", "candidates", "references", "oracle", "rank")


def rendered(
    found: "Oranges",
    sentences: Sequence[int],
    levels: Sequence[str],
    style: str,
    decimals: int,
    signatures: str | None = "",
) -> str | Iterator[str]:
    """Return ORANGE, and each sentence's rank if wanted, in one of the formats.

    `signatures` of the metrics stand below tables; without any (None), sheets have none either.
    """
    if style in RECORDS:
        head = {key: value for key, value in found.to_dict().items() if key != "orange"}
        rows, columns = _records(found, sentences, levels), list(_COLUMNS)
        if style in SHEETS and signatures is not None:
            rows, columns = with_signatures(rows, full_signatures(head["metrics"])), [*columns, "signature"]
        return records_as(style, rows, head=head, key="orange", columns=columns)
    tables = []
    for level in dict.fromkeys(levels):
        tables.append(
            _summary(found, style, decimals) if level == "corpus" else _ranks(found, sentences, style, decimals)
        )
    if found.comparisons and "corpus" in levels:
        tables.append(_tests(found, style, decimals))
    if style == "table":
        tables.append("Lower is better: references come nearer to the top. " + _ties(found) + "\n")
    if signatures is not None:
        tables.append(as_remark(style, signatures + broken("", found.signature)))
    return "\n".join(tables)


def _records(found: "Oranges", sentences: Sequence[int], levels: Sequence[str]) -> Iterator[dict[str, Any]]:
    for level in dict.fromkeys(levels):
        for one in found:
            if level == "corpus":
                empty: dict[str, Any] = dict.fromkeys(_COLUMNS)
                yield empty | one.to_dict() | {"level": level, "rank": float(one.ranks.mean())}
                continue
            for place, number in enumerate(sentences):
                yield {
                    "metric": one.metric,
                    "level": level,
                    "segment": number + 1,
                    "value": float(one.ratios[place]),
                    "low": None,
                    "high": None,
                    "n": 1,
                    "candidates": one.candidates[place],
                    "references": one.references[place],
                    "oracle": float(one.oracle_scores[place]),
                    "rank": float(one.ranks[place]),
                }


def _summary(found: "Oranges", style: str, decimals: int) -> str:
    from tertium.metrics.names import title

    ones = list(found)
    rows = [
        [
            title(one.metric),
            with_interval(one.value, one.low, one.high, decimals),
            f"{one.ranks.mean():.2f}",
            f"{one.n:,}",
        ]
        for one in ones
    ]
    least = min(one.value for one in ones)
    best = {(i, 1) for i, one in enumerate(ones) if one.value == least and any(o.value > least for o in ones)}
    return table(style, ["Metric", "ORANGE ↓", "Mean rank", "Sentences"], rows, best=best)


def _ranks(found: "Oranges", sentences: Sequence[int], style: str, decimals: int) -> str:
    from tertium.metrics.names import title

    header = ["Metric", "Segment", "N", "References", "Oracle", "Rank", "Ratio"]
    rows = [
        [title(one.metric), str(number + 1), str(one.candidates[place]), str(one.references[place]),
         f"{one.oracle_scores[place]:.{decimals}f}", f"{one.ranks[place]:g}", f"{one.ratios[place]:.{decimals}f}"]
        for one in found for place, number in enumerate(sentences)
    ]  # fmt: skip
    return table(style, header, rows, best=set())


def _tests(found: "Oranges", style: str, decimals: int) -> str:
    from tertium.metrics.names import title

    rows = [
        [title(one.system), title(one.baseline), f"{one.difference:+.{decimals}f}",
         f"[{one.low:.{decimals}f}, {one.high:.{decimals}f}]", f"{one.p_value:.4f}",
         ("" if not one.significant else "↑ " if one.difference < 0 else "↓ ") + f"{one.p_adjusted:.4f}"]
        for one in found.comparisons
    ]  # fmt: skip
    return table(style, ["Metric", "Against", "Difference", "Interval", "p", "p (holm)"], rows, best=set(), texts=2)


def _ties(found: "Oranges") -> str:
    how = {"average": "half", "optimistic": "not at all", "pessimistic": "whole"}[found.ties]
    return f"A tie counts {how}."
