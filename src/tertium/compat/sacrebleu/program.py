"""sacreBLEU's command: reads files or standard input, prints what sacreBLEU prints, leaves with its exit codes.

Nothing here loads click, and only TER and confidence intervals load numpy, so that the command starts quickly.
"""

import os
import sys
from argparse import Namespace
from collections.abc import Mapping, Sequence
from itertools import compress
from typing import TYPE_CHECKING, Any

from tertium.compat.sacrebleu.metrics import BLEU, CHRF, TER, Metric
from tertium.compat.sacrebleu.options import parser
from tertium.compat.sacrebleu.tables import booktabs, grid
from tertium.errors import Argument, InputError, TertiumError
from tertium.files.reading import chunks

if TYPE_CHECKING:
    from tertium.corpus.named.loading import Loaded

Lines = list[str]
_FORMATS = ("json", "text", "latex")
_TEST_SETS = ("citation", "list", "test_set", "origlang", "subset", "download", "echo")


class FieldCountError(InputError):
    """A line does not have as many tab-separated fields as it should."""


def run(arguments: Sequence[str]) -> int:
    """Run the command and return its exit code."""
    options = parser().parse_args(arguments)
    try:
        _score(options)
    except FieldCountError as error:
        _say(error)
        return 17
    except TertiumError as error:
        _say(error.message.written(_option))
        return 1
    return 0


def _option(argument: Argument) -> str:
    value = "" if argument.value is None else f" {argument.value}"
    return "-l" if argument.name == "pair" else f"--{argument.name.replace('_', '-')}{value}"


def _say(message: object) -> None:
    print(f"sacreBLEU: {message}", file=sys.stderr)


def _score(options: Namespace) -> None:
    named = any(getattr(options, name) for name in _TEST_SETS)
    if named:
        from tertium.compat.sacrebleu.named_sets import answered

        if answered(options, _say):
            return
    _refuse(options)
    scored = _named_set(options) if named else None
    references = _read_references(options) if scored is None else [*scored.references.values()]
    whole = systems = _read_systems(options)
    if scored is None:
        for name, lines in systems.items():
            _check_length(name, lines, references, options)
    else:
        systems = {name: _chosen(name, lines, scored) for name, lines in systems.items()}
    if len(systems) > 1 and not options.quiet:
        _say(f"Found {len(systems)} systems.")
    _check_system_count(options, len(systems))
    metrics = _metrics(options)
    style = _style(options)
    if options.paired_ar or options.paired_bs:
        print_paired(options, style, metrics, systems, references)
    elif options.sentence_level:
        _print_segments(options, metrics, next(iter(systems.values())), references)
    elif len(systems) == 1:
        _print_scores(options, style, metrics, next(iter(systems.values())), references)
        if options.detail:
            from tertium.compat.sacrebleu.named_sets import print_details

            print_details(options, metrics, next(iter(whole.values())), scored, _say)
    else:
        _print_systems(options, style, metrics, systems, references)


def _refuse(options: Namespace) -> None:
    """Say no to what cannot be done, before any file is read."""
    if options.refs and options.test_set:
        raise InputError(f"Both -t {options.test_set} and {options.refs[0]} are given. Score against one of them.")
    if not options.refs and not options.test_set:
        raise InputError("There is no reference. Name the reference files before -i: they would be taken for systems.")
    if options.num_refs != 1 and len(options.refs) > 1:
        raise InputError(
            f"-nr {options.num_refs} is for one file with several references per line, but {len(options.refs)} files "
            "are given."
        )
    if options.input == []:
        raise InputError("-i names no file. Name the systems after it, or leave it out to score standard input.")
    if options.sentence_level and len(set(options.metrics)) > 1:
        raise InputError("With -sl give one metric.")
    if options.sentence_level and (options.confidence or options.paired_ar or options.paired_bs):
        raise InputError("-sl scores single segments, for which there are no statistics (-ci, -par, -pbs).")
    if options.language_pair and "-" not in options.language_pair:
        raise InputError(f"-l is '{options.language_pair}'. Write source and target, such as -l en-de.")
    if not 0 <= options.width <= 300:
        raise InputError(f"-w is {options.width}. The number of decimals is from 0 to 300.")


def _named_set(options: Namespace) -> "Loaded":
    from tertium.compat.sacrebleu.named_sets import loaded

    if not options.test_set:
        given = next(name for name in _TEST_SETS if getattr(options, name))
        raise InputError(f"--{given} chooses from a test set: name one with -t.")
    return loaded(options, _say)


