"""Which test sets have names: addresses, checksums, paths inside, and the references that count (`catalogue.json`).

Names, pairs and facts are sacreBLEU 2.6's, so that a name means the same texts in both programs.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any

from tertium.errors import Argument, InputError, UnknownNameError
from tertium.files.downloads import Remote


@dataclass(frozen=True)
class Pair:
    """A language pair of a test set: files in its archives (`2:path` is a column), references that count."""

    name: str
    members: tuple[str, ...]
    references: tuple[str, ...] = ()  # by translator, for WMT's XML

    @property
    def any_reference(self) -> bool:
        """Whether those references count that are there; else all of them do."""
        return len(self.references) > 1 and "" in self.references

    @property
    def paths(self) -> tuple[str, ...]:
        """The files without columns."""
        return tuple(split_member(member)[1] for member in self.members)


@dataclass(frozen=True)
class NamedSet:
    """A test set: what it is, where its archives are, and its language pairs."""

    name: str
    title: str
    remotes: tuple[Remote, ...]
    pairs: Mapping[str, Pair]
    is_xml: bool  # whether one file of WMT's XML holds all: source, references, systems
    citation: str = ""
    subsets: Mapping[str, str] = field(default_factory=dict)  # what each document is about, such as US-sport

    @property
    def stem(self) -> str:
        """The name as files begin with it."""
        return self.name.replace("/", "_")

    def pair(self, name: str | None) -> Pair:
        """Return a language pair; say which there are if it is not one of them."""
        if name is None:
            raise InputError(
                f"The test set {self.name} needs a language pair: ",
                Argument("pair", of="load"),
                f". It has {', '.join(self.pairs)}.",
            )
        if name not in self.pairs:
            raise UnknownNameError.of(f"language pair of {self.name}", name, self.pairs)
        return self.pairs[name]

    def archive_name(self, remote: Remote) -> str:
        """Return what a file of this set is called in the cache."""
        return f"{self.stem}.{remote.name}"


def named_sets() -> Mapping[str, NamedSet]:
    """Return all test sets that have a name, newest first."""
    return _catalogue()


def named_set(name: str, others: Iterable[str] = ()) -> NamedSet:
    """Return the test set of a name; `others` are names that the error should know, too."""
    known = named_sets()
    if name not in known:
        close = get_close_matches(name, [*others, *known], n=3)
        guess = f" Did you mean {' or '.join(close)}?" if close else ""
        raise UnknownNameError(f"No test set is called '{name}'.{guess} To see all: tertium testsets list.")
    return known[name]


def split_member(member: str) -> tuple[int | None, str]:
    """Split a column's number, counted from 0, from the file it is a column of."""
    number, colon, path = member.partition(":")
    return (int(number), path) if colon else (None, member)


@cache
def _catalogue() -> dict[str, NamedSet]:
    facts = json.loads(files("tertium.corpus.named").joinpath("catalogue.json").read_text(encoding="utf-8"))
    remotes = [Remote(address, checksum) for address, checksum in facts["files"]]
    return {name: _named_set(name, entry, remotes, facts) for name, entry in facts["sets"].items()}


def _named_set(name: str, entry: Mapping[str, Any], remotes: Sequence[Remote], facts: Mapping[str, Any]) -> NamedSet:
    usual = entry.get("references", ())
    tagged = facts["subsets"].get(name, {})
    return NamedSet(
        name=name,
        title=entry["title"],
        remotes=tuple(remotes[number] for number in entry["files"]),
        pairs={pair: _pair(pair, members, usual) for pair, members in entry["pairs"].items()},
        is_xml="references" in entry,
        citation=_citation(entry["paper"], *facts["papers"][entry["paper"]]),
        subsets={document: tag for tag, documents in tagged.items() for document in documents.split()},
    )


def _pair(name: str, given: Any, usual: Sequence[str]) -> Pair:
    if isinstance(given, dict):
        return Pair(name, tuple(given["members"]), tuple(given["references"]))
    return Pair(name, tuple(given), tuple(usual))


def _citation(key: str, authors: str, title: str, year: int, address: str) -> str:
    lines = {"author": authors, "title": title, "year": str(year), "url": address}
    return f"@misc{{{key},\n" + "".join(f"  {name} = {{{value}}},\n" for name, value in lines.items()) + "}"
