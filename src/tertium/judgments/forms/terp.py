"""TERp's pairs: set, document, segment, better system, worse system."""

import numpy as np

from tertium.errors import Argument, InputError
from tertium.judgments.forms.columns import whole_numbers
from tertium.judgments.forms.form import Form, Glimpse, Reading
from tertium.judgments.forms.paired import better_and_worse, five_columns, judged
from tertium.judgments.numbering import numbered_through
from tertium.judgments.table import Judgments


class TERpPairs(Form):
    """Pairs as TERp is tuned on. TERp counts segments within documents."""

    name = "terp"
    holds = "TERp's pairs: set, document, segment, better system, worse system"

    def recognises(self, file: Glimpse) -> bool:
        """Whether a line has five columns with a number in the middle."""
        fields = file.line.split("\t")
        return len(fields) == 5 and fields[2].isdecimal()

    def read(self, path: str, reading: Reading) -> Judgments:
        """Read pairs; without documents, numbers are taken as they are if they belong to one document each."""
        table = five_columns(path, ("set", "document", "segment", "better", "worse"), reading.warn)
        segments = whole_numbers(table, "segment", 1)
        names = table.columns["document"]
        if reading.documents is not None:
            rows = Judgments.of(
                system=["pair"] * len(table), score=np.zeros(len(table)), segment=segments, document=names
            )
            segments = numbered_through(rows, reading.documents).segment
        else:
            homes: dict[int, str] = {}
            for segment, name in zip(segments.tolist(), names, strict=True):
                if homes.setdefault(segment, name) != name:
                    raise InputError(
                        f"{path}: segment {segment:,} is in several documents, so numbers start anew in each. Give ",
                        Argument("documents", of="read_judgments"),
                        ", one id per segment.",
                    )
        return judged(better_and_worse(table, segments.tolist(), names), path, reading.warn)
