"""The door to the kernels: what it refuses."""

import gc
import weakref

import numpy as np
import pytest

from tertium import _native
from tertium.errors import InputError

NONE = np.zeros((0, 4))
TOKENS = _native.tokens_of_lists([], [0])

ROWS = {"threads": 1, "rows": NONE}
COSTS = {"substitution": "exact", "function": None, "rule": "best"}
METEOR_TEXT = {
    "style": "norm",
    "any_alphabet": False,
    "apostrophe": "alone",
    "punctuation": True,
    "unicode": "none",
    "prefixes": [],
    "number_prefixes": [],
}
TER = {
    "variant": "tercom",
    **dict.fromkeys(("insertion", "deletion", "substitution", "shift", "match"), 1),
    **dict.fromkeys(("max_shift_size", "max_shift_distance", "max_candidates", "beam", "max_tokens"), 10),
}
TERP = {
    **dict.fromkeys(("stems", "synonyms", "numbers", "phrases")),
    **dict.fromkeys(("match", "insertion", "deletion", "substitution", "stem", "synonym", "shift"), 1),
    **dict.fromkeys(("w1", "w2", "w3", "w4", "phrase_minimum", "phrase_maximum"), 1),
    **dict.fromkeys(("beam", "max_shift_distance", "max_shift_size", "max_tokens"), 10),
    "stop_words": [],
    "constraint": "relax",
    "phrase_cost": "standard",
}
METEOR = {
    **dict.fromkeys(("stems", "synonyms", "paraphrases", "function_words", "group_words")),
    **dict.fromkeys(("alpha", "beta", "gamma", "delta"), 1),
    "matching": "beam",
    "by_hash_code": False,
    "characters": False,
    "weights": [1] * 4,
}
BLEU = {"orders": [1], "reference_length": "closest", "initial": False, "final": False, "single_boundary": False}


def rows_of(kernel, **arguments):
    return kernel(TOKENS, TOKENS, **arguments, **ROWS)


def cder(**chosen):
    return rows_of(_native.cder_rows, **COSTS, **({"direction": "forward", "penalty": "none"} | chosen))


UNKNOWN = {
    "native tokenizer": lambda name: _native.Tokenizer(name, False, "none"),
    "Unicode normalization": lambda name: _native.Tokenizer("none", False, name),
    "normal form": lambda name: _native.normalize("", name),
    "style of METEOR's text": lambda name: _native.MeteorText(**METEOR_TEXT | {"style": name}),
    "rule for apostrophes": lambda name: _native.MeteorText(**METEOR_TEXT | {"apostrophe": name}),
    "form of a table": lambda name: _native.PhraseCompiler(name),
    "substitution": lambda name: rows_of(_native.wer_rows, **COSTS | {"substitution": name}),
    "rule for references": lambda name: rows_of(_native.wer_rows, **COSTS | {"rule": name}),
    "direction": lambda name: cder(direction=name),
    "penalty": lambda name: cder(penalty=name),
    "variant of PER": lambda name: rows_of(_native.per_rows, **COSTS, variant=name),
    "reference length of BLEU": lambda name: rows_of(_native.bleu_rows, **BLEU | {"reference_length": name}),
    "variant of TER": lambda name: _native.TerSettings(**TER | {"variant": name}),
    "constraint on shifts": lambda name: _native.TerpSettings(**TERP | {"constraint": name}),
    "cost of phrases": lambda name: _native.TerpSettings(**TERP | {"phrase_cost": name}),
    "way to choose matches": lambda name: _native.MeteorSettings(**METEOR | {"matching": name}),
    "reference length": lambda name: rows_of(
        _native.ter_rows, lengths_from=None, settings=_native.TerSettings(**TER), reference_length=name
    ),
}


@pytest.mark.parametrize("what", UNKNOWN)
@pytest.mark.parametrize("name", ["", "no-such-name", "Exact"])
def test_a_name_that_nobody_knows_is_refused(what, name):
    with pytest.raises(ValueError, match=f"no {what} is called '{name}'; known: [a-z0-9]"):
        UNKNOWN[what](name)


def test_rows_of_another_size_are_refused():
    with pytest.raises(ValueError, match="do not fit each other"):
        rows_of(_native.wer_rows, **COSTS)


@pytest.mark.parametrize("kind", [list, tuple])
def test_texts_are_those_given_however_many_they_are(kind):
    groups = [[f"text {k}", "again"] if k % 7 == 3 or k in (255, 256) else f"text {k}" for k in range(1000)]
    texts = _native.grouped_texts(kind(groups), "references")
    expected = [[group] if isinstance(group, str) else group for group in groups]
    assert [texts[k] for k in range(len(texts))] == expected
    strings = [f"{k} \u00e9" for k in range(600)]
    texts = _native.flat_texts(kind(strings), "hypotheses")
    expected = [[string] for string in strings]
    del groups, strings  # the texts hold on to them
    assert [texts[k] for k in range(len(texts))] == expected


@pytest.mark.parametrize("kind", [list, tuple])
def test_texts_hold_on_to_strings_but_not_to_the_groups_they_came_in(kind):
    class Group(list):
        pass

    group = Group(["".join(["a ", "b"]), None, "c"])
    gone = weakref.ref(group)
    texts = _native.grouped_texts(kind(["".join(["x ", "y"]), group, *(f"{n} z" for n in range(300))]), "references")
    del group
    gc.collect()
    assert gone() is None
    assert [texts[0], texts[1], texts[301]] == [["x y"], ["a b", "c"], ["299 z"]]


def test_a_list_that_shrinks_while_it_is_read_is_an_error():
    class Clearing:
        def __iter__(self):
            groups.clear()
            return iter(["one"])

    groups = [Clearing(), ["two"], ["three"]]
    with pytest.raises(InputError, match="grew shorter"):
        _native.grouped_texts(groups, "references")
