"""`tertium gate`: may it ship? A system against a stored baseline, with exit codes for a build."""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments.imported import with_imported
from tertium.cli.arguments.inputs import Inputs, input_options, metrics_for, read_blocks
from tertium.cli.arguments.options import (
    SIGNATURES,
    Choice,
    decimals_option,
    imported_options,
    output_options,
    seed_option,
)
from tertium.cli.output.gate_tables import junit_xml, marked, rendered
from tertium.cli.output.pictures import command_line
from tertium.cli.output.progress import say, warner
from tertium.cli.output.score_tables import signatures
from tertium.cli.output.writing import check_output, emit
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.corpus.parallel import Block
    from tertium.scoring.scores import Scores
    from tertium.significance.baselines import Baseline

_IMPORTED = "imported=true"


@click.command("gate")
@input_options(required=False, metavar="HYP",
               metrics="repeat for more (default: those of the baseline, or bleu, chrf, ter)")  # fmt: skip
@click.option("--baseline", metavar="FILE.json", help="What to compare with; made with --update.")
@click.option("--update", is_flag=True, help="Take HYP as the baseline from now on: write FILE.json.")
@click.option("--tolerance", "tolerances", multiple=True, metavar="[METRIC=]X",
              help="A loss of more than X is a regression, as it stands; with --test, if it is no chance.")  # fmt: skip
@click.option("--test", type=Choice("tertium.significance.comparison:TESTS"),
              help="Which test (default: randomization, unless there is a tolerance).")  # fmt: skip
@click.option("--floor", "floors", multiple=True, metavar="[METRIC=]X",
              help="A score below X (of errors: above it) fails, whatever the baseline.")  # fmt: skip
@click.option("--strict", is_flag=True, help="Where one cannot tell, fail.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Adjusted p-values up to this count.")
@click.option("--samples", type=int, default=10_000, show_default=True, help="Trials or replicates.")
@seed_option()
@click.option("--unit", type=Choice("tertium.significance.units:UNITS"),
              help="What is swapped or drawn as a whole (default: segment; with --resegment, document).")  # fmt: skip
@imported_options()
@click.option("--source", metavar="FILE", help="The source texts: the gate tells if they have changed.")
@click.option("--junit", metavar="FILE.xml", help="Write the verdicts as JUnit's XML.")
@click.option("--summary", metavar="FILE.md", help="Write the verdicts as Markdown, with a mark to find a comment by.")
@decimals_option()
@SIGNATURES
@output_options
def command(
    baseline: str | None, update: bool, tolerances: Sequence[str], test: str | None, floors: Sequence[str],
    strict: bool, alpha: float, samples: int, seed: int, unit: str | None, imported: Sequence[str],
    lower_is_better: Sequence[str], higher_is_better: Sequence[str], source: str | None, junit: str | None,
    summary: str | None, style: str, output: str | None, decimals: int, quiet: bool, no_color: bool, signed: str,
    **inputs: Any,
) -> None:  # fmt: skip
    """Say whether a system may ship: better, same, worse than a baseline, or cannot tell.

    Exit 0: pass. 3: a regression. 4: not comparable with the baseline, and what has changed. 1: bad input. Where one
    cannot tell, it is 0, and 3 with --strict. Where GITHUB_STEP_SUMMARY names a file, the verdicts are added to it.

    \b
    Examples:
      tertium gate out.txt -r reference.txt -m chrf --baseline baseline.json --update
      tertium gate out.txt -r reference.txt --baseline baseline.json
      tertium gate out.txt -r reference.txt --baseline baseline.json --tolerance 0.3 --floor 55
      tertium gate out.txt -r reference.txt --baseline baseline.json --strict --junit gate.xml --summary gate.md
      tertium gate --scores comet.json --baseline comet-baseline.json
    """
    from tertium.significance.gate import gate
    from tertium.significance.sampling import check_samples, check_seed, check_share

    written = [file for file in (output, junit, summary) if file is not None]
    for file in written:
        check_output(file)
    if baseline is not None and update:
        written.append(baseline)
    if twice := next((b for k, b in enumerate(written) if any(_is_same(a, b) for a in written[:k])), None):
        raise InputError(f"{twice} is to be written twice. Give each result a name of its own.")
    check_seed(seed)
    check_samples(samples, least=2)
    check_share("--alpha, the level", alpha)
    warn = warner(quiet)
    if len(inputs["systems"]) > 1:
        raise InputError(f"A gate is for one system, but {len(inputs['systems'])} were given. Run it once for each.")
    if baseline is None and not floors:
        raise InputError("There is nothing to hold the system against: add --baseline FILE.json, or --floor X.")
    if update and baseline is None:
        raise InputError("--update writes a baseline, but none is named: add --baseline FILE.json.")
    kept = _kept(baseline, update)
    given = Inputs(**inputs, quiet=quiet, source=source)
    if not given.metrics and kept is not None and given.systems:
        given = replace(given, metrics=_metrics_of(kept))
    scores, references, sources = _scored(given, imported, lower_is_better, higher_is_better)
    if kept is not None and kept.source and not sources:
        warn(f"{baseline} knows the source texts, but --source is missing: whether they changed is not checked.")
    if kept is not None or floors:
        decision = gate(
            scores, kept, references=references, source=sources,
            tolerance=_by_metric(tolerances, "--tolerance", scores.metrics),
            floor=_by_metric(floors, "--floor", scores.metrics), test=test, level=alpha, samples=samples, seed=seed,
            unit=unit, strict=strict, threads=given.threads,
        )  # fmt: skip
        told = signatures(scores, signed)
        emit(rendered(decision, style, decimals, baseline, told, scores.signatures), output)
        if junit is not None:
            emit(junit_xml(decision), junit)
        text = marked(decision, decimals, baseline)
        if summary is not None:
            emit(text, summary)
        _add_to_step_summary(text, warn)
        code = decision.code
    if update and baseline is not None:
        _write(baseline, scores, references, sources)
        if not quiet:
            say(f"tertium: {baseline} was written. {scores.systems[0]} is the baseline from now on.")
        return
    if code:
        sys.exit(code)


