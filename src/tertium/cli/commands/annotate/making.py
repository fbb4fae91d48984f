"""Making studies: `new` from texts, `demo` from a bundled example."""

import re
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from tertium.cli.output.progress import warner
from tertium.errors import InputError
from tertium.files.reading import whole_text

if TYPE_CHECKING:
    from tertium.annotate.study import Design, Material


def share(text: str | None) -> float:
    """Return a share that is written 12% or 0.12."""
    if text is None:
        return 0.0
    try:
        value = float(text.strip().removesuffix("%")) / (100 if text.strip().endswith("%") else 1)
    except ValueError:
        raise InputError(f"A share is written 12% or 0.12, not '{text}'.") from None
    if not 0 <= value <= 1:
        raise InputError(f"A share lies between 0 % and 100 %, but '{text}' does not. It is written 12% or 0.12.")
    return value


def people_of(text: str) -> list[str]:
    """Return annotators: a number of unnamed ones, or a file with a name per line."""
    if text.isdecimal():
        if not 0 <= int(text) <= 10_000:
            raise InputError(f"--annotators is a number up to 10,000, not {text}.")
        return [""] * int(text)
    if not Path(text).is_file():
        raise InputError(f"--annotators is a number, or a file with one name per line; '{text}' is neither.")
    names = [line.strip() for line in whole_text(text).split("\n")]
    found = [name for name in names if name]
    if not found:
        raise InputError(f"{text} holds no name.")
    return found


_OPTIONS = [
    click.option("--protocol", metavar="PROTOCOL", default="esa", show_default=True,
                 help="adequacy, comprehensibility, da, sqm, esa, esa-ai, cesa, mqm, ranking, preference, post-edit; "
                      "with settings: adequacy:points=7, cesa:columns=3, mqm:typology=google."),
    click.option("--annotators", default="2", show_default=True, metavar="N|FILE",
                 help="How many, or a file with a name per line."),
    click.option("--assignment", type=click.Choice(["lists", "pool", "adaptive"]), default="lists", show_default=True,
                 help="A fixed list for each, a shared pool, or better systems more often."),
    click.option("--judgments-per-item", type=click.IntRange(1), default=1, show_default=True,
                 help="How many people judge each output."),
    click.option("--overlap", metavar="SHARE", help="Share of documents that one more person judges, such as 10%."),
    click.option("--control", metavar="SHARE", help="Share of screens that are degraded copies, such as 12%."),
    click.option("--repeats", metavar="SHARE", help="Share of screens that come again."),
    click.option("--reference-checks", metavar="SHARE", help="Share of screens that show the reference as an output."),
    click.option("--segments-per-screen", type=click.IntRange(1, 100), default=10, show_default=True,
                 help="Longer documents are cut."),
    click.option("--screens-per-annotator", type=click.IntRange(1), help="Where screens are drawn: when to stop."),
    click.option("--same-document", is_flag=True, help="People may see a document again with other outputs."),
    click.option("--no-return", is_flag=True, help="Finished screens cannot be opened again."),
    click.option("--tutorial", is_flag=True, help="Begin with practice (da, sqm, esa, mqm …)."),
    click.option("--title", default="", help="What the page is headed."),
    click.option("--instructions", metavar="FILE", help="Your own guidelines (simple Markdown)."),
    click.option("--page-language", default="en", show_default=True, help="en, de, cs, zh, hi."),
    click.option("-l", "--languages", metavar="SRC-TGT", default="", help="Of the texts, such as en-de."),
    click.option("--completion-codes", metavar="GOOD,BAD", help="For crowd platforms (default: random ones)."),
    click.option("--seed", type=int, default=0, show_default=True, help="Of order and lists."),
]  # fmt: skip


