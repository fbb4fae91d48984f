"""What `correlate` and `rank` are given: scores of systems, from texts, files or a folder, and human judgments."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments.chosen import ALL, NOTHING_CHOSEN, Chosen, check_known
from tertium.cli.arguments.inputs import (
    Inputs,
    input_options,
    metrics_for,
    parsed_metrics,
    read_blocks,
    tokenizer_for,
    warn_of_short_segments,
)
from tertium.cli.arguments.options import Choice, imported_options, options
from tertium.cli.output.progress import warner
from tertium.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from tertium.corpus.parallel import Block
    from tertium.judgments import EvaluationSet, Judgments
    from tertium.meta.conventions import Convention
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


# HYP…, -r, -m and where the judgments and other scores are.
judged_options = options(
    input_options(required=False),
    click.option("--judgments", "judged_files", multiple=True, metavar="FILE",
                 help="Human judgments; repeat for more files (not with a FOLDER)."),
    click.option("--judgments-format", "form", metavar="FORM",
                 help="What FILE is (default: by its content); see: tertium judgments forms."),
    imported_options(", or a kind of judgment,"),
    click.option("--weights", type=click.Choice(["none", "length"]), default="none",
                 help="How segments weigh in documents and systems (default: none, all alike)."),
)  # fmt: skip


def read(given: JudgedInputs, *, by_segment: bool) -> Judged:
    """Read everything that was named, and compute the metrics that were asked for."""
    warn = given.warn
    if given.folder is not None:
        return _of_folder(given, warn, by_segment=by_segment)
    judgments = _judgments(given, warn)
    given.check(judgments)
    scores, lengths = _scored_files(given) if given.inputs.systems or given.inputs.test_set else (None, None)
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


def _judgments(given: JudgedInputs, warn: Callable[[str], None]) -> "Judgments":
    if not given.judged_files:
        raise InputError("No judgments were given. Add --judgments FILE.")
    from tertium.cli.arguments.judgment_files import texts_of
    from tertium.judgments import Judgments, read_judgments

    ids = given.inputs.documents
    documents = None if ids is None else [group[0] for group in texts_of(ids, given.inputs.quiet)]
    try:
        parts = [
            read_judgments(path, form=given.form, documents=documents, within_documents=False, warn=warn)
            for path in given.judged_files
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
    return _marked(judgments, given.lower_is_better)


def _marked(judgments: "Judgments", lower_is_better: Sequence[str]) -> "Judgments":
    named = {name for name in lower_is_better if name in judgments.kinds}
    return replace(judgments, lower_is_better=judgments.lower_is_better | named) if named else judgments


def _scored_files(given: JudgedInputs, metrics: "dict[str, Metric] | None" = None) -> "tuple[Scores, Floats | None]":
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
        _refuse_unused(given.lower_is_better, [], judgments)
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
    _refuse_unused(given.lower_is_better, list(tables.tables), judgments)
    return tables if scores is None else ScoreSources((scores, tables))


def _refuse_unused(names: Sequence[str], metrics: Sequence[str], judgments: "Judgments") -> None:
    for name in names:
        if name not in metrics and name not in judgments.kinds:
            known = ", ".join([*metrics, *judgments.kinds])
            raise InputError(f"--lower-is-better {name}: there is no such metric or kind of judgment. Known: {known}.")


def _folder(given: JudgedInputs, warn: Callable[[str], None]) -> "tuple[EvaluationSet, Judgments, tuple[str, ...]]":
    """Return a folder's contents, its judgments, and the systems: no references, unless the task ranks them."""
    from tertium.judgments import language_pairs, read_folder

    folder, *rest = given.inputs.systems
    if len(rest) != 1:
        raise InputError(
            f"{folder} is a test set's folder: name one language pair after it. It has "
            f"{', '.join(language_pairs(folder)) or 'none'}."
        )
    if given.judged_files or given.imported:
        raise InputError("A folder has its own judgments and scores: leave out --judgments and --scores.")
    found = read_folder(folder, rest[0], warn=warn)
    if not len(found.judgments):
        raise InputError(f"{folder}/human-scores has no judgments for {rest[0]} of systems that are there.")
    return found, _marked(found.judgments, given.lower_is_better), _ranked_systems(given, found, warn)


