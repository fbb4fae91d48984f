"""Files of judgments as they are named on the command line, and tables of what was found."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tertium import __version__
from tertium.cli.arguments.options import FORMATS, OUTPUT, decimals_option, format_option, options
from tertium.cli.output.progress import warner
from tertium.cli.output.writing import RECORDS, Row, emit, records_as, table
from tertium.errors import InputError

if TYPE_CHECKING:
    from tertium.judgments import Judgments

SCALE = click.option("--scale", metavar="LOW-HIGH", help="The scale that was used, such as 1-5; others are refused.")


@dataclass(frozen=True)
class Files:
    """Files of judgments and how to read them."""

    paths: Sequence[str]
    form: str | None
    kinds: Sequence[str]
    lower_is_better: Sequence[str]
    mqm_weights: str | None
    segments_from: str
    documents: str | None
    within_documents: bool
    segment_ids: str | None
    tasks: str | None
    pair: str | None
    strip_numbers: bool
    rename: Sequence[str]
    controlled: bool
    quiet: bool


# FILE… and the options that say how to read it.
file_options = options(
    click.argument("paths", nargs=-1, required=True, metavar="FILE..."),
    click.option("--form", metavar="FORM",
                 help="What FILE is (default: by its name and first line); see: tertium judgments forms."),
    click.option("--kind", "kinds", multiple=True, metavar="KIND",
                 help="Only judgments of this kind; repeat for more."),
    click.option("--lower-is-better", multiple=True, metavar="KIND", help="A kind that counts errors."),
    click.option("--mqm-weights", metavar="WEIGHTS",
                 help="Such as wmt24, or 'major:5 minor:1 minor/fluency/punctuation:0.1'."),
    click.option("--segments-from", type=click.Choice(["0", "1"]), default="1", show_default=True,
                 help="What FILE calls the first segment."),
    click.option("--documents", metavar="IDS",
                 help="A file with one document id per segment: what FILE says of documents is checked against it."),
    click.option("--within-documents", is_flag=True, help="FILE counts segments anew in each document."),
    click.option("--segment-ids", metavar="IDS", help="A file with what FILE calls each segment, one per line."),
    click.option("--tasks", metavar="JSON", help="What raters were shown: Appraise's batches."),
    click.option("--pair", metavar="SRC-TGT", help="Language pair, if FILE has several, such as en-de."),
    click.option("--strip-numbers", is_flag=True, help="Cut WMT's submission numbers: Online-B.0 is Online-B."),
    click.option("--rename", multiple=True, metavar="OLD=NEW", help="Call a system otherwise; repeat for more."),
    click.option("--controlled", is_flag=True, help="Leave out raters who fail the control (see raters)."),
)  # fmt: skip


def read(files: Files) -> "Judgments":
    """Read all files into one table."""
    from tertium.judgments import Judgments, controlled, read_folder
    from tertium.judgments.forms.columns import tell_repeated

    documents = document_ids(files)
    names = None if files.segment_ids is None else _lines(files.segment_ids, files.quiet)
    if files.within_documents and documents is None:
        raise InputError("--within-documents needs --documents FILE, with one document id per segment.")
    parts: list[Judgments] = []
    for path in files.paths:
        if Path(path).is_dir():
            parts.append(read_folder(path, _pair(path, files), warn=warner(files.quiet)).judgments)
        else:
            parts.append(_file(path, files, documents, names))
    found = Judgments.joined(parts)
    if len(parts) > 1:
        tell_repeated(found, "The files together", warner(files.quiet))
    if files.controlled:
        found = controlled(found, warn=warner(files.quiet))
    return _chosen(_named(found, files), files.kinds)


def document_ids(files: Files) -> list[str] | None:
    """Return the document of each segment, if a file of them was given."""
    return None if files.documents is None else _lines(files.documents, files.quiet)


def _lines(path: str, quiet: bool) -> list[str]:
    return [group[0] for group in texts_of(path, quiet)]


def texts_of(path: str, quiet: bool) -> list[list[str]]:
    """Return the texts of a file: lines, or a column of a table."""
    from tertium.corpus.formats import open_references

    file = open_references(path, kind=None, warn=warner(quiet))[0]
    texts: list[list[str]] = []
    while len(block := file.take(1 << 15)):
        texts += [block[i] for i in range(len(block))]
    return texts


def _pair(path: str, files: Files) -> str:
    from tertium.judgments import language_pairs

    known = language_pairs(path)
    if files.pair is None and len(known) != 1:
        raise InputError(f"{path} has several language pairs: {', '.join(known) or 'none'}. Say which: --pair SRC-TGT.")
    return files.pair or known[0]


def _file(path: str, files: Files, documents: Sequence[str] | None, names: Sequence[str] | None) -> "Judgments":
    from tertium.judgments import MQMWeights, read_judgments

    return read_judgments(
        path,
        form=files.form,
        lower_is_better=files.lower_is_better if len(files.paths) == 1 else (),
        weights=MQMWeights.parsed(files.mqm_weights) if files.mqm_weights is not None else None,
        first_segment=int(files.segments_from),
        documents=documents,
        within_documents=files.within_documents,
        segment_ids=names,
        language_pair=files.pair,
        tasks=files.tasks,
        warn=warner(files.quiet),
    )


def _named(judgments: "Judgments", files: Files) -> "Judgments":
    from tertium.judgments.naming import renamed, without_submission_numbers
    from tertium.judgments.reading import with_errors

    if len(files.paths) > 1:
        judgments = with_errors(judgments, files.lower_is_better, "The judgments", warner(files.quiet))
    if files.strip_numbers:
        judgments = without_submission_numbers(judgments)
    names: dict[str, str] = {}
    for text in files.rename:
        old, equals, new = text.partition("=")
        if not equals or not new:
            raise InputError(f"--rename is written OLD=NEW, not '{text}'.")
        if old not in (*judgments.systems, *judgments.preferences.system):
            raise InputError(f"No system is called '{old}'. There are: {', '.join(judgments.systems)}.")
        names[old] = new
    return renamed(judgments, lambda name: names.get(name, name)) if names else judgments


def _chosen(judgments: "Judgments", kinds: Sequence[str]) -> "Judgments":
    from tertium.errors import UnknownNameError

    for kind in kinds:
        if kind not in judgments.kinds:
            raise UnknownNameError.of("kind of judgment", kind, judgments.kinds or ["none"])
    if not kinds:
        return judgments
    import numpy as np

    return judgments[np.isin(judgments.kind.codes, [judgments.kind.code(kind) for kind in kinds])]


def shown(
    style: str, records: Iterable[Row], *, key: str, columns: Sequence[str], texts: int, decimals: int,
    head: Row | None = None,
) -> str | Iterator[str]:  # fmt: skip
    """Return records in one of the formats; tables for people leave out columns that say nothing."""
    if style in RECORDS:
        return records_as(style, records, head={"tertium": __version__, **(head or {})}, key=key, columns=columns)
    rows = list(records)
    used = [name for name in columns if any(row.get(name) not in (None, "", ()) for row in rows)]
    width = sum(name in used for name in columns[:texts])
    cells = [[_cell(row.get(name), decimals) for name in used] for row in rows]
    header = [name.replace("_", " ").capitalize() for name in used]
    return table(style, header, cells, best=set(), texts=max(width, 1))


def _cell(value: Any, decimals: int) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.{decimals}f}"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, list | tuple):
        return ", ".join(value) if all(isinstance(one, str) for one in value) else f"{len(value)}"
    return str(value)


# The output options of actions whose result is a file of judgments again.
tidy_output = options(
    format_option(click.Choice(FORMATS), "tsv"),
    OUTPUT,
    click.option("--quiet", is_flag=True, help="No warnings."),
    decimals_option(),
)  # fmt: skip


def emit_tidy(
    judgments: "Judgments", style: str, output: str | None, decimals: int, quiet: bool, *, marked: bool = False
) -> None:
    """Write judgments, or preferences if there is nothing else, as a tidy file."""
    pairs = judgments.preferences
    if len(judgments) and len(pairs):
        warner(quiet)(
            f"{len(pairs):,} pairwise preferences were left out, as scores come first; import files of pairs apart."
        )
    if not len(judgments) and len(pairs):
        from tertium.judgments.preferences import FIELDS as PAIRS

        emit(shown(style, pairs.records(), key="preferences", columns=PAIRS, texts=6, decimals=decimals), output)
        return
    if not len(judgments):
        raise InputError("There are no judgments.")
    records, fields = judgments.records(marked=marked), judgments.fields(marked=marked)
    emit(shown(style, records, key="judgments", columns=fields, texts=3, decimals=decimals), output)


def whole_or_not(value: float) -> int | float:
    """Return a count without its point, if it is whole."""
    return int(value) if value == int(value) else value
