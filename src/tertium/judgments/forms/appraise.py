"""Appraise's exports: a line per judgment, without a header."""

from dataclasses import replace
from itertools import chain

from tertium.corpus.records import read_csv, table_of
from tertium.errors import InputError
from tertium.judgments.forms.columns import whole_numbers
from tertium.judgments.forms.form import Form, Glimpse, Reading
from tertium.judgments.forms.item_types import by_type
from tertium.judgments.numbering import numbered_through
from tertium.judgments.table import Judgments

_COLUMNS = ("username", "system", "itemId", "itemType", "srcLang", "trgLang", "score")
_OF_DOCUMENTS = ("docId", "isDocScore")


class Appraise(Form):
    """username, system, itemId, itemType, srcLang, trgLang, score [, docId, isDocScore], …; a header may stand above.

    Judgments of whole documents are rows of the document; outputs that were made worse on purpose (BAD) are marked.
    """

    name = "appraise"
    holds = "an export of Appraise: user, system, item, type, languages, score …"

    def recognises(self, file: Glimpse) -> bool:
        """Whether the header says so, or the first line is a user, a system, a number, a type in capitals …"""
        fields = file.line.split(",")
        is_row = len(fields) >= 9 and fields[2].isdecimal() and fields[3][:3] in ("TGT", "BAD", "REF", "CHK")
        return is_row or {"username", "system", "itemid"} <= file.names

    def read(self, path: str, reading: Reading) -> Judgments:
        """Read an export."""
        records = read_csv(path, warn=reading.warn)
        line, first = next(records, (0, []))
        if [name.strip().lower() for name in first[:2]] == ["username", "system"]:
            table = table_of(path, records, first)
        else:
            if len(first) < len(_COLUMNS) + 2:
                raise InputError(
                    f"{path}, line {line:,} has {len(first)} columns, but Appraise's exports have 9 or 11: "
                    f"{', '.join(_COLUMNS)}, [{', '.join(_OF_DOCUMENTS)},] timeStart, timeEnd."
                )
            known = [*_COLUMNS, *(_OF_DOCUMENTS if len(first) >= 11 else ())]
            header = [*known, *(f"column {i + 1}" for i in range(len(known), len(first)))]
            table = table_of(path, chain([(line, first)], records), header)
        if "isDocScore" in table.columns:  # the number beside a document's score is no segment's
            whole = [text.strip().lower() == "true" for text in table.columns["isDocScore"]]
            numbered = ["" if is_whole else text for is_whole, text in zip(whole, table.column("itemId"), strict=True)]
            table = replace(table, columns=table.columns | {"itemId": numbered})
        found = by_type(
            table, table.column("itemType"), system="system", rater="username",
            segment=whole_numbers(table, "itemId", reading.first_segment), kind="DA-raw",
            documents=table.columns.get("docId"), warn=reading.warn,
        )  # fmt: skip
        return found if reading.documents is None else numbered_through(found, reading.documents)
