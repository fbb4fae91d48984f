"""Spans that xCOMET marked, filled in beforehand from COMET's JSON."""

import json

import pytest

from tertium.annotate.prefilled import read_spans
from tertium.errors import InputError


def written(path, errors):
    path.write_text(json.dumps({"out/a.txt": [{"mt": "two words", "COMET": 0.5, "errors": errors}]}))
    return str(path)


def test_spans_of_comets_json(tmp_path):
    errors = [
        {"text": "two", "severity": "minor", "confidence": 0.4, "start": 0, "end": 3},
        {"text": "words", "severity": "critical", "start": 4, "end": 9},
    ]
    found = read_spans(written(tmp_path / "x.json", errors), {"a": ["two words"]})
    assert [(one["text"], one["severity"]) for one in found["a", 1]] == [("two", "minor"), ("words", "major")]


@pytest.mark.parametrize(
    ("error", "message"),
    [
        ({"severity": "minor", "start": 4, "end": 99}, "segment 1 of a: 4 to 99 is not within the output"),
        ({"severity": "odd", "start": 0, "end": 3}, "severity is minor or major, not 'odd'"),
        ({"severity": "minor", "start": 0}, "segment 1 of a is no span"),
        (3, "is no span"),
    ],
)
def test_spans_that_do_not_fit(tmp_path, error, message):
    with pytest.raises(InputError, match=message):
        read_spans(written(tmp_path / "x.json", [error]), {"a": ["two words"]})
