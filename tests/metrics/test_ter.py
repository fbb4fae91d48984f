"""TER: worked examples, the textbook on generated input, and the programs' own numbers."""

import csv
import random
from collections import defaultdict
from functools import cache
from math import inf

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import tertium
from examples import examples
from oracles import ter as textbook
from oracles.generated import alike, edited, sequence
from oracles.wmt import ORACLE, needs_oracle
from tertium import TER, _native, parse_metric
from tertium.errors import InputError, UnknownNameError

VARIANTS = ("tercom", "sacrebleu", "thesis")
RULES = {"tercom": textbook.TERCOM, "sacrebleu": textbook.SACREBLEU, "thesis": textbook.THESIS}


def row_of(hypothesis, references, **options):
    return TER(**options).statistics([hypothesis], [references])[0].tolist()


def score_of(hypothesis, references, **options):
    metric = TER(**options)
    return float(metric.score(metric.statistics([hypothesis], [references]))[0])


def counts(result):
    return [
        result.insertions,
        result.deletions,
        result.substitutions,
        result.shifts,
        result.shifted_words,
        result.edits,
    ]


# --- worked examples ----------------------------------------------------------------------------------------

SAUDIS = (
    "this week the saudis denied information published in the new york times",
    "saudi arabia denied this week information published in the american new york times",
)
COMPLEX = (
    "more complex than in the previous decades a complex situation",
    "a more complex situation than in the past decades",
)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    ("hypothesis", "references", "edits", "length"),
    [
        (SAUDIS[0], [SAUDIS[1]], 4, 13),
        ("a d e b c f", ["a b c d e f c"], 2, 7),
        (COMPLEX[0], [COMPLEX[1]], 4, 9),
        ("a b c d e f g h i j k l m n o p q r s t u v w x y z", ["a b c d", "a b x c d e"], 21, 5),
        ("a b", ["a c", "a x b c d e f g h"], 1, 5.5),
        ("", ["a b c"], 3, 3),
        ("hello", [""], 1, 0),
        ("", [""], 0, 0),
        ("the cat", ["the cat"], 0, 2),
    ],
)
def test_edits_and_length(variant, hypothesis, references, edits, length):
    assert row_of(hypothesis, references, variant=variant)[5:7] == [edits, length]


def test_rows_count_edits_by_kind():
    assert row_of(SAUDIS[0], [SAUDIS[1]]) == [0, 1, 2, 1, 2, 4, 13]
    assert row_of(COMPLEX[0], [COMPLEX[1]]) == [1, 0, 1, 2, 3, 4, 9]
    assert TER().columns == (
        "insertions", "deletions", "substitutions", "shifts", "shifted_words", "edits", "reference_length",
    )  # fmt: skip


def test_scores_are_in_percent_and_may_exceed_100():
    assert score_of(SAUDIS[0], [SAUDIS[1]]) == pytest.approx(100 * 4 / 13)
    assert score_of("a b c d e", ["a"]) == 400
    assert score_of("hello", [""]) == 100
    assert score_of("", [""]) == 0


def test_the_programs_differ_where_a_block_is_aimed_at_itself():
    assert row_of("d b a b f", ["a f d b b"])[5] == 2
    assert row_of("d b a b f", ["a f d b b"], variant="sacrebleu")[5] == 3


def test_a_corpus_is_scored_from_sums_but_the_definition_weighs_by_hypothesis_length():
    hypotheses, references = [SAUDIS[0], "a d e b c f"], [SAUDIS[1], "a b c d e f c"]
    tercom, thesis = TER(), TER(variant="thesis")
    assert tercom.score(tercom.statistics(hypotheses, references).sum(axis=0)) == pytest.approx(30)
    rows = thesis.statistics(hypotheses, references)
    assert thesis.score(rows.sum(axis=0)) == pytest.approx(30.0366, abs=5e-5)
    assert thesis.columns[5:] == ("edits", "reference_length", "weighted_ter", "hypothesis_length")
    assert rows[0, 5:].tolist() == pytest.approx([4, 13, 12 * 4 / 13, 12])
    assert thesis.score(thesis.statistics([""], ["a b"])) == [100]