def _chosen(name: str, lines: Lines, scored: "Loaded") -> Lines:
    """Return the segments of a system that are scored."""
    if len(lines) != len(scored.kept):
        raise InputError(
            f"{name} has {len(lines):,} segments, but {scored.name} has {len(scored.kept):,}. Give a translation of "
            "all of it, one segment per line."
        )
    return list(compress(lines, scored.kept))


def _check_system_count(options: Namespace, count: int) -> None:
    if count > 1 and options.sentence_level:
        raise InputError(f"There are {count} systems. With -sl give one.")
    if count > 1 and options.confidence:
        raise InputError(f"There are {count} systems. -ci is for one; for several use -par or -pbs.")
    if count == 1 and (options.paired_ar or options.paired_bs):
        raise InputError("There is one system. Paired tests compare two or more, named after -i.")


def _check_length(name: str, lines: Lines, references: Sequence[Lines], options: Namespace) -> None:
    if not lines:
        raise InputError(f"{name} is empty.")
    for index, texts in enumerate(references):
        if len(texts) != len(lines):
            file = options.refs[index] if index < len(options.refs) else options.refs[0]
            raise InputError(
                f"{name} has {len(lines):,} segments, but {file} has {len(texts):,}. Give files with one segment per "
                "line, in the same order."
            )


def _style(options: Namespace) -> str:
    """Return the format; the environment has the last word, as in sacreBLEU."""
    if options.detail:
        return "text"
    environment = os.environ.get("SACREBLEU_FORMAT", "").lower()
    return environment if environment in _FORMATS else str(options.format)


def _read_references(options: Namespace) -> list[Lines]:
    if options.num_refs == 1:
        sets = [_lines(path, options.encoding) for path in options.refs]
        if any("\t" in line for lines in sets for line in lines):
            _say("Some reference lines hold tabs. Each line is taken as one reference; -nr N would split it.")
        return sets
    lines = _lines(options.refs[0], options.encoding)
    return _columns(lines, options.num_refs, options.refs[0], most=options.num_refs - 1)  # the last keeps the rest


def _read_systems(options: Namespace) -> dict[str, Lines]:
    if options.input is None:
        lines = _lines("-", options.encoding)
        count = lines[0].count("\t") + 1 if lines else 1
        columns = _columns(lines, count, "standard input")
        return {f"System {k + 1}": column for k, column in enumerate(columns)}
    systems: dict[str, Lines] = {}
    for path in options.input:
        if path == options.input[0] and systems and (options.paired_ar or options.paired_bs):
            continue  # a pattern for all systems names the baseline once more
        if path in systems:
            raise InputError(f"The system {path} is given twice.")
        systems[path] = _lines(path, options.encoding)
    return systems


def _lines(path: str, encoding: str) -> Lines:
    """Return the lines of a file, without the blanks that end them."""
    name = "standard input" if path == "-" else path
    data = b"".join(chunks(path))
    try:
        text = data.decode(encoding)
    except LookupError:
        raise InputError(f"No encoding is called '{encoding}'. Usual ones: utf-8, utf-16, latin1.") from None
    except UnicodeError as error:
        line = data.count(b"\n", 0, getattr(error, "start", 0)) + 1
        raise InputError(f"{name}, line {line:,} is not {encoding}: {error}. Name the encoding with -e.") from None
    if text.startswith("\ufeff"):
        _say(f"{name} begins with a byte-order mark, which counts as part of the first word. Remove it.")
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return [line.rstrip() for line in lines]


def _columns(lines: Lines, count: int, name: str, *, most: int = -1) -> list[Lines]:
    """Split lines at tabs, at most so often; each must have the same number of fields."""
    rows = [line.split("\t", most) for line in lines]
    for number, row in enumerate(rows, 1):
        if len(row) != count:
            raise FieldCountError(
                f"{name}, line {number:,} has {len(row)} tab-separated fields, but {count} were expected."
            )
    return [list(column) for column in zip(*rows, strict=True)] or [[]]


def _metrics(options: Namespace) -> dict[str, Metric[Any]]:
    """Return the metrics asked for, in sacreBLEU's order: as given for paired tests, else by name."""
    names = dict.fromkeys(options.metrics)
    paired = options.paired_ar or options.paired_bs
    return {name: _metric(name, options) for name in (names if paired else sorted(names))}


