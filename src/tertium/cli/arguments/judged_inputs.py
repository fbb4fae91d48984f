"""What `correlate` and `rank` are given, read: scores from texts, files or a folder, and human judgments."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments.chosen import NOTHING_CHOSEN, Chosen, check_known, chosen_options
from tertium.cli.arguments.inputs import (
    Inputs,
    input_options,
    metrics_for,
    read_blocks,
    tokenizer_for,
    warn_of_short_segments,
)
from tertium.cli.arguments.options import Choice, imported_options, options
from tertium.cli.output.progress import warner
from tertium.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from tertium.corpus.parallel import Block
    from tertium.judgments import Judgments
    from tertium.meta.score_grid import GridSource
    from tertium.metrics.base import Floats, Metric
    from tertium.scoring.scores import Scores

METHODS = Choice("tertium.meta:METHODS")
GROUPS = Choice("tertium.meta.coefficients.points:GROUPS")
LEVELS = Choice("tertium.judgments.table:LEVELS", also={"corpus": "system"})


@dataclass(frozen=True)
class JudgedInputs:
    """What was named on the command line."""

    inputs: Inputs
    judged_files: Sequence[str]
    form: str | None
    imported: Sequence[str]
    lower_is_better: Sequence[str]
    higher_is_better: Sequence[str]
    weights: str
    for_tasks: bool = False  # whether systems, references and metrics are those of the shared task
    chosen: Chosen = NOTHING_CHOSEN
    tell: Callable[[str], None] | None = None  # what is to be said goes there, not to standard error
    several: bool = False  # whether this is one of several language pairs, whose metrics have the same names
    kinds: Sequence[str] = ()  # of judgments, those that are wanted
    one_kind_of: str | None = None  # the level at which all judgments must be of one kind, if none is named

    def check(self, judgments: "Judgments") -> None:
        """Refuse kinds that are not there, and several where one is needed, before anything is scored."""
        for kind in self.kinds:
            if kind not in judgments.kinds and not (kind == "preference" and len(judgments.preferences)):
                raise UnknownNameError.of("kind of judgment", kind, judgments.kinds or ["none"])
        there = [kind for kind in judgments.kinds if self.one_kind_of in judgments.levels(kind)]
        if not self.kinds and len(there) > 1:
            raise InputError(
                f"Metrics are compared on one kind of judgment, but there are {self.one_kind_of}-level judgments of "
                f"{len(there)} kinds. Say which: --kind, one of {', '.join(there)}."
            )

    @classmethod
    def of(cls, options: dict[str, Any], *, quiet: bool) -> "JudgedInputs":
        """Take what `judged_options` gave; other options must be gone."""
        names = ("judged_files", "form", "imported", "lower_is_better", "higher_is_better", "weights")
        own = {name: options.pop(name) for name in names}
        chosen = Chosen.of(options)
        return cls(Inputs(**options, quiet=quiet), **own, chosen=chosen)

    @property
    def warn(self) -> Callable[[str], None]:
        """Tell what one should know."""
        return self.tell or warner(self.inputs.quiet)

    def with_evaluation_data(self) -> "tuple[JudgedInputs, str | None]":
        """Return the same with mt-metrics-eval's folder of a test set that -t names, and the kind that it names.

        That is meant if there are no systems, judgments or scores: they are all in there.
        """
        inputs = self.inputs
        if inputs.test_set is None or inputs.systems or self.judged_files or self.imported:
            return self, None
        from tertium.corpus.named.published import is_published
        from tertium.judgments.evaluation_data import evaluation_folder
        from tertium.judgments.folder import is_folder

        if is_published(inputs.test_set) and not is_folder(inputs.test_set):
            return self, None
        where = (inputs.test_set, None) if is_folder(inputs.test_set) else evaluation_folder(inputs.test_set)
        if inputs.language is None:
            from tertium.judgments import language_pairs

            pairs = ", ".join(language_pairs(str(where[0])))
            raise InputError(f"-t {inputs.test_set} needs a language pair: -l PAIR. It has {pairs}.")
        pairs_asked = inputs.language.split(",")
        one = inputs.language if len(pairs_asked) == 1 else None
        inside = replace(inputs, systems=(str(where[0]), *pairs_asked), test_set=None, language=one)
        return replace(self, inputs=inside), where[1]

    @property
    def folder(self) -> str | None:
        """The folder of a test set in mt-metrics-eval's layout, if the first name is one."""
        from tertium.judgments import is_folder

        first = next(iter(self.inputs.systems), "")
        if not first or not Path(first).is_dir():
            return None
        if not is_folder(first):
            raise InputError(
                f"{first} is a directory, but not a test set in mt-metrics-eval's layout: it lacks sources/ or "
                "system-outputs/. Give files of systems, or such a folder and a language pair."
            )
        return first


@dataclass(frozen=True)
class Judged:
    """Scores and judgments, read."""

    scores: "GridSource"
    judgments: "Judgments"
    lengths: "Floats | None"
    documents: "Sequence[str] | None"
    domains: "Sequence[str] | None" = None
    by_domain: "Judgments | None" = None  # of whole systems, the domain being their document


def judgment_options(also: str = "") -> Callable[[Any], Any]:
    """Add --judgments, and what such a file is."""
    return options(
        click.option("--judgments", "judged_files", multiple=True, metavar="FILE",
                     help=f"Human judgments; repeat for more files{also}."),
        click.option("--judgments-format", "form", metavar="FORM",
                     help="What FILE is (default: by its content); see: tertium judgments forms."),
    )  # fmt: skip