@pytest.mark.parametrize(("scheme", "length"), [("average", 3), ("best", 2), ("closest", 4), ("shortest", 2)])
def test_reference_length_schemes(scheme, length):
    references = ["a b", "u v w x", "u v w"]  # the first has the fewest edits
    assert row_of("a b c d", references, reference_length=scheme)[5:7] == [2, length]


def test_of_equally_close_lengths_the_shorter_counts():
    assert row_of("a b c", ["a b", "a b c d"], reference_length="closest")[6] == 2


def test_length_references_serve_human_targeted_ter():
    rows = TER().statistics(["a b c"], ["a b d"], length_references=[["u v w x", "u v"]])
    assert rows[0].tolist() == [0, 0, 1, 0, 0, 1, 3]
    thesis = TER(variant="thesis")
    rows = thesis.statistics(["a b c"], ["a b d"], length_references=["u v w x y z"])
    assert thesis.score(rows) == pytest.approx([100 / 6])


# --- text ---------------------------------------------------------------------------------------------------


def test_sacrebleu_rewrites_references_twice():
    # The comma after 's goes in the first pass, so only the second finds a blank there and splits 's off.
    texts, options = "friend's, imagist", {"normalized": True, "no_punct": True}
    ours, theirs = TER(variant="sacrebleu", **options), TER(**options)
    assert ours.tokenizer(texts) == ["friend's", "imagist"]
    assert ours.reference_tokenizer(texts) == ["friend", "'s", "imagist"]
    assert theirs.reference_tokenizer(texts) == theirs.tokenizer(texts) == ["friend's", "imagist"]
    assert row_of(texts, [texts], variant="sacrebleu", **options)[5:] == [2, 3]
    assert ours.align(texts, [texts]).reference == ("friend", "'s", "imagist")


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        ("The  CAT\tsat", {}, ["the", "cat", "sat"]),
        ("The CAT", {"case_sensitive": True}, ["The", "CAT"]),
        ("a\u00a0b\u3000c", {}, ["a\u00a0b\u3000c"]),
        ("a\u00a0b\u3000c", {"variant": "sacrebleu"}, ["a", "b", "c"]),
        ("It's 3.5, no?", {"normalized": True}, ["it", "'s", "3.5", ",", "no", "?"]),
        ("&quot;a&amp;b&quot;", {"normalized": True}, ['"', "a", "&", "b", '"']),
        ("<skipped>a", {"normalized": True}, ["a"]),
        ("<skipped>a", {"normalized": True, "variant": "sacrebleu"}, ["<", "skipped", ">", "a"]),
        ("3-4 a-b", {"normalized": True}, ["3", "-", "4", "a-b"]),
        ("soon, thx. a.b.", {"normalized": True}, ["soon", ",", "thx", ".", "a", ".", "b", "."]),
        ("soon, thx. a.b.", {"normalized": True, "version": "0.7.25"}, ["soon", ",", "thx.", "a.b."]),
        ('" hello world', {"no_punct": True}, ["", "hello", "world"]),
        ('" hello world', {"no_punct": True, "variant": "sacrebleu"}, ["hello", "world"]),
        (".", {"no_punct": True}, [""]),
        (". .", {"no_punct": True}, []),
        (".", {"no_punct": True, "variant": "sacrebleu"}, []),
        ("ひらカタ漢字。x", {"normalized": True, "asian_support": True}, ["ひら", "カタ", "漢", "字", "。", "x"]),
        (
            "ひらカタ漢字。x",
            {"normalized": True, "asian_support": True, "variant": "sacrebleu"},
            ["ひらカタ", "漢", "字", "。", "x"],
        ),
        ("漢、字（x）", {"no_punct": True, "asian_support": True}, ["漢字x"]),
    ],
)
def test_words(text, options, words):
    metric = TER(**options)
    assert metric.tokenizer(text) == words
    if options.get("version") is None:
        arguments = {key: value for key, value in options.items() if key != "variant"}
        assert textbook.tokens(text, options.get("variant", "tercom"), **arguments) == words


TEXT = st.text(st.sampled_from("aB1.,-' s\n\t\"&;<>(!?/|\u00a0\u3000。、・ひカー漢㐀㈱ｱ！é"), max_size=40)