def design_options(command: Any) -> Any:
    """Add the options that say how texts are judged, and by whom."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


def design_of(given: dict[str, Any]) -> "Design":
    """Return the design that the options describe."""
    from tertium.annotate.protocols import parse_protocol
    from tertium.annotate.study import Design
    from tertium.annotate.tutorial import MARKED, SCORED
    from tertium.annotate.words import words_of

    language = given["page_language"].lower()
    words_of(language)
    source, _, target = given["languages"].partition("-")
    if given["languages"] and not re.fullmatch(r"\w+-\w[\w-]*", given["languages"]):
        raise InputError(f"-l names both languages, such as en-de, not '{given['languages']}'.")
    codes = None
    if given["completion_codes"]:
        good, comma, bad = given["completion_codes"].partition(",")
        if not (good and comma and bad):
            raise InputError("--completion-codes are two, joined by a comma: GOOD,BAD.")
        codes = (good, bad)
    protocol = parse_protocol(given["protocol"])
    if given["tutorial"] and protocol.name not in (*SCORED, *MARKED):
        raise InputError(f"--tutorial is for {', '.join((*SCORED, *MARKED))}; {protocol.name} has none.")
    return Design(
        protocol=protocol,
        annotators=people_of(given["annotators"]),
        assignment=given["assignment"],
        judgments_per_item=given["judgments_per_item"],
        overlap=share(given["overlap"]),
        control=share(given["control"]),
        repeats=share(given["repeats"]),
        reference_checks=share(given["reference_checks"]),
        segments_per_screen=given["segments_per_screen"],
        screens_per_annotator=given["screens_per_annotator"],
        same_document=given["same_document"],
        may_return=not given["no_return"],
        tutorial=given["tutorial"],
        title=given["title"],
        instructions=_instructions(given["instructions"]),
        language=language,
        source_language=source,
        target_language=target,
        codes=codes,
        seed=given["seed"],
    )


def _instructions(path: str | None) -> str | None:
    if path is None:
        return None
    return whole_text(path).replace("\r\n", "\n")


@click.command("new", short_help="Make a study from texts.")
@click.argument("study", type=click.Path())
@click.argument("systems", nargs=-1, required=True, metavar="HYP...")
@click.option("--source", required=True, metavar="FILE", help="The source, one segment per line.")
@click.option("-r", "--reference", metavar="REF", help="A reference, for adequacy, rankings and checks.")
@click.option("--documents", metavar="FILE", help="One document id per segment (default: each segment its own).")
@click.option("--spans", metavar="FILE", help="Spans filled in beforehand, as JSON lines (for esa-ai).")
@click.option("--plan", is_flag=True, help="Only say how long it takes and what it can show; write nothing.")
@design_options
@click.option("--quiet", is_flag=True, help="No warnings.")
def new(
    study: str, systems: tuple[str, ...], source: str, reference: str | None, documents: str | None, spans: str | None,
    plan: bool, quiet: bool, **given: Any,
) -> None:  # fmt: skip
    """Make a study: one new file with texts, people, and who judges what.

    \b
    Examples:
      tertium annotate new study.db --protocol esa --source src.txt a.txt b.txt --annotators 2
      tertium annotate new study.db --protocol cesa --source src.txt --documents ids.txt a.txt b.txt c.txt \\
          --annotators names.txt --overlap 20% --control 12% -l en-de
      tertium annotate new study.db --protocol adequacy --source src.txt -r ref.txt a.txt b.txt --plan
    """
    from tertium.annotate.planning import plan_of
    from tertium.annotate.study import check_new, create

    design = design_of(given)
    if not plan:
        check_new(study)
    if design.protocol.prefilled and spans is None:
        raise InputError(f"{design.protocol.name} shows errors marked beforehand: add --spans FILE, or take esa.")
    if spans is not None and design.protocol.name not in ("esa-ai", "cesa", "mqm"):
        raise InputError(f"--spans is for esa-ai, cesa and mqm, but the protocol is {design.protocol.name}.")
    material = material_of(systems, source, reference, documents, spans, quiet)
    said = plan_of(material, design)
    click.echo(said.told())
    if plan:
        return
    create(study, material, design)
    click.echo(f"\n{study} is made. Next: tertium annotate serve {study}")


def material_of(
    systems: tuple[str, ...], source: str, reference: str | None, documents: str | None, spans: str | None, quiet: bool
) -> "Material":
    """Read the texts."""
    from tertium.annotate.prefilled import read_spans
    from tertium.annotate.study import Material
    from tertium.cli.arguments.files import open_named_systems
    from tertium.cli.arguments.judgment_files import texts_of

    opened = open_named_systems(systems, kind=None, warn=warner(quiet))
    texts = {}
    for name, file in opened.items():
        outputs: list[str] = []
        while len(block := file.take(1 << 15)):
            outputs += [block[i][0] for i in range(len(block))]
        texts[name] = outputs
    return Material(
        sources=[group[0] for group in texts_of(source, quiet)],
        systems=texts,
        references=[group[0] for group in texts_of(reference, quiet)] if reference is not None else None,
        documents=[group[0] for group in texts_of(documents, quiet)] if documents is not None else None,
        spans=read_spans(spans, texts) if spans is not None else {},
    )


@click.command("demo", short_help="Serve a small bundled study at once.")
@click.option("--protocol", default="esa", show_default=True, help="Which protocol to show.")
@click.option("--keep", metavar="STUDY.db", help="Keep the study in this new file.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Which port (default: a free one from 8001).")
@click.option("--page-language", default="en", show_default=True, help="en, de, cs, zh, hi.")
def demo(protocol: str, keep: str | None, port: int, page_language: str) -> None:
    """Serve a small study at once: ten German sentences, three English translations, two annotators.

    \b
    Examples:
      tertium annotate demo
      tertium annotate demo --protocol cesa --keep study.db
    """
    from tertium.annotate.serving.running import serve
    from tertium.annotate.study import create

    material, design = demo_study(protocol, page_language)
    with tempfile.TemporaryDirectory() as folder:
        path = keep or str(Path(folder) / "demo.db")
        create(path, material, design)
        serve(path, port=port, say=said_at_once)
        if keep is not None:
            click.echo(f"The answers are in {keep}: tertium annotate status {keep}")


def demo_study(protocol: str, language: str = "en") -> "tuple[Material, Design]":
    """Return the bundled texts, and a design for two people."""
    from importlib.resources import files

    from tertium.annotate.protocols import parse_protocol
    from tertium.annotate.study import Design, Material

    folder = files("tertium") / "data" / "annotate"
    lines = {
        name: (folder / f"{name}.txt").read_text(encoding="utf-8").splitlines()
        for name in ("source", "north", "south", "east", "reference", "documents")
    }
    chosen = parse_protocol(protocol)
    spans: dict[tuple[str, int], list[dict[str, Any]]] = {}
    if chosen.prefilled:
        for number, text in enumerate(lines["south"], start=1):
            word = max(text.split(), key=len)
            start = text.index(word)
            spans["south", number] = [
                {"start": start, "end": start + len(word), "side": "target", "severity": "minor", "category": None,
                 "text": word, "note": ""}
            ]  # fmt: skip
    material = Material(
        lines["source"], {name: lines[name] for name in ("north", "south", "east")}, lines["reference"],
        lines["documents"], spans,
    )  # fmt: skip
    title = "Demo: German to English"
    return material, Design(
        chosen, ["", "", ""], title=title, language=language, source_language="de", target_language="en", tutorial=True
    )


def said_at_once(text: str) -> None:
    """Print, also where the output is a pipe."""
    click.echo(text)
    sys.stdout.flush()


@click.command("import", short_help="Make a study from another program's campaign.")
@click.argument("study", type=click.Path())
@click.argument("campaign", type=click.Path())
@click.argument("answers", type=click.Path(), required=False)
@design_options
@click.pass_context
def import_(context: click.Context, /, study: str, campaign: str, answers: str | None, **given: Any) -> None:
    """Make a study from a Pearmut campaign, Appraise's batches, an Anthea project or Marot's table.

    What the campaign says (protocol, assignment, languages) holds unless an option says otherwise. With ANSWERS
    (Pearmut's annotations.json, Appraise's export of scores), or from Marot's table, the study has everything that
    people said there, and `export` writes it back: rows as they came, then what was judged here.

    \b
    Examples:
      tertium annotate import study.db campaign.json
      tertium annotate import study.db batches.json --protocol esa --annotators names.txt
      tertium annotate import study.db project.tsv --protocol mqm:typology=google
      tertium annotate import study.db batches.json scores.csv
    """
    from dataclasses import replace

    from tertium.annotate.exchange.importing import read_foreign, read_results
    from tertium.annotate.study import create

    material, said = read_foreign(campaign)
    results = said.get("results")
    if answers is not None:
        results, said["protocol"] = read_results(answers, campaign, material, said)
    chosen = {name for name in given if context.get_parameter_source(name) is not click.core.ParameterSource.DEFAULT}
    for name in ("protocol", "assignment"):
        if name not in chosen and said.get(name):
            given[name] = said[name]
    users = said.get("users")
    if "annotators" not in chosen and users:
        if isinstance(users, bool) or not isinstance(users, int | list):
            raise InputError(f"{campaign}: users is {users!r:.40}, but a number or a list was expected.")
        given["annotators"] = str(users) if isinstance(users, int) else "0"
    if "languages" not in chosen and said.get("languages", {}).get("source"):
        given["languages"] = "-".join(said["languages"].values())
    given["same_document"] = given["same_document"] or "same_document" not in chosen
    design = design_of(given)
    named = users if isinstance(users, list) and "annotators" not in chosen else []
    if results is not None:
        design = replace(design, annotators=list(dict.fromkeys([*results.users, *named])), assignment="lists")
    elif named:
        design = replace(design, annotators=named)
    kept: dict[str, Any] = {key: said[key] for key in ("pearmut", "appraise", "anthea") if key in said}
    create(study, material, design, extra=kept, results=results)
    if said.get("left_out"):
        click.echo(f"Left out, because some system lacks them: {_count(said['left_out'], 'segment')}.")
    click.echo(
        f"{study} is made: {_count(len(material.sources), 'segment')}, {_count(len(material.systems), 'system')}. "
        + (
            f"Next: tertium annotate serve {study}"
            if results is None
            else f"{_count(len(results.said), 'answer')} by {_count(len(results.users), 'person', 'people')}. "
            f"Next: tertium judgments info {study}"
        )
    )


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


ACTIONS = (new, import_, demo)
