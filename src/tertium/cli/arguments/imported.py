"""Scores of other programs that `--scores` names, joined to what is computed here, or alone."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from tertium.cli.output.progress import warner
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.scoring.scores import Scores


def with_imported(
    scores: "Scores | None",
    arguments: Sequence[str],
    lower_is_better: Sequence[str],
    higher_is_better: Sequence[str],
    *,
    documents: str | None = None,
    quiet: bool,
) -> "Scores":
    """Return scores with those of other programs; without any of our own, those alone."""
    if not arguments:
        for name, given in (("lower", lower_is_better), ("higher", higher_is_better)):
            if given:
                raise click.UsageError(f"--{name}-is-better is about metrics of --scores, but there is no --scores.")
        if scores is None:
            raise click.UsageError("Missing argument 'HYP...'.")
        return scores
    from tertium.scoring.imported_scores import arranged, joined, scores_of
    from tertium.scoring.score_files import read_scores

    name, warn = ", ".join(arguments), warner(quiet)
    table = arranged(
        [one for argument in arguments for one in read_scores(argument, warn=warn)],
        name,
        segments=None if scores is None else scores.segment_count,
        systems=None if scores is None else scores.systems,
        lower_is_better=lower_is_better,
        higher_is_better=higher_is_better,
        warn=warn,
    )
    if scores is not None:
        return joined(scores, table, name=name)
    if documents is not None:
        from tertium.cli.arguments.judgment_files import texts_of

        ids = [group[0] for group in texts_of(documents, quiet)]
        if len(ids) != table.segment_count:
            raise InputError(f"{documents} has {len(ids):,} ids, but {name} has {table.segment_count:,} segments.")
        table = replace(table, documents=ids)
    return scores_of(table, name=name)
