"""tercom's reports on small examples of our own.

The layouts were read off files that tercom 0.7.25 has written: blanks, rounding, numbers of shifts, what a shift into
its own block looks like.
"""

from datetime import datetime
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples import examples
from tertium import TER
from tertium.report.programs.tercom import FORMATS, Origin, java_double, report, reported

ORIGIN = Origin("h.txt", "r.txt", made=datetime(2026, 11, 16, 9, 5, 7))
CASES = [
    ("1", "Yesterday the two ferries left the harbour", ["the ferries left both harbours yesterday"]),
    ("[doc][0002]", "A b", ["a c", "a x b c d e f g h"]),
    ("7:3", "x", [""]),
]


@pytest.fixture(scope="module")
def segments():
    return [reported(TER(), *case) for case in CASES]


def written(kind, *segments):
    return "".join(report(kind, segments, ORIGIN))


def test_ter(segments):
    assert written("ter", *segments) == (
        "Hypothesis File: h.txt\n"
        "Reference File: r.txt\n"
        "1:1 4.0 6.0 0.6666666666666666\n"
        "[doc][0002]:1 1.0 5.5 0.18181818181818182\n"
        "7:3 1.0 0.0 1.0\n"
    )


def test_sum(segments):
    assert written("sum", *segments) == (
        "Hypothesis File: h.txt\n"
        "Reference File: r.txt\n"
        "Ave-Reference File: r.txt\n"
        "Sent Id             | Ins  | Del  | Sub  | Shft | WdSh | NumEr  | NumWd    | TER     \n"
        "-------------------------------------------------------------------------------------\n"
        "1:1                 |    1 |    0 |    2 |    1 |    1 |    4.0 |    6.000 |   66.667\n"
        "[doc][0002]:1       |    0 |    0 |    1 |    0 |    0 |    1.0 |    5.500 |   18.182\n"
        "7:3                 |    1 |    0 |    0 |    0 |    0 |    1.0 |    0.000 |  100.000\n"
        "-------------------------------------------------------------------------------------\n"
        "TOTAL               | 2    | 0    | 3    | 1    | 1    | 6.0    | 11.500   | 52.174  \n"
    )


def test_sum_of_nothing():
    assert written("sum").endswith(
        "TOTAL               | 0    | 0    | 0    | 0    | 0    | 0.0    | 0.000    | 0.000   \n"
    )


def test_sum_nbest(segments):
    assert written("sum_nbest", segments[1]) == (
        "[doc][0002]:1          0    0    1    0    0    1.0    5.500   18.182\n"
    )


def test_pra(segments):
    assert written("pra", segments[0]) == (
        "Sentence ID: 1:1\n"
        "Original Ref: the ferries left both harbours yesterday\n"
        "Original Hyp: yesterday the two ferries left the harbour\n"
        "Hyp After Shift: the two ferries left the harbour yesterday\n"
        "Alignment: ( I  SS )\n"
        "NumShifts: 1\n"
        "  [0, 0, 5/6] ([yesterday])\n"
        "Score: 0.6666666666666666 (4.0/6.0)\n"
        "\n"
    )


def test_pra_more(segments):
    assert written("pra_more", segments[0]) == (
        "Sentence ID: 1:1\n"
        "Best Ref: the ferries left both harbours yesterday\n"
        "Orig Hyp: yesterday the two ferries left the harbour\n"
        "\n"
        "REF:    the *** ferries left both harbours   yesterday  \n"
        "HYP:  @ the two ferries left the  harbour  [ yesterday ]\n"
        "EVAL:       I                S    S                     \n"
        "SHFT: 1                                    1           1\n"
        "TER Score:  66.67 (  4.0/  6.0)\n"
        "\n"
        "Shift [yesterday] 6 words right\n"
        " REF:    the *** ferries left both harbours   yesterday  \n"
        " HYP:  @ the two ferries left the  harbour  [ yesterday ]\n"
        "\n\n\n"
    )


