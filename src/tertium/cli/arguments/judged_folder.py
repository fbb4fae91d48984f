"""A test set's folder in mt-metrics-eval's layout: its judgments, its metrics, and which of its outputs are ranked."""

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

from tertium.cli.arguments.chosen import ALL, check_known
from tertium.cli.arguments.inputs import parsed_metrics, warn_of_short_segments
from tertium.cli.arguments.judged_inputs import Judged, JudgedInputs, marked, refuse_unused
from tertium.errors import InputError, UnknownNameError

if TYPE_CHECKING:
    from tertium.judgments import EvaluationSet, Judgments
    from tertium.meta.conventions import Convention
    from tertium.metrics.base import Floats, Metric
    from tertium.scoring.scores import Scores


def opened(given: JudgedInputs, warn: Callable[[str], None]) -> "tuple[EvaluationSet, Judgments, tuple[str, ...]]":
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
    return found, marked(found.judgments, given.lower_is_better), _ranked_systems(given, found, warn)


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
    if given.inputs.metrics and (both := [name for name in used if name in (only or ()) and name in found.outputs]):
        raise InputError(f"{both[0]} is the reference of {pair}: -m would score it against itself. Leave it out of "
                         f"--systems, or take another reference: --reference-of {pair}=NAME.")  # fmt: skip
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


def read_one(given: JudgedInputs, warn: Callable[[str], None], *, by_segment: bool) -> Judged:
    """Read a folder in mt-metrics-eval's layout; metrics are computed if -m says so, others are the folder's."""
    from tertium.meta.score_grid import ScoreSources
    from tertium.scoring.imported_scores import ImportedScores

    found, judgments, systems = opened(given, warn)
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
        computed = scored(given, found, systems)
        if by_segment:
            warn_of_short_segments(computed, warn)
        parts.append(computed)
    if tables:
        parts.append(ImportedScores(systems, len(found.sources), tables, lower, found.documents))
    if not parts:
        folder, pair = given.inputs.systems
        raise InputError(f"{folder} has no metric scores for {pair}. Name metrics to compute: -m bleu -m chrf.")
    refuse_unused(given.lower_is_better, [*tables, *found.metric_scores], judgments)
    scores = parts[0] if len(parts) == 1 else ScoreSources(tuple(parts))
    return Judged(
        scores, judgments, lengths_of(given, found), found.documents, found.domains, _by_domain(found)
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


def lengths_of(given: JudgedInputs, found: "EvaluationSet") -> "Floats | None":
    """Return how long the references are, if segments weigh by that."""
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


def scored(
    given: JudgedInputs, found: "EvaluationSet", systems: Sequence[str], metrics: "dict[str, Metric] | None" = None
) -> "Scores":
    """Score the outputs of systems against the references in use."""
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
