"""What the commands that decode are given: a metric, n-best lists, references, weights."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

import click

from tertium.cli.arguments.options import Command
from tertium.cli.output.progress import say
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.files.lines import Warn
    from tertium.metrics.base import Metric

LANGUAGE = click.option(
    "-l", "--language", metavar="LANG", help="Target language or pair (ja, zh-Hant, en-de): sets what -m leaves open."
)
FORM = click.option(
    "--nbest-format", "form", default="auto", show_default=True, metavar="FORM",
    help="auto, marian, moses, t2t, lines:N (N lines per sentence) or jsonl.",
)  # fmt: skip


def metric_option(usual: str) -> Callable[[Command], Command]:
    """Add -m for one metric."""
    return click.option(
        "-m", "--metric", default=usual, show_default=True, metavar="METRIC", help="metric[:key=value,…]."
    )


def one_metric(text: str, language: str | None) -> "Metric":
    """Return the metric of -m; as sentences are scored, BLEU counts the orders they have unless it says otherwise."""
    from tertium.cli.arguments.inputs import parsed_metrics

    return parsed_metrics(["bleu:effective_order=true" if text == "bleu" else text], language).popitem()[1]


@dataclass(frozen=True)
class Lists:
    """Some sentences: what they are called, their candidates, and what goes with them."""

    identities: list[int | str]
    candidates: list[list[str]]
    references: list[list[str]] | None
    weights: list[list[float]] | None


def read_lists(
    nbest: str, form: str, references: str | None, weights: str | None, size: int, warn: "Warn"
) -> Iterator[Lists]:
    """Read the files side by side, so many sentences at a time."""
    from tertium.corpus.nbest import nbest_lists
    from tertium.files.lines import Lines

    if [nbest, references, weights].count("-") > 1:
        raise InputError("Standard input (-) can be only one of the files.")
    candidates = nbest_lists(nbest, form, warn=warn)
    theirs = None if references is None else nbest_lists(references, form, warn=warn)
    lines = None if weights is None else enumerate(Lines(weights, warn=warn), 1)
    while block := list(islice(candidates, size)):
        found = None if theirs is None else list(islice(theirs, len(block)))
        if found is not None and [name for name, _ in found] != [name for name, _ in block]:
            raise InputError(
                f"{references} is about other sentences than {nbest}, or in another order. Give lists for the same "
                f"sentences; they differ among those from {block[0][0]} to {block[-1][0]}."
            )
        shares = (
            None if lines is None else [_numbers(number, line, weights) for number, line in islice(lines, len(block))]
        )
        if shares is not None and len(shares) < len(block):
            raise InputError(f"{weights} has fewer lines than {nbest} has sentences. Give one line per sentence.")
        yield Lists(
            [name for name, _ in block],
            [texts for _, texts in block],
            None if found is None else [texts for _, texts in found],
            shares,
        )
    if lines is not None and next(lines, None) is not None:
        raise InputError(f"{weights} has more lines than {nbest} has sentences. Give one line per sentence.")
    if theirs is not None and next(theirs, None) is not None:
        raise InputError(f"{references} has lists for more sentences than {nbest}.")


def share_of_lists(nbest: str, wanted: bool) -> Callable[[Sequence[Sequence[str]]], float | None]:
    """Return what says, given the lists that were done last, which share of a file's lines is done."""
    from tertium.files.lines import line_count

    done, total = 0, line_count(nbest) if wanted else None

    def share(lists: Sequence[Sequence[str]]) -> float | None:
        nonlocal done
        done += len(lists) if nbest.endswith(".jsonl") else sum(map(len, lists))
        return None if not total else min(done / total, 1)

    return share


def tell_signature(metric: "Metric", quiet: bool) -> None:
    """Say what gave the scores, where a file of them has no place for it."""
    if not quiet:
        say(f"tertium: scores are {metric.short_signature(1)}")


def _numbers(number: int, line: str, path: str | None) -> list[float]:
    try:
        return [float(field) for field in line.split()]
    except ValueError:
        raise InputError(
            f"{path}, line {number:,} is {line!r:.40}, but numbers with blanks between were expected."
        ) from None
