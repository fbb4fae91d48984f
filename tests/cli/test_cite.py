"""`tertium explain --cite`: the papers behind a score."""

import json
import re

import pytest
from click.testing import CliRunner

from tertium import parse_metric
from tertium.cli.commands.explain import command
from tertium.metrics import METRICS
from tertium.metrics.papers import PAPERS, papers_of


def cited(*arguments):
    ran = CliRunner().invoke(command, [*arguments, "--cite"], catch_exceptions=False)
    assert ran.exit_code == 0
    return ran.stdout


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_every_metric_has_a_paper_that_its_page_names_too(metric):
    named = metric().source
    assert any(paper.authors[0].partition(",")[0] in named for paper in papers_of(metric()))


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("bleu", "papineni2002bleu"),
        ("chrf", "popovic2015chrf"),
        ("chrf++", "popovic2017chrf"),
        ("meteor:version=2007", "lavie2007meteor"),
        ("meteor:version=2005", "banerjee2005meteor"),
        ("cder+per:weights=0.6+0.4,substitution=prefix", "leusch2006cder"),
    ],
)
def test_settings_decide_what_comes_first(text, first):
    assert papers_of(parse_metric(text))[0].key == first


def test_papers_are_printed_for_people_programs_and_latex():
    assert cited("bleu|refs=1").startswith("Kishore Papineni, Salim Roukos, Todd Ward and Wei-Jing Zhu (2002). Bleu:")
    keys = [paper["key"] for paper in json.loads(cited("ter", "bleu", "--format", "json"))["papers"]]
    assert keys == ["snover2006ter", "papineni2002bleu", "post2018clarity"]
    assert re.match(
        r"@inproceedings\{popovic2017chrf,\n  author = \{Popović, Maja\},\n", cited("chrf++", "--format", "latex")
    )


def test_keys_say_author_and_year():
    for key, paper in PAPERS.items():
        surname = paper.authors[0].partition(",")[0].lower().replace("ć", "c")
        assert key.startswith(f"{surname}{paper.year}")
