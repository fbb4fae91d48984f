"""Which systems, metrics and references of a test set count: named by option, for one language pair, or in a file."""

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import click

from tertium.cli.arguments.options import options
from tertium.errors import InputError, UnknownNameError

ALL, NONE = "all", "none"
_PAIR = re.compile(r"([a-z]{2,3}(?:_\w+)?-[a-z]{2,3}(?:_\w+)?)=(.+)")
_NAMES = "NAMES are separated by commas; PAIR=NAMES is for one language pair, @FILE has them line by line."

chosen_options = options(
    click.option("--systems", "only_systems", multiple=True, metavar="NAMES",
                 help=f"Only these systems. {_NAMES}"),
    click.option("--metrics", "only_metrics", multiple=True, metavar="NAMES",
                 help="Only these metrics of a FOLDER or of --scores."),
    click.option("--outliers", multiple=True, metavar="NAMES",
                 help="Systems to leave out, instead of those that the task leaves out (none: leave out none)."),
    click.option("--humans", multiple=True, metavar="NAMES", is_flag=False, flag_value=ALL,
                 help="References of a FOLDER that rank as systems (all, none), but those in use."),
    click.option("--reference-of", multiple=True, metavar="PAIR=NAME",
                 help="The reference of a language pair of a FOLDER, such as he-en=refB."),
)  # fmt: skip
_OPTIONS = ("only_systems", "only_metrics", "outliers", "humans", "reference_of")


@dataclass(frozen=True)
class Chosen:
    """What was chosen, as it was written; nothing at first."""

    only_systems: Sequence[str] = ()
    only_metrics: Sequence[str] = ()
    outliers: Sequence[str] = ()
    humans: Sequence[str] = ()
    reference_of: Sequence[str] = ()

    @classmethod
    def of(cls, given: dict[str, Any]) -> "Chosen":
        """Take the options out of all that a command was given."""
        found = cls(**{name: given.pop(name) for name in _OPTIONS if name in given})
        for value in found.reference_of:
            if not _PAIR.fullmatch(value):
                raise InputError(f"--reference-of {value}: a language pair and a reference were expected: he-en=refB.")
        return found

    def systems(self, pair: str | None) -> tuple[str, ...] | None:
        """Return the systems that count; None: all."""
        return _named(self.only_systems, pair)

    def metrics(self, pair: str | None) -> tuple[str, ...] | None:
        """Return the metrics that count; None: all."""
        return _named(self.only_metrics, pair)

    def left_out(self, pair: str | None) -> tuple[str, ...] | None:
        """Return the outliers; None: nothing was said of them."""
        found = _named(self.outliers, pair)
        return () if found == (NONE,) else found

    def ranked_humans(self, pair: str | None) -> tuple[str, ...] | None:
        """Return the references that rank as systems, or `all`; None: nothing was said of them."""
        found = _named(self.humans, pair)
        return () if found == (NONE,) else found

    def references(self, pair: str) -> tuple[str, ...] | None:
        """Return the references of a language pair; None: nothing was said of them."""
        return _named(self.reference_of, pair)

    def check_pairs(self, pairs: Collection[str], known: Collection[str], warn: Callable[[str], None]) -> None:
        """Refuse PAIR=… of a language pair that the folder does not have; tell of those that are not looked at."""
        for values in (self.only_systems, self.only_metrics, self.outliers, self.humans, self.reference_of):
            for value in _expanded(values):
                of_pair = _PAIR.fullmatch(value)
                if of_pair is None or of_pair[1] in pairs:
                    continue
                if of_pair[1] not in known:
                    raise UnknownNameError.of("language pair of the folder", of_pair[1], known)
                warn(f"{value} says nothing here: only {', '.join(pairs)} was asked for.")

    def refuse_of_folders(self) -> None:
        """Refuse what only a folder can be asked."""
        for option, values in (("--humans", self.humans), ("--reference-of", self.reference_of)):
            if values:
                raise InputError(f"{option} is about references of a test set's FOLDER, but files were given.")


NOTHING_CHOSEN = Chosen()


def check_known(
    names: Collection[str], known: Collection[str], what: str, *, strict: bool, warn: Callable[[str], None]
) -> None:
    """Refuse names that are not there; where several language pairs are looked at, tell of them."""
    for name in names:
        if name not in known:
            if strict:
                raise UnknownNameError.of(what, name, known)
            warn(f"There is no {what} called '{name}'.")


def _named(values: Sequence[str], pair: str | None) -> tuple[str, ...] | None:
    found: list[str] = []
    said = False
    for value in _expanded(values):
        of_pair = _PAIR.fullmatch(value)
        if of_pair is not None and pair is not None and of_pair[1] != pair:
            continue
        said = True
        found += [name.strip() for name in (of_pair[2] if of_pair else value).split(",") if name.strip()]
    if said and not found:
        raise InputError(f"{' '.join(values)!r} names nothing: write names with commas between them.")
    return tuple(dict.fromkeys(found)) if said else None


def _expanded(values: Sequence[str]) -> Iterator[str]:
    for value in values:
        if not value.startswith("@"):
            yield value
            continue
        from tertium.files.lines import Lines

        lines = [line.strip() for line in Lines(value[1:], warn=lambda message: None)]
        names = [line for line in lines if line and not line.startswith("#")]
        if not names:
            raise InputError(f"{value[1:]} names nothing: write one name, or PAIR=NAMES, on each line.")
        yield from names