@given(TEXT, st.sampled_from(VARIANTS), st.booleans(), st.booleans(), st.booleans(), st.booleans())
@examples(600)
def test_words_as_the_textbook_finds_them(text, variant, normalized, no_punct, asian_support, case_sensitive):
    options = {
        "normalized": normalized,
        "no_punct": no_punct,
        "asian_support": asian_support,
        "case_sensitive": case_sensitive,
    }
    program = "sacrebleu" if variant == "sacrebleu" else "tercom"
    assert TER(variant=variant, **options).tokenizer(text) == textbook.tokens(text, program, **options)


PIECES = [
    *"aAzZ@[`{ 1.éÉßİΣ’\x00\x7f",
    " ",
    " ",
    " ",
    "\t\n",
    "\x1c",
    "\x1f",
    "\x85",
    "\u00a0",
    "\u3000",
    "the",
    "House",
    "HOUSEHOLD",
]
LONG_TEXT = st.lists(st.sampled_from(PIECES), max_size=140).map("".join)


@given(LONG_TEXT, LONG_TEXT, st.sampled_from(VARIANTS[:2]))
@examples(600)
def test_rows_count_the_words_that_alignments_show(text, other, variant):
    """Where nobody wants to see words they are not written down: keys are made of the bytes, sixty-four at a time."""
    metric = TER(variant=variant)
    words, others = (metric.tokenizer.compared(metric.tokenizer(one)) for one in (text, other))
    for hypothesis, reference in ((words, others), (words, words[::-1])):
        edits = _native.ter_alignment(hypothesis, reference, metric.search)[0]
        row = row_of(text, [other if reference is others else " ".join(reference)], variant=variant)
        assert row[5:] == [edits, len(reference)]


def test_unicode_normalization_comes_first():
    assert row_of("cafe\u0301", ["caf\u00e9"], unicode="nfc")[5] == 0
    assert row_of("cafe\u0301", ["caf\u00e9"])[5] == 1


# --- generated input against the textbook --------------------------------------------------------------------


def assert_like_textbook(hypothesis, reference, variant, **changes):
    costs = {key: changes[key] for key in ("insertion", "deletion", "substitution", "shift", "match") if key in changes}
    limits = {key: value for key, value in changes.items() if key not in costs}
    metric = TER(variant=variant, costs=costs, **limits)
    rules = textbook.Rules(**{**RULES[variant].__dict__, **changes})
    expected = textbook.score_pair(hypothesis, reference, rules)
    row = metric.statistics([" ".join(hypothesis)], [" ".join(reference)], threads=1)[0]
    assert row[:6].tolist() == pytest.approx(counts(expected), abs=1e-9)
    edits, operations, moves = _native.ter_alignment(hypothesis, reference, metric.search)
    assert edits == pytest.approx(expected.edits, abs=1e-9)
    assert operations == expected.operations
    if variant != "thesis":
        assert [(start, start + length - 1, place) for start, length, _, _, place in moves] == list(expected.moves)


SHORT = alike(["ab", "abcde", "abcdefghijklmnop"], st.integers(0, 11), most_references=1)


@pytest.mark.parametrize("variant", VARIANTS)
@given(SHORT)
def test_agrees_with_the_textbook(variant, texts):
    hypothesis, references = texts
    assert_like_textbook(hypothesis, references[0], variant)


@pytest.mark.parametrize("variant", ["tercom", "sacrebleu"])
@given(
    SHORT,
    st.sampled_from([0, 1, 2, 3, 5]),
    st.sampled_from([0, 1, 2, 10]),
    st.sampled_from([0, 1, 3, 50]),
    st.sampled_from([1, 5, 20, 1000]),
)
def test_agrees_with_the_textbook_when_limits_bite(variant, texts, beam, size, distance, candidates):
    hypothesis, references = texts
    limits = {"beam": beam, "max_shift_size": size, "max_shift_distance": distance}
    if variant == "sacrebleu":
        limits |= {"max_candidates": candidates, "beam": beam + 1}
    assert_like_textbook(hypothesis, references[0], variant, **limits)


