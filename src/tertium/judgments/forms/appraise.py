"""Appraise's exports, a line per answer: scores (DA, ESA), marked errors (MQM, ESA), or two outputs side by side."""

import re
from itertools import chain

from tertium.corpus.records import Table, read_csv, table_of
from tertium.errors import InputError
from tertium.judgments.forms.appraise_answers import answers, paired_answers
from tertium.judgments.forms.appraise_tasks import Tasks, read_tasks
from tertium.judgments.forms.form import Form, Glimpse, Reading
from tertium.judgments.forms.language_pairs import of_language_pair
from tertium.judgments.table import Judgments, Warn

_FIRST = ("username", "system", "itemID", "itemType", "src", "trg", "score")
_DOCUMENT = ("documentID", "isCompleteDocument")
_TIMES = ("start", "end")
_TASK = ("batchNo", "item_id")
_PAIRED = (
    "username", "system1", "system2", "itemID", "itemType", "src", "trg", "score1", "score2", "errors1", "errors2",
    "sourceErrors", *_TIMES,
)  # fmt: skip
_LAYOUTS = {
    9: (*_FIRST, *_TIMES),
    11: (*_FIRST, *_DOCUMENT, *_TIMES),
    12: (*_FIRST, *_DOCUMENT, "mqm", *_TIMES),
    13: (*_FIRST, *_DOCUMENT, *_TIMES, *_TASK),
    14: (*_FIRST, *_DOCUMENT, "mqm", *_TIMES, *_TASK),
}
_ALIASES = {
    "itemid": "itemID", "itemtype": "itemType", "srclang": "src", "trglang": "trg", "docid": "documentID",
    "documentid": "documentID", "isdocscore": "isCompleteDocument", "iscompletedocument": "isCompleteDocument",
    "timestart": "start", "timeend": "end", "starttime": "start", "endtime": "end",
}  # fmt: skip
_TYPE = re.compile(r"(TGT|BAD|REF|CHK)(\.\d+)?")


class Appraise(Form):
    """username, system, itemID, itemType, languages, score [, document, whole?] [, errors], start, end.

    Tutorials, degraded and duplicate items, documents that were cut short and answers that were given anew are marked.
    A segment is known by its document and its place in it, since Appraise numbers the items of a task.
    """

    name = "appraise"
    holds = "an export of Appraise (DA, ESA, MQM, two outputs): user, system, item, type, languages, score …"

    def recognises(self, file: Glimpse) -> bool:
        """Whether the header says so, or the first line is a user, a system, a number, a type in capitals …"""
        return _layout(file.line.split(",")) is not None or {"username", "itemid"} <= file.names

    def read(self, path: str, reading: Reading) -> Judgments:
        """Read the answers of a language pair."""
        table = of_language_pair(appraise_table(path, reading.warn), "src", "trg", reading)
        tasks = Tasks({}) if reading.tasks is None else read_tasks(reading.tasks)
        found = (paired_answers if "system1" in table.columns else answers)(table, tasks, reading)
        return reading.placed(found, path)


def _layout(row: list[str]) -> tuple[str, ...] | None:
    """Return what the columns of a row hold; of a line cut at commas, the errors' own commas make it longer."""
    if len(row) >= len(_PAIRED) and _TYPE.fullmatch(row[4].strip()):
        return _PAIRED
    if len(row) < 9 or not _TYPE.fullmatch(row[3].strip()):
        return None
    if len(row) == 11 and row[8].strip() not in ("True", "False"):
        return (*_FIRST, *_TIMES, *_TASK)
    return _LAYOUTS.get(len(row), _LAYOUTS[12] if len(row) > 14 else None)


def appraise_table(path: str, warn: Warn) -> Table:
    """Return the rows of an export, with the names that its columns have in Appraise."""
    records = read_csv(path, warn=warn)
    line, first = next(records, (0, []))
    if first and first[0].strip().lower() == "username":
        return table_of(path, records, [_ALIASES.get(name.strip().lower(), name.strip()) for name in first])
    header = _layout(first)
    if header is None:
        raise InputError(
            f"{path}, line {line:,} has {len(first)} columns, but Appraise's exports have 9, 11, 12 (or two more): "
            f"{', '.join(_FIRST)}, [{', '.join(_DOCUMENT)},] [errors,] start, end; or 14 of two outputs."
        )
    return table_of(path, chain([(line, first)], records), header)
