"""A user's function as a tokenizer: what it returns is taken once, in its order, or refused."""

import pytest

from tertium import BLEU, CDER
from tertium.errors import InputError

TEXT = "the cat sat on the mat"


def rows(split):
    return BLEU(tokenize=split).statistics([TEXT], [TEXT]).tolist()


@pytest.mark.parametrize("split", [lambda text: tuple(text.split()), lambda text: (word for word in text.split())])
def test_any_ordered_words_will_do(split):
    assert rows(split) == rows(str.split)


@pytest.mark.parametrize("returned", [3, None, "words", {"a", "b"}, {"a": 1}, float("nan"), [1], [None], ["\ud800"]])
def test_what_is_no_list_of_words_is_refused(returned):
    for settings in ({}, {"stem": "hi"}, {"substitution": "prefix"}):
        metric = (CDER if "substitution" in settings else BLEU)(tokenize=lambda text: returned, **settings)
        with pytest.raises(InputError, match="The tokenizer"):
            metric.statistics([TEXT], [TEXT])