@pytest.mark.parametrize("variant", VARIANTS)
@given(SHORT, st.lists(st.sampled_from([0, 0.25, 0.5, 1, 2, 3]), min_size=5, max_size=5))
def test_agrees_with_the_textbook_on_other_costs(variant, texts, costs):
    hypothesis, references = texts
    kinds = ("insertion", "deletion", "substitution", "shift", "match")
    assume(variant != "tercom" or costs[3] > 0)
    assert_like_textbook(hypothesis, references[0], variant, **dict(zip(kinds, costs, strict=True)))


def adversarial(rng, lengths):
    """Unrelated text, permutations, repeated words, much longer on one side, or edited."""
    vocabulary = [f"w{n}" for n in range(rng.choice([2, 4, 12, 60, 400]))]
    hypothesis = sequence(vocabulary, rng.choice(lengths), rng.getrandbits(32))
    kind = rng.randrange(5)
    if kind == 0:
        reference = sequence(vocabulary, rng.choice(lengths), rng.getrandbits(32))
    elif kind == 1:
        reference = rng.sample(hypothesis, len(hypothesis))
    elif kind == 2:
        reference = hypothesis[: max(1, len(hypothesis) // 60)]
    else:
        reference = edited(hypothesis, vocabulary, rng.randrange(1, 20), rng.choice(lengths), rng.getrandbits(32))
    return (hypothesis, reference) if rng.random() < 0.5 else (reference, hypothesis)


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["tercom", "sacrebleu"])
def test_masks_agree_with_cells(variant):
    """The search on masks against the plain one, which the tests above hold to the textbook."""
    rng = random.Random(20)
    lengths = [1, 2, 20, 29, 30, 31, 32, 40, 61, 62, 63, 64, 65, 90, 125, 126, 127, 128, 129]
    for beam in (None, None, 1, 3, 10):
        metric = TER(variant=variant, beam=beam)
        pairs = [adversarial(rng, lengths) for _ in range(60)]
        pairs += [adversarial(rng, [140, 180, 220, 250, 253, 254, 255, 256]) for _ in range(4)]
        rows = metric.statistics([" ".join(h) for h, _ in pairs], [" ".join(r) for _, r in pairs])
        for (hypothesis, reference), row in zip(pairs, rows, strict=True):
            edits, operations, moves = _native.ter_alignment(hypothesis, reference, metric.search)
            kinds = [operations.count(letter) for letter in "IDS"]
            assert row[:6].tolist() == [*kinds, len(moves), sum(move[1] for move in moves), edits]


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["tercom", "sacrebleu"])
def test_agrees_with_the_textbook_on_sentences(variant):
    rng = random.Random(4)
    for _ in range(12):
        hypothesis, reference = adversarial(rng, [18, 26, 33])
        assert_like_textbook(hypothesis, reference, variant)
    for _ in range(2):
        hypothesis, reference = adversarial(rng, [64, 66])
        assert_like_textbook(hypothesis, reference, variant, max_shift_size=2, max_shift_distance=3)


# --- alignments ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", VARIANTS)
def test_segments_do_not_depend_on_those_read_with_them(variant):
    rng = random.Random(9)

    def text():
        size = rng.choice([0, 1, rng.randint(2, 20), rng.randint(21, 62), rng.randint(63, 140)])
        return " ".join(rng.choice("abcdefg") * rng.choice([1, 1, 1, 9, 30]) for _ in range(size))

    hypotheses = [text() for _ in range(100)]
    references = [[text() for _ in range(rng.choice([1, 1, 3]))] for _ in hypotheses]
    metric = TER(variant=variant, max_shift_distance=50, max_shift_size=10)
    alone = [metric.statistics([h], [r]) for h, r in zip(hypotheses, references, strict=True)]
    for threads in (1, 2):
        together = metric.statistics(hypotheses, references, threads=threads)
        np.testing.assert_array_equal(together, np.vstack(alone))


