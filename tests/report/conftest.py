"""Pages to look at: systems with awkward names and awkward texts."""

import pytest

from tertium import BLEU, TER, compare, score
from tertium.judgments.spans import Span
from tertium.report.pages.comparison import compare_page
from tertium.report.pages.contents import contents
from tertium.report.pages.markings import Marking
from tertium.report.pages.segments import Texts

NAMES = ('north "one" <b>', "south's & </script>", "מערכת")
METRICS = (BLEU(), TER())
_NORTH = ["The bridge is closed today .", "Snow fell on the pass .", "Nobody knows why .", "Ask at the station ."]
_SOUTH = ["Today the bridge is closed .", "It snowed on a pass .", "Nobody knows .", "Please ask the station now ."]
_EAST = ["The bridge is shut today .", "Snow fell on the pass .", "No one knew why .", "Ask at a station ."]
_REFERENCES = ["The bridge is closed today .", "Snow fell on the pass .", "No one knows why .", "Ask at the station ."]
_ODD = ["</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", "שלום עולם", "{{ 7 * 7 }} &amp; ]]>"]


def texts_of(times=8):
    """Return three systems, references and sources; the last segments are odd ones."""
    systems = {
        NAMES[0]: [_NORTH * times + _ODD],
        NAMES[1]: [_SOUTH * times + [text + " x" for text in _ODD]],
        NAMES[2]: [_EAST * times + list(reversed(_ODD))],
    }
    references = [[text] for text in _REFERENCES * times + _ODD]
    sources = [f"source {k} </script>" for k in range(len(references))]
    return Texts(systems, references, sources, _markings(len(_NORTH) * times))


def _markings(count):
    """Let a metric and two raters mark what they see in the fourth of each four segments."""
    found = {}
    for segment in range(4, count + 1, 4):
        style = Span(0, 6, severity="minor", category="Style & <b>odd</b>")
        sense = Span(7, 21, severity="Major", category="Accuracy/Mistranslation", text="ask the station")
        lost = Span(0, 6, "source", "critical", "Omission <script>alert(1)</script>")
        found[NAMES[0], segment] = [Marking("xCOMET", 0, ())]
        found[NAMES[1], segment] = [
            Marking("xCOMET", 1, (style,)), Marking("<i>ann</i>, mqm", -5, (sense,)), Marking("bob, ESA", 30, (lost,)),
        ]  # fmt: skip
    return found


def contents_of(texts, metrics=METRICS, **options):
    """Return what a page about these texts shows."""
    documents = [f"d{k // 6}" for k in range(len(texts.references))]
    hypotheses = {name: runs[0] for name, runs in texts.systems.items()}
    scores = score(metrics, hypotheses, texts.references, documents=documents)
    compared = compare(scores, samples=200, all_pairs=True, **options)
    return contents(compared, texts, command="tertium compare …")


@pytest.fixture(scope="session")
def shown():
    return contents_of(texts_of())


@pytest.fixture(scope="session")
def page(shown):
    return compare_page(shown)
