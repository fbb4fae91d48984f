"""HTER and its kin: outputs against their own post-edits."""

import pytest

from tertium import BLEU, NIST, TER
from tertium.errors import InputError
from tertium.judgments import human_targeted

OUTPUT = ["the a house big", "it rains now"]
EDITED = ["the big house", "it rains now"]
REFERENCES = ["the very big old house over there", "rain falls at this moment"]


def test_edits_by_the_length_of_the_post_edit():
    judgments = human_targeted({"mill": OUTPUT}, {"mill": EDITED})
    ter = TER()
    rows = ter.statistics(OUTPUT, EDITED)
    assert judgments.kinds == ("hter",)
    assert judgments.lower_is_better == {"hter"}
    assert judgments.segment_scores("hter")["mill"].tolist() == ter.score(rows).tolist()
    assert judgments.system_scores("hter")["mill"] == float(ter.score(rows.sum(axis=0)))


def test_edits_by_the_length_of_untargeted_references():
    own = human_targeted({"mill": OUTPUT}, {"mill": EDITED})
    untargeted = human_targeted({"mill": OUTPUT}, {"mill": EDITED}, references=REFERENCES)
    # 2 edits: by 6 words of post-edits, or by 12 words of references.
    assert own.system_scores("hter")["mill"] == pytest.approx(100 * 2 / 6)
    assert untargeted.system_scores("hter")["mill"] == pytest.approx(100 * 2 / 12)


def test_documents_and_several_editors():
    judgments = human_targeted(
        {"mill": OUTPUT, "river": EDITED},
        {"mill": [[EDITED[0], "the a house big"], [EDITED[1]]], "river": EDITED},
        documents=["x", "y"],
    )
    assert judgments.levels("hter") == ("segment", "document", "system")
    assert judgments.system_scores("hter") == {"mill": 0.0, "river": 0.0}
    assert judgments.document_scores("hter")["mill"].tolist() == [0, 0]


def test_any_other_metric():
    judgments = human_targeted({"mill": OUTPUT}, {"mill": EDITED}, metric=BLEU(effective_order=True))
    assert judgments.kinds == ("hbleu",)
    assert not judgments.lower_is_better
    assert judgments.segment_scores("hbleu")["mill"][1] == pytest.approx(100)
    with pytest.raises(InputError, match="bleu does not divide by a length of its own"):
        human_targeted({"mill": OUTPUT}, {"mill": EDITED}, metric=BLEU(), references=REFERENCES)


def test_what_is_missing_is_named():
    with pytest.raises(InputError, match="There are no post-edits of river"):
        human_targeted({"mill": OUTPUT, "river": OUTPUT}, {"mill": EDITED})
    with pytest.raises(InputError, match="mill has 2 segments, but there are 1 document ids"):
        human_targeted({"mill": OUTPUT}, {"mill": EDITED}, documents=["x"])


def test_a_metric_that_must_learn_first_learns_from_all_post_edits():
    outputs = {"a": ["the cat sat", "a dog"], "b": ["cat sits", "the dog"]}
    edited = {"a": ["the cat sat down", "a dog"], "b": ["the cat sits", ["the dog", "a dog"]]}
    nist = NIST().fitted_to([["the cat sat down"], ["a dog"], ["the cat sits"], ["the dog", "a dog"]])
    found = human_targeted(outputs, edited, metric=NIST())
    rows = nist.statistics(outputs["b"], [["the cat sits"], ["the dog", "a dog"]])
    assert found.system_scores("hnist")["b"] == pytest.approx(float(nist.score(rows.sum(axis=0))))
