"""METEOR: its normalizer, both searches for matches, parameters and modules, rows and scores, Hindi, and the original."""

import csv
import os
import re
from collections import defaultdict
from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import examples
from oracles import meteor as oracle
from oracles.wmt import ORACLE, needs_oracle, read
from tertium import METEOR, _native, parse_metric
from tertium.errors import InputError, UnknownNameError
from tertium.metrics.meteor.tasks import METEORS_OWN
from tertium.text.lexicon import meteor_files
from tertium.text.lexicon.snowball_2014 import meteor_stems
from tertium.text.lexicon.stems import stem_words

WITHOUT_TABLE = ("exact", "stem", "synonym")
THREE = METEOR(modules=WITHOUT_TABLE)


def rows(metric, hypothesis, *references):
    return metric.statistics([hypothesis], [list(references)])[0]


def score(metric, hypothesis, *references):
    return float(metric.score(rows(metric, hypothesis, *references)))


# --- worked examples --------------------------------------------------------------------------------------------------

WORKED = [
    ("the cat sat on the mat", "on the mat sat the cat", 1, 1, 0.5223303, 0.4776697),
    ("The dogs were running quickly .", "The dog ran fast .", 0.5166667, 0.5636364, 0.5664525, 0.2410757),
    ("hello", "hello", 1, 1, 0, 1),
    ("x y z", "x y z", 1, 1, 0, 1),
    ("", "a b", 0, 0, 0, 0),
]


@pytest.fixture
def english_words(tmp_path):
    """Return a list of function words that makes the examples' numbers independent of what is installed."""
    path = tmp_path / "function.words"
    path.write_text("the\n.\non\nwere\na\n", encoding="utf-8")
    return str(path)


def test_worked_examples(english_words):
    metric = METEOR(modules=WITHOUT_TABLE, function_words=english_words)
    found = metric.statistics([h for h, *_ in WORKED], [r for _, r, *_ in WORKED])
    parts = metric.parts(found)
    for k, (_, _, precision, recall, penalty, expected) in enumerate(WORKED):
        assert parts["precision"][k] / 100 == pytest.approx(precision, abs=1e-7)
        assert parts["recall"][k] / 100 == pytest.approx(recall, abs=1e-7)
        assert parts["penalty"][k] == pytest.approx(penalty, abs=1e-7)
        assert metric.score(found)[k] / 100 == pytest.approx(expected, abs=1e-7)
    assert metric.score(found.sum(axis=0)) / 100 == pytest.approx(0.3866285, abs=1e-7)
    assert metric.parts(found.sum(axis=0))["chunks"] == 6  # perfect segments add none


def test_a_paraphrase_takes_the_place_of_a_synonym(tmp_path, english_words):
    table = tmp_path / "table.tsv"
    table.write_text("phrase_ref\tphrase_hyp\tprob\nran fast\trunning quickly\t0.5\n", encoding="utf-8")
    metric = METEOR(modules=(*WITHOUT_TABLE, "paraphrase"), paraphrases=str(table), function_words=english_words)
    found = metric.statistics([h for h, *_ in WORKED], [r for _, r, *_ in WORKED])
    assert metric.score(found)[1] / 100 == pytest.approx(0.3321492, abs=1e-7)
    assert metric.score(found.sum(axis=0)) / 100 == pytest.approx(0.4222140, abs=1e-7)
    assert metric.parts(found.sum(axis=0))["chunks"] == 5


def test_of_2005():
    metric = METEOR(version="2005", modules=("exact",))
    # Fewest crosses keep the two "the" in order, though that tears all chunks apart: six matches, six chunks.
    assert score(metric, "the cat sat on the mat", "on the mat sat the cat") == pytest.approx(50)
    assert score(metric, "a b c", "a b c") == pytest.approx(100 * (1 - 0.5 / 27))  # one chunk is penalised too
    precision, recall = 2 / 3, 2 / 4
    mean = 10 * precision * recall / (recall + 9 * precision)
    assert score(metric, "a b x", "a b y z") == pytest.approx(100 * mean * (1 - 0.5 * (1 / 2) ** 3))
    assert score(metric, "a", "b") == 0


def test_of_2007():
    metric = METEOR(version="2007", modules=("exact",))
    precision, recall = 2 / 3, 2 / 4
    mean = precision * recall / (0.81 * precision + 0.19 * recall)
    assert score(metric, "a b x", "a b y z") == pytest.approx(100 * mean * (1 - 0.28 * (1 / 2) ** 0.83))


def test_2005_stems_with_porters_first_algorithm():
    early, late = METEOR(version="2005", modules=("exact", "stem")), METEOR(modules=("exact", "stem"))
    assert rows(early, "news", "new")[8] == 1
    assert rows(late, "news", "new")[8] == 0
    assert rows(late, "organic", "organ")[8] == 1  # METEOR 1.5 has Snowball's English stemmer of 2014


