"""Random bytes, truncations and mutations of each format: an answer or an error of ours, never a crash or a hang."""

import random

import pytest

from corpus import samples
from tertium.corpus.formats import KINDS, open_references, open_systems
from tertium.corpus.parallel import parallel_blocks
from tertium.errors import TertiumError

COLUMNS = {"table.tsv": "sys", "table.csv": "sys", "table.jsonl": "sys", "memory.tmx": "xx", "job.xlf": "target",
           "job2.xlf": "alternative", "sheet.xlsx": "sys", "sheet.ods": "sys"}  # fmt: skip
SPLICES = [b"\n", b"\r\n", b"\t", b'"', b",", b"<", b">", b"</seg>", b"<seg id=1>", b"&amp;", b"(", b")", b"{", b"}",
           b"[", b"]", b"\\", b"\x00", b"\xff", b"\xed\xa0\x80", b"\xe2\x80\xa8", b"\xef\xbb\xbf", b"1" * 400]  # fmt: skip


def mutated(data: bytes, rng: random.Random) -> bytes:
    """Cut, repeat, overwrite or splice something in."""
    kind = rng.randrange(6)
    if kind == 0:
        return rng.randbytes(rng.randrange(200))
    if kind == 1:
        return data[: rng.randrange(len(data) + 1)]
    changed = bytearray(data)
    for _ in range(rng.randrange(1, 8)):
        at = rng.randrange(len(changed) + 1)
        if kind == 2 and at < len(changed):
            changed[at] = rng.randrange(256)
        elif kind == 3:
            del changed[at : at + rng.randrange(1, 40)]
        elif kind == 4:
            changed[at:at] = changed[at : at + rng.randrange(60)]
        else:
            changed[at:at] = rng.choice(SPLICES)
    return bytes(changed)


@pytest.mark.parametrize("cases", [3_000, pytest.param(100_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", sorted(samples.files()))
def test_no_input_breaks_a_reader(name, cases, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    contents = samples.files()
    rng = random.Random(f"fuzz {name} {cases}")
    tried = refused = 0
    for _ in range(max(1, cases // len(contents))):
        data = mutated(contents[name], rng)
        with open(name, "wb") as file:
            file.write(data)
        kind = rng.choice([None, None, None, *KINDS]) if rng.random() < 0.3 else None
        if kind == "parquet":
            kind = None  # another project's parser; its own errors are tested with real files
        column = COLUMNS.get(name)
        argument = (
            f"{name}:{column}" if column and kind in (None, "tsv", "csv", "jsonl", "tmx", "xliff", "sheet") else name
        )
        tried += 1
        try:
            systems = open_systems(argument, kind=kind, warn=lambda message: None)
            references = open_references(argument, kind=kind, warn=lambda message: None)
            for block in parallel_blocks(systems, references, None, size=3, warn=lambda message: None):
                assert all(isinstance(text, str) for i in range(len(block)) for text in block.references[i])
        except TertiumError as error:
            refused += 1
            assert str(error)
    assert 0 < refused <= tried
