"""`tertium resegment`: a translation cut to the reference's segments."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from tertium.cli.arguments.options import NO_COLOR, QUIET, THREADS, Choice, format_option, output_option
from tertium.cli.output.progress import say, warner, working
from tertium.cli.output.writing import check_output, emit
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.resegmentation import Segmentation


@click.command("resegment")
@click.argument("hypothesis", metavar="HYP")
@click.option("-r", "--reference", "references", multiple=True, metavar="REF", help="A reference; repeat for more.")
@click.option("--documents", metavar="FILE", help="A document id per reference line; HYP has a line per document.")
@click.option("--hyp-documents", metavar="FILE", help="A document id per line of HYP, for several lines per document.")
@click.option("--segments", metavar="FILE", help="Segments of recordings, YAML or JSON; HYP has a line per recording.")
@click.option("--method", type=Choice("tertium.resegmentation:METHODS"), help="How to align (default: soft).")
@click.option("--like", type=Choice("tertium.resegmentation:LIKE"), help="Cut as that program does.")
@click.option("-l", "--language", metavar="LANG", help="Target language, for --like; else scripts tell words.")
@click.option("--tokenize", metavar="NAME", help="Tokens that are aligned (default: 13a; mwer: none), or spm:FILE.")
@click.option("--confidence-column", is_flag=True, help="Also, behind a tab, how sure the cut after each line is.")
@format_option(click.Choice(["text", "json"]), "text", "Lines, or all there is")
@output_option("-o")
@THREADS
@QUIET
@NO_COLOR
def command(
    hypothesis: str, references: tuple[str, ...], documents: str | None, hyp_documents: str | None,
    segments: str | None, method: str | None, like: str | None, language: str | None, tokenize: str | None,
    confidence_column: bool, style: str, output: str | None, threads: int | None, quiet: bool, no_color: bool,
) -> None:  # fmt: skip
    """Cut a translation so that its pieces fit the reference's segments.

    HYP has a line per document, or any lines at all: without --documents or --segments they are one stream. The text
    comes back as it was, one line per reference line; nothing is lost, doubled or changed.

    \b
    Examples:
      tertium resegment system.txt -r reference.txt -o system.cut.txt
      tertium resegment system.txt -r reference.txt --documents docs.txt --confidence-column
      tertium resegment talks.txt -r reference.txt --segments segments.yaml --like omnisteval -l de
      tertium resegment system.txt -r reference.txt --method mwer --tokenize spm:model.spm
    """
    from tertium.cli.arguments.resegmented import first_texts, texts_of
    from tertium.corpus.formats import open_references
    from tertium.resegmentation import resegment
    from tertium.resegmentation.recordings import read_segments

    check_output(output)
    warn = warner(quiet)
    if not references:
        raise InputError("No reference was given. Add -r FILE, once per reference.")
    if method is not None and like is not None:
        raise InputError(f"--like {like} brings its method: leave out --method.")
    if documents is not None and segments is not None:
        raise InputError("--documents and --segments both say which lines belong together: give one of them.")
    if [hypothesis, *references, documents, hyp_documents, segments].count("-") > 1:
        raise InputError("Standard input (-) can be only one of the files.")
    theirs = [texts_of(file) for path in references for file in open_references(path, kind=None, warn=warn)]
    if len({len(one) for one in theirs}) > 1:
        counts = " and ".join(f"{len(one):,}" for one in theirs)
        raise InputError(f"The references have {counts} lines. Give references with the same segments.")
    names = None
    if segments is not None:
        found = read_segments(segments)
        if len(found) != len(theirs[0]):
            raise InputError(
                f"{segments} has {len(found):,} segments, but there are {len(theirs[0]):,} reference lines."
            )
        names = [one.recording for one in found]
    elif documents is not None:
        names = first_texts(documents, warn)
    lines = first_texts(hypothesis, warn)
    of_lines = None if hyp_documents is None else first_texts(hyp_documents, warn)
    groups = [[text for one in theirs for text in one[i]] for i in range(len(theirs[0]))]
    with working(f"Cutting {sum(map(len, lines)):,} characters to {len(groups):,} segments", quiet):
        cut = resegment(
            lines, groups, names, like or method or "soft", hypothesis_documents=of_lines, tokenize=tokenize,
            language=language, threads=threads,
        )  # fmt: skip
    if confidence_column and cut.confidence is None:
        raise InputError(f"Cuts like {like}'s have no confidence: leave out --confidence-column, or --like.")
    emit(_shown(cut, style, confidence_column), output)
    if not quiet and not any(cut.lines):
        say("tertium: warning: The hypothesis holds no text, so every segment is empty.")
    if not quiet and cut.confidence is not None:
        inner = len(cut) - len(set(cut.documents or ("",)))
        say(f"tertium: {cut.doubtful:,} of {inner:,} cuts are doubtful (confidence below 0.5). {cut.signature}")


def _shown(cut: "Segmentation", style: str, confidence_column: bool) -> Iterator[str]:
    if style == "json":
        import json

        yield json.dumps(cut.to_dict(), ensure_ascii=False, indent=1) + "\n"
        return
    if confidence_column:
        yield from (f"{line}\t{sure:.4f}\n" for line, sure in zip(cut.lines, cut.confidence or (), strict=True))
        return
    blank = " " if cut.settings in ("mwersegmenter/none", "mweralign/none") else ""  # they write one after each word
    yield from (f"{line}{blank if line else ''}\n" for line in cut.lines)
