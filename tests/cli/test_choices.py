"""Choices live where their meaning lives, and are read when they are needed."""

import subprocess
import sys

import click
import pytest

from tertium.cli.arguments.options import SEED, Choice
from tertium.cli.group import tertium as program
from tertium.significance.sampling import SEED as OF_THE_LIBRARY


def options(command, path="tertium"):
    """Yield every option of every command, with where it is."""
    for parameter in command.params:
        yield f"{path} {parameter.name}", parameter
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            if found := command.get_command(context, name):
                yield from options(found, f"{path} {name}")


CHOICES = {where: option for where, option in options(program) if isinstance(option.type, Choice)}


@pytest.mark.parametrize("where", CHOICES)
def test_every_list_of_choices_is_found(where):
    option = CHOICES[where]
    assert len(option.type.choices) > 1
    usual = option.default
    assert usual is None or not isinstance(usual, str) or usual in option.type.choices


def test_a_choice_is_refused_by_name(tertium):
    result = tertium("score", "a.txt", "-r", "b.txt", "--interval", "wide")
    assert result.code == 2
    assert "'wide' is not one of 'percentile', 'bca'" in result.err


def test_the_seed_is_the_librarys():
    assert SEED == OF_THE_LIBRARY


@pytest.mark.parametrize("name", ["score", "correlate", "align", "judgments"])
def test_commands_are_read_without_numpy(name):
    code = f"import sys, tertium.cli.commands.{name}; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# Flags that take a value in one command and none in another, each for its own good reason.
EITHER = {"--outliers", "--worst"}


def test_a_flag_takes_a_value_in_every_command_or_in_none():
    takes: dict[str, dict[bool, list[str]]] = {}
    for where, option in options(program):
        for name in option.opts if isinstance(option, click.Option) else ():
            takes.setdefault(name, {}).setdefault(option.is_flag, []).append(where)
    both = {name: found for name, found in takes.items() if len(found) > 1 and name.startswith("--")}
    assert set(both) <= EITHER, both


def test_corpus_and_system_are_one_level(tertium, tmp_path):
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.txt").write_text("one two three\nfour five six\n")
    (tmp_path / "human.tsv").write_text(
        "system\tsegment\tkind\tscore\n" + "".join(f"{name}\t{k}\tda\t{k}\n" for name in "ab" for k in (1, 2))
    )
    call = ["score", "a.txt", "-r", "c.txt", "-m", "chrf", "--format", "tsv", "--level"]
    assert tertium(*call, "system").out == tertium(*call, "corpus").out != ""
    call = ["judgments", "aggregate", "human.tsv", "--level"]
    assert tertium(*call, "corpus").out == tertium(*call, "system").out != ""
    assert tertium("score", "a.txt", "-r", "c.txt", "--level", "systems").code == 2