def _metric(name: str, options: Namespace) -> Metric[Any]:
    if name == "bleu":
        return BLEU(
            lowercase=options.lowercase,
            force=options.force,
            tokenize=options.tokenize,
            smooth_method=options.smooth_method,
            smooth_value=options.smooth_value,
            effective_order=options.sentence_level,
            trg_lang=options.language_pair.split("-")[1] if options.language_pair else "",
        )
    if name == "chrf":
        return CHRF(
            options.chrf_char_order,
            options.chrf_word_order,
            options.chrf_beta,
            lowercase=options.chrf_lowercase,
            whitespace=options.chrf_whitespace,
            eps_smoothing=options.chrf_eps_smoothing,
        )
    return TER(
        normalized=options.ter_normalized,
        no_punct=options.ter_no_punct,
        asian_support=options.ter_asian_support,
        case_sensitive=options.ter_case_sensitive,
    )


def _print_segments(
    options: Namespace, metrics: Mapping[str, Metric[Any]], lines: Lines, references: list[Lines]
) -> None:
    (metric,) = metrics.values()
    scores = metric.segment_scores(lines, references)
    signature = metric.get_signature().format(options.short)
    for score in scores:
        print(score.format(options.width, options.score_only, signature))


def _print_scores(
    options: Namespace, style: str, metrics: Mapping[str, Metric[Any]], lines: Lines, references: list[Lines]
) -> None:
    replicates = options.confidence_n if options.confidence else 1
    texts = []
    for metric in metrics.values():
        score = metric.corpus_score(lines, references, n_bootstrap=replicates)
        signature = metric.get_signature().format(options.short and style != "json")
        texts.append(score.format(options.width, options.score_only, signature, style == "json"))
    if len(texts) == 1:
        print(texts[0])
    elif style == "json":
        print("[\n" + ",\n".join(texts) + "\n]")
    elif options.score_only:
        print("\n".join(texts))
    else:
        widest = max(text.index("=") for text in texts)
        print("\n".join(" " * (widest - text.index("=")) + text for text in texts))


def _print_systems(
    options: Namespace,
    style: str,
    metrics: Mapping[str, Metric[Any]],
    systems: Mapping[str, Lines],
    references: list[Lines],
) -> None:
    scores = {
        name: [metric.corpus_score(lines, references) for metric in metrics.values()] for name, lines in systems.items()
    }
    names = [score.name for score in next(iter(scores.values()))]
    rows = [[name, *(score.format(options.width, True) for score in row)] for name, row in scores.items()]
    if style == "json":
        import json

        print(json.dumps([dict(zip(["system", *names], row, strict=True)) for row in rows], indent=4))
        return
    draw = booktabs if style == "latex" else grid
    print(draw(["System", *names], rows))
    print("\n-----------------\nMetric signatures\n-----------------")
    for name, metric in zip(names, metrics.values(), strict=True):
        print(f" - {name:<10} {metric.get_signature().format(options.short)}")


def print_paired(
    options: Namespace,
    style: str,
    metrics: Mapping[str, Metric[Any]],
    systems: Mapping[str, Lines],
    references: list[Lines],
) -> None:
    """Print paired tests of all systems against the first."""
    from tertium.compat.sacrebleu.paired import (
        as_json,
        as_table,
        kind_and_samples,
        notes_on_ties,
        paired_results,
        shown_seed,
        with_colours,
    )

    kind, samples = kind_and_samples(options)
    say = None if options.quiet else _say
    results, names = paired_results(kind, samples, metrics, systems, references, say=say)
    for note in [] if options.quiet else notes_on_ties(results):
        _say(note)
    if style == "json":
        print(as_json(options, results, names))
        return
    table = as_table(options, style, results, names)
    coloured = style == "text" and sys.stdout.isatty() and not options.no_color and "NO_COLOR" not in os.environ
    print(with_colours(table) if coloured else table)
    print("-----------------\nMetric signatures\n-----------------")
    for name, metric in zip(names, metrics.values(), strict=True):
        signature = metric.get_signature()
        signature.update(kind, samples)
        signature.update("seed", shown_seed())
        print(f" - {name:<10} {signature.format(options.short)}")


def main(arguments: Sequence[str]) -> None:
    """Run the command and leave."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8")  # whatever PYTHONIOENCODING says
    try:
        code = run(arguments)
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:
        # The reader has seen enough (head, less). Nothing more can be written, not even at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    sys.exit(code)