def _kept(path: str | None, update: bool) -> "Baseline | None":
    """Read the baseline, if it is there; without it, one must be about to be made."""
    from tertium.significance.baselines import read_baseline

    if path is None or (update and not Path(path).exists()):
        return None
    if not Path(path).exists():
        raise InputError(
            f"There is no baseline {path}. Make it of a system that is good enough: {command_line()} --update"
        )
    return read_baseline(path)


def _metrics_of(kept: "Baseline") -> list[str]:
    """Return the metrics of a baseline as -m takes them; under names of the user's own, by their signatures."""
    from tertium.errors import TertiumError
    from tertium.metrics import parse_metric

    texts = []
    for label, one in kept.metrics.items():
        if _IMPORTED in one.signature:
            continue
        try:
            parse_metric(label)
            texts.append(label)
        except TertiumError:
            texts.append(f"{label}={one.signature.partition('|')[0]}")
    return texts


def _scored(
    given: Inputs, imported: Sequence[str], lower_is_better: Sequence[str], higher_is_better: Sequence[str]
) -> "tuple[Scores, str, str]":
    """Return the scores, and what tells references and sources from others."""
    from tertium.scoring.loop import score_blocks
    from tertium.significance.baselines import hashed

    if not given.systems:
        scores = with_imported(
            None, imported, lower_is_better, higher_is_better, documents=given.documents, quiet=given.quiet
        )
        return scores, "", ""
    metrics = metrics_for(given)
    blocks: list[Block] = []

    def seen() -> "Iterator[Block]":
        for block in read_blocks(given, metrics):
            blocks.append(block)
            yield block

    computed = score_blocks(metrics, seen(), threads=given.threads)
    references = hashed(block.references[i] for block in blocks for i in range(len(block)))
    known = bool(blocks) and blocks[0].sources is not None
    sources = hashed([text] for block in blocks for text in block.sources or ()) if known else ""
    return with_imported(computed, imported, lower_is_better, higher_is_better, quiet=given.quiet), references, sources


def _by_metric(given: Sequence[str], option: str, metrics: Sequence[str] | dict[str, Any]) -> dict[str, float]:
    """Return X or METRIC=X for each metric it is about; what names a metric goes before what names none."""
    found: dict[str, float] = {}
    named: dict[str, float] = {}
    for text in given:
        name, equals, number = text.rpartition("=")
        try:
            value = float(number)
        except ValueError:
            value = float("nan")
        if not abs(value) < float("inf") or (option == "--tolerance" and value < 0):
            least = " of at least 0" if option == "--tolerance" else ""
            raise InputError(f"{option} {text}: a number{least} was expected, or METRIC=X.")
        if equals and name not in metrics:
            raise InputError(f"{option} {text}: there is no metric '{name}'. There are: {', '.join(metrics)}.")
        if not equals and option == "--floor" and len(metrics) > 1:
            raise InputError(f"{option} {text}: of which metric? Say METRIC={text}, for {', '.join(metrics)}.")
        if equals:
            named[name] = value
        else:
            found = dict.fromkeys(metrics, value)
    return found | named


def _is_same(one: str, other: str) -> bool:
    return Path(one).resolve() == Path(other).resolve()


def _write(path: str, scores: "Scores", references: str, sources: str) -> None:
    from tertium.files.writing import write_whole
    from tertium.significance.baselines import Baseline

    if len(scores.systems) != 1:
        raise InputError(f"A baseline is one system, but there are {', '.join(scores.systems)}.")
    write_whole(path, Baseline.of(scores, scores.systems[0], references=references, source=sources).written())


def _add_to_step_summary(text: str, warn: Callable[[str], None]) -> None:
    """Add the verdicts to the page of a workflow's run; if that fails, the verdict still stands."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return
    try:
        with open(path, "a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        warn(f"GITHUB_STEP_SUMMARY, {path}, cannot be written: {(error.strerror or str(error)).lower()}.")