@pytest.mark.parametrize("options", [{}, {"normalized": True}, {"unicode": "nfc"}, {"stem": "porter"}])
@pytest.mark.parametrize("variant", ["tercom", "sacrebleu"])
def test_odd_texts_among_those_read_in_one_go(variant, options):
    rng = random.Random(11)
    odd = ["\u00c9COLE a", "a\u00a0b", "x" * 70 + " b", "A" * 70_000, "a " * 300, "", " "]

    def text():
        return rng.choice(odd) if rng.random() < 0.2 else " ".join(rng.choice("AbCd") for _ in range(rng.randint(1, 9)))

    hypotheses = [text() for _ in range(80)]
    references = [[text() for _ in range(rng.choice([1, 1, 3]))] for _ in hypotheses]
    metric = TER(variant=variant, **options)
    alone = [metric.statistics([h], [r]) for h, r in zip(hypotheses, references, strict=True)]
    np.testing.assert_array_equal(metric.statistics(hypotheses, references, threads=2), np.vstack(alone))


def test_a_text_that_is_too_long_is_told_among_others():
    short, longer = ["a b"] * 70, "a b c d"
    with pytest.raises(InputError, match=r"hypotheses\[40\] has 4 tokens"):
        TER(max_tokens=3).statistics([*short[:40], longer, *short[41:]], short)
    references = [["a", "b c"] for _ in short]
    references[33] = ["a", longer]
    with pytest.raises(InputError, match=r"references\[33\] has 4 tokens"):
        TER(max_tokens=3).statistics(short, references)
    hypotheses = [*short[:34], longer, *short[35:]]  # the first segment is told, though this is read before
    with pytest.raises(InputError, match=r"references\[33\] has 4 tokens"):
        TER(max_tokens=3).statistics(hypotheses, references)
    hypotheses[33] = longer
    with pytest.raises(InputError, match=r"hypotheses\[33\] has 4 tokens"):
        TER(max_tokens=3).statistics(hypotheses, references)


@pytest.mark.parametrize("variant", VARIANTS)
@given(alike(["abc", "abcdefgh"], st.integers(0, 14)))
def test_alignments_replay_to_the_reference(variant, texts):
    hypothesis, references = texts
    metric = TER(variant=variant)
    alignment = tertium.align(metric, " ".join(hypothesis), [" ".join(words) for words in references])
    assert alignment.hypothesis == tuple(hypothesis)
    assert alignment.reference == tuple(references[alignment.reference_index])
    shifted, replayed, at = alignment.shifted, [], [0, 0]
    for operation in alignment.operations:
        assert [operation.hyp_start, operation.ref_start] == at
        ours = shifted[operation.hyp_start : operation.hyp_end]
        theirs = alignment.reference[operation.ref_start : operation.ref_end]
        assert (operation.kind == "match") == (ours == theirs)
        assert operation.cost == (operation.kind != "match")
        replayed += theirs
        at = [operation.hyp_end, operation.ref_end]
    assert tuple(replayed) == alignment.reference
    assert at == [len(shifted), len(alignment.reference)]
    row = metric.statistics([" ".join(hypothesis)], [[" ".join(words) for words in references]])[0]
    assert row[5] == len(alignment.shifts) + sum(operation.cost for operation in alignment.operations)
    assert alignment.score == metric.score(row)


def test_an_alignment_by_hand():
    alignment = tertium.align(TER(), *SAUDIS)
    assert alignment.shifts == ((0, 2, 3, ("this", "week")),)
    assert alignment.shifted[:5] == ("the", "saudis", "denied", "this", "week")
    assert [operation.kind[0] for operation in alignment.operations] == list("ssmmmmmmmdmmm")


# --- settings and errors ------------------------------------------------------------------------------------


def test_an_empty_side_costs_one_edit_a_word_in_tercom():
    costs = {"insertion": 0.25, "deletion": 0.5}
    assert row_of("", ["m"], costs=costs)[5] == 1
    assert row_of("m n", [""], costs=costs)[5] == 2
    assert row_of("", ["m"], costs=costs, variant="thesis")[5] == 0.5
    alignment = TER(costs=costs).align("", ["m n"])
    assert (alignment.score, [op.cost for op in alignment.operations]) == (100, [1, 1])


@pytest.mark.parametrize("variant", ["sacrebleu", "thesis"])
def test_shifts_that_cost_nothing_end(variant):
    assert row_of("x a b z", ["y b a w"], costs={"shift": 0}, variant=variant)[3] <= 2


