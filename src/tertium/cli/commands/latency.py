"""`tertium latency`: how late the words of a simultaneous translation come."""

from typing import Any

import click

from tertium.cli.arguments.options import (
    SIGNATURES,
    THREADS,
    Choice,
    decimals_option,
    output_options,
    samples_option,
    seed_option,
)
from tertium.cli.output.progress import warner, working
from tertium.cli.output.writing import check_output, emit, wants_color
from tertium.errors import InputError


@click.command("latency")
@click.argument("logs", nargs=-1, required=True, metavar="LOG...")
@click.option("-r", "--reference", required=True, metavar="REF", help="The reference, one segment per line.")
@click.option("--segments", metavar="FILE", help="Segments of the recordings, YAML or JSON: wav, offset, duration.")
@click.option("-m", "--measure", "measures", multiple=True, metavar="NAME",
              help="al, laal, ap, dal, yaal, swf, efsw, dsptv; with --segments "
              "longal, longlaal, longap, longdal, longyaal, "
              "streamlaal; NAME-ca also counts computing. Repeat for more (default: the lags).")  # fmt: skip
@click.option("--unit", type=click.Choice(["word", "char"]), default="word", help="What has a time (default: word).")
@click.option("--resegment", "method", type=Choice("tertium.resegmentation:CHOICES"),
              help="How recordings are cut to segments (default: soft).")  # fmt: skip
@click.option("--like", type=Choice("tertium.resegmentation:LIKE"), help="Cut as that program does.")
@click.option("-l", "--language", metavar="LANG", help="Target language, for --like.")
@click.option("--raw-elapsed", is_flag=True, help="Take SimulEval's elapsed as it is, adding up over a recording.")
@click.option("--compare", "compared", is_flag=True, help="Test each system against the first.")
@click.option("--confidence", is_flag=True, help="Also 95 % bootstrap intervals.")
@samples_option()
@seed_option()
@decimals_option(4)
@SIGNATURES
@THREADS
@output_options
def command(
    logs: tuple[str, ...], reference: str, segments: str | None, measures: tuple[str, ...], unit: str,
    method: str | None, like: str | None, language: str | None, raw_elapsed: bool, compared: bool, confidence: bool,
    samples: int, seed: int, decimals: int, threads: int | None, style: str, output: str | None,
    quiet: bool, no_color: bool, **form: Any,
) -> None:  # fmt: skip
    """Measure how late the words of simultaneous translations come, in milliseconds.

    LOG is SimulEval's instances.log or SimulStream's log; name it NAME=LOG. With --segments, logs are of whole
    recordings, which are cut to the reference's segments first; intervals and tests then draw recordings.

    \b
    Examples:
      tertium latency instances.log -r reference.txt
      tertium latency instances.log -r reference.txt --segments segments.yaml -m longyaal -m longyaal-ca --confidence
      tertium latency a=a.log b=b.log -r reference.txt --segments segments.yaml -m longlaal --compare
      tertium latency instances.log -r reference.txt --segments segments.yaml --like omnisteval -l de
    """
    from tertium.cli.arguments.resegmented import first_texts
    from tertium.corpus.formats import split_name, stem_of
    from tertium.latency import latency
    from tertium.latency.logs import read_log
    from tertium.resegmentation.recordings import read_segments

    check_output(output)
    warn = warner(quiet)
    for option, value in (("--like", like), ("--resegment", method)):
        if segments is None and value is not None:
            raise InputError(f"{option} is about cutting recordings to segments: give them, --segments FILE.")
    if method is not None and like is not None:
        raise InputError(f"--like {like} brings its method: leave out --resegment.")
    if [*(split_name(argument)[1] for argument in logs), reference, segments].count("-") > 1:
        raise InputError("Standard input (-) can be only one of the files.")
    named: dict[str, Any] = {}
    for argument in logs:
        name, path = split_name(argument)
        name = name or stem_of(path)
        if name in named:
            raise InputError(f"Two systems are called '{name}'. Name them: NAME=LOG.")
        named[name] = read_log(path, unit=unit, raw_elapsed=raw_elapsed, warn=warn)
    theirs, recorded = first_texts(reference, warn), None if segments is None else read_segments(segments)
    with working("Measuring" if segments is None else "Cutting recordings", quiet):
        scores = latency(
            named, theirs, recorded, measures, unit=unit, method=like or method or "soft", language=language,
            threads=threads, warn=warn,
        )  # fmt: skip
    signed = next(iter(form.values()))
    if compared:
        from tertium.cli.output.compare_tables import rendered as rendered_tests
        from tertium.significance import compare

        emit(
            rendered_tests(compare(scores, samples=samples, seed=seed, threads=threads), style, decimals, signed),
            output,
        )
        return
    from tertium.cli.output.score_tables import rendered

    found = None
    if confidence:
        from tertium.significance import confidence as intervals_of

        found = intervals_of(scores, samples=samples, seed=seed, threads=threads)
    emit(rendered(scores, ("corpus",), False, style, decimals, found, wants_color(no_color, output), signed), output)
