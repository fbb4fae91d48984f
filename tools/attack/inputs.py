"""Hostile input by kind and door: each file that a command reads is damaged,
or replaced by what nobody would write."""

import gzip
import os
import random
from collections.abc import Callable, Iterator
from pathlib import Path

from tools.attack.commands import fault, run
from tools.attack.example import LINES

NASTY = ["\0", "﻿", "\u2028", "\u0085", "\r", "\x1b[31m", "\x1b]0;x\x07", "=1+1", "@x", "\ufffe", "\U0010ffff",
         "\u202e", "ﷺ",
         "ẞ", "́", "中", "😀", "\t", "\n", " ", ",", '"', "'", "{", "}", "[", "<", ">", "&amp;", "&#0;", "|||", "NaN",
         "Infinity", "-1e999", "null", "1" * 400, "../../x", "//", "a"]  # fmt: skip

FRESH: dict[str, Callable[[random.Random], bytes]] = {
    "random bytes": lambda rng: rng.randbytes(rng.choice([1, 50, 4000])),
    "nasty characters": lambda rng: "".join(rng.choices(NASTY, k=300)).encode(),
    "nasty lines": lambda rng: "".join(f"{''.join(rng.choices(NASTY, k=4))}\n" for _ in range(12)).encode(),
    "one word, again and again": lambda rng: b"a " * rng.choice([100, 2000]),
    "two words, at random": lambda rng: " ".join(rng.choices("ab", k=rng.choice([50, 300]))).encode(),
    "one endless line": lambda rng: b"x" * 500_000,
    "nothing": lambda rng: b"",
    "empty lines": lambda rng: b"\n" * 12,
    "UTF-16": lambda rng: "some text\n".encode("utf-16") * 6,
    "deep brackets": lambda rng: rng.choice([b"[", b'{"a":', b"<a>", b"("]) * 100_000,
    "an archive and garbage": lambda rng: gzip.compress(b"one two\n" * 12) + rng.randbytes(9),
    "entities": lambda rng: b'<!DOCTYPE a [<!ENTITY x "y"><!ENTITY z SYSTEM "/etc/passwd">]><a>&x;&z;</a>',
}


def _flipped(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(rng.choice([1, 1, 3, 20])):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _cut(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data))]


def _put_in(data: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(data) + 1)
    return data[:place] + rng.choice(NASTY).encode() + data[place:]


def _replaced(data: bytes, rng: random.Random) -> bytes:
    """A word or number becomes another."""
    words = data.split(b" ") if b" " in data else data.split(b"\t")
    words[rng.randrange(len(words))] = rng.choice(NASTY).encode()
    return (b" " if b" " in data else b"\t").join(words)


def _doubled(data: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(data))
    end = start + rng.randrange(len(data) - start + 1)
    return data[:end] + data[start:]


def _without_a_line(data: bytes, rng: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    del lines[rng.randrange(len(lines))]
    return b"".join(lines)


def _shuffled(data: bytes, rng: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    rng.shuffle(lines)
    return b"".join(lines)


def _other_ends(data: bytes, rng: random.Random) -> bytes:
    return b"".join(line + rng.choice([b"\n", b"\r\n", b"\r", "\u2028".encode()]) for line in data.splitlines())


DAMAGE = {
    "flipped bits": _flipped,
    "cut short": _cut,
    "something put in": _put_in,
    "a word replaced": _replaced,
    "a part doubled": _doubled,
    "a line left out": _without_a_line,
    "lines in another order": _shuffled,
    "mixed line ends": _other_ends,
    "a mark in front": lambda data, rng: b"\xef\xbb\xbf" + data,
    "garbage behind": lambda data, rng: data + rng.randbytes(20),
}


def attack(rng: random.Random, folder: Path) -> Iterator[str | None]:
    """Spoil one file that one command reads, run the command, and put the file back."""
    name = rng.choice([name for name in LINES if read_by(name, folder)])
    file = folder / rng.choice(read_by(name, folder))
    before = file.read_bytes()
    if rng.random() < 0.3 or not before:
        kind = rng.choice(list(FRESH))
        spoilt = FRESH[kind](rng)
    else:
        kind = rng.choice(list(DAMAGE))
        spoilt = DAMAGE[kind](before, rng)
    try:
        file.write_bytes(spoilt)
        found = fault(run(LINES[name], folder), f"{name}, {file.name}: {kind}")
        if found:
            keep(spoilt, found)
        yield found
    finally:
        file.write_bytes(before)


def read_by(name: str, folder: Path) -> list[str]:
    """Return the files that a command line names, and those in a folder that it names."""
    found = []
    for word in LINES[name]:
        for part in word.replace(",", "=").split("="):
            path = folder / part.split(":")[0]
            if path.is_file() and path.parent == folder and not path.name.startswith("out"):
                found.append(path.name)
            elif path.is_dir() and path != folder and not path.name.startswith("out"):
                found += [str(file.relative_to(folder)) for file in path.rglob("*") if file.is_file()]
    return sorted(set(found))


def keep(spoilt: bytes, found: str) -> None:
    """Keep what a fault was found with, where `TERTIUM_ATTACK` names a folder for it."""
    if place := os.environ.get("TERTIUM_ATTACK"):
        path = Path(place) / f"{abs(hash(found)):x}"
        path.write_bytes(spoilt)
        path.with_suffix(".txt").write_text(found, encoding="utf-8", errors="replace")
