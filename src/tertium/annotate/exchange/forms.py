"""The forms of export there are: a new one is a file and a line here."""

from tertium.annotate.exchange.appraise import Appraise
from tertium.annotate.exchange.form import ExportForm
from tertium.annotate.exchange.marot import Marot
from tertium.annotate.exchange.mtme import MetricsEval
from tertium.annotate.exchange.pearmut import Pearmut
from tertium.annotate.exchange.spans import SpanLines
from tertium.annotate.exchange.tidy import Tidy
from tertium.annotate.exchange.wmt import WMT
from tertium.errors import UnknownNameError

FORMS: tuple[ExportForm, ...] = (Tidy(), SpanLines(), Pearmut(), Appraise(), WMT(), Marot(), MetricsEval())


def form_named(name: str) -> ExportForm:
    """Return the form of this name."""
    for form in FORMS:
        if form.name == name:
            return form
    raise UnknownNameError.of("form of export", name, [form.name for form in FORMS])
