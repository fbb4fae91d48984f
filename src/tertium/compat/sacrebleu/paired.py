"""Paired tests of several systems against the first, with sacreBLEU's p-values, tables and signatures."""

import re
import secrets
from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from tertium.compat.sacrebleu.confidence import seed
from tertium.compat.sacrebleu.metrics import BLEU, CHRF, TER, Metric
from tertium.compat.sacrebleu.tables import booktabs, grid
from tertium.compat.sacrebleu.tokenizers.tokenizer_base import NativeTokenizer
from tertium.errors import InputError
from tertium.significance.sampling import check_samples

if TYPE_CHECKING:
    from tertium import metrics
    from tertium.significance import PairedResult

Lines = list[str]
DEFAULT_SAMPLES = {"ar": 10_000, "bs": 1000}
_TRIALS = {"ar": "random swaps", "bs": "resampled sets"}
_GREEN, _RED, _PLAIN = "\033[32m", "\033[31m", "\033[0m"
_LEVEL = 0.05
_NOTEWORTHY = 0.01  # by which a p-value moves if ties count


def paired_results(
    kind: str,
    samples: int,
    metrics: Mapping[str, Metric[Any]],
    systems: Mapping[str, Lines],
    references: Sequence[Lines],
    *,
    confidence: int = 0,
    say: Callable[[str], None] | None = None,
) -> "tuple[dict[str, list[PairedResult]], list[str]]":
    """Return, by system, one result per metric; and the names that sacreBLEU gives the metrics.

    `kind` is ar or bs; `confidence` replicates give means and intervals beside the randomization. `say` hears what
    is being done.
    """
    results: dict[str, list[PairedResult]] = {system: [] for system in systems}
    names = []
    seed = _seed()
    for metric in metrics.values():
        scores = {system: metric.corpus_score(lines, references) for system, lines in systems.items()}
        name = next(iter(scores.values())).name
        names.append(name)
        if say is not None:
            say(f"{name}: {len(systems) - 1} against {next(iter(systems))}, {samples:,} {_TRIALS[kind]} each.")
        exact = {system: float(found.score) for system, found in scores.items()}
        if kind == "ar":
            found = _randomization(name, metric, systems, references, exact, samples, seed, confidence)
        else:
            found = _bootstrap(name, metric, systems, references, exact, samples, seed)
        for one in found:
            results[one.system].append(one)
    return results, names


def _randomization(
    name: str, metric: Metric[Any], systems: Mapping[str, Lines], references: Sequence[Lines],
    exact: Mapping[str, float], samples: int, seed: int, confidence: int,
) -> "list[PairedResult]":  # fmt: skip
    from dataclasses import replace

    from tertium.scoring.loop import score
    from tertium.significance import like_sacrebleu

    scores = score({name: _ours(metric)}, systems, reference_sets=references)
    found = like_sacrebleu(scores, test="randomization", samples=samples, seed=seed, confidence_samples=confidence)
    return [replace(one, score=exact[one.system]) for one in found]


def _bootstrap(
    name: str, metric: Metric[Any], systems: Mapping[str, Lines], references: Sequence[Lines],
    exact: Mapping[str, float], samples: int, seed: int,
) -> "list[PairedResult]":  # fmt: skip
    """Test with the replicates of this package, which round as sacreBLEU does even where orders have no match."""
    from tertium.significance import PairedResult
    from tertium.significance.sacrebleu import centred, mean_and_width

    check_samples(samples)
    results: list[PairedResult] = []
    baseline: Any = None
    for system, lines in systems.items():
        replicates = metric.replicate_scores(lines, references, samples, str(seed))
        mean, ci = mean_and_width(replicates)
        if baseline is None:
            baseline = replicates
            results.append(PairedResult(system, name, exact[system], None, mean, ci))
            continue
        chance = centred(baseline, replicates, abs(results[0].score - exact[system]))
        results.append(PairedResult(system, name, exact[system], chance.p_value_without_ties, mean, ci, chance.p_value))
    return results


