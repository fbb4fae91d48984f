"""What a study exports for other programs is read back by `tertium judgments`: the same scores, the same spans."""

from collections import Counter

import pytest

from annotate.test_exchange import worked
from tertium.annotate.exchange.forms import form_named
from tertium.judgments import form_of, read_judgments


def facts(judgments, *, spans=True, texts=True):
    """Count what was said of outputs: score and spans, whatever raters and segments are called."""
    groups = judgments.details.spans.each(len(judgments)) if spans else [[]] * len(judgments)
    found: Counter[object] = Counter()
    for system, score, group in zip(judgments.system.texts(), judgments.score.tolist(), groups, strict=True):
        marked = [(s.start, s.end, s.side, (s.severity or "").lower(), (s.text or "") if texts else "") for s in group]
        found[system, round(score, 6), tuple(sorted(marked))] += 1
    return found


@pytest.mark.parametrize(
    ("form", "protocol", "file", "read_as"),
    [
        ("tidy", "esa", "judgments.tsv", "tidy"),
        ("pearmut", "esa", "annotations.json", "pearmut"),
        ("pearmut", "da", "annotations.json", "pearmut"),
        ("appraise", "esa", "appraise.csv", "appraise"),
        ("appraise", "mqm", "appraise.csv", "appraise"),
        ("wmt", "esa", None, "wmt-json"),
        ("wmt", "da", None, "wmt-json"),
        ("marot", "mqm", None, "mqm"),
    ],
)
def test_what_goes_out_comes_back(tmp_path, form, protocol, file, read_as):
    study = worked(tmp_path / "study.db", protocol=protocol, control=0.2)
    ours = read_judgments(str(study.path))
    files = form_named(form).written(study, names=False)
    path = tmp_path / (file or next(iter(files)))
    path.write_text(files[path.name], encoding="utf-8")
    assert form_of(str(path)).name == read_as
    # The tidy table of a study has no spans; Appraise's export has no texts.
    how = {"spans": protocol != "da" and form != "tidy", "texts": form != "appraise"}
    assert facts(read_judgments(str(path)), **how) == facts(ours, **how)
