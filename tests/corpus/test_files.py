"""Files of lines: what ends a line, what is no text, and files that do not fit together."""

import gzip
import io
import sys

import pytest

from tertium.corpus.parallel import misaligned_from, parallel_blocks
from tertium.corpus.readers import LineFile
from tertium.errors import InputError


@pytest.fixture
def lines_of(tmp_path):
    """Return the lines that a file with these bytes has, and the warnings about it."""

    def read(data, name="file.txt", block=2):
        path = tmp_path / name
        path.write_bytes(data)
        return taken(str(path), block)

    return read


def taken(path, block=2):
    warnings, lines = [], []
    file = LineFile(path, warn=warnings.append)
    while len(texts := file.take(block)):
        lines += [texts[i][0] for i in range(len(texts))]
    assert file.taken == len(lines)
    return lines, warnings


def blocks(systems, references, documents=None, *, size=1000):
    warnings = []
    found = list(
        parallel_blocks(
            {name: LineFile(str(path), warn=warnings.append) for name, path in systems.items()},
            [LineFile(str(path), warn=warnings.append) for path in references],
            LineFile(str(documents), warn=warnings.append) if documents else None,
            size=size,
            warn=warnings.append,
        )
    )
    return found, warnings


# --- lines --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"\n\n", ["", ""]),
        (b"a", ["a"]),
        (b"a\n", ["a"]),
        (b"a\nb", ["a", "b"]),
        (b"a\n\nb\n", ["a", "", "b"]),
        (b" a \t\n", [" a \t"]),
        ("é\n中文\n😀".encode(), ["é", "中文", "😀"]),
    ],
)
def test_a_line_feed_ends_a_line(lines_of, data, lines):
    assert lines_of(data) == (lines, [])


def test_carriage_returns_before_line_feeds_go_too(lines_of):
    lines, warnings = lines_of(b"a\nb\r\nc\r\nd\r")
    assert lines == ["a", "b", "c", "d"]
    assert len(warnings) == 1
    assert "file.txt, line 2 ends in CR LF" in warnings[0]


@pytest.mark.parametrize("odd", ["\u2028", "\u2029", "\x85", "\v", "\f", "\r"])
def test_other_separators_stay_and_are_told_of(lines_of, odd):
    lines, warnings = lines_of(f"a\nb\nc{odd}d\ne{odd}f\n".encode())
    assert lines == ["a", "b", f"c{odd}d", f"e{odd}f"]
    assert len(warnings) == 1
    assert "line 3 has a character inside that some programs take for a line end" in warnings[0]


def test_a_byte_order_mark_is_left_out(lines_of):
    lines, warnings = lines_of(b"\xef\xbb\xbfa\n\xef\xbb\xbfb\n")
    assert lines == ["a", "b"]
    assert warnings[0].endswith("file.txt begins with a byte-order mark, which was left out of the first segment.")


def test_byte_order_marks_where_files_were_joined_are_left_out_and_told_of(lines_of):
    lines, warnings = lines_of("a\nb \ufeffc\n\ufeffd\ne\n\ufefff\n".encode())
    assert lines == ["a", "b \ufeffc", "d", "e", "f"]  # inside a line it is the author's
    assert len(warnings) == 2
    assert "file.txt, line 3 begins with a byte-order mark, as where files were joined." in warnings[1]
    assert "file.txt, line 2 has a byte-order mark inside" in warnings[0]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"a\nb\nc\xff\n", r"line 3, byte 2 \(0xFF\) is not UTF-8.*iconv"),
        (b"\xc3\n\xa9", r"line 1, byte 1 \(0xC3\)"),  # cut in two by a line end
        (b"ok\n\xed\xa0\x80", r"line 2, byte 1 \(0xED\)"),
        (b"\xe4\xb8", r"line 1, byte 1 \(0xE4\)"),
        (b"a\n" * 70_000 + b"caf\xe9\n", r"line 70,001, byte 4 \(0xE9\)"),
        (b"a\x00b\n", "line 1, byte 2 is a NUL: this looks like a binary file"),
        ("a\n".encode("utf-16"), r"is UTF-16"),
        ("a\n".encode("utf-16-be"), "is a NUL"),
    ],
)
def test_what_is_no_text_is_refused_with_its_place(lines_of, data, message):
    with pytest.raises(InputError, match=message):
        lines_of(data, block=32_768)


def test_gzip(lines_of):
    data = "one\ntwo 中\n".encode()
    assert lines_of(gzip.compress(data), "file.txt.gz")[0] == ["one", "two 中"]
    assert lines_of(gzip.compress(data), "without-suffix")[0] == ["one", "two 中"]
    assert lines_of(gzip.compress(data) + gzip.compress(b"three"), "members.gz")[0] == ["one", "two 中", "three"]
    assert lines_of(gzip.compress(b""), "empty.gz") == ([], [])


