"""WMT's relative rankings: up to five outputs of a segment, ranked together."""

import numpy as np

from tertium.corpus.records import Table, read_csv, table_of
from tertium.errors import InputError
from tertium.judgments.forms.columns import numbers, whole_numbers
from tertium.judgments.forms.form import Form, Glimpse, Reading
from tertium.judgments.forms.language_pairs import of_language_pair
from tertium.judgments.forms.paired import judged
from tertium.judgments.labels import Labels
from tertium.judgments.preferences import Preferences
from tertium.judgments.table import Judgments, Warn


class Ranking(Form):
    """A CSV with srclang, trglang, srcIndex, …, system1Id, …, system1rank, …

    k outputs that were ranked together make k(k-1)/2 pairs; a lower rank is better, equal ranks are a tie. Ranks of -1
    were left blank.
    """

    name = "ranking"
    holds = "WMT's rankings: srclang, trglang, srcIndex, …, system1Id, …, system1rank, …"

    def recognises(self, file: Glimpse) -> bool:
        """Whether the header names systems and their ranks."""
        return {"system1id", "system1rank"} <= file.names

    def read(self, path: str, reading: Reading) -> Judgments:
        """Read the rankings of a language pair."""
        table = table_of(path, read_csv(path, warn=reading.warn))
        places = _places(table)
        table = of_language_pair(table, "srclang", "trglang", reading)
        return judged(_all_pairs(table, places, reading.warn), path, reading.warn)


def _all_pairs(table: Table, places: list[int], warn: Warn) -> Preferences:
    path = table.name
    segments = whole_numbers(table, "srcIndex", 1)
    if len(segments) and segments.min() < 1:
        raise InputError(f"{path}: a row has no srcIndex.")
    names = [Labels.of(table.columns[f"system{place}Id"]) for place in places]
    ranks = [numbers(table, f"system{place}rank") for place in places]
    judges = table.find("judgeId", "judgeID")
    rater = Labels.of(table.columns[judges]) if judges else Labels.constant(None, len(table))
    document = Labels.of(table.columns["documentId"]) if "documentId" in table.columns else None
    parts, blank, same = [], 0, 0
    for one in range(len(places)):
        for two in range(one + 1, len(places)):
            shown = (names[one].codes >= 0) & (names[two].codes >= 0)
            both = Labels.joined([names[one], names[two]])
            first, second = both.codes[: len(table)], both.codes[len(table) :]
            judged = (ranks[one] > 0) & (ranks[two] > 0)
            blank += int((shown & ~judged).sum())
            same += int((shown & judged & (first == second)).sum())
            kept = np.flatnonzero(shown & judged & (first != second))
            parts.append(
                Preferences(
                    system=both.names,
                    first=first[kept],
                    second=second[kept],
                    segment=segments[kept],
                    outcome=np.sign(ranks[two] - ranks[one])[kept].astype(np.int8),
                    rater=rater[kept],
                    document=document[kept] if document is not None else Labels.constant(None, len(kept)),
                )
            )
    if blank:
        warn(f"{path}: {blank:,} pairs have no rank on one side; they were left out.")
    if same:
        warn(f"{path}: {same:,} pairs are of a system with itself; they were left out.")
    return Preferences.joined(parts)


def _places(table: Table) -> list[int]:
    places: list[int] = []
    while f"system{len(places) + 1}Id" in table.columns and f"system{len(places) + 1}rank" in table.columns:
        places.append(len(places) + 1)
    if len(places) < 2 or "srcIndex" not in table.columns:
        raise InputError(
            f"{table.name} has the columns {', '.join(table.columns)[:120]}, but WMT's rankings have srcIndex, "
            "system1Id, system2Id, …, system1rank, system2rank, …"
        )
    return places