def _ranked_systems(given: JudgedInputs, found: "EvaluationSet", warn: Callable[[str], None]) -> tuple[str, ...]:
    """Return the outputs that are ranked: as chosen, by the task's rules, or all but references."""
    chosen, pair, convention = given.chosen, found.language_pair, _convention(given, found)
    named = chosen.systems(pair), chosen.left_out(pair), chosen.ranked_humans(pair)
    for said, known, what in zip(
        named, (found.outputs, found.outputs, found.references), ("system", "system", "reference"), strict=True
    ):
        wanted = [name for name in said or () if name != ALL]
        check_known(wanted, known, f"{what} of {found.name} {pair}", strict=not given.several, warn=warn)
    only, out, humans = named
    out = out if out is not None else tuple(convention.outliers if convention else ())
    humans = humans if humans is not None else ((ALL,) if convention and convention.humans else ())
    used = _folder_references(given, found)
    why: dict[str, list[str]] = {}
    kept = []
    for name in found.outputs:
        if only is not None and name not in only:
            why.setdefault("not among --systems", []).append(name)
        elif name in out:
            why.setdefault("outliers", []).append(name)
        elif only is None and name in found.references and (name in used or not {name, ALL} & set(humans)):
            why.setdefault("human references", []).append(name)
        else:
            kept.append(name)
    by_rule = f"{found.name} {pair}: by the task's rules these are not ranked: " if convention else ""
    if convention and only is None and not any(named):
        absent = [name for name in found.outputs if name not in kept]
        if absent:
            warn(f"{by_rule}{', '.join(absent)}.")
    else:
        for reason, names in why.items():
            is_one = reason == "human references"
            warn(f"{', '.join(names)} are {reason} and are not ranked as systems." if is_one
                 else f"{found.name} {pair}: not ranked, {reason}: {', '.join(names)}.")  # fmt: skip
    if not kept:
        raise InputError(f"No system of {found.name} {pair} is left to rank. It has {', '.join(found.outputs)}.")
    return tuple(kept)


def _convention(given: JudgedInputs, found: "EvaluationSet") -> "Convention | None":
    """Return what the task settled for this language pair; nothing if -r names references, or if it is not known."""
    from tertium.meta.conventions import CONVENTIONS

    if not given.for_tasks or given.inputs.references:
        return None
    return CONVENTIONS.get((found.name, found.language_pair))


def _of_folder(given: JudgedInputs, warn: Callable[[str], None], *, by_segment: bool) -> Judged:
    """Read a folder in mt-metrics-eval's layout; metrics are computed if -m says so, others are the folder's."""
    from tertium.meta.score_grid import ScoreSources
    from tertium.scoring.imported_scores import ImportedScores

    found, judgments, systems = _folder(given, warn)
    given.check(judgments)
    tables: dict[str, Any] = found.metric_scores
    lower = frozenset(given.lower_is_better)
    if given.for_tasks or given.several or given.chosen.references(found.language_pair):
        used, where = _folder_references(given, found), f"{found.name} {found.language_pair}"
        tables, lower = _by_plain_names(tables, lower, found.references, used, where, warn)
    if (wanted := given.chosen.metrics(found.language_pair)) is not None:
        tables = _wanted_tables(given, found, tables, wanted, warn)
    parts: list[Any] = []
    if given.inputs.metrics:
        computed = _scored_folder(given, found, systems)
        if by_segment:
            warn_of_short_segments(computed, warn)
        parts.append(computed)
    if tables:
        parts.append(ImportedScores(systems, len(found.sources), tables, lower, found.documents))
    if not parts:
        folder, pair = given.inputs.systems
        raise InputError(f"{folder} has no metric scores for {pair}. Name metrics to compute: -m bleu -m chrf.")
    _refuse_unused(given.lower_is_better, [*tables, *found.metric_scores], judgments)
    scores = parts[0] if len(parts) == 1 else ScoreSources(tuple(parts))
    return Judged(
        scores, judgments, _folder_lengths(given, found), found.documents, found.domains, _by_domain(found)
    )  # fmt: skip


def _wanted_tables(
    given: JudgedInputs, found: "EvaluationSet", tables: "dict[str, Any]", wanted: Sequence[str],
    warn: Callable[[str], None],
) -> "dict[str, Any]":  # fmt: skip
    """Return the folder's metrics that were chosen, by their names with or without references."""
    from tertium.meta.conventions import named_references

    names = {name: {name, named_references(name, found.references)[0]} for name in tables}
    known = dict.fromkeys(each for both in names.values() for each in sorted(both))
    where = f"metric of {found.name} {found.language_pair}"
    check_known(wanted, known, where, strict=not given.several, warn=warn)
    absent = [name for name, both in names.items() if not both & set(wanted)]
    if absent:
        warn(f"{found.name} {found.language_pair}: not among --metrics: {', '.join(absent)}.")
    return {name: table for name, table in tables.items() if name not in absent}


