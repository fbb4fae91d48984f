"""`tertium annotate select`: which segments, or documents, to have judged."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments.imported import with_imported
from tertium.cli.arguments.inputs import Inputs, input_options, metrics_for, read_blocks
from tertium.cli.arguments.options import Choice, decimals_option, imported_options, output_options
from tertium.cli.commands.annotate.making import share
from tertium.cli.output.progress import say
from tertium.cli.output.writing import RECORDS, check_output, emit, records_as, table
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.corpus.parallel import Block
    from tertium.metrics.base import Floats
    from tertium.scoring.scores import Scores

_BIASED = (
    "Means of what was chosen are biased: it was chosen for being hard or telling. Estimate ranks from it, "
    "and means from a part that is kept random (--random 20%)."
)


@click.command("select", short_help="Choose the segments on which judgments tell most.")
@input_options(metrics="the first is used by variance and consistency (default: chrf)")
@click.option("--method", type=Choice("tertium.annotate.selection:METHODS"), default="diversity",
              help="What a segment is worth (default: diversity).")  # fmt: skip
@click.option("--budget", type=float, required=True, help="How many segments; with --cost words, how many words.")
@click.option("--cost", type=click.Choice(["segments", "words"]), default="segments", show_default=True,
              help="What the budget is spent on: segments, or words of the reference.")  # fmt: skip
@click.option("--by", type=click.Choice(["segment", "document"]), default="segment", show_default=True,
              help="Take single segments, or whole documents (--documents).")  # fmt: skip
@click.option("--balance", type=click.Choice(["none", "domain"]), default="none", show_default=True,
              help="Give each domain (--domains) its share of the budget.")  # fmt: skip
@click.option("--domains", metavar="FILE", help="A file with one domain per segment.")
@click.option("--random", "random_share", metavar="SHARE", help="Keep this share of the budget random, such as 20%.")
@imported_options()
@click.option("--seed", type=int, default=0, show_default=True, help="Of what is random, and of ties.")
@decimals_option()
@output_options
def select(
    method: str, budget: float, cost: str, by: str, balance: str, domains: str | None, random_share: str | None,
    imported: Sequence[str], lower_is_better: Sequence[str], higher_is_better: Sequence[str], seed: int, style: str,
    output: str | None, decimals: int, quiet: bool, no_color: bool, **inputs: Any,
) -> None:  # fmt: skip
    """Choose segments, or documents, to have judged: those on which systems differ, within a budget.

    \b
    Examples:
      tertium annotate select a.txt b.txt c.txt -r ref.txt --budget 100
      tertium annotate select hyp/*.txt -r ref.txt --budget 2000 --cost words --by document --documents ids.txt
      tertium annotate select hyp/*.txt -r ref.txt --method consistency --scores comet.json --budget 100 --random 20%
    """
    from tertium.annotate.selection import selected, worth_of
    from tertium.cli.arguments.judgment_files import texts_of
    from tertium.significance.sampling import check_seed

    check_output(output)
    check_seed(seed)
    given = Inputs(**inputs, quiet=quiet)
    if balance == "domain" and domains is None:
        raise InputError("--balance domain needs to know the domains: add --domains FILE, one per segment.")
    if balance == "none" and domains is not None:
        raise InputError("--domains is for --balance domain: add it, or leave the domains out.")
    if by == "document" and given.documents is None:
        raise InputError("--by document needs document ids: add --documents FILE, one id per segment.")
    metrics = metrics_for(given) if given.metrics else {}
    blocks = list(read_blocks(given, metrics))
    texts = {
        name: [block.hypotheses[name][i][0] for block in blocks for i in range(len(block))]
        for name in blocks[0].hypotheses
    }
    count = sum(map(len, blocks))
    worth = worth_of(
        method, texts,
        lambda: _segment_scores(blocks, given, imported, lower_is_better, higher_is_better),
        seed=seed, threads=given.threads,
    )  # fmt: skip
    ids = None if blocks[0].documents is None else [name for block in blocks for name in block.documents or ()]
    words = [len(block.references[i][0].split()) for block in blocks for i in range(len(block))]
    import numpy as np

    found = selected(
        worth, budget=budget, cost=None if cost == "segments" else np.maximum(np.array(words, np.float64), 1.0),
        documents=ids, domains=None if domains is None else [group[0] for group in texts_of(domains, quiet)],
        by_document=by == "document", random_share=share(random_share), how=method, seed=seed,
    )  # fmt: skip
    spent = sum(one.cost for one in found)
    head = {"method": method, "by": by, "budget": budget, "cost": cost, "spent": spent, "segments": count, "seed": seed}
    rows = [one.to_dict() for one in found]
    if style in RECORDS:
        from tertium import __version__

        emit(records_as(style, rows, head={"tertium": __version__} | head, key="selected"), output)
    else:
        header = ["Segment", "Document", "Domain", "Worth", "Cost", "How"]
        cells = [
            [str(one.segment), one.document or "-", one.domain or "-", f"{one.worth:.{decimals}f}", f"{one.cost:g}",
             one.how]
            for one in found
        ]  # fmt: skip
        shown = [k for k in range(len(header)) if k not in (1, 2) or any(row[k] != "-" for row in cells)]
        emit(table(style, [header[k] for k in shown], [[row[k] for k in shown] for row in cells], best=set()), output)
    if not quiet:
        say(f"tertium: {len(found):,} of {count:,} segments, {spent:g} of {budget:g} {cost}.")
        if method != "random":
            say(f"tertium: {_BIASED}")


def _segment_scores(
    blocks: "Sequence[Block]", given: Inputs, imported: Sequence[str], lower: Sequence[str], higher: Sequence[str]
) -> "Floats":
    """Return scores of the outputs by the one metric that was named, or by chrF: systems x segments."""
    import numpy as np

    from tertium.metrics import CHRF, Metric
    from tertium.scoring.loop import score_blocks

    metrics: dict[str, Metric] = dict(metrics_for(given)) if given.metrics else {}
    if not metrics and not imported:
        metrics = {"chrf": CHRF()}
    if metrics:
        scores = score_blocks(metrics, blocks, threads=given.threads)
        scores = with_imported(scores, imported, lower, higher, quiet=given.quiet)
    else:
        scores = _imported_only(blocks, imported, lower, higher, given.quiet)
    label = next(iter(scores.metrics))
    if len(scores.metrics) > 1:
        raise InputError(f"Segments are chosen by one metric, but there are {', '.join(scores.metrics)}. Name one.")
    return np.stack([scores.segments[name][label] for name in scores.systems])


def _imported_only(
    blocks: "Sequence[Block]", imported: Sequence[str], lower: Sequence[str], higher: Sequence[str], quiet: bool
) -> "Scores":
    """Return scores of other programs, which must be of these outputs."""
    scores = with_imported(None, imported, lower, higher, quiet=quiet)
    names, count = set(blocks[0].hypotheses), sum(map(len, blocks))
    if set(scores.systems) != names or scores.segment_count != count:
        raise InputError(
            f"The scores are of {', '.join(scores.systems)} and {scores.segment_count:,} segments, but the outputs are "
            f"of {', '.join(names)} and {count:,}."
        )
    return scores


ACTIONS = (select,)
