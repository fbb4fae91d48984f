"""Files that other programs write their scores to, one reader each: `read_scores` tells them apart."""

from tertium.corpus.formats import split_column, split_name
from tertium.errors import InputError
from tertium.files.lines import Warn
from tertium.scoring.imported_scores import ImportedScore
from tertium.scoring.score_files.comet import Comet
from tertium.scoring.score_files.form import ScoreFile, ScoreForm
from tertium.scoring.score_files.metricx import MetricX
from tertium.scoring.score_files.mtme import SegmentScores
from tertium.scoring.score_files.numbers_column import NumbersColumn
from tertium.scoring.score_files.system_scores import SystemScores
from tertium.scoring.score_files.tidy import Tidy
from tertium.scoring.score_files.wmt25 import WMT25

FORMS: tuple[ScoreForm, ...] = (SegmentScores(), SystemScores(), Comet(), WMT25(), MetricX(), NumbersColumn(), Tidy())


def read_scores(argument: str, *, warn: Warn = lambda message: None) -> list[ImportedScore]:
    """Read `[NAME=]FILE[:COLUMN]`, whatever program wrote it.

    NAME names what the file leaves open: its system, where it holds one, or its metric. COLUMN is the column or field
    that holds the scores; in WMT25's files it is the language pair.
    """
    name, rest = split_name(argument)
    path, column = split_column(rest)
    file = ScoreFile(path, column, name)
    form = next(form for form in FORMS if form.recognises(file))
    if name is not None and not form.takes_name:
        raise InputError(f"{argument}: {path} names its systems and metrics itself, so '{name}=' has nothing to name.")
    found = form.read(file, warn)
    if not found:
        raise InputError(f"{path} holds no score.")
    return found