def test_stages_match_exact_words_first_and_joint_matching_counts_all():
    staged = METEOR(version="2005", modules=("exact", "stem"))
    joint = METEOR(version="2005", modules=("exact", "stem"), matching="joint")
    pair = ("walk walks", "walks walking")
    assert [op.kind for op in staged.align(*pair[:1], [pair[1]]).operations] == ["match", "stem"]
    assert joint.align(pair[0], [pair[1]]).parts["hypothesis_matches"] == 2


def test_of_several_references_the_best_counts_the_first_of_equals():
    alignment = THREE.align("a b c", ["x y z", "a b", "a b c d", "a b c", "a b c"])
    assert (alignment.reference_index, alignment.score) == (3, 100)


def test_references_that_tie_but_for_rounding_are_told_apart_as_in_meteor(tmp_path):
    """METEOR 1.5's jar takes the second: added up in its order, that is more in the last digit."""
    words = tmp_path / "words.txt"
    words.write_text("things\nthing\nmost\nother\nsuch\n", encoding="utf-8")
    meteor = METEOR(modules=("exact", "stem"), weights=(1, 0.6), parameters=(0.85, 0.2, 0.6, 0.7), function_words=words)
    tied = ["red dog most such thing", "red cars most things other"]
    assert meteor.align("red dogs most things other", tied).reference_index == 1
    assert meteor.align("red dogs most things other", tied[::-1]).reference_index == 0


@pytest.mark.parametrize(
    ("hypothesis", "reference", "matched"),
    [
        ("n'", "le", "exact"),  # 110 * 31 + 39 = 108 * 31 + 101
        ("g7", "eu", "exact"),
        ("g7walking", "euwalked", "stem"),  # g7walk and euwalk
        ("g7", "europe", None),  # eu and europe are synonyms: meanings are looked up by spelling
        ("eu", "europe", "synonym"),
    ],
)
def test_words_with_one_hash_code_are_the_same_in_meteor(hypothesis, reference, matched):
    by_code = METEOR(modules=WITHOUT_TABLE, text="none").align(hypothesis, [reference])
    assert {op.kind for op in by_code.operations} == (
        {"match" if matched == "exact" else matched} if matched else {"insertion", "deletion"}
    )
    by_spelling = METEOR(modules=WITHOUT_TABLE, text="none", collisions="none").align(hypothesis, [reference])
    assert ({op.kind for op in by_spelling.operations} == {"synonym"}) == (matched == "synonym")


def test_collisions_of_a_french_sentence():
    # METEOR 1.5: -l fr -norm -m exact
    pair, settings = (["il n'est pas"], [["il le sait"]]), {"language": "fr", "modules": ("exact",)}
    for collisions, expected in ((None, 49.84790419506066), ("none", 12.903225806451612)):
        metric = METEOR(collisions=collisions, **settings)
        assert metric.score(metric.statistics(*pair)) == pytest.approx([expected], rel=1e-12)
        assert f"collisions={collisions or 'java'}," in metric.signature()
    assert METEOR(language="hi").collisions == METEOR(version="2005").collisions == "none"


@pytest.mark.parametrize(("first", "second"), [("😀a", "😀b"), ("a\U0001f600", "a\U0001f601"), ("", "a")])
def test_other_words_stay_apart(first, second):
    assert METEOR(modules=("exact",), text="none").align(first, [second]).parts["hypothesis_matches"] == 0


def test_modules_beyond_the_tasks_own_weigh_nothing():
    # METEOR 1.5: -l en -t universal -m 'exact stem synonym'
    metric = METEOR(task="universal", modules=WITHOUT_TABLE, text="none")
    assert (metric.weights, metric.idle_modules) == ((1.0, 0.6, 0.0), ("synonym",))
    assert metric.score(metric.statistics(["eu x", "walks x"], ["europe x", "walked x"])) == pytest.approx([50, 80])
    assert METEOR(task="util", modules=WITHOUT_TABLE).idle_modules == ()
    assert METEOR(task="universal", modules=WITHOUT_TABLE, weights=(1, 0.6, 0.5)).idle_modules == ()


def test_capitals_of_french_stems_stay_where_case_does():
    metric = METEOR(language="fr", modules=("exact", "stem"), text="none")
    found = [rows(metric, *pair)[8:10].tolist() for pair in (("Maison", "maison"), ("Yeux", "yeux"), ("quI", "qui"))]
    assert found == [[0, 0], [1, 1], [1, 1]]  # only U, I and Y are folded back


def test_characters_count_words_by_their_length():
    words, characters = METEOR(modules=("exact",)), METEOR(modules=("exact",), characters=True)
    ours, theirs = rows(words, "a internationally b", "internationally x"), None
    theirs = rows(characters, "a internationally b", "internationally x")
    assert ours[:2].tolist() == [3, 2]
    assert theirs[:2].tolist() == [17, 16]
    assert theirs[4] + theirs[6] == 15
    assert theirs[20:].tolist() == [1, 1, 1]  # chunks and matches stay words
    assert rows(characters, "\U0001f600", "\U0001f600")[0] == 2  # as Java counts


