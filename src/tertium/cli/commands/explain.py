"""`tertium explain`: what a signature means, and how two differ."""

import re
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.arguments.options import output_options
from tertium.cli.output.writing import RECORDS, check_output, emit, records_as, table

if TYPE_CHECKING:
    from tertium.metrics import Metric

_FIELDS = {
    "refs": "references per segment (var: it varies)",
    "resegment": "how hypotheses were cut to the reference's segments: method/tokenizer",
    "unicode": "version of the character tables; matters for newer characters only",
    "tertium": "version; CHANGELOG.md lists every change of a score under Scores",
}


@click.command("explain")
@click.argument("signature")
@click.argument("other", required=False)
@click.option("--cite", is_flag=True, help="Print the papers behind the score instead; --format latex: for BibTeX.")
@output_options
def command(
    signature: str, other: str | None, cite: bool, style: str, output: str | None, quiet: bool, no_color: bool
) -> None:
    """Say what a signature (or a text for -m) means; of two, what differs and may move scores.

    \b
    Examples:
      tertium explain 'bleu:tokenize=intl,lowercase=true'
      tertium explain 'bleu:tokenize=13a|refs=1' 'bleu:tokenize=intl|refs=1'
      tertium explain chrf++ --cite
    """
    check_output(output)
    if cite:
        emit(_papers(signature, other, style), output)
        return
    rows = _meaning(signature) if other is None else _differences(signature, other)
    if style in RECORDS:
        emit(records_as(style, rows, head={}, key="settings" if other is None else "differences"), output)
        return
    if not rows:
        emit("The two are the same: every setting, number of references and version agrees.\n", output)
        return
    header = [name.replace("_", " ") for name in rows[0]]
    shown = {True: "yes", False: "no", None: ""}
    cells = [[shown[value] if value in (True, False, None) else str(value) for value in row.values()] for row in rows]
    emit(table(style, header, cells, best=set(), texts=len(header)), output)


def _papers(signature: str, other: str | None, style: str) -> str:
    """Return what to cite for one score or two, each paper once."""
    from tertium.errors import InputError
    from tertium.metrics.papers import papers_of

    metrics = [_parsed(text)[0] for text in (signature, other) if text is not None]
    papers = list(dict.fromkeys(paper for metric in metrics for paper in papers_of(metric)))
    if not papers:
        raise InputError(f"No paper is known for {metrics[0].name}. Cite the program that its scores come from.")
    if style == "latex":
        return "\n".join(paper.bibtex for paper in papers)
    if style in RECORDS:
        return "".join(records_as(style, [paper.to_dict() for paper in papers], head={}, key="papers"))
    bullet = "- " if style == "markdown" else ""
    return "".join(f"{bullet}{paper}\n" for paper in papers)


def _parsed(signature: str) -> "tuple[Metric, dict[str, str], dict[str, str]]":
    """Return the metric, its settings with the hashes of files and of what it learnt, and the fields at the end."""
    from tertium.errors import InputError
    from tertium.metrics import parse_metric
    from tertium.metrics.names import SACREBLEUS
    from tertium.metrics.sacrebleu_signatures import translated

    if SACREBLEUS.match(signature):
        counts = re.search(r"(?:nrefs|#):(\w+)", signature)
        signature = translated(signature) + (f"|refs={counts[1]}" if counts else "")
    text, *rest = signature.strip().split("|")
    fields = {}
    for item in rest:
        key, equals, value = item.partition("=")
        if not equals or key not in _FIELDS:
            raise InputError(f"'{item}' is no part of a signature; after a bar come {', '.join(_FIELDS)}.")
        fields[key] = value
    learnt = dict(re.findall(r"((?:\d+\.)?information)=(\S+?@[0-9a-f]{12})", text))
    text = re.sub(r"information=\S+?@[0-9a-f]{12}", "information=unfitted", text)
    try:
        metric = parse_metric(text)
    except InputError:  # a file that cannot be had here; what it was called and its hash say enough
        files = dict(re.findall(r"[:,]([\w.]+)=([^,]*@[0-9a-f]{12})(?=,|$)", text))
        if not files:
            raise
        name, _, settings = text.partition(":")
        kept = [part for part in settings.split(",") if part.partition("=")[0] not in files]
        metric, learnt = parse_metric(f"{name}:{','.join(kept)}"), learnt | files
    return metric, metric.settings() | learnt, fields


def _meaning(signature: str) -> list[dict[str, Any]]:
    metric, settings, fields = _parsed(signature)
    usual, meanings = metric.default().settings(), metric.meanings
    rows = [{"setting": "metric", "value": metric.name, "is_default": True, "meaning": "what is computed"}]
    rows += [
        {"setting": key, "value": value, "is_default": value == usual.get(key), "meaning": meanings[key]}
        for key, value in settings.items()
    ]
    rows += [
        {"setting": f"|{key}", "value": value, "is_default": None, "meaning": _FIELDS[key]}
        for key, value in fields.items()
    ]
    return rows


def _differences(one: str, two: str) -> list[dict[str, Any]]:
    first, ours, our_fields = _parsed(one)
    second, theirs, their_fields = _parsed(two)
    meanings = first.meanings
    rows = []
    if first.name != second.name:
        rows.append(_difference("metric", first.name, second.name, "what is computed: the scores cannot be compared"))
    else:
        rows += [_difference(key, ours[key], theirs[key], meanings[key]) for key in ours if ours[key] != theirs[key]]
    for key, meaning in _FIELDS.items():
        if our_fields.get(key) != their_fields.get(key):
            rows.append(_difference(f"|{key}", our_fields.get(key), their_fields.get(key), meaning))
    return rows


def _difference(setting: str, first: str | None, second: str | None, meaning: str) -> dict[str, Any]:
    moves = "perhaps" if setting in ("|unicode", "|tertium") else "yes"
    if first is None or second is None:
        moves = "not known"
    return {
        "setting": setting,
        "first": first or "-",
        "second": second or "-",
        "moves_scores": moves,
        "meaning": meaning,
    }