def test_marks_follow_their_words_and_each_shift_has_its_own_alignment():
    segment = reported(TER(), "1", "so boats ' rule held", ["the rule of boats held"])
    lines = written("pra_more", segment).split("\n")
    assert lines[4:8] == [
        "REF:  the   rule     of     boats   held",
        "HYP:  so  [ rule ] @ '  @ [ boats ] held",
        "EVAL: S              S                  ",
        "SHFT:     2      2 1    2 1       1     ",
    ]
    assert lines[10:16] == [
        "Shift [boats] 2 words right",
        " REF:  the   rule of     boats   held",
        " HYP:  so  @ '    rule [ boats ] held",
        "",
        "Shift [rule] 1 words left",
        " REF:  the   rule   of   boats held",
    ]


def test_a_block_aimed_into_itself_is_said_not_to_move():
    segment = reported(
        TER(), "1", "we sail from home to sea on our 9 trip .", ["we sail on our trip 9 from home to sea ."]
    )
    assert [shift.words for shift in segment.tracks.alignment.shifts] == [("from", "home", "to", "sea"), ("trip",)]
    text = written("pra_more", segment)
    assert "HYP:  we sail @ [ on our [ trip ] 9 from ] home to sea @ .\n" in text
    assert "Shift [from, home, to, sea] 0 words right\n" in text
    assert '"trip","trip",C,0\n' in written("xml", segment)  # the place of an earlier shift, which went nowhere


def test_xml(segments):
    text = written("xml", segments[0], segments[2])
    assert text == (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<system title="Byblos" hyp_fname="h.txt" ref_fname="r.txt" creation_date="09:05:07, Mon, 11 16 2026"'
        ' case_sense="0">\n'
        '<tstset setid="" srclang="" trglang="">\n'
        '  <doc docid="">\n'
        '    <seg segid="1">\n'
        '      <hyp id="1" refid="" wrd_cnt="6.0" num_errs="4.0">\n'
        '        "the","the",C,0\n'
        '        "","two",I,0\n'
        '        "ferries","ferries",C,0\n'
        '        "left","left",C,0\n'
        '        "both","the",S,0\n'
        '        "harbours","harbour",S,0\n'
        '        "yesterday","yesterday",C,6\n'
        "      </hyp>\n"
        "    </seg>\n"
        '    <seg segid="7">\n'
        '      <hyp id="3" refid="" wrd_cnt="0.0" num_errs="1.0">\n'
        '        "","x",I,0\n'
        "      </hyp>\n"
        "    </seg>\n"
        "  </doc>\n"
        "</tstset>\n"
        "</system>"
    )


def test_xml_can_be_read_whatever_the_words():
    segment = reported(TER(), 'a"<1>', 'x & "y" <z>', ["x & y"])
    root = ElementTree.fromstring(written("xml", segment).encode())
    assert root.find(".//seg").get("segid") == 'a"<1>'
    assert '"y","<z>",S,0\n' in root.find(".//hyp").text


def test_widths_are_counted_as_java_does():
    segment = reported(TER(), "1", "\U0001f600 猫", ["x 猫"])
    assert "REF:  x  猫\nHYP:  \U0001f600 猫\nEVAL: S   \n" in written("pra_more", segment)


sentences = st.lists(st.sampled_from(["a", "b", "c", "dd", "e&"]), max_size=9).map(" ".join)


@examples(300)
@given(sentences, sentences)
def test_every_report_can_be_made_and_keeps_its_columns(hypothesis, reference):
    segment = reported(TER(), "1", hypothesis, [reference])
    for kind in FORMATS:
        assert written(kind, segment)
    lines = [
        line for line in written("pra_more", segment).split("\n") if line.startswith(("REF", "HYP", "EVAL", "SHFT"))
    ]
    assert len(lines) == 4
    assert len(set(map(len, lines))) == 1


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0.0"), (3.0, "3.0"), (0.1, "0.1"), (0.0005, "5.0E-4"), (1e7, "1.0E7"), (12345678.5, "1.23456785E7")],
)
def test_numbers_as_java_prints_them(value, text):
    assert java_double(value) == text
