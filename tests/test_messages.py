"""Messages name arguments to those who call from Python, options to those who type commands."""

import ast
import functools
import pickle
import re
from pathlib import Path

import pytest

import tertium
from tertium.cli.group import tertium as program
from tertium.cli.output.progress import told
from tertium.errors import Argument, InputError, Message

ROOT = Path(tertium.__file__).parent
IN_COMMANDS = {"--renew"}  # of whole commands that a message says to type


def options_of(command):
    import click

    context = click.Context(command)
    own = {name for param in command.params for name in param.opts if name.startswith("--")}
    names = command.list_commands(context) if isinstance(command, click.Group) else ()
    return own.union(*(options_of(found) for name in names if (found := command.get_command(context, name))))


@functools.cache
def options_of_all():
    return frozenset(options_of(program))


@functools.cache
def texts(path):
    """Return the strings of a file that are no docstrings, and their lines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        (node.lineno, node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said
    ]


def test_the_library_names_no_option():
    options = options_of_all()
    assert {"--documents", "--mqm-weights", "--skip-empty"} <= options
    found = [
        f"{path.relative_to(ROOT)}:{line} {word}"
        for path in ROOT.rglob("*.py")
        if path.relative_to(ROOT).parts[0] not in ("cli", "compat")
        for line, text in texts(path)
        for word in re.findall(r"--[a-z][a-z-]*", text)
        if word in options - IN_COMMANDS
    ]
    assert found == []


def test_the_library_names_no_argument_that_is_an_option_otherwise():
    """exclude_self is --exclude-self on the command line: an Argument is written as either."""
    arguments = {name[2:].replace("-", "_") for name in options_of_all() if "-" in name[2:]}
    assert {"exclude_self", "lower_is_better"} <= arguments
    found = [
        f"{path.relative_to(ROOT)}:{line} {text}"
        for path in ROOT.rglob("*.py")
        if path.relative_to(ROOT).parts[0] not in ("cli", "compat", "annotate", "testing.py")  # which speaks to authors
        for line, text in texts(path)
        if " " in text.strip() and arguments & set(re.findall(r"[a-z]+(?:_[a-z]+)+", text))
    ]
    assert found == []


@pytest.mark.parametrize(
    ("argument", "python", "option"),
    [
        (Argument("kind"), "kind=", "--kind"),
        (Argument("documents"), "documents=", "--documents FILE"),
        (Argument("level", "system"), "level='system'", "--level system"),
        (Argument("first_segment", 0), "first_segment=0", "--segments-from 0"),
        (Argument("skip_empty", True), "skip_empty=True", "--skip-empty"),
        (Argument("weights", of="read_judgments"), "weights=", "--mqm-weights"),
    ],
)
def test_an_argument_is_an_option_on_the_command_line(argument, python, option):
    error = InputError("Say ", argument, ".")
    assert (str(error), told(error.message)) == (f"Say {python}.", f"Say {option}.")
    longer = InputError("Here: ", error.message)
    assert (str(longer), told(longer.message)) == (f"Here: Say {python}.", f"Here: Say {option}.")


def test_messages_are_texts_that_can_be_sent():
    message = Message("Say ", Argument("kind"), ".")
    assert message == "Say kind=."
    assert told("plain") == "plain"
    assert pickle.loads(pickle.dumps(message)).arguments == (Argument("kind"),)
    assert told(pickle.loads(pickle.dumps(InputError(message))).message) == "Say --kind."
