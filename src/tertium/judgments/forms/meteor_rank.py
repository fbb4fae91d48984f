"""METEOR's `.rank`: segment, language pair, better system, language pair, worse system."""

from tertium.errors import InputError
from tertium.judgments.forms.columns import whole_numbers
from tertium.judgments.forms.form import Form, Glimpse, Reading
from tertium.judgments.forms.paired import better_and_worse, five_columns, judged
from tertium.judgments.table import Judgments


class MeteorRank(Form):
    """Pairs as METEOR is tuned on."""

    name = "meteor-rank"
    holds = "METEOR's .rank: segment, pair of languages, better system, pair of languages, worse system"

    def recognises(self, file: Glimpse) -> bool:
        """Whether the name ends in .rank, or a number and twice the same pair of languages begin it."""
        fields = file.line.split("\t")
        return file.path.endswith(".rank") or (
            len(fields) == 5 and fields[0].isdecimal() and fields[1] == fields[3] and not fields[2].isdecimal()
        )

    def read(self, path: str, reading: Reading) -> Judgments:
        """Read pairs of one language pair."""
        header = ("segment", "pair of the better", "better", "pair of the worse", "worse")
        table = five_columns(path, header, reading.warn)
        pairs = {*table.columns["pair of the better"], *table.columns["pair of the worse"]}
        if len(pairs) > 1:
            raise InputError(
                f"{path} mixes language pairs ({', '.join(sorted(pairs)[:6])}), whose segments have the same numbers."
            )
        segments = whole_numbers(table, "segment", 1).tolist()
        return judged(better_and_worse(table, segments, None), path, reading.warn)
