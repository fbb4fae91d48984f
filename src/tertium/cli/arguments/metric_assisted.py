"""Judgments of a part and a metric's scores of all, for `tertium judgments aggregate --with-metric`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments.inputs import Inputs, scored
from tertium.cli.output.progress import warner
from tertium.cli.output.writing import RECORDS, records_as, table
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.judgments import Judgments
    from tertium.judgments.metric_assisted import Assisted
    from tertium.meta.score_grid import GridSource


class TakesSeveral(click.Command):
    """A command whose --systems takes all names up to the next option."""

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Say the option again before each name."""
        spread: list[str] = []
        within = False
        for place, word in enumerate(args):
            if word == "--":
                spread += args[place:]
                break
            if word.startswith("-") and word != "-":
                within = word == "--systems"
                spread += [] if within else [word]
            else:
                spread += ["--systems", word] if within else [word]
        return super().parse_args(context, spread)


def with_metric(
    judgments: "Judgments", metric: str | None, systems: Sequence[str], references: Sequence[str],
    imported: Sequence[str], documents: Sequence[str] | None, quiet: bool,
) -> "list[Assisted]":  # fmt: skip
    """Estimate the mean of every system that was judged and scored, by each kind of judgment."""
    from tertium.judgments.metric_assisted import assisted
    from tertium.meta.score_grid import parts_of, segment_scores

    source = _scored(metric, systems, references, imported, judgments, quiet)
    count = parts_of(source)[0].segment_count
    ids = list(documents) if documents is not None else _documents_in(judgments, count)
    if ids is not None and len(ids) != count:
        raise InputError(f"There are {len(ids):,} document ids, but {count:,} segments.")
    if ids is None:
        warner(quiet)("No documents are known, so segments are taken for independent of each other.")
    found = []
    for label, by_system in segment_scores(source).items():
        for kind in judgments.kinds:
            people = judgments.of_kind(kind).segment_scores(kind, segments=count)
            turned = -1.0 if kind in judgments.lower_is_better else 1.0
            for name, values in by_system.items():
                if name in people and (people[name] == people[name]).any():
                    one = assisted(people[name], turned * values, documents=ids, names=(name, kind, label))
                    found.append(one)
    if not found:
        raise InputError(
            f"No system was both judged ({', '.join(judgments.systems)}) and scored. Name outputs as the judgments do: "
            "NAME=FILE."
        )
    return found


def _scored(
    metric: str | None, systems: Sequence[str], references: Sequence[str], imported: Sequence[str],
    judgments: "Judgments", quiet: bool,
) -> "GridSource":  # fmt: skip
    if imported:
        if metric is not None or systems:
            raise InputError("Use --with-metric and --systems, or --scores, but not both.")
        from tertium.scoring.imported_scores import arranged
        from tertium.scoring.score_files import read_scores

        warn = warner(quiet)
        rows = [one for argument in imported for one in read_scores(argument, warn=warn)]
        return arranged(rows, ", ".join(imported), at_least=int(judgments.segment.max(initial=0)), warn=warn)
    if metric is None or not systems:
        raise InputError("A metric needs texts: --with-metric METRIC --systems HYP… -r REF; or give --scores FILE.")
    return scored(
        Inputs(systems=systems, references=references, refs_dir=None, metrics=[metric], documents=None, kind=None,
               language=None, threads=None, quiet=quiet),
        keep_rows=True,
    )  # fmt: skip


def _documents_in(judgments: "Judgments", count: int) -> "list[str | None] | None":
    """Return the documents that judgments name; of segments that nobody judged, none is known."""
    names: list[str | None] = [None] * count
    for segment, code in zip(judgments.segment.tolist(), judgments.document.codes.tolist(), strict=True):
        if 0 < segment <= count and code >= 0:
            names[segment - 1] = judgments.document.names[code]
    return names if any(names) else None


def shown_assisted(style: str, found: "Sequence[Assisted]", decimals: int) -> Any:
    """Return the estimates in one of the formats."""
    from tertium import __version__
    from tertium.metrics.names import title

    if style in RECORDS:
        return records_as(style, [one.to_dict() for one in found], head={"tertium": __version__}, key="scores")
    rows = [
        [one.system, one.kind, f"{one.score:.{decimals}f}", f"[{one.low:.{decimals}f}, {one.high:.{decimals}f}]",
         f"{one.human:.{decimals}f}", f"[{one.human_low:.{decimals}f}, {one.human_high:.{decimals}f}]",
         f"{100 * one.saving:.0f} %"]
        for one in found
    ]  # fmt: skip
    header = ["System", "Kind", "Score", "Interval", "People alone", "Interval", "Saved"]
    text = table(style, header, rows, best=set(), texts=2)
    if style != "table":
        return text
    one = found[0]
    label = " and ".join(dict.fromkeys(title(each.metric) for each in found))
    what = f"{one.judged:,} of {one.segments:,} segments judged" + (
        f", in {one.documents} documents" if one.documents else ""
    )
    return (
        f"{text}\n{one.system}: {what}.\n"
        f"Score: people, corrected by {label} of all segments; intervals: 95 %.\n"
        "Saved: so many fewer judgments give as narrow an interval. It holds if the judged\n"
        "part was drawn at random, not chosen.\n"
    )
