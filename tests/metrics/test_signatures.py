"""Signatures of three kinds bring back one metric: ours in full, ours in short, sacreBLEU's."""

import pytest

from tertium import BLEU, CHRF, METEOR, NIST, TER, Averaged, Combination, TERp, __version__, parse_metric
from tertium.errors import InputError
from tertium.metrics import METRICS


@pytest.mark.parametrize(
    "metric",
    [
        BLEU(tokenize="zh", lowercase=True),
        CHRF(word_order=2),
        TER(variant="sacrebleu", normalized=True, asian_support=True),
        TER(variant="sacrebleu", beam=20),
        TERp(costs="ter"),
        TERp(costs="ter", stems="porter-revised", by_character=True),
        METEOR(language="de"),
        METEOR(version="2005"),
        NIST(order=3),
        Averaged(BLEU(effective_order=True)),
        Combination({TER(normalized=True): 0.5, TERp(costs="ter"): 0.5}),
    ],
    ids=lambda metric: metric.short_signature(),
)
def test_short_and_full_are_one_metric(metric):
    check_signatures(metric)


@pytest.mark.parametrize("metric_class", METRICS)
def test_short_and_full_are_one_usual_metric(metric_class):
    check_signatures(metric_class())


def check_signatures(metric):
    short = metric.short_signature(2)
    assert parse_metric(short) == parse_metric(metric.signature(2)) == metric
    assert parse_metric(short).short_signature(2) == short
    assert len(short) <= len(metric.signature(2))


def test_only_what_differs_is_told():
    assert BLEU().short_signature(2) == f"bleu|refs=2|tertium={__version__}"
    told = TER(asian_support=True, normalized=True).short_signature(1)
    assert told == f"ter:normalized=true,asian_support=true|refs=1|tertium={__version__}"
    assert NIST().fitted_to([["a b c"]]).short_signature(1) == f"nist|refs=1|tertium={__version__}"


@pytest.mark.parametrize(
    ("text", "metric"),
    [
        ("nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.4.0", BLEU()),
        ("BLEU|nrefs:2|case:lc|eff:yes|tok:zh|smooth:floor[0.10]|version:2.4.0",
         BLEU(lowercase=True, effective_order=True, tokenize="zh", smoothing="floor", smoothing_value=0.1)),
        ("#:1|c:mixed|e:no|tok:13a|s:exp|v:2.4.0", BLEU()),
        ("chrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:2.4.0", CHRF(word_order=2)),
        ("#:1|c:mixed|e:yes|nc:6|nw:0|s:no|v:2.4.0", CHRF()),
        ("TER|nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:2.4.0", TER(variant="sacrebleu")),
    ],
)  # fmt: skip
def test_reads_sacrebleus(text, metric):
    assert parse_metric(text) == metric


def test_refuses_half_a_signature_of_sacrebleus():
    with pytest.raises(InputError, match="no whole signature of sacreBLEU's for bleu: look at smooth"):
        parse_metric("nrefs:1|case:mixed|eff:no|tok:13a|version:2.4.0")


def test_names_may_be_in_capitals():
    assert parse_metric("BLEU:tokenize=zh") == BLEU(tokenize="zh")
    assert parse_metric("chrF++") == CHRF(word_order=2)
