"""The door to the kernels: what it refuses."""

import numpy as np
import pytest

from tertium import _native

NONE = np.zeros((0, 4))
TOKENS = _native.tokens_of_lists([], [0])

UNKNOWN = {
    "native tokenizer": lambda name: _native.Tokenizer(name, False, "none"),
    "Unicode normalization": lambda name: _native.Tokenizer("none", False, name),
    "normal form": lambda name: _native.normalize("", name),
    "style of METEOR's text": lambda name: _native.MeteorText(name, False, "alone", True, "none", [], []),
    "rule for apostrophes": lambda name: _native.MeteorText("norm", False, name, True, "none", [], []),
    "form of a table": lambda name: _native.PhraseCompiler(name),
    "substitution": lambda name: _native.edit_rows(TOKENS, TOKENS, name, None, "best", 1, NONE),
    "rule for references": lambda name: _native.edit_rows(TOKENS, TOKENS, "exact", None, name, 1, NONE),
    "direction": lambda name: _native.move_rows(TOKENS, TOKENS, "exact", None, "best", name, "none", 1, NONE),
    "penalty": lambda name: _native.move_rows(TOKENS, TOKENS, "exact", None, "best", "forward", name, 1, NONE),
    "variant of PER": lambda name: _native.free_order_rows(TOKENS, TOKENS, "exact", None, "best", name, 1, NONE),
    "reference length of BLEU": lambda name: _native.ngram_rows(
        TOKENS, TOKENS, [1], name, False, False, False, 1, NONE
    ),
    "variant of TER": lambda name: _native.ShiftSettings(name, [1, 1, 1, 1, 0], 10, 50, 1000, 20, 100),
    "constraint on shifts": lambda name: _native.TerpSettings(
        [0] * 11, name, "standard", 0, 1, 20, 50, 10, 100, [], None, None, None, None
    ),
    "cost of phrases": lambda name: _native.TerpSettings(
        [0] * 11, "relax", name, 0, 1, 20, 50, 10, 100, [], None, None, None, None
    ),
    "way to choose matches": lambda name: _native.MeteorSettings(
        name, None, None, None, None, None, False, [0] * 4, [0] * 4
    ),
}


@pytest.mark.parametrize("what", UNKNOWN)
@pytest.mark.parametrize("name", ["", "no-such-name", "Exact"])
def test_a_name_that_nobody_knows_is_refused(what, name):
    with pytest.raises(ValueError, match=f"no {what} is called '{name}'; known: [a-z0-9]"):
        UNKNOWN[what](name)


def test_a_reference_length_that_nobody_knows_is_refused():
    settings = _native.ShiftSettings("tercom", [1, 1, 1, 1, 0], 10, 50, 1000, 20, 100)
    with pytest.raises(ValueError, match="no reference length is called 'longest'; known: average, best"):
        _native.ter_rows(TOKENS, TOKENS, None, settings, "longest", 1, np.zeros((0, 8)))


def test_rows_of_another_size_are_refused():
    with pytest.raises(ValueError, match="do not fit each other"):
        _native.edit_rows(TOKENS, TOKENS, "exact", None, "best", 1, NONE)


def test_a_list_that_shrinks_while_it_is_read_is_an_error():
    class Clearing:
        def __iter__(self):
            groups.clear()
            return iter(["one"])

    groups = [Clearing(), ["two"], ["three"]]
    with pytest.raises(IndexError):
        _native.grouped_texts(groups, "references")
