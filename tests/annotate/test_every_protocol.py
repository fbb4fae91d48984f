"""The contract that each protocol keeps, whichever it is."""

from dataclasses import fields
from pathlib import Path

import pytest

from annotate.conftest import material, served, work_through
from tertium.annotate.protocols import PROTOCOLS, Refused, Shown, checked_answer, parse_protocol
from tertium.annotate.words import LANGUAGES, words_of
from tertium.errors import UnknownNameError
from tertium.judgments import read_judgments

SHOWN = Shown("The bridge 👩‍👩‍👧 is closed.", "Die Brücke.", 2)


@pytest.fixture(params=PROTOCOLS, ids=lambda protocol: protocol.name)
def protocol(request):
    return request.param()


def test_its_text_gives_it_back(protocol):
    assert parse_protocol(protocol.text()) == protocol


def test_it_says_what_it_is(protocol):
    assert type(protocol).__doc__
    assert protocol.kinds
    assert set(protocol.lower_is_better) <= set(protocol.kinds)
    assert 1 <= protocol.outputs[0] <= protocol.outputs[1]
    assert protocol.item_seconds > 0
    assert all(hasattr(protocol, one.name) for one in fields(protocol))


def test_nothing_is_set_at_first(protocol):
    assert protocol.scores({}) == {} or protocol.name == "mqm"
    assert protocol.missing({}, 0) is not None or protocol.name == "mqm"


def test_what_was_not_asked_for_is_refused(protocol):
    for answer in ({"colour": 1}, {"score": "50"}, {"spans": 3}, {"rank": 0}, {"text": 1}, [], None, 3):
        with pytest.raises(Refused):
            checked_answer(protocol.parts(len(protocol.phases) - 1), answer, SHOWN)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_its_words(protocol, language):
    words = words_of(language)
    assert f"instructions.{protocol.name}" in words
    for number, phase in enumerate(protocol.phases, start=1):
        assert f"lead.{protocol.name}" + (f".{number}" if len(protocol.phases) > 1 else "") in words
        for part in phase.parts:
            described = part.described()
            for _, key in (*described.get("anchors", ()), *described.get("bands", ()), *described.get("options", ())):
                assert key in words


def test_a_study_can_be_worked_through_and_read(protocol, tmp_path):
    with served(tmp_path / "study.db", protocol=protocol.name, annotators=2) as site:
        for number in (1, 2):
            work_through(site, number, value=lambda position, place: 100 - 10 * place)
    judgments = read_judgments(str(tmp_path / "study.db"))
    if protocol.pairwise:
        assert len(judgments.preferences) == 4
    else:
        assert judgments.kinds == protocol.kinds
        assert len(judgments) == 8 * len(protocol.kinds)
        assert set(judgments.systems) == set(material().systems)


def test_no_system_name_and_no_check_reaches_the_page(protocol, tmp_path):
    with served(tmp_path / "study.db", protocol=protocol.name, annotators=2, control=0.3, repeats=0.2) as site:
        for number in (1, 2):
            position = 1
            while (found := site.client.get(f"/a/{site.token(number)}/screen?n={position}")).status_code == 200:
                text = found.text.replace("It is snowing", "")
                for word in ("north", "south", "degraded", "repeat", "of_output", "expected"):
                    assert word not in text
                position += 1


def test_every_protocol_has_its_page():
    folder = Path(__file__).parents[2] / "docs" / "annotate" / "protocols"
    for protocol in PROTOCOLS:
        assert (folder / f"{protocol.name}.md").is_file(), protocol.name


def test_an_unknown_protocol_is_named():
    with pytest.raises(UnknownNameError, match="Did you mean 'esa'"):
        parse_protocol("esaa")
    with pytest.raises(UnknownNameError, match="points"):
        parse_protocol("adequacy:point=7")
