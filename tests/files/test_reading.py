"""Reading: whatever holds the bytes, in bounded memory, and whatever others do to the file meanwhile."""

import bz2
import gzip
import lzma
import os
import sys
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import examples
from tertium.errors import InputError
from tertium.files import lines as lines_module
from tertium.files import reading
from tertium.files.lines import Lines
from tertium.files.reading import legible


def texts(path, most=3):
    lines = Lines(str(path), warn=lambda _: None)
    found = []
    while len(block := lines.take(most)):
        found += [block[i][0] for i in range(len(block))]
        last = len(block)
    assert lines.taken == len(found)
    return found, (last if found else 0)


@given(
    st.lists(st.text(st.characters(exclude_characters="\n\r\0\ufeff", exclude_categories=["Cs"]), max_size=12)),
    st.booleans(),
)
@examples(60)
def test_lines_are_the_same_however_they_are_cut(tmp_path_factory, content, ends):
    """Chunks of a few bytes cut lines, characters and line ends anywhere."""
    path = tmp_path_factory.mktemp("cut") / "text"
    data = "\n".join(content) + ("\n" if ends else "")
    path.write_bytes(data.encode())
    expected = data.split("\n")
    if expected[-1] == "":
        expected.pop()
    for size in (1, 2, 3, 7, 1 << 20):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(reading, "_CHUNK", size)
            found, last = texts(path)
            assert found == expected
            assert last in (len(expected) % 3 or 3, 0)  # blocks are full but for the last


@pytest.mark.parametrize("packed", [bytes, gzip.compress, bz2.compress, lzma.compress, "zstd"])
def test_compressed_files_are_known_by_how_they_begin(tmp_path, packed):
    if packed == "zstd":
        packed = pytest.importorskip("zstandard").compress
    text = "".join(f"line {i}\n" for i in range(50_000))
    path = tmp_path / "no-suffix"
    path.write_bytes(packed(text.encode()))
    assert texts(path, 1000)[0] == text.splitlines()
    assert reading.whole(str(path)) == text.encode()
    assert reading.head(str(path), 6)[:6] == b"line 0"


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="has no /proc")
def test_files_that_claim_no_size_are_read():
    assert texts("/proc/self/status")[0][0].startswith("Name:")


@pytest.mark.parametrize("change", ["cut short", "rewritten"])
def test_a_file_that_changes_while_it_is_read_hurts_nobody(tmp_path, monkeypatch, change):
    """What was taken stays what it was; what comes is what the file then holds."""
    monkeypatch.setattr(reading, "_CHUNK", 7 * 9000)
    path = tmp_path / "text"
    path.write_text("before\n" * 100_000)
    lines = Lines(str(path), warn=lambda _: None)
    block = lines.take(1000)
    with open(path, "r+") as file:
        if change == "cut short":
            file.truncate(0)
        else:
            file.write("after!\n" * 100_000)
    assert {block[i][0] for i in range(1000)} == {"before"}
    rest = set(lines)
    assert len(rest - {"before", "after!"}) <= 1  # the line on which it changed
    assert ("after!" in rest) == (change == "rewritten")


@pytest.mark.parametrize("bomb", ["zero", "gzip", "zstd"])
def test_a_line_without_end_is_refused_in_bounded_memory(tmp_path, monkeypatch, bomb):
    monkeypatch.setattr(lines_module, "LONGEST", 1 << 23)
    path = tmp_path / "bomb"
    if bomb == "zero":
        if not os.path.exists("/dev/zero"):
            pytest.skip("has no /dev/zero")
        path = "/dev/zero"
    elif bomb == "gzip":
        path.write_bytes(gzip.compress(b"fine\n") + gzip.compress(b"x" * (1 << 27)))
    else:
        path.write_bytes(pytest.importorskip("zstandard").compress(b"fine\n" + b"x" * (1 << 27)))
    tracemalloc.start()
    with pytest.raises(InputError, match=rf"{path}, line {1 if bomb == 'zero' else 2} is longer than 8 MiB"):
        list(Lines(str(path), warn=lambda _: None))
    assert tracemalloc.get_traced_memory()[1] < 1 << 27
    tracemalloc.stop()


def test_files_that_are_held_whole_have_a_limit(tmp_path, monkeypatch):
    path = tmp_path / "small.xml"
    path.write_bytes(b"<x/>")
    assert reading.whole(str(path)) == b"<x/>"
    monkeypatch.setattr(reading, "_WHOLE", 3)
    with pytest.raises(InputError, match=r"small.xml is larger than .* Split it"):
        reading.whole(str(path))


def test_standard_input_that_is_closed(monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(InputError, match=r"Standard input \(-\) is closed"):
        Lines("-", warn=lambda _: None)


def test_what_cannot_be_read_is_named(tmp_path):
    with pytest.raises(InputError, match=r"nothing.txt cannot be read: no such file"):
        Lines(str(tmp_path / "nothing.txt"), warn=lambda _: None)
    with pytest.raises(InputError, match="is a directory"):
        reading.whole(str(tmp_path))


@pytest.mark.parametrize("filler", ["plain words\n", "größer, ťažší, 大きい\n"])
@pytest.mark.parametrize("at", [1, 2, 5000, 5041, 5042, 5043, 20_000])
def test_what_is_odd_is_found_on_its_line_however_far_it_is(tmp_path, filler, at):
    """Text is looked at in pieces of 64 KiB, of which some need no closer look."""
    told = {
        "cr\r": "ends in CR LF",
        "a\u2028b": "take for a line end",
        "\ufeffmark": "begins with a byte-order mark",
        "joined\ufeffhere": "has a byte-order mark inside",
    }
    for odd, message in told.items():
        path = tmp_path / "text"
        path.write_text(filler * (at - 1) + f"{odd}\n" + filler * 3, encoding="utf-8", newline="\n")
        warnings = []
        found = list(Lines(str(path), warn=warnings.append))
        assert len(found) == at + 3
        assert found[at - 1] == odd.strip("\r\ufeff")
        assert len(warnings) == 1
        assert message in warnings[0]
        assert f"line {at:,}" in warnings[0] or (at == 1 and "mark" in odd)
    path.write_bytes(filler.encode() * (at - 1) + b"ba\xffd\n" + filler.encode())
    with pytest.raises(InputError, match=rf"line {at:,}, byte 3 \(0xFF\)"):
        list(Lines(str(path), warn=lambda _: None))


def test_names_are_text_in_any_locale():
    assert legible("a\udcff\udc80.txt") == r"a\xff\x80.txt"
    assert legible("é.txt") == "é.txt"
    assert legible("\ud800") == "\ud800"  # no byte of a path: those who read the name refuse it
