"""Nonsense for every option of every command: numbers that are none or far too large, names that cannot be."""

import random
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import click

from tools.attack.commands import fault, run
from tools.attack.example import LINES

NUMBERS = ["nan", "inf", "-inf", "-1", "0", "1", "2", "1.5", "1e308", "-1e400", "1e-320", "2147483648", "-2147483649",
           "18446744073709551616", "9" * 400, "", " ", "x", "٣", "0x10", "1_000", "+1"]  # fmt: skip
TEXTS = ["", " ", "=", ":", "::", ",", "|", "@", "@/no/such", "-", ".", "..", "/", "/no/such/file", "\x01",
         "\x1b[31m", "a" * 300,
         "a" * 5000, "\udcff", "\n", "None", "nan", "-1", "{}", "[", "%s", "*", "ünï", "x=y", "x=", "=y", "1:2",
         "north.txt:", "north.txt:a", "bleu", "all"]  # fmt: skip
# What asks for a server or the network, or says where to write.
LEFT = {"port", "host", "url", "keep", "master", "engine", "report", "plot", "out", "save", "state", "junit",
        "summary", "rows", "work_dir", "update"}  # fmt: skip


def attack(rng: random.Random, folder: Path) -> Iterator[str | None]:
    """Give one option of one command a value that was never meant."""
    name = rng.choice(list(LINES))
    options = options_of(name)
    if options:
        option, numeric = rng.choice(options)
        value = rng.choice(NUMBERS if numeric else TEXTS)
        arguments = [*LINES[name], option, value]
        if "\n" in value and option in ("--output",):
            return
        yield fault(run(arguments, folder), f"{name} {option} {value[:40]!r}")


@cache
def options_of(name: str) -> list[tuple[str, bool]]:
    """Return the options that a command takes, each with whether its value is a number."""
    line = LINES[name]
    if line[0] == "sacrebleu":
        return [(option, True) for option in ("-w", "-sv", "-cc", "-cw", "-cb", "-n", "-p")]
    from tertium.cli.group import tertium

    command: click.Command = tertium
    for word in line:
        if not isinstance(command, click.Group):
            break
        command = command.get_command(click.Context(command), word) or command
    numbers = (click.IntRange, click.FloatRange, click.types.IntParamType, click.types.FloatParamType)
    return [
        (option.opts[-1], isinstance(option.type, numbers))
        for option in command.params
        if isinstance(option, click.Option) and not option.is_flag and option.name not in LEFT
    ]
