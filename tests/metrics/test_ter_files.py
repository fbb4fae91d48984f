"""tercom's reports, by hand on small examples."""

import pytest

from tertium import TER
from tertium.metrics import ter_files

HYPOTHESES = ["this week the saudis denied information", "A b", "x"]
REFERENCES = [["saudi arabia denied this week information"], ["a c", "a x b c d e f g h"], [""]]


@pytest.fixture(scope="module")
def segments():
    return ter_files.reported(TER(), ["1", "[doc][0002]", "7:3"], HYPOTHESES, REFERENCES)


def test_ter(segments):
    assert ter_files.ter_file(segments, hypothesis_file="h.txt", reference_file="r.txt") == (
        "Hypothesis File: h.txt\n"
        "Reference File: r.txt\n"
        "1:1 3.0 6.0 0.5\n"
        "[doc][0002]:1 1.0 5.5 0.18181818181818182\n"
        "7:3 1.0 0.0 1.0\n"
    )


def test_sum(segments):
    lines = ter_files.sum_file(segments, hypothesis_file="h.txt", reference_file="r.txt").split("\n")
    assert lines[4:9] == [
        "1:1                 |    0 |    0 |    2 |    1 |    2 |    3.0 |    6.000 |   50.000",
        "[doc][0002]:1       |    0 |    0 |    1 |    0 |    0 |    1.0 |    5.500 |   18.182",
        "7:3                 |    1 |    0 |    0 |    0 |    0 |    1.0 |    0.000 |  100.000",
        "-" * 85,
        "TOTAL               |    1 |    0 |    3 |    1 |    2 |    5.0 |   11.500 |   43.478",
    ]


def test_sum_nbest(segments):
    assert ter_files.sum_nbest_file(segments[1:2]) == (
        "[doc][0002]:1          0    0    1    0    0    1.0    5.500   18.182\n"
    )


def test_pra(segments):
    assert ter_files.pra_file(segments[:1]) == (
        "Sentence ID: 1:1\n"
        "Original Ref: saudi arabia denied this week information\n"
        "Original Hyp: this week the saudis denied information\n"
        "Hyp After Shift: the saudis denied this week information\n"
        "Alignment: (SS    )\n"
        "NumShifts: 1\n"
        "  [0, 1, 4/4] ([this, week])\n"
        "Score: 0.5 (3.0/6.0)\n"
        "\n"
    )


def test_pra_more(segments):
    assert ter_files.pra_more_file(segments[:1]).split("\n")[4:9] == [
        "REF:  SAUDI ARABIA denied this week information",
        "HYP:  THE   SAUDIS denied this week information",
        "EVAL: S     S                                  ",
        "SHFT:                     1    1               ",
        "TER Score:  50.00 (  3.0/  6.0)",
    ]


def test_total(segments):
    assert ter_files.total_line(segments) == "Total TER: 0.43478260869565216 (5.0/11.5)\n"
    assert ter_files.total_line([]) == "Total TER: 0.0 (0.0/0.0)\n"


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0.0"), (3.0, "3.0"), (0.1, "0.1"), (0.0005, "5.0E-4"), (1e7, "1.0E7"), (12345678.5, "1.23456785E7")],
)
def test_numbers_as_java_prints_them(value, text):
    assert ter_files.java_double(value) == text