def _by_domain(found: "EvaluationSet") -> "Judgments | None":
    """Return human scores by domain as judgments of systems, the domain in the place of the document."""
    from tertium.judgments import Judgments

    rows = [
        (system, domain, kind, score)
        for kind, by_system in found.domain_scores.items() for system, by_domain in by_system.items()
        for domain, score in by_domain.items() if score == score
    ]  # fmt: skip
    if not rows:
        return None
    systems, domains, kinds, scores = zip(*rows, strict=True)
    return Judgments.of(system=systems, document=domains, kind=kinds, score=scores)


def _folder_lengths(given: JudgedInputs, found: "EvaluationSet") -> "Floats | None":
    if given.weights != "length":
        return None
    from tertium.judgments import token_lengths

    names = _folder_references(given, found)
    if not names:
        folder, pair = given.inputs.systems
        raise InputError(f"--weights length needs a reference, but {folder} has none for {pair}.")
    return token_lengths(list(zip(*(found.references[name] for name in names), strict=True)))


def _folder_references(given: JudgedInputs, found: "EvaluationSet") -> list[str]:
    """Return the names of the references to use: those that -r names, the task's, or the first."""
    convention = _convention(given, found)
    usual = [convention.reference] if convention else list(found.references)[:1]
    names = list(given.inputs.references or given.chosen.references(found.language_pair) or usual)
    for name in names:
        if name not in found.references:
            raise UnknownNameError.of("reference of the folder", name, found.references)
    return names


class Tunable:
    """Judgments, and systems that can be scored by any metric; the first time tells documents and lengths."""

    def __init__(self, given: JudgedInputs) -> None:
        warn = given.warn
        self.documents: Sequence[str] | None = None
        self.lengths: Floats | None = None
        self._given, self._found = given, None
        if given.folder is None:
            self.judgments = _judgments(given, warn)
            tables: list[str] = []
        else:
            self._found, self.judgments, self._systems = _folder(given, warn)
            tables = list(self._found.metric_scores)
        _refuse_unused(given.lower_is_better, tables, self.judgments)

    def rows(self, metric: "Metric") -> "dict[str, Floats]":
        """Return the rows of each system."""
        if self._found is None:
            scores, self.lengths = _scored_files(self._given, {"tuned": metric})
        else:
            scores = _scored_folder(self._given, self._found, self._systems, {"tuned": metric})
            self.lengths = _folder_lengths(self._given, self._found)
        if scores.document_names is not None and scores.document_positions is not None:
            self.documents = [scores.document_names[place] for place in scores.document_positions.tolist()]
        assert scores.kept_rows is not None
        return {name: scores.kept_rows[name]["tuned"] for name in scores.systems}


def _scored_folder(
    given: JudgedInputs, found: "EvaluationSet", systems: Sequence[str], metrics: "dict[str, Metric] | None" = None
) -> "Scores":
    from tertium.scoring.loop import score

    names = _folder_references(given, found)
    if not names:
        raise InputError(f"{given.inputs.systems[0]} has no reference for {found.language_pair}, which -m needs.")
    return score(
        metrics or parsed_metrics(given.inputs.metrics, given.inputs.language, given.warn),
        {name: found.outputs[name] for name in systems},
        reference_sets=[found.references[name] for name in names],
        documents=found.documents,
        threads=given.inputs.threads,
    )


def _by_plain_names(
    tables: "dict[str, Any]", lower_is_better: frozenset[str], references: Collection[str], used: Sequence[str],
    where: str, warn: Callable[[str], None],
) -> "tuple[dict[str, Any], frozenset[str]]":  # fmt: skip
    """Return the metrics that looked at no other references, with names as other language pairs have them.

    BLEU-refA and BLEU-refB are both BLEU. Where a metric was run in several ways, the one with most references counts.
    """
    from tertium.meta.conventions import named_references

    chosen: dict[str, str] = {}
    ways = {name: named_references(name, references) for name in tables}
    for name in sorted(tables, key=lambda name: (-len(ways[name][1] or ()), name)):
        plain, seen = ways[name]
        if set(seen or ()) & set(references) <= set(used):
            chosen.setdefault(plain, name)
    absent = [name for name in tables if name not in chosen.values()]
    if absent:
        other = f"looked at other references than {' and '.join(used)}, or twice"
        warn(f"{where}: these {other}: {', '.join(absent)}; left out.")
    lower = frozenset(plain for plain, name in chosen.items() if {plain, name} & lower_is_better)
    return {plain: tables[name] for plain, name in chosen.items()}, lower