# HYP…, -r, -m and where the judgments and other scores are.
judged_options = options(
    input_options(required=False),
    judgment_options(" (not with a FOLDER)"),
    imported_options(", or a kind of judgment,"),
    click.option("--weights", type=click.Choice(["none", "length"]), default="none",
                 help="How segments weigh in documents and systems (default: none, all alike)."),
)  # fmt: skip

# What `correlate` and `rank` are given.
parts_options = options(
    judged_options,
    chosen_options,
    click.option("--by-domain", is_flag=True, help="Each domain of a FOLDER by itself, and their average."),
)


def read_parts(asked: JudgedInputs, *, by_segment: bool, by_domain: bool, for_tasks: bool = False) -> dict[str, Judged]:
    """Read each language pair of a folder, or each of its domains; or what was given otherwise, without a name."""
    if asked.folder is None:
        if by_domain:
            raise InputError(
                "--by-domain needs a test set's FOLDER, whose documents/ says which domain a segment is of."
            )
        return {"": read(asked, by_segment=by_segment)}
    folder, *named = asked.inputs.systems
    pairs = list(dict.fromkeys(named))
    from tertium.judgments import language_pairs

    if not pairs:
        raise InputError(f"{folder} is a test set's folder: name language pairs after it. It has "
                         f"{', '.join(language_pairs(folder)) or 'none'}.")  # fmt: skip
    asked.chosen.check_pairs(pairs, {*language_pairs(folder), *pairs}, asked.warn)
    found: dict[str, Judged] = {}
    for pair in pairs:
        inputs = replace(asked.inputs, systems=[folder, pair])
        several = len(pairs) > 1
        one = read(replace(asked, inputs=inputs, for_tasks=for_tasks, several=several), by_segment=by_segment)
        if by_domain:
            found |= {f"{pair} {name}" if several else name: part for name, part in _domains(one, pair).items()}
        else:
            found[pair if several or for_tasks else ""] = one
    return found


def _domains(one: Judged, pair: str) -> dict[str, Judged]:
    import numpy as np

    from tertium.meta.restricted import judged_inside, of_segments

    domains: Sequence[str] = one.domains or ()
    order = list(dict.fromkeys(domains))
    if len(order) < 2:
        raise InputError(f"{pair} has only the domain {', '.join(order) or '?'}: leave out --by-domain.")
    found = {}
    for place, domain in enumerate(order):
        inside = np.array([each == domain for each in domains])
        judgments = _with_wholes(judged_inside(one.judgments, inside), one.by_domain, domain)
        if len(judgments):
            found[domain] = replace(one, scores=of_segments(one.scores, inside, place), judgments=judgments)
    return found


def _with_wholes(judgments: "Judgments", by_domain: "Judgments | None", domain: str) -> "Judgments":
    """Add what people said of systems in this domain as a whole."""
    if by_domain is None or domain not in by_domain.document.names:
        return judgments
    from tertium.judgments import Judgments
    from tertium.judgments.labels import Labels

    rows = by_domain[by_domain.document.codes == by_domain.document.code(domain)]
    wholes = replace(rows, document=Labels.constant(None, len(rows)), lower_is_better=judgments.lower_is_better)
    return Judgments.joined([judgments, wholes]) if len(judgments) else wholes


def read(given: JudgedInputs, *, by_segment: bool) -> Judged:
    """Read everything that was named, and compute the metrics that were asked for."""
    warn = given.warn
    if given.folder is not None:
        from tertium.cli.arguments.judged_folder import read_one

        return read_one(given, warn, by_segment=by_segment)
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
    source = _with_imported(given, scores, judgments)
    return Judged(source if given.chosen == NOTHING_CHOSEN else _chosen_of(given, source), judgments, lengths, None)


def _chosen_of(given: JudgedInputs, scores: "GridSource") -> "GridSource":
    """Return the systems and metrics of files that were chosen."""
    from tertium.meta.restricted import of_metrics, of_systems
    from tertium.meta.score_grid import systems_of

    chosen, warn, metrics = given.chosen, given.warn, [one["metric"] for one in scores.head()["metrics"]]
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
    judgments = Judgments.joined(parts)
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
    if not given.imported:
        if given.higher_is_better:
            raise click.UsageError("--higher-is-better is about metrics of --scores, but there is no --scores.")
        refuse_unused(given.lower_is_better, [], judgments)
        assert scores is not None
        return scores
    from tertium.meta.score_grid import ScoreSources
    from tertium.scoring.imported_scores import arranged
    from tertium.scoring.score_files import read_scores

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


def marked(judgments: "Judgments", lower_is_better: Sequence[str]) -> "Judgments":
    """Return judgments of which those that were named count errors."""
    named = {name for name in lower_is_better if name in judgments.kinds}
    return replace(judgments, lower_is_better=judgments.lower_is_better | named) if named else judgments


def refuse_unused(names: Sequence[str], metrics: Sequence[str], judgments: "Judgments") -> None:
    """Refuse --lower-is-better of what is not there."""
    for name in names:
        if name not in metrics and name not in judgments.kinds:
            known = ", ".join([*metrics, *judgments.kinds])
            raise InputError(f"--lower-is-better {name}: there is no such metric or kind of judgment. Known: {known}.")