def test_costs_are_a_mapping_or_in_order():
    assert TER(costs={"shift": 2}).costs == (1, 1, 1, 2, 0) == TER(costs=(1, 1, 1, 2)).costs
    assert row_of("a d e b c f", ["a b c d e f c"], costs={"deletion": 0.5})[5] == 1.5
    assert parse_metric("ter:costs=1+1+2+1+0") == TER(costs={"substitution": 2})
    assert parse_metric("ter:beam=inf,max_shift_size=3") == TER(beam=inf, max_shift_size=3)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"variant": "terp"}, UnknownNameError, "variant.*tercom"),
        ({"reference_length": "longest"}, UnknownNameError, "reference_length"),
        ({"version": "0.9"}, UnknownNameError, "version"),
        ({"version": "0.7.25", "variant": "sacrebleu"}, InputError, "version is tercom's"),
        ({"costs": {"insertion": -1}}, InputError, "cost of a insertion.*-1"),
        ({"costs": {"shift": float("nan")}}, InputError, "cost of a shift.*nan"),
        ({"costs": {"swap": 1}}, UnknownNameError, "swap"),
        ({"costs": {"shift": 0}}, InputError, "cost of a shift must be above 0.*never ends"),
        ({"costs": (1, 1)}, InputError, "five numbers"),
        ({"costs": "1"}, InputError, "five numbers"),
        ({"beam": -1}, InputError, "beam"),
        ({"beam": 1.5}, InputError, "beam"),
        ({"beam": float("nan")}, InputError, "beam"),
        ({"max_candidates": 5}, InputError, "max_candidates is sacreBLEU's"),
        ({"max_tokens": 0}, InputError, "max_tokens"),
        ({"normalized": 1}, InputError, "normalized"),
        ({"unicode": "nfd"}, UnknownNameError, "nfd"),
    ],
)
def test_settings_that_make_no_sense_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        TER(**options)


def test_very_long_segments_are_refused():
    with pytest.raises(InputError, match=r"references\[1\] has 6 tokens, but ter takes at most 5.*max_tokens"):
        TER(max_tokens=5).statistics(["a", "a"], ["a b c", "a b c d e f"])
    with pytest.raises(InputError, match=r"hypotheses\[0\] has 20001 tokens"):
        TER().statistics(["a " * 20_001], ["a"])


def test_length_references_must_fit():
    with pytest.raises(InputError, match="2 segments, but length_references has 1"):
        TER().statistics(["a", "b"], ["a", "b"], length_references=["a"])
    with pytest.raises(InputError, match="reference_length='best'"):
        TER(reference_length="best").statistics(["a"], ["a"], length_references=["a"])


def test_a_long_pair_takes_little_time():
    rng = random.Random(9)
    vocabulary = [f"w{n}" for n in range(3000)]
    hypothesis = sequence(vocabulary, 3000, 1)
    reference = edited(hypothesis, vocabulary, 400, 3000, 2)
    rng.shuffle(vocabulary)
    for variant in ("tercom", "sacrebleu"):
        row = TER(variant=variant).statistics([" ".join(hypothesis)], [" ".join(reference)])[0]
        assert 0 < row[5] < 3000


# --- agreement with the programs ----------------------------------------------------------------------------


@cache
def lines(name):
    return (ORACLE / "data" / name).read_text(encoding="utf-8").split("\n")[:-1]


