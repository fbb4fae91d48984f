"""Paired tests of several systems against the first, with sacreBLEU's p-values, tables and signatures."""

from argparse import Namespace
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tertium.compat.sacrebleu.confidence import seed
from tertium.compat.sacrebleu.metrics import BLEU, CHRF, TER, Metric
from tertium.compat.sacrebleu.tables import booktabs, grid
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium import metrics
    from tertium.significance import PairedResult

Lines = list[str]
_LEVEL = 0.05
_NOTEWORTHY = 0.01  # by which a p-value moves if ties count


def paired_results(
    options: Namespace, metrics: Mapping[str, Metric[Any]], systems: Mapping[str, Lines], references: Sequence[Lines]
) -> "tuple[dict[str, list[PairedResult]], list[str]]":
    """Return, by system, one result per metric; and the names that sacreBLEU gives the metrics."""
    from dataclasses import replace

    from tertium.scoring import score
    from tertium.significance import like_sacrebleu

    names: list[str] = []
    exact: dict[tuple[str, str], float] = {}
    for metric in metrics.values():
        for system, lines in systems.items():
            found = metric.corpus_score(lines, references)
            exact[system, found.name] = found.score
        names.append(found.name)
    ours = {name: _ours(metric) for name, metric in zip(names, metrics.values(), strict=True)}
    scores = score(ours, systems, reference_sets=references)
    found = like_sacrebleu(
        scores, test="randomization" if options.paired_ar else "bootstrap", samples=_samples(options), seed=_seed()
    )
    results: dict[str, list[PairedResult]] = {system: [] for system in systems}
    for one in found:
        results[one.system].append(replace(one, score=exact[one.system, one.metric]))
    return results, names


def _samples(options: Namespace) -> int:
    return int(options.paired_ar_n if options.paired_ar else options.paired_bs_n)


def _seed() -> int | None:
    """Return the seed; 0 and none draw anew each time, as in sacreBLEU's paired tests."""
    given = seed()
    if given == "none":
        return None
    if not given.isdecimal():
        raise InputError(f"SACREBLEU_SEED is '{given}'. Set it to a whole number of at least 0, or to none.")
    return int(given) or None


def _ours(metric: Metric[Any]) -> "metrics.Metric":
    from tertium import metrics

    if isinstance(metric, BLEU):
        name = metric.tokenizer.name
        return metrics.BLEU(
            tokenize="flores101" if name == "spm" else name,
            lowercase=bool(metric.lowercase),
            smoothing=metric.smooth_method,
            smoothing_value=metric.smooth_value if metric.smooth_method in ("floor", "add-k") else None,
        )
    if isinstance(metric, CHRF):
        return metrics.CHRF(
            char_order=metric.char_order,
            word_order=metric.word_order,
            beta=metric.beta,
            lowercase=bool(metric.lowercase),
            whitespace=bool(metric.whitespace),
            eps_smoothing=bool(metric.eps_smoothing),
        )
    assert isinstance(metric, TER)
    return metrics.TER(
        variant="sacrebleu",
        normalized=bool(metric.normalized),
        no_punct=bool(metric.no_punct),
        asian_support=bool(metric.asian_support),
        case_sensitive=bool(metric.case_sensitive),
    )


def as_json(results: "Mapping[str, Sequence[PairedResult]]", names: Sequence[str]) -> str:
    """Return the results as a list with one object per system."""
    import json

    whole = []
    for k, (system, row) in enumerate(results.items()):
        cells = {
            name: {"score": one.score, "p_value": one.p_value, "mean": one.mean, "ci": one.ci}
            for name, one in zip(names, row, strict=True)
        }
        whole.append({"system": _called(k, system), **cells})
    return json.dumps(whole, indent=4)


def as_table(
    options: Namespace, style: str, results: "Mapping[str, Sequence[PairedResult]]", names: Sequence[str]
) -> str:
    """Return the table, what it means, and the heading of the signatures that follow."""
    draw, glue = (booktabs, " ") if style == "latex" else (grid, "\n")
    header = ["System", *(f"{name} (μ ± 95% CI)" if options.paired_bs else name for name in names)]
    rows = [
        [_called(k, system), *(_cell(one, options.width, glue) for one in row)]
        for k, (system, row) in enumerate(results.items())
    ]
    return f"{draw(header, rows)}\n\n{_explanation(options, next(iter(results)))}"


def _called(index: int, system: str) -> str:
    return system if index else f"Baseline: {system}"


def _cell(one: "PairedResult", width: int, glue: str) -> str:
    cell = f"{one.score:.{width}f}"
    if one.mean is not None and one.ci is not None:
        cell += f" ({one.mean:.{width}f} ± {one.ci:.{width}f})"
    if one.p_value is not None:
        cell += f"{glue}(p = {one.p_value:.4f}){'*' if one.p_value <= _LEVEL else ''}"
    return cell


def _explanation(options: Namespace, baseline: str) -> str:
    count = _samples(options)
    if options.paired_ar:
        heading = f"Paired approximate randomization test with {count} trials"
        shown = "The number is the system's score."
    else:
        heading = f"Paired bootstrap resampling test with {count} resampling trials"
        shown = "The numbers are the system's score and, of the replicates, mean and half the 95 % interval."
    rule = "-" * len(heading)
    return (
        f"{rule}\n{heading}\n{rule}\n"
        f" - Every system is compared with Baseline: {baseline}. {shown}\n\n"
        " - p: how often chance alone would set two equally good systems farther apart than\n"
        "   these two are. A star marks p <= 0.05: the systems differ. Which one is better,\n"
        "   and whether the difference matters, the p-value does not say.\n\n"
        " - Trials that are exactly as far apart do not count here, as in sacreBLEU. Where that\n"
        "   matters (a system and its copy), a message says so; tertium compare counts them.\n"
    )


def notes_on_ties(results: "Mapping[str, Sequence[PairedResult]]") -> list[str]:
    """Return what to say of p-values that are wrong because ties were left out."""
    notes = []
    for system, row in results.items():
        for one in row:
            if one.p_value is None or one.p_value_with_ties is None:
                continue
            decides = (one.p_value <= _LEVEL) != (one.p_value_with_ties <= _LEVEL)
            if decides or one.p_value_with_ties - one.p_value > _NOTEWORTHY:
                notes.append(
                    f"{system}, {one.metric}: p = {one.p_value:.4f} leaves out trials that tie with the real "
                    f"difference; with them, p = {one.p_value_with_ties:.4f}."
                )
    return notes
