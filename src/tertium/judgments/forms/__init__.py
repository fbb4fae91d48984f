"""Layouts of judgments, one file each: a new one is a file and a line in `FORMS`."""

from tertium.errors import Argument, InputError, UnknownNameError
from tertium.judgments.forms.appraise import Appraise
from tertium.judgments.forms.direct_assessment import DirectAssessment
from tertium.judgments.forms.form import Form, Glimpse, Reading
from tertium.judgments.forms.meteor_rank import MeteorRank
from tertium.judgments.forms.mqm import MQM
from tertium.judgments.forms.mtme import Mtme
from tertium.judgments.forms.pairs import Pairs
from tertium.judgments.forms.pearmut import Pearmut
from tertium.judgments.forms.pet import PET
from tertium.judgments.forms.ranking import Ranking
from tertium.judgments.forms.study import Study
from tertium.judgments.forms.system_scores import SystemScores
from tertium.judgments.forms.terp import TERpPairs
from tertium.judgments.forms.tidy import Tidy
from tertium.judgments.forms.wmt_json import WMTJson

FORMS: tuple[Form, ...] = (
    Study(),
    Tidy(),
    DirectAssessment(),
    SystemScores(),
    MQM(),
    Appraise(),
    Pearmut(),
    WMTJson(),
    PET(),
    Mtme(),
    Ranking(),
    Pairs(),
    MeteorRank(),
    TERpPairs(),
)

__all__ = ["FORMS", "Form", "Glimpse", "Reading", "form_named", "form_of"]


def form_named(name: str) -> Form:
    """Return the layout of this name."""
    for form in FORMS:
        if form.name == name:
            return form
    raise UnknownNameError.of("form of judgments", name, [form.name for form in FORMS])


def form_of(path: str) -> Form:
    """Tell the layout of a file by its name and how it begins; what none recognises is taken for a tidy table."""
    file = Glimpse(path)
    if file.is_file:
        for form in FORMS:
            if form.recognises(file):
                return form
        if file.line.strip() in ("[", "{") or file.line.lstrip().startswith("[{"):
            raise InputError(
                f"{path} is JSON, but of no layout of judgments. What raters were shown (Appraise's batches) ",
                "belongs to ", Argument("tasks"), ", beside the file of their judgments.",
            )  # fmt: skip
    return form_named("tidy")