@cache
def table(name):
    with (ORACLE / "expected" / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def texts_of(testset, system, references, count):
    sides = [lines(f"{testset}/ref.{name}.txt")[:count] for name in references.split("+")]
    return lines(f"{testset}/hyp.{system}.txt")[:count], [list(group) for group in zip(*sides, strict=True)]


def options_of(config):
    chosen = dict(item.split("=") for item in config.split("|"))
    return {
        "normalized": chosen["norm"] == "yes",
        "no_punct": chosen["punct"] == "no",
        "case_sensitive": chosen["case"] == "mixed",
        "asian_support": chosen["asian"] == "yes",
    }


def version_of(tool):
    return tool.removeprefix("tercom-").replace("0.10.0", "0.10")


@needs_oracle
@pytest.mark.parametrize("testset", ["wmt22.zh-en", "wmt22.en-de", "wmt22.en-ja", "wmt22.en-zh"])
def test_every_segment_as_in_tercom(testset):
    runs = defaultdict(dict)
    columns = ("ins", "del", "sub", "shifts", "shifted_words", "num_edits", "avg_ref_len")
    for line in table(f"{testset}.tercom.segment.tsv"):
        run = line["config"], line["tool"], line["system"], line["refs"]
        runs[run][int(line["segment"])] = [float(line[name]) for name in columns]
    for (config, tool, system, references), expected in runs.items():
        metric = TER(version=version_of(tool), **options_of(config))
        rows = metric.statistics(*texts_of(testset, system, references, max(expected)))
        assert {segment: rows[segment - 1].tolist() for segment in expected} == expected


@needs_oracle
@pytest.mark.parametrize("testset", ["wmt22.zh-en", "wmt22.en-de", "wmt22.en-ja", "wmt22.en-zh"])
def test_every_corpus_as_in_tercom(testset):
    runs = defaultdict(dict)
    for line in table(f"{testset}.tercom.corpus.tsv"):
        run = line["config"], line["tool"], line["system"], line["refs"]
        runs[run][line["metric"]] = float(line["value"])
    for (config, tool, system, references), expected in runs.items():
        metric = TER(version=version_of(tool), **options_of(config))
        totals = metric.statistics(*texts_of(testset, system, references, None)).sum(axis=0)
        names = ("ins", "del", "sub", "shifts", "shifted_words", "edits", "ref_len")
        found = {f"TER.{name}": value for name, value in zip(names, totals, strict=True)}
        found["TER"] = float(metric.score(totals))
        assert {name: found[name] for name in expected} == pytest.approx(expected, rel=1e-12)


@needs_oracle
@pytest.mark.parametrize("testset", ["wmt22.zh-en", "wmt22.en-de", "wmt22.en-ja", "wmt22.en-zh", "wmt22.ja-en"])
def test_every_segment_as_in_sacrebleu(testset):
    runs = defaultdict(lambda: defaultdict(dict))
    for line in table(f"{testset}.sacrebleu-ter.segment.tsv"):
        run = line["config"], line["system"], line["refs"]
        runs[run][int(line["segment"])][line["metric"]] = float(line["value"])
    for (config, system, references), expected in runs.items():
        metric = TER(variant="sacrebleu", **options_of(config))
        rows = metric.statistics(*texts_of(testset, system, references, max(expected)))
        scores = metric.score(rows)
        for segment, values in expected.items():
            assert rows[segment - 1, 5:].tolist() == [values["TER.edits"], values["TER.ref_len"]]
            assert scores[segment - 1] == pytest.approx(values["TER"], abs=1e-7)


def test_sacrebleu_itself_agrees_on_hard_pairs():
    peer = pytest.importorskip("sacrebleu", reason="sacreBLEU is not installed").metrics.TER()
    rng = random.Random(11)
    pairs = [adversarial(rng, [3, 9, 17, 28]) for _ in range(60)] + [adversarial(rng, [60, 66]) for _ in range(2)]
    hypotheses, references = [" ".join(h) for h, _ in pairs], [" ".join(r) for _, r in pairs]
    expected = peer._extract_corpus_statistics(hypotheses, [references])
    rows = TER(variant="sacrebleu").statistics(hypotheses, references)
    np.testing.assert_array_equal(rows[:, 5:], expected)


@pytest.mark.parametrize("words", [2, 5, 60])
@pytest.mark.parametrize("length", [1, 2, 63, 64, 65, 129])
@pytest.mark.parametrize("variant", ["tercom", "thesis"])
def test_no_beam_and_one_too_wide_to_matter_are_the_same(variant, length, words):
    """Without a beam a table is read from both ends, with one column by column."""
    rng = random.Random(1000 * length + words)
    reference = [f"w{rng.randrange(words)}" for _ in range(length)]
    hypothesis = [word if rng.random() < 0.8 else f"w{rng.randrange(words + 1)}" for word in reference]
    for _ in range(3):
        start, end, to = (rng.randrange(length + 1) for _ in range(3))
        block = hypothesis[start:end]
        del hypothesis[start:end]
        hypothesis[to:to] = block
    pair = " ".join(hypothesis), [" ".join(reference)]
    limits = {"variant": variant, "max_shift_size": 30}
    assert row_of(*pair, **limits, beam=inf) == row_of(*pair, **limits, beam=3000)