def test_parameters_and_weights_act_in_score():
    found = THREE.statistics(["the dogs ran far"], ["a dog was running"])
    for change in ({"parameters": {"alpha": 0.5}}, {"weights": (1, 0, 0)}, {"parameters": (0.9, 3, 0.5, 0.5)}):
        other = METEOR(modules=WITHOUT_TABLE, **change)
        np.testing.assert_array_equal(other.statistics(["the dogs ran far"], ["a dog was running"]), found)
        assert other.score(found)[0] != THREE.score(found)[0]


# --- settings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "task", "expected", "parameters"),
    [
        ("en", "rank", ("exact", "stem", "synonym"), (0.85, 0.2, 0.6, 0.75)),
        ("cz", "rank", ("exact",), (0.95, 0.2, 0.6, 0.8)),
        ("de", "rank", ("exact", "stem"), (0.95, 1.0, 0.55, 0.55)),
        ("en", "util", ("exact", "stem", "synonym"), (0.65, 0.1, 0.55, 0.65)),
        ("hi", "rank", ("exact", "stem"), (0.75, 1.4, 0.7, 0.5)),
        ("se", "rank", ("exact", "stem"), (0.75, 1.4, 0.7, 0.5)),
        ("zh", "rank", ("exact",), (0.75, 1.4, 0.7, 0.5)),
        ("fr", "tune", ("exact", "stem"), (0.5, 1.0, 0.5, 0.5)),
    ],
)
def test_languages_have_their_modules_and_parameters(monkeypatch, tmp_path, language, task, expected, parameters):
    monkeypatch.setenv("TERTIUM_METEOR", str(tmp_path))  # no paraphrase table is found there
    metric = METEOR(language=language, task=task)
    assert metric.modules == expected
    assert metric.parameters == parameters
    assert parse_metric(metric.signature()) == metric


def test_the_signature_names_every_resource(tmp_path):
    table = tmp_path / "own.tsv"
    table.write_text("phrase_ref\tphrase_hyp\tprob\na b\tc\t0.5\n", encoding="utf-8")
    metric = METEOR(paraphrases=str(table))
    assert re.search(r"paraphrases=own@[0-9a-f]{12},", metric.signature())
    assert re.search(r"function_words=[\w-]+-en@[0-9a-f]{12},resources=[\w-]+-en@[0-9a-f]{12}", metric.signature())
    with pytest.raises(InputError, match=r"paraphrases were own@.*Give the path of the same"):
        parse_metric(metric.signature())
    own = METEOR(language="de", modules=("exact",), function_words="own_list")
    assert own.signature() != METEOR(language="de", modules=("exact",)).signature()
    assert parse_metric(own.signature()) == own


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"language": "klingon"}, UnknownNameError, "No language is called 'klingon'"),
        ({"language": "xx"}, UnknownNameError, "No language is called 'xx'"),
        ({"task": "ranks"}, UnknownNameError, "Did you mean 'rank'"),
        ({"task": "adq", "language": "de"}, InputError, "tuned for English alone"),
        ({"version": "2005", "task": "adq"}, InputError, "METEOR 1.5's"),
        ({"version": "2005", "matching": "beam"}, InputError, "does not go with"),
        ({"version": "2005", "modules": ("exact", "paraphrase")}, InputError, "has no paraphrases"),
        ({"modules": ("exact", "stems")}, UnknownNameError, "Did you mean 'stem'"),
        ({"modules": ("stem",)}, InputError, "begin with exact"),
        ({"modules": ("exact", "synonym", "stem")}, InputError, "in the order"),
        ({"modules": ("exact", "stem"), "language": "zh"}, UnknownNameError, "stemmer"),
        ({"modules": ("exact", "synonym"), "language": "de"}, InputError, "no synonyms for 'de'. Give synonyms=PATH"),
        ({"modules": ("exact", "paraphrase"), "language": "hi"}, InputError, "paraphrase table"),
        ({"paraphrases": "no-such-table.gz"}, InputError, "no-such-table.gz"),
        ({"resources": "/no/such/place"}, InputError, "does not exist"),
        ({"modules": ("exact",), "weights": (1, 1)}, InputError, "1 numbers"),
        ({"parameters": (1, 2, 3)}, InputError, "alpha, beta, gamma, delta"),
        ({"parameters": {"epsilon": 1}}, UnknownNameError, "epsilon"),
        ({"parameters": (2, 1, 1, 1)}, InputError, "alpha must be from 0 to 1"),
        ({"parameters": (float("nan"), 1, 1, 1)}, InputError, "four numbers"),
        ({"text": "lower", "punctuation": False}, InputError, "needs text='norm'"),
        ({"word_groups": 0.5}, InputError, "only Hindi"),
        ({"collisions": "java", "version": "2005"}, InputError, "compares words by spelling"),
        ({"word_groups": 2, "language": "hi"}, InputError, "from 0 to 1"),
        ({"unicode": "nfd"}, UnknownNameError, "nfd"),
        ({"punctuation": 1}, InputError, "True or False"),
    ],
)
def test_bad_settings_are_refused(change, error, message):
    with pytest.raises(error, match=re.escape(message) if "." in message else message):
        METEOR(**change)


