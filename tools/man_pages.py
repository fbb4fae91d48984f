"""Manual pages from the help texts, one a command: `python -m tools.man_pages build/man`, or `make man`."""

import re
import sys
from pathlib import Path

import click

from tertium import __version__
from tertium.cli.group import tertium
from tertium.cli.main import COMMANDS, SETTINGS


def page(command: click.Command, name: str, short: str) -> str:
    """Return a command's page in the language of man."""
    context = click.Context(command, info_name=name.replace("-", " ", 1), **SETTINGS)
    title, version = name.upper(), f"tertium {__version__}"
    parts = [f'.TH "{title}" "1" "" "{version}" "User Commands"', ".SH NAME", f"{name} \\- {escaped(short)}"]
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    parts += [".SH SYNOPSIS", f".B {escaped(usage)}", ".SH DESCRIPTION", *paragraphs(command.help or "")]
    options = [
        record for each in command.get_params(context) if (record := each.get_help_record(context)) and record[1]
    ]
    if options:
        parts.append(".SH OPTIONS")
        for option, meaning in options:
            parts += [".TP", f".B {escaped(option)}", escaped(meaning)]
    if isinstance(command, click.Group):
        parts.append(".SH COMMANDS")
        for known in command.list_commands(context):
            inner = command.get_command(context, known)
            said = COMMANDS[known] if command is tertium else (inner.get_short_help_str(200) if inner else "")
            parts += [".TP", f".B {escaped(known)}", escaped(said)]
    return "\n".join(parts) + "\n"


def paragraphs(text: str) -> list[str]:
    """Return a help text's paragraphs; what stands as it is (after \\b) is kept so."""
    lines: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        lines.append(".PP")
        if paragraph.lstrip().startswith("\b"):
            lines += [".nf", *map(escaped, paragraph.split("\n")[1:]), ".fi"]
        else:
            lines.append(escaped(" ".join(paragraph.split())))
    return lines


def escaped(text: str) -> str:
    """Return a text that man takes literally."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = "".join(letter if letter.isascii() else f"\\[u{ord(letter):04X}]" for letter in text)
    return "\\&" + text if text.startswith((".", "'")) else text


def pages() -> dict[str, str]:
    """Return the pages by their files' names."""
    found = {"tertium.1": page(tertium, "tertium", "how good a translation is, and how sure one can be of that")}
    context = click.Context(tertium, info_name="tertium")
    for name, short in COMMANDS.items():
        command = tertium.get_command(context, name)
        if command is None:  # sacrebleu, which has sacreBLEU's own options
            continue
        found[f"tertium-{name}.1"] = page(command, f"tertium-{name}", short)
    return found


def main(folder: str) -> None:
    """Write all pages into a folder."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        Path(folder, name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