@pytest.mark.parametrize(
    "data",
    [
        gzip.compress(b"some text\n" * 1000)[:-12],
        gzip.compress(b"some text\n" * 1000)[:5],
        b"no gzip at all\n",
        gzip.compress(b"some text\n")[:-8] + b"\x00" * 8,  # wrong checksum
        gzip.compress(b"some text\n")[:12] + b"\xff" * 20,
    ],
    ids=["no end", "head only", "text", "wrong checksum", "wrong data"],
)
def test_broken_gzip_is_refused(lines_of, data):
    with pytest.raises(InputError, match="cut short"):
        lines_of(data, "file.txt.gz")


def test_missing_files_and_directories(tmp_path):
    with pytest.raises(InputError, match="is a directory"):
        taken(str(tmp_path))
    with pytest.raises(InputError, match="nothing.txt cannot be read: no such file or directory"):
        taken(str(tmp_path / "nothing.txt"))


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("a\nb é".encode())))
    assert taken("-") == (["a", "b é"], [])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\n\xff")))
    with pytest.raises(InputError, match="standard input, line 2, byte 1"):
        taken("-")


# --- files side by side -------------------------------------------------------------------------------------


@pytest.fixture
def write(tmp_path):
    def write(name, lines):
        path = tmp_path / name
        path.write_text("".join(f"{line}\n" for line in lines))
        return path

    return write


def numbered(count, kind="word"):
    return [f"{kind}{i} {kind}{i + 1} and {kind}{3 * i} end" for i in range(count)]


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_blocks_cover_all_files(write, size):
    texts = numbered(7)
    system, other = write("a.txt", texts), write("b.txt", reversed(texts))
    found, warnings = blocks({"a": system, "b": other}, [system, other], write("d.txt", "xxyyzzz"), size=size)
    assert sum(len(block) for block in found) == 7
    assert [text for block in found for i in range(len(block)) for text in block.hypotheses["b"][i]] == texts[::-1]
    pairs = [block.references[i] for block in found for i in range(len(block))]
    assert pairs == [list(pair) for pair in zip(texts, texts[::-1], strict=True)]
    assert [name for block in found for name in block.documents] == list("xxyyzzz")
    assert warnings == []


def test_unequal_lengths_are_refused_with_both_counts(write):
    one, two = write("hyp.txt", numbered(1200)), write("ref.txt", numbered(1100))
    with pytest.raises(InputError, match=r"hyp\.txt has 1,200 segments, but .*ref\.txt has 1,100\."):
        blocks({"a": one}, [two], size=64)


@pytest.mark.parametrize("dropped", [0, 1, 57, 200, 398])
@pytest.mark.parametrize("shorter", ["hypothesis", "reference"])
def test_the_line_that_is_missing_is_found(write, dropped, shorter):
    whole = numbered(400)
    other = [line.replace("and", "und") for line in whole]
    del (whole if shorter == "hypothesis" else other)[dropped]
    hypothesis, reference = write("hyp.txt", whole), write("ref.txt", other)
    name = "hyp.txt" if shorter == "hypothesis" else "ref.txt"
    with pytest.raises(
        InputError, match=rf"misaligned at line {dropped + 1:,} \(a line is missing from .*{name} there\?\)"
    ):
        blocks({"a": hypothesis}, [reference])


def test_a_file_that_stops_early_is_recognised(write):
    with pytest.raises(InputError, match=r"short\.txt seems to stop early"):
        blocks({"a": write("short.txt", numbered(95))}, [write("ref.txt", numbered(100))])


def test_documents_must_fit_too(write):
    text = write("a.txt", numbered(3))
    with pytest.raises(InputError, match=r"a\.txt has 3 segments, but .*docs\.txt has 2"):
        blocks({"a": text}, [text], write("docs.txt", ["x", "y"]))


def test_empty_files_are_refused(write):
    empty = write("a.txt", [])
    with pytest.raises(InputError, match="there is no segment to score"):
        blocks({"a": empty}, [empty])
    with pytest.raises(InputError, match=r"a\.txt has 0 segments"):
        blocks({"a": empty}, [write("b.txt", ["x"])])


@pytest.mark.parametrize(
    ("shorter", "longer", "expected"),
    [
        ("acd", "abcd", 1),
        ("bcd", "abcd", 0),
        ("abc", "abcd", 3),
        ("abef", "abcdef", 2),
        ("", "ab", 0),
        ("abc", "abc", 0),
    ],
)
def test_misaligned_from(shorter, longer, expected):
    assert misaligned_from([frozenset(c) for c in shorter], [frozenset(c) for c in longer]) == expected