def test_a_broken_table_is_named_with_its_line(tmp_path):
    table = tmp_path / "broken.tsv"
    table.write_text("phrase_ref\tphrase_hyp\tprob\na\tb\t0.5\nc\td\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"broken\.tsv, line 3"):
        METEOR(paraphrases=str(table)).statistics(["a"], ["b"])


# --- text -------------------------------------------------------------------------------------------------------------

PREFIXES, NUMBERED = ("Mr", "Inc", "A"), ("No",)
pieces = st.sampled_from(
    [
        *"abZs19.,'`- é",
        ".",
        "'",
        "-",
        "–",
        "--",
        "...",
        "''",
        "“",
        "”",
        "‘",
        "’",
        "U.S.",
        "Mr.",
        "No.",
        "3,5",
        "$",
        "中",
        "न",
        "Ω",
        "'s",
    ]
)


@given(st.lists(pieces, max_size=14).map("".join), st.sampled_from(["en", "fr", "de"]), st.booleans())
@examples(400)
def test_the_normalizer_agrees_with_its_regular_expressions(text, language, punctuation):
    style = {"en": "english", "fr": "french", "de": "alone"}[language]
    rule = _native.MeteorText(
        style="norm",
        any_alphabet=False,
        apostrophe=style,
        punctuation=punctuation,
        unicode="none",
        prefixes=list(PREFIXES),
        number_prefixes=list(NUMBERED),
    )
    expected = oracle.normalized(text, language, punctuation=punctuation, prefixes=PREFIXES, number_prefixes=NUMBERED)
    assert rule.split(text) == [word.lower() for word in expected]


def test_text_of_the_manual():
    text = (
        "The U.S.-based firm's well-known Mr. Smith said: \"It costs $3,000.50... don't\" (Inc. said) at 5 p.m. "
        "No. 7 x."
    )
    assert " ".join(THREE.tokenizer(text)) == (
        "the us based firm 's well known mr. smith said : \" it costs $ 3,000.50 ... don 't \" ( inc. said ) at 5 pm "
        "no. 7 x ."
    )


def test_styles():
    text = "He's  here\u00a0Now."
    assert METEOR(text="none", modules=("exact",)).tokenizer(text) == ["He's", "here\u00a0Now."]
    assert METEOR(text="lower", modules=("exact",)).tokenizer(text) == ["he's", "here\u00a0now."]
    assert METEOR(modules=("exact",), punctuation=False).tokenizer(text) == ["he", "s", "here", "now"]


def test_hindi_text():
    words = METEOR(language="hi").tokenizer
    assert words("वह घर गया।") == ["वह", "घर", "गया", "।"]
    assert words("क\u093c") == words("\u0958")  # nukta, composed or not
    assert words("क्\u200dष") == words("क्ष")  # joiners only say how letters are drawn
    assert words("डॉ. शर्मा ने WHO से 3.5% कहा॥") == ["डॉ.", "शर्मा", "ने", "who", "से", "3.5", "%", "कहा", "॥"]
    assert METEOR(language="fa").tokenizer("می\u200cخواهم") == ["می\u200cخواهم"]  # spelling there
    assert METEOR(language="zh").tokenizer("水位上涨了。") == list("水位上涨了。")


@given(st.text(max_size=30), st.sampled_from(["en", "hi", "ar", "th", "other"]))
def test_any_text_can_be_split(text, language):
    for style in ("norm", "lower", "none"):
        words = METEOR(language=language, text=style, modules=("exact",)).tokenizer(text)
        assert all(words)


# --- the search -------------------------------------------------------------------------------------------------------

WORDS = ["walk", "walks", "walked", "talk", "talks", "stroll", "chat", "go", "on"]
GROUPS = [("walk", "stroll"), ("talk", "chat", "stroll"), ("go", "walk", "talks")]
PHRASES = [
    ("go on", "walk"),
    ("talk", "go on"),
    ("walks", "on go on"),
    ("chat go", "talk on"),
    ("go on", "chat walk"),
    ("on", "go"),
]
sentences = st.lists(st.sampled_from(WORDS), max_size=9)


@pytest.fixture(scope="module")
def resources(tmp_path_factory):
    folder = tmp_path_factory.mktemp("meteor")
    synonyms, phrases = folder / "synonyms.tsv", folder / "phrases.tsv"
    synonyms.write_text("".join("\t".join(group) + "\n" for group in GROUPS), encoding="utf-8")
    lines = ["phrase_ref\tphrase_hyp\tprob", *(f"{a}\t{b}\t0.5" for a, b in PHRASES)]
    phrases.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return {"synonyms": str(synonyms), "paraphrases": str(phrases)}


BASES = {"walks": "walk", "walked": "walk", "talks": "talk"}  # METEOR's rules for English base forms


def ids(word):
    return {k for k, group in enumerate(GROUPS) if word in group or BASES.get(word) in group}


def stem(word):
    return stem_words("english", [word])[0]


def table():
    found = defaultdict(list)
    for a, b in PHRASES:
        found[tuple(a.split())].append(tuple(b.split()))
    return found


MODULE_SETS = [("exact",), ("exact", "stem"), ("exact", "synonym"), WITHOUT_TABLE, (*WITHOUT_TABLE, "paraphrase")]


def textbook(hypothesis, reference, modules):
    tools = {"stem": ("stem", stem), "synonym": ("ids", ids), "paraphrase": ("phrases", table())}
    return oracle.beam_alignment(hypothesis, reference, **dict(tools[module] for module in modules[1:]))


def matches(alignment):
    return [
        (op.kind, op.hyp_start, op.hyp_end - op.hyp_start, op.ref_start, op.ref_end - op.ref_start)
        for op in alignment.operations
        if op.kind not in ("insertion", "deletion")
    ]


@given(sentences, sentences, st.sampled_from(MODULE_SETS))
@examples(400)
def test_the_beam_agrees_with_the_textbook(resources, hypothesis, reference, modules):
    metric = METEOR(modules=modules, text="none", synonyms=resources["synonyms"], paraphrases=resources["paraphrases"])
    alignment = metric.align(" ".join(hypothesis), [" ".join(reference)])
    expected = textbook(hypothesis, reference, modules)
    assert matches(alignment) == [("match" if m.module == "exact" else m.module, *m[1:]) for m in expected]
    assert len(alignment.chunks) == oracle.chunks(expected)
    row = rows(metric, " ".join(hypothesis), " ".join(reference))
    assert row[21:].tolist() == [sum(m.hyp_words for m in expected), sum(m.ref_words for m in expected)]
    whole = row[21:].tolist() == [len(hypothesis), len(reference)] and oracle.chunks(expected) == 1
    assert row[20] == (0 if whole else oracle.chunks(expected))


@pytest.mark.slow
def test_long_segments_agree_with_the_textbook():
    rng = np.random.default_rng(7)
    metric = METEOR(modules=("exact",), text="none")
    for words in (3, 12, 60):
        hypothesis, reference = (list(map(str, rng.integers(words, size=70))) for _ in range(2))
        alignment = metric.align(" ".join(hypothesis), [" ".join(reference)])
        assert matches(alignment) == [("match", *m[1:]) for m in oracle.beam_alignment(hypothesis, reference)]


def test_texts_that_come_again_have_the_same_rows():
    words = ["The dogs", "A dog", "ran", "was running,", "quickly", "fast.", "It's", "the dog's", "“car”", "automobile"]
    texts = ["", *(f"{a} {b} {c}" for a in words for b in words for c in words[:6])]
    metric = METEOR(modules=WITHOUT_TABLE)
    expected = metric.statistics(texts, texts[::-1])
    for threads in (1, 3):
        found = metric.statistics(texts * 3, texts[::-1] * 3, threads=threads)
        np.testing.assert_array_equal(found, np.tile(expected, (3, 1)))


def test_ranks_that_need_more_than_sixty_four_bits():
    rng = np.random.default_rng(8)
    pair = (" ".join(map(str, rng.integers(2, size=1500))) for _ in range(2))
    # What the search found while all its ranks had twice as many bits.
    assert list(rows(METEOR(modules=("exact",), text="none"), *pair)[20:]) == [394, 1490, 1490]


def with_phrases(tmp_path, phrases):
    path = tmp_path / "phrases.tsv"
    path.write_text(
        "phrase_ref\tphrase_hyp\tprob\n" + "".join(f"{a}\t{b}\t0.5\n" for a, b in phrases), encoding="utf-8"
    )
    found = defaultdict(list)
    for a, b in phrases:
        found[tuple(a.split())].append(tuple(b.split()))
    return METEOR(modules=("exact", "paraphrase"), text="none", paraphrases=str(path)), found


# Few words and many phrases: soon there are forty paths, and some choices are too bad for all of them. In the first five
# their distances count nonetheless for phrases that are looked at later and weigh more. In the last two a path wins that
# comes late among the forty: what is left out once forty others are better must be no more than that.
CROWDED = [("a", "a a b"), ("a a b a", "a"), ("a b b b", "a b b"), ("b", "a")]
LONGER = [("a a a", "b b a b"), ("a a b", "b a b b"), ("a b", "b b a"), ("b", "b b")]


@pytest.mark.parametrize(
    ("phrases", "hypothesis", "reference"),
    [
        (CROWDED, "a a a a b a a b a b", "a b a b a a a"),
        (CROWDED, "a a b a b a a a b b b", "a a b b a b a"),
        (LONGER, "a a b b a b b a a b b a", "a a a b b b b a b b b"),
        (LONGER, "b b b b b a a a a a a b a", "a a b b a b a a a b"),
        ([("a b a", "a"), ("a b b b", "b a a"), ("b a a b b", "a b b")], "a b b a a b a a b b a a", "b a a a b b b a a b b a"),
        ([("a b b b b", "a a a b b"), ("b a", "a b")], "b a a a a a a a", "a a b b a b b b"),
        ([("b", "c d"), ("c", "d c"), ("c c c d", "c")], "a c c c c a a b c a", "c d c b b c a d d b c a"),
    ],
)  # fmt: skip
def test_crowded_beams_agree_with_the_textbook(tmp_path, phrases, hypothesis, reference):
    metric, table = with_phrases(tmp_path, phrases)
    expected = oracle.beam_alignment(hypothesis.split(), reference.split(), phrases=table)
    assert matches(metric.align(hypothesis, [reference])) == [
        ("match" if m.module == "exact" else m.module, *m[1:]) for m in expected
    ]


@pytest.mark.parametrize("before", [0, 120, 140, 160, 500])
def test_a_path_that_is_far_behind_can_win(tmp_path, before):
    """A path behind by more than 31 bits can hold: five phrases skipped at first leave their words to nine others.

    All weigh 7, half their words cut down. Of 32 paths that take the five or not, the one that takes none misses 35, and what
    follows is worth 63. The words that nobody matches, before them, make distances long: with 0 of them 31 bits are
    enough, with 500 they are not tried.
    """
    blocks = [[f"{block}{word}" for word in range(9)] for block in "abcde"]
    middles = [block[3:6] for block in blocks]
    borders = [one[6:] + other[:3] for one, other in pairwise(blocks)]
    borders = [borders[k] for k in (0, 2, 1, 3)]
    phrases, ends = [], [0]
    for ours in (*blocks, *borders, *middles):
        ends.append(ends[-1] + 2 * (7 - len(ours) // 2))
        phrases.append((" ".join(map(str, range(*ends[-2:]))), " ".join(ours)))
    words = [word for block in blocks for word in block]
    metric, _ = with_phrases(tmp_path, phrases)
    alignment = metric.align(" ".join(["x"] * before + words), [" ".join(map(str, range(ends[-1])))])
    assert matches(alignment) == [
        ("paraphrase", before + words.index(ours[0]), len(ours), ends[k], ends[k + 1] - ends[k])
        for k, ours in enumerate((*blocks, *borders, *middles))
        if len(ours) < 9
    ]


small = st.lists(st.sampled_from(WORDS[:6]), max_size=6)


@given(small, small, st.sampled_from(["stages", "joint"]))
@examples(300)
def test_fewest_crosses_agree_with_the_textbook(resources, hypothesis, reference, matching):
    metric = METEOR(version="2005", matching=matching, text="none", synonyms=resources["synonyms"])
    alignment = metric.align(" ".join(hypothesis), [" ".join(reference)])
    porter = {word: stem_words("porter", [word])[0] for word in WORDS}
    tests = [
        lambda a, b: a == b,
        lambda a, b: porter[a] == porter[b],
        lambda a, b: bool(ids(a) & ids(b)),
    ]
    if matching == "joint":
        tests = [lambda a, b, every=tuple(tests): any(test(a, b) for test in every)]
    expected = oracle.staged_mapping(hypothesis, reference, tests)
    assert sorted((i, j) for _, i, _, j, _ in matches(alignment)) == expected
    assert alignment.search == "exact"


# Matches, crosses, chunks. The first three are what the search found with all of its 100,000 states before it knew how
# many crosses are to come at least; it gave up on the last, with 87 crosses.
@pytest.mark.parametrize(
    ("seed", "expected"), [(1, (32, 63, 28)), (3, (33, 73, 30)), (4, (33, 91, 33)), (2, (28, 81, 28))]
)
def test_crosses_to_come_are_bounded_exactly(seed, expected):
    rng = np.random.default_rng(seed)
    hypothesis, reference = (" ".join(map(str, rng.integers(10, size=size))) for size in (45, 38))
    alignment = METEOR(version="2005", modules=("exact",), text="none").align(hypothesis, [reference])
    assert alignment.search == "exact"
    places = [(i, j) for _, i, _, j, _ in matches(alignment)]
    crosses = sum((a - c) * (b - d) < 0 for (a, b), (c, d) in combinations(places, 2))
    assert (len(places), crosses, len(alignment.chunks)) == expected


def test_a_beam_takes_over_where_the_exact_search_is_too_long():
    rng = np.random.default_rng(3)
    hypothesis, reference = (" ".join(map(str, rng.integers(4, size=size))) for size in (120, 90))
    metric = METEOR(version="2005", modules=("exact",), text="none")
    alignment = metric.align(hypothesis, [reference])
    assert alignment.search == "beam"
    counts = [[text.split().count(word) for word in "0123"] for text in (hypothesis, reference)]
    assert alignment.parts["hypothesis_matches"] == sum(map(min, *counts))  # still as many as possible
    places = [(i, j) for _, i, _, j, _ in matches(alignment)]
    assert sum((a - c) * (b - d) < 0 for (a, b), (c, d) in combinations(places, 2)) < 257  # the beam's


def test_very_long_segments_do_not_take_much_memory_or_time():
    metric = METEOR(modules=("exact",), text="none")
    assert rows(metric, "a " * 1500, "a " * 1400)[21] == 1400
    assert rows(METEOR(version="2005", modules=("exact",), text="none"), "a b " * 300, "b a " * 300)[21] == 600


# --- Hindi ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [("लड़कों ने किताबें पढ़ीं", "लड़के ने किताब पढ़ी"), ("गाड़ियाँ रुक गईं", "गाड़ी रुक गई"), ("नदियों का पानी", "नदी का पानी")],
)
def test_inflected_hindi_words_match_by_stem(one, other):
    kinds = [op.kind for op in METEOR(language="hi").align(one, [other]).operations]
    assert "stem" in kinds
    assert score(METEOR(language="hi"), one, other) > score(METEOR(language="hi", modules=("exact",)), one, other)


def test_hindi_synonyms_come_from_the_users_file(tmp_path):
    path = tmp_path / "hindi.tsv"
    path.write_text("पानी\tजल\nघर\tमकान\tगृह\n", encoding="utf-8")
    metric = METEOR(language="hi", synonyms=str(path))
    assert metric.modules == ("exact", "stem", "synonym")
    assert metric.weights == (1.0, 0.5, 0.5)
    assert [op.kind for op in metric.align("मकान में जल", ["घर में पानी"]).operations] == ["synonym", "match", "synonym"]


def test_word_groups_compare_what_follows_a_content_word():
    metric = METEOR(language="hi", word_groups=1.0)
    assert metric.columns[23:] == ("groups_matched", "hypothesis_groups", "reference_groups")
    assert rows(metric, "राम ने घर में खाया ।", "राम ने घर पर खाया ।")[23:].tolist() == [2, 3, 3]
    assert score(metric, "राम ने घर में खाया ।", "राम ने घर पर खाया ।") == pytest.approx(200 / 3)
    half = METEOR(language="hi", word_groups=0.5)
    plain = METEOR(language="hi")
    pair = ("राम ने घर में खाया ।", "राम ने घर पर खाया ।")
    assert score(half, *pair) == pytest.approx((score(plain, *pair) + score(metric, *pair)) / 2)
    assert metric.parts(rows(metric, *pair))["word_groups"] == pytest.approx(200 / 3)


@needs_oracle
@pytest.mark.parametrize("system", ["Aya23", "Claude-3.5", "CycleL", "IKUN", "ONLINE-B"])
def test_wmt24_hindi(system):
    texts = read("wmt24.en-hi", f"hyp.{system}"), read("wmt24.en-hi", "ref.A")
    exact, stems = (METEOR(language="hi", modules=modules) for modules in (("exact",), ("exact", "stem")))
    exactly, stemmed = exact.statistics(*texts), stems.statistics(*texts)
    assert np.isfinite(stemmed).all()
    assert stemmed[:, 8:12].sum() > 0.02 * stemmed[:, 21:].sum()  # a share of matches is by stem
    assert stems.score(stemmed.sum(axis=0)) > exact.score(exactly.sum(axis=0))


# --- alignments -------------------------------------------------------------------------------------------------------


def test_alignments_cover_every_word_once():
    alignment = THREE.align("the dogs ran very fast yesterday", ["yesterday a dog was running fast"])
    ours = sorted(i for op in alignment.operations for i in range(op.hyp_start, op.hyp_end))
    theirs = [j for op in alignment.operations for j in range(op.ref_start, op.ref_end)]
    assert ours == list(range(len(alignment.hypothesis)))
    assert theirs == list(range(len(alignment.reference)))
    plain = alignment.to_dict()
    assert plain["chunks"][0].keys() == {"hyp_start", "hyp_end", "ref_start", "ref_end"}
    assert plain["parts"]["chunks"] == len(plain["chunks"])
    assert plain["search"] == "beam"
    assert alignment.score == pytest.approx(
        score(THREE, "the dogs ran very fast yesterday", "yesterday a dog was running fast")
    )


# --- stems as METEOR has them -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("language", "word", "stem"),
    [
        ("en", "organic", "organ"), ("en", "geologist", "geologist"), ("en", "added", "ad"), ("en", "internationally", "intern"),
        ("de", "verhältnissen", "verhaltniss"), ("de", "lehrerinnen", "lehrerinn"), ("de", "zuerkennung", "zuerkenn"),
        ("fr", "égoïsme", "égoïsm"), ("fr", "française", "français"), ("ru", "трёхгодичный", "трёхгодичн"), ("nl", "snelwegen", "snelweg"),
        ("no", "fabrikkers", "fabrikk"), ("no", "myndigheters", "myndighet"), ("sv", "förbudets", "förbudet"), ("da", "jazzen", "jaz"),
        ("it", "dell'olfatto", "dell'olfatt"), ("tr", "rize'li", "rize'li"), ("ro", "degazații", "degazaț"), ("hu", "műszaki", "műszak"),
        ("pt", "devolução", "devoluçã"),
    ],
)  # fmt: skip
def test_stems_of_2014(language, word, stem):
    assert meteor_stems(language, [word]) == [stem]


def test_most_english_stems_have_not_changed():
    words = [word for text in WORKED for part in text[:2] for word in part.lower().split()] + WORDS
    assert meteor_stems("en", words) == stem_words("english", words)


@pytest.mark.parametrize("language", METEORS_OWN)
def test_every_language_of_meteors_can_be_scored(language):
    metric = METEOR(language=language)
    assert score(metric, "Straße a b.", "Straße a b.") == pytest.approx(100)


# --- the original -----------------------------------------------------------------------------------------------------

INSTALLED = meteor_files(os.environ.get("TERTIUM_METEOR") or None)  # METEOR's own, for its paraphrase table
FULL_TABLE = INSTALLED.paraphrases("en") if INSTALLED else None
SETS = {"wmt22.zh-en": "en", "wmt22.ja-en": "en", "wmt22.en-de": "de"}
CORPUS = ("precision", "recall", "f1", "fmean")


def configured(config, language):
    """Return the metric that METEOR's options stand for."""
    options = {"language": language, "resources": str(ORACLE / "resources" / "meteor")}
    for item in config.split("|"):
        key, _, value = item.partition("=")
        if key in ("norm", "lower"):
            options["text"] = key
        elif key in ("p", "w"):
            options["parameters" if key == "p" else "weights"] = tuple(map(float, value.split(",")))
        elif key == "task":
            options["task"] = value
        elif key == "m":
            if "(small)" in value:
                options["paraphrases"] = str(ORACLE / "data" / "paraphrase.en.tsv")
            elif "(full)" in value:
                options["paraphrases"] = str(FULL_TABLE)
            options["modules"] = tuple(re.sub(r"\(\w+\)", "", value).split("+"))
        else:
            options |= {"noPunct": {"punctuation": False}, "ch": {"characters": True}}[key]
    return METEOR(**options)


def expected(test_set, level):
    with open(ORACLE / "expected" / f"{test_set}.meteor.{level}.tsv", encoding="utf-8", newline="") as file:
        for record in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            yield (record["config"], record["system"], record["refs"]), record


@pytest.mark.slow
@needs_oracle
@pytest.mark.parametrize("test_set", SETS)
def test_agrees_with_meteor(test_set):
    corpus, segments = defaultdict(dict), defaultdict(dict)
    for key, record in expected(test_set, "corpus"):
        corpus[key][record["metric"].partition(".")[2] or "score"] = float(record["value"])
    for key, record in expected(test_set, "segment"):
        names = {"precision": "precision", "recall": "recall", "penalty": "frag_penalty", "score": "score"}
        segments[key][int(record["segment"])] = [float(record[name]) for name in names.values()]
    for key in {**corpus, **segments}:
        config, system, refs = key
        if "(full)" in config and FULL_TABLE is None:
            continue
        metric = configured(config, SETS[test_set])
        references = list(zip(*(read(test_set, f"ref.{one}") for one in refs.split("+")), strict=True))
        found = metric.statistics(read(test_set, f"hyp.{system}"), references)
        total = metric.parts(found.sum(axis=0))
        ours = {name: total[name] / 100 for name in CORPUS} | {
            "score": float(metric.score(found.sum(axis=0))) / 100,
            "fragpenalty": total["penalty"],
            "chunks": total["chunks"],
            "test_words": total["hypothesis_length"],
            "ref_words": total["reference_length"],
        }
        for name, value in corpus.get(key, {}).items():
            assert ours[name] == pytest.approx(value, abs=1e-9), (key, name)
        parts = metric.parts(found)
        columns = [parts["precision"] / 100, parts["recall"] / 100, parts["penalty"], metric.score(found) / 100]
        for number, values in segments.get(key, {}).items():
            mine = [column[number - 1] for column in columns]
            assert mine == pytest.approx(np.nan_to_num(values), abs=6e-10), (key, number)
