"""Scores and judgments, read: from texts and files of scores, or from a folder."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import click

from tertium.cli.arguments import judged_folder
from tertium.cli.arguments.chosen import check_known
from tertium.cli.arguments.inputs import Inputs, metrics_for, read_blocks, tokenizer_for, warn_of_short_segments
from tertium.cli.arguments.judged_inputs import Judged, JudgedInputs, marked, refuse_unused
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.corpus.parallel import Block
    from tertium.judgments import Judgments
    from tertium.meta.score_grid import GridSource
    from tertium.metrics.base import Floats, Metric
    from tertium.scoring.scores import Scores


def read(given: JudgedInputs, *, by_segment: bool) -> Judged:
    """Read everything that was named, and compute the metrics that were asked for."""
    warn = given.warn
    if given.folder is not None:
        return judged_folder.read_one(given, warn, by_segment=by_segment)
    judgments = judgments_of(given, warn)
    given.check(judgments)
    scores, lengths = scored_files(given) if given.inputs.systems or given.inputs.test_set else (None, None)
    if scores is not None and by_segment:
        warn_of_short_segments(scores, warn)
    if scores is None and not given.imported:
        raise InputError("There is nothing to correlate: give systems (HYP… -r REF), or scores (--scores FILE).")
    if given.weights == "length" and lengths is None:
        raise InputError("--weights length needs the references' lengths: give systems and references, too.")
    given.chosen.refuse_of_folders()
    return Judged(_chosen_of(given, _with_imported(given, scores, judgments), warn), judgments, lengths, None)


def _chosen_of(given: JudgedInputs, scores: "GridSource", warn: Callable[[str], None]) -> "GridSource":
    """Return the systems and metrics of files that were chosen."""
    from tertium.meta.restricted import of_metrics, of_systems
    from tertium.meta.score_grid import systems_of

    chosen, metrics = given.chosen, [one["metric"] for one in scores.head()["metrics"]]
    if (wanted := chosen.metrics(None)) is not None:
        check_known(wanted, metrics, "metric", strict=True, warn=warn)
        found = of_metrics(scores, wanted)
        assert found is not None
        scores = found
    systems = systems_of(scores) if chosen.only_systems or chosen.outliers else ()
    kept = systems if (only := chosen.systems(None)) is None else only
    out = chosen.left_out(None) or ()
    check_known([*kept, *out], systems, "system", strict=True, warn=warn)
    kept = tuple(name for name in systems if name in kept and name not in out)
    if kept == systems:
        return scores
    warn(f"Left out as chosen: {', '.join(name for name in systems if name not in kept)}.")
    return of_systems(scores, kept)


def judgments_of(given: JudgedInputs, warn: Callable[[str], None]) -> "Judgments":
    """Read the files of judgments; those kinds count errors that were named."""
    if not given.judged_files:
        raise InputError("No judgments were given. Add --judgments FILE.")
    return marked(judgments_in(given.judged_files, given.form, given.inputs, warn), given.lower_is_better)


def judgments_in(files: Sequence[str], form: str | None, inputs: Inputs, warn: Callable[[str], None]) -> "Judgments":
    """Read files of judgments about these inputs."""
    from tertium.cli.arguments.judgment_files import texts_of
    from tertium.judgments import Judgments, read_judgments

    ids = inputs.documents
    documents = None if ids is None else [group[0] for group in texts_of(ids, inputs.quiet)]
    try:
        parts = [
            read_judgments(path, form=form, documents=documents, within_documents=False, warn=warn) for path in files
        ]
    except InputError as error:
        if error.message.arguments:  # which this command does not have
            import_ = " (These are options of: tertium judgments import FILE --output TIDY.)"
            raise InputError(error.message, import_) from None
        raise
    judgments = Judgments.joined(parts) if len(parts) > 1 else parts[0]
    if len(parts) > 1:
        from tertium.judgments.forms.columns import tell_repeated

        tell_repeated(judgments, "The files together", warn)
    return judgments


def scored_files(given: JudgedInputs, metrics: "dict[str, Metric] | None" = None) -> "tuple[Scores, Floats | None]":
    """Return scores, and how long the references are if segments weigh by that."""
    import numpy as np

    from tertium.judgments import token_lengths
    from tertium.scoring.loop import score_blocks

    inputs = given.inputs
    metrics = metrics or metrics_for(inputs)
    lengths: list[Floats] = []

    def measured() -> "Iterator[Block]":
        for block in read_blocks(inputs, metrics):
            if given.weights == "length":
                groups = [block.references[i] for i in range(len(block))]
                lengths.append(token_lengths(groups, tokenize=tokenizer_for(inputs.language)))
            yield block

    scores = score_blocks(metrics, measured(), threads=inputs.threads)
    return scores, np.concatenate(lengths) if lengths else None


def _with_imported(given: JudgedInputs, scores: "Scores | None", judgments: "Judgments") -> "GridSource":
    from tertium.meta.score_grid import ScoreSources
    from tertium.scoring.imported_scores import arranged
    from tertium.scoring.score_files import read_scores

    if not given.imported:
        if given.higher_is_better:
            raise click.UsageError("--higher-is-better is about metrics of --scores, but there is no --scores.")
        refuse_unused(given.lower_is_better, [], judgments)
        assert scores is not None
        return scores
    warn = given.warn
    imported = [one for argument in given.imported for one in read_scores(argument, warn=warn)]
    count = scores.segment_count if scores is not None else None
    tables = arranged(
        imported, ", ".join(given.imported), segments=count, at_least=int(judgments.segment.max(initial=0)),
        lower_is_better=given.lower_is_better, higher_is_better=given.higher_is_better,
        systems=None if scores is None else scores.systems, warn=warn,
    )  # fmt: skip
    refuse_unused(given.lower_is_better, list(tables.tables), judgments)
    return tables if scores is None else ScoreSources((scores, tables))
