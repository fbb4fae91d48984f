"""Settings by their declarations: each says what it means and may be, and whatever is given, only we refuse it."""

import os
import random
import sys
from dataclasses import dataclass
from math import inf, nan

import numpy as np
import pytest

from tertium import Metric, parse_metric
from tertium.cli.main import main
from tertium.errors import InputError, TertiumError, UnknownNameError
from tertium.metrics import METRICS, PLACES
from tertium.metrics.settings import Setting, setting, settings_of

CASES = int(os.environ.get("TERTIUM_FUZZ", "150"))  # per metric
HYPOTHESES = ["the cat sat on the mat , and on the hat", "", "b a c d e f g a b", "नदी का पानी 水位 ́ x" * 3]
REFERENCES = [["on the mat the cat sat , on a hat", ""], ["x"], ["a b c d e f g", "c d a b"], ["नदी पानी का x 水"]]
WILD = [None, True, -1, 0, 1, 2, 2.5, -0.0, 1e-300, 1e300, inf, -inf, nan, 2**31 - 1, 2**32, 2**63, 10**400,
        "", "none", "\x00", "\ud800", "a" * 5000, "1+2", "no/such/file", "@000000000000", b"x", (), (1, 1), {"shift": 2},
        {"x": 1}, object(), [1, nan]]  # fmt: skip
DECLARED = [
    pytest.param(metric, name, id=f"{metric.name}-{name}") for metric in METRICS for name in settings_of(metric)
]


@pytest.mark.parametrize(("metric", "name"), DECLARED)
def test_every_setting_says_what_it_means_and_may_be(metric, name):
    one = settings_of(metric)[name]
    assert one.meaning
    assert one.flag or one.choices or one.whole or one.number or one.file or one.check
    assert one.default is None or one.checked("it", one.default) == one.default
    for low, high in filter(None, (one.whole, one.number)):
        assert low < high
        assert not one.unlimited or high <= 1_000_000 or one.whole is None  # what a search can count


@pytest.mark.parametrize(
    ("metric", "name", "low"),
    [
        pytest.param(metric, name, (one.whole or one.number)[0], id=f"{metric.name}-{name}")
        for metric in METRICS
        for name, one in settings_of(metric).items()
        if (one.whole or one.number) and not one.check
    ],
)
def test_what_is_out_of_range_is_refused_by_name(metric, name, low):
    for value in (low - 1, nan, -inf, "many", 10**400):
        with pytest.raises(InputError, match=rf"{metric.name}'s {name} must be .*, not "):
            metric(**{name: value})


def drawn(one: Setting, rng: random.Random):
    """Return a value of a setting: mostly one that it may have, with the ends of its range among them."""
    if rng.random() < 0.15:
        return rng.choice(WILD)
    if one.several or isinstance(one.default, tuple):
        usual = len(one.default) if isinstance(one.default, tuple) else rng.randint(1, 4)
        return tuple(one_drawn(one, rng) for _ in range(usual))
    return one_drawn(one, rng)


def one_drawn(one: Setting, rng: random.Random):
    if one.flag:
        return rng.random() < 0.5
    if one.choices:
        return rng.choice(one.choices)
    if one.whole or one.number:
        low, high = one.whole or one.number
        if one.unlimited and rng.random() < 0.2:
            return inf
        if one.whole:
            return rng.choice([low, high, low + 1, rng.randint(low, min(high, 40)), rng.randint(low, high)])
        return rng.choice([low, high, rng.random(), rng.uniform(low, min(high, 1e6)), 1.0])
    return rng.choice(["none", "en", "de", "wordnet", "own_list", one.default])


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_any_settings_give_an_answer_or_are_refused(metric):
    rng = random.Random(metric.name)
    declared = settings_of(metric)
    answers = 0
    for _ in range(CASES):
        names = rng.sample(list(declared), rng.randint(1, min(4, len(declared))))
        given = {name: drawn(declared[name], rng) for name in names}
        try:
            made = metric(**given)
            fitted = made.fitted_to(REFERENCES)
            rows = fitted.statistics(HYPOTHESES, REFERENCES, threads=1)
            scores = fitted.score(rows)
            if made.aligns:
                made.align(HYPOTHESES[0], REFERENCES[0])
        except TertiumError:
            continue
        except Exception as error:
            raise AssertionError(f"{metric.__name__}(**{given!r:.300})") from error
        assert not np.isnan(rows).any(), given
        assert not np.isnan(scores).any(), given
        if not any(callable(value) for value in given.values()):
            assert parse_metric(made.signature()).signature() == made.signature(), given
        answers += 1
    assert answers > CASES / 10


def test_texts_that_are_no_names_are_refused():
    for text in ("\x00", "\ud800", "a" * 5000, "b" * 300):
        for setting_text in (f"meteor:function_words={text}", f"terp:equivalences={text}", f"terp:costs={text}",
                             f"bleu:tokenize=spm:{text}", f"bleu:synonyms={text}", f"meteor:resources={text}"):  # fmt: skip
            with pytest.raises(TertiumError):
                parse_metric(setting_text)


@pytest.mark.parametrize(
    "text",
    ["ter:variant=thesis,beam=4294967296", "ter:beam=2147483647,max_shift_size=33", "terp:beam=1e12",
     "ter:beam=4294967296,costs=2+1+1+1+0", "ter:max_tokens=9999999", "nist:order=100000"],
)  # fmt: skip
def test_what_a_kernel_cannot_hold_is_refused(text):
    with pytest.raises(InputError, match=r"must be a (whole )?number from"):
        parse_metric(text)


@dataclass(frozen=True, kw_only=True)
class Plain(Metric):
    """Settings without a line of their own."""

    name = "plain"
    higher_is_better = True
    range = "0 to 100"
    source = "this test"
    columns = ("one",)

    size: int = 3
    share: float = 0.5
    strict: bool = False
    sizes: tuple[int, ...] = (1, 2)
    label: str = "x"
    limit: int = setting(7, "declared", whole=(1, 9))

    def rows(self, hypotheses, references, *, threads):
        return np.ones((len(hypotheses), 1))

    def score(self, totals):
        return totals[..., 0]

    def parts(self, totals):
        return {}


def test_plain_fields_are_settings_too(monkeypatch, capsys):
    monkeypatch.setattr("tertium.metrics.METRICS", (*METRICS, Plain))
    monkeypatch.setattr("tertium.metrics.base.Plain", Plain, raising=False)
    monkeypatch.setitem(PLACES, "plain", "base.Plain")
    monkeypatch.setattr(sys, "argv", ["tertium", "metrics", "plain"])
    main()
    assert "limit=7: declared (a whole number from 1 to 9)" in capsys.readouterr().out
    metric = parse_metric("plain:size=4,share=0.25,strict=true,sizes=1+5,label=y,limit=9")
    assert metric == Plain(size=4, share=0.25, strict=True, sizes=(1, 5), label="y", limit=9)
    assert parse_metric(metric.signature()) == metric
    for wrong in ("size=2.5", "share=much", "strict=perhaps", "sizes=1+x", "limit=10"):
        with pytest.raises(InputError, match=wrong.partition("=")[0]):
            parse_metric(f"plain:{wrong}")
    with pytest.raises(UnknownNameError, match="setting of plain"):
        parse_metric("plain:other=1")
