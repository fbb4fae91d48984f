"""Options that several commands have, and how options are put together."""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

import click

from tertium.errors import InputError

Command = TypeVar("Command", bound=Callable[..., Any])

FORMATS = ("table", "json", "jsonl", "tsv", "csv", "markdown", "latex")
SEED = 12345  # the library's (significance.sampling), which is read too late for help


class Choice(click.Choice):  # type: ignore[type-arg]  # it has an argument from click 8.2 on
    """One of the names that live where their meaning does; that file is read when they are needed, not before."""

    def __init__(self, *homes: str, also: Mapping[str, str] | None = None) -> None:
        """Take names, and homes of names: `module:NAME`; `also` are other words for some of them."""
        super().__init__(())
        del self.choices
        self._homes = homes
        self._also = also or {}

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        """Return the name that is meant; a default needs no looking up."""
        if parameter is not None and value == parameter.default:
            return value
        return super().convert(self._also.get(value, value), parameter, context)

    def __getattr__(self, name: str) -> Any:
        """Find the names when they are first asked for."""
        if name != "choices":
            raise AttributeError(name)
        found: dict[str, None] = {}
        for module, _, where in (home.partition(":") for home in self._homes):
            found |= dict.fromkeys(getattr(import_module(module), where) if where else [module])
        self.choices = tuple(found)
        return self.choices


class ChoiceOption(click.Option):
    """An option whose help lists its choices, where it says {}."""

    def get_help_record(self, context: click.Context) -> tuple[str, str] | None:
        """Return what the help shows."""
        record = super().get_help_record(context)
        if record is None or not isinstance(self.type, click.Choice):
            return record
        return record[0], record[1].replace("{}", ", ".join(self.type.choices))


def options(*each: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return several options as one decorator."""

    def add(command: Command) -> Command:
        for option in reversed(each):
            command = option(command)
        return command

    return add


QUIET = click.option("--quiet", is_flag=True, help="No progress, no warnings.")
THREADS = click.option("--threads", type=click.IntRange(1), help="How many threads (default: all cores).")


def output_option(*short: str) -> Callable[[Any], Any]:
    """Add --output, which is read before --format, for its suffix may choose that."""
    told = "Write to this file, whole or not at all; its suffix is a format."
    return click.option(*short, "--output", type=click.Path(), is_eager=True, help=told)


OUTPUT = output_option()
NO_COLOR = click.option("--no-color", is_flag=True, help="No colours (they are only used on a terminal).")

SUFFIXES = {f".{style}": style for style in ("csv", "tsv", "json", "jsonl", "html")} | {
    ".md": "markdown",
    ".tex": "latex",
}
# What no command writes, and what nobody could open if a table were in it.
_OTHERS = [".pdf", ".png", ".svg", ".jpg", ".xls", ".xlsx", ".ods", ".docx", ".parquet", ".db",
           ".gz", ".bz2", ".xz", ".zst", ".zip"]  # fmt: skip


def format_option(kind: click.Choice, usual: str = "table", says: str = "How to print results") -> Callable[[Any], Any]:  # type: ignore[type-arg]
    """Add --format; without it --output's suffix chooses."""

    def chosen(context: click.Context, parameter: click.Parameter, style: str | None) -> str:
        output = context.params.get("output")
        if style is not None or output is None:
            return style or usual
        suffix = Path(output).suffix.lower()
        style = SUFFIXES.get(suffix) or (suffix[1:] if suffix in _OTHERS or suffix[1:] in kind.choices else usual)
        if style == "html" and any(one.name == "report" for one in context.command.params):
            return usual  # which --report takes for its page
        if style not in kind.choices:
            raise InputError(
                f"{output} cannot be written: this command has no {style}, but {', '.join(kind.choices)}. Choose "
                "another suffix, or say --format, which wins over the suffix."
            )
        return style

    return click.option(
        "--format", "style", type=kind, callback=chosen, help=f"{says} (default: by --output, or {usual})."
    )


output_options = options(
    format_option(click.Choice(FORMATS)),
    OUTPUT,
    QUIET,
    NO_COLOR,
)


def decimals_option(usual: int = 2) -> Callable[[Command], Command]:
    """Add --decimals, for commands whose tables hold numbers."""
    return click.option("--decimals", type=click.IntRange(0, 15), default=usual, show_default=True, help="In tables.")


SIGNATURES = click.option(
    "--signatures", "signed", type=click.Choice(("short", "full", "none")), default="short", show_default=True,
    help="Below tables: what differs from the defaults, every setting, or none. JSON has every setting.",
)  # fmt: skip


def samples_option(what: str = "Bootstrap replicates.") -> Callable[[Command], Command]:
    """Add --samples."""
    return click.option("--samples", type=int, default=1000, show_default=True, help=what)


def seed_option(what: str = "Of the random numbers.") -> Callable[[Command], Command]:
    """Add --seed: the same seed gives the same numbers."""
    return click.option("--seed", type=int, default=SEED, show_default=True, help=what)


def imported_options(also: str = "") -> Callable[[Any], Any]:
    """Add --scores, and which way its metrics point."""
    return options(
        click.option("--scores", "imported", metavar="[NAME=]FILE[:COLUMN]", multiple=True,
                     help="Scores of other programs: a TSV with system, segment, metric, score; COMET's JSON, "
                     "MetricX's or WMT25's lines, .seg.score, or a column of numbers."),
        click.option("--lower-is-better", multiple=True, metavar="NAME",
                     help=f"A metric of --scores{also} that counts errors."),
        click.option("--higher-is-better", multiple=True, metavar="NAME",
                     help="A metric of --scores that is called like one that counts errors, but does not."),
    )  # fmt: skip