def kind_and_samples(options: Namespace) -> tuple[str, int]:
    """Return which test is asked for, ar or bs, and how many trials; 0 stands for the usual number."""
    kind = "ar" if options.paired_ar else "bs"
    return kind, int(options.paired_ar_n if options.paired_ar else options.paired_bs_n) or DEFAULT_SAMPLES[kind]


def shown_seed() -> str:
    """Return the seed as signatures of paired tests name it: as a number, where -ci has the text."""
    given = seed()
    return given if given == "none" else str(_number(given))


def _seed() -> int:
    """Return the seed; 0 and none stand for a new one each time, as in sacreBLEU's paired tests."""
    number = 0 if seed() == "none" else _number(seed())
    return number or secrets.randbits(63)


def _number(given: str) -> int:
    try:
        number = int(given)
    except ValueError:
        number = -1
    if not 0 <= number < 2**64:
        raise InputError(f"SACREBLEU_SEED is '{given}'. Set it to a whole number from 0 to 2^64 - 1, or to none.")
    return number


def _ours(metric: Metric[Any]) -> "metrics.Metric":
    from tertium import metrics

    if isinstance(metric, BLEU):
        tokenizer = metric.tokenizer
        known = tokenizer.rule if isinstance(tokenizer, NativeTokenizer) else getattr(tokenizer, "name", None)
        return metrics.BLEU(
            tokenize=known or metric.split,
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


def as_json(options: Namespace, results: "Mapping[str, Sequence[PairedResult]]", names: Sequence[str]) -> str:
    """Return the results as a list with one object per system."""
    import json

    whole = []
    for system, row in zip(_shown_names(options, results), results.values(), strict=True):
        cells = {
            name: {"score": one.score, "p_value": one.p_value, "mean": one.mean, "ci": one.ci}
            for name, one in zip(names, row, strict=True)
        }
        whole.append({"system": system, **cells})
    return json.dumps(whole, indent=4)


def as_table(
    options: Namespace, style: str, results: "Mapping[str, Sequence[PairedResult]]", names: Sequence[str]
) -> str:
    """Return the table, what it means, and the heading of the signatures that follow."""
    draw, glue = (booktabs, " ") if style == "latex" else (grid, "\n")
    header = ["System", *(f"{name} (μ ± 95% CI)" if options.paired_bs else name for name in names)]
    shown = _shown_names(options, results)
    rows = [
        [system, *(_cell(one, options.width, glue) for one in row)]
        for system, row in zip(shown, results.values(), strict=True)
    ]
    return f"{draw(header, rows)}\n\n{_explanation(options, shown[0])}"


def with_colours(table: str) -> str:
    """Return a table for a terminal: p-values green where the systems differ, red where chance would do."""
    return re.sub(r"\(p = [0-9.]+\)(\*?)", lambda found: f"{_GREEN if found[1] else _RED}{found[0]}{_PLAIN}", table)


def _shown_names(options: Namespace, systems: Iterable[str]) -> list[str]:
    """Return the systems' names in tables; columns of standard input have only numbers."""
    if options.input is None:
        return ["Baseline", *(f"System {k}" for k in range(1, len(list(systems))))]
    first, *others = systems
    return [f"Baseline: {first}", *others]


def _cell(one: "PairedResult", width: int, glue: str) -> str:
    cell = f"{one.score:.{width}f}"
    if one.mean is not None and one.ci is not None:
        cell += f" ({one.mean:.{width}f} ± {one.ci:.{width}f})"
    if one.p_value is not None:
        cell += f"{glue}(p = {one.p_value:.4f}){'*' if one.p_value <= _LEVEL else ''}"
    return cell


def _explanation(options: Namespace, baseline: str) -> str:
    _, count = kind_and_samples(options)
    if options.paired_ar:
        heading = f"Paired approximate randomization test with {count} trials"
        shown = "The number is the system's score."
    else:
        heading = f"Paired bootstrap resampling test with {count} resampling trials"
        shown = "The numbers are the system's score and, of the replicates, mean and half the 95 % interval."
    rule = "-" * len(heading)
    return (
        f"{rule}\n{heading}\n{rule}\n"
        f" - Every system is compared with {baseline}. {shown}\n\n"
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
