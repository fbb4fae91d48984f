"""The tutorial: in every language, for every protocol that has one, its own answers meet its rules."""

import pytest

from tertium.annotate.protocols import PROTOCOLS
from tertium.annotate.tutorial import MARKED, SCORED, met, steps
from tertium.annotate.words import LANGUAGES


def ideal(rule, text):
    """Return the answer that a rule asks for."""
    answer = {"score": rule["score"][0]} if "score" in rule else {}
    spans = []
    for wanted in rule.get("spans", []):
        start, end = wanted.get("start", len(text)), wanted.get("end", len(text))
        spans.append({"start": start, "end": end, "side": wanted["side"], "severity": wanted["severity"] or "minor"})
    return answer | {"spans": spans}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: protocol.name)
def test_every_step_can_be_met_and_missed(protocol, language):
    found = steps(protocol(), language)
    if protocol.name not in (*MARKED, *SCORED):
        assert found == []
        return
    assert len(found) == (5 if protocol.name == "cesa" else 6)
    assert len(found[-1].rows) == 2  # the document
    for step in found:
        texts = [text for _, outputs in step.rows for text in outputs]
        assert len(texts) == len(step.expected)
        for text, rule in zip(texts, step.expected, strict=True):
            assert met(rule, ideal(rule, text))
            assert ("spans" in rule) == (protocol.name in MARKED)
            if rule.get("spans"):
                assert not met(rule, {"score": rule.get("score", (0,))[0], "spans": []})
            if "score" in rule:
                assert not met(rule, ideal(rule, text) | {"score": 100 if rule["score"][1] < 100 else 0})


def test_words_without_marks_ask_for_none():
    by_name = {protocol.name: protocol() for protocol in PROTOCOLS}
    for name in SCORED:
        assert not any("mark" in step.words.lower() for step in steps(by_name[name], "en"))
    assert not any("score" in step.words for step in steps(by_name["mqm"], "en"))
