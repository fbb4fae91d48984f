"""Rankings and pairs: WMT's relative ranking, METEOR's `.rank`, TERp's five columns."""

from collections.abc import Sequence

import numpy as np

from tertium.corpus.formats import kind_of
from tertium.corpus.records import Table, read_csv, read_fields, read_table, table_of
from tertium.errors import Argument, InputError
from tertium.judgments.forms.tidy import checked_names, numbers, whole_numbers
from tertium.judgments.labels import Labels
from tertium.judgments.preferences import Preferences
from tertium.judgments.table import Warn


def read_ranking(path: str, *, language_pair: tuple[str, str] | None = None, warn: Warn) -> Preferences:
    """Read WMT's CSV of rankings: srclang, trglang, srcIndex, …, system1Id, …, system1rank, …

    k outputs that were ranked together make k(k-1)/2 pairs; a lower rank is better, equal ranks are a tie. Ranks of -1
    were left blank.
    """
    table = table_of(path, read_csv(path, warn=warn))
    places = _places(table)
    rows = _of_language(table, language_pair)
    segments = whole_numbers(table, "srcIndex", 1)[rows]
    if len(segments) and segments.min() < 1:
        raise InputError(f"{path}: a row has no srcIndex.")
    names = [Labels.of([table.columns[f"system{place}Id"][row] for row in rows]) for place in places]
    ranks = [numbers(table, f"system{place}rank")[rows] for place in places]
    judges = table.find("judgeId", "judgeID")
    rater = Labels.of([table.columns[judges][row] for row in rows]) if judges else Labels.constant(None, len(rows))
    document = Labels.of([table.columns["documentId"][row] for row in rows]) if "documentId" in table.columns else None
    parts, blank, same = [], 0, 0
    for one in range(len(places)):
        for two in range(one + 1, len(places)):
            shown = (names[one].codes >= 0) & (names[two].codes >= 0)
            both = Labels.joined([names[one], names[two]])
            first, second = both.codes[: len(rows)], both.codes[len(rows) :]
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
    return _some(Preferences.joined(parts), path)


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


def _of_language(table: Table, language_pair: tuple[str, str] | None) -> list[int]:
    """Return the rows of a language pair. Without one, refuse several: their segments have the same numbers."""
    if "srclang" not in table.columns or "trglang" not in table.columns:
        return list(range(len(table)))
    pairs = list(zip(table.columns["srclang"], table.columns["trglang"], strict=True))
    known = list(dict.fromkeys(pairs))
    if language_pair is None and len(known) > 1:
        listed = ", ".join(f"{source}-{target}" for source, target in known[:12])
        raise InputError(
            f"{table.name} has rankings of several language pairs: {listed}. Say which: ",
            Argument("language_pair", listed.split(", ")[0]),
            ".",
        )
    if language_pair is None:
        return list(range(len(table)))
    if language_pair not in known:
        listed = ", ".join(f"{source}-{target}" for source, target in known[:12])
        raise InputError(f"{table.name} has no rankings of {'-'.join(language_pair)}, only of {listed}.")
    return [row for row, pair in enumerate(pairs) if pair == language_pair]


_OUTCOMES = {"better": 1, "1": 1, "+1": 1, "tie": 0, "0": 0, "worse": -1, "-1": -1}


def read_pairs(path: str, *, first_segment: int = 1, warn: Warn) -> Preferences:
    """Read a tidy table of pairs; the outcome is that the first is better, worse, or neither (tie)."""
    kind = kind_of(path, "outcome")
    table = read_table(path, kind if kind in ("csv", "jsonl", "parquet") else "tsv", warn=warn)
    outcomes = []
    for index, text in enumerate(table.column("outcome")):
        if text not in _OUTCOMES:
            raise InputError(
                f"{table.where(index)}: the outcome is '{text[:40]}', but better, tie or worse was expected."
            )
        outcomes.append(_OUTCOMES[text])
    first, second = (checked_names(table, name) for name in ("first", "second"))
    for index, (one, two) in enumerate(zip(first, second, strict=True)):
        if one == two:
            raise InputError(f"{table.where(index)}: '{one}' is compared with itself.")
    numbered = "segment" in table.columns
    segments = whole_numbers(table, "segment", first_segment) if numbered else np.zeros(len(table), np.int64)
    found = Preferences.of(
        first, second, segments, outcomes, rater=table.columns.get("rater"), document=table.columns.get("document")
    )
    return _some(found, path)


def read_meteor_rank(path: str, *, warn: Warn) -> Preferences:
    """Read METEOR's `.rank`: segment, language pair, better system, language pair, worse system."""
    table = _five(path, ("segment", "pair of the better", "better", "pair of the worse", "worse"), warn)
    pairs = {*table.columns["pair of the better"], *table.columns["pair of the worse"]}
    if len(pairs) > 1:
        raise InputError(
            f"{path} mixes language pairs ({', '.join(sorted(pairs)[:6])}), whose segments have the same numbers."
        )
    return _pairs(table, whole_numbers(table, "segment", 1).tolist(), None, path)


def read_terp_pairs(path: str, *, documents: Sequence[str] | None = None, warn: Warn) -> Preferences:
    """Read TERp's pairs: set, document, segment, better system, worse system.

    TERp counts segments within documents. With `documents`, each segment's document, they are numbered through;
    without them, numbers are taken as they are if they belong to one document each.
    """
    table = _five(path, ("set", "document", "segment", "better", "worse"), warn)
    segments = whole_numbers(table, "segment", 1)
    names = table.columns["document"]
    if documents is not None:
        from tertium.judgments.numbering import numbered_through
        from tertium.judgments.table import Judgments

        rows = Judgments.of(system=["pair"] * len(table), score=np.zeros(len(table)), segment=segments, document=names)
        segments = numbered_through(rows, documents).segment
    else:
        homes: dict[int, str] = {}
        for segment, name in zip(segments.tolist(), names, strict=True):
            if homes.setdefault(segment, name) != name:
                raise InputError(
                    f"{path}: segment {segment:,} is in several documents, so numbers start anew in each. Give ",
                    Argument("documents", of="read_judgments"),
                    ", one id per segment.",
                )
    return _pairs(table, segments.tolist(), names, path)


def _five(path: str, header: Sequence[str], warn: Warn) -> Table:
    table = table_of(path, read_fields(path, warn=warn, split=lambda line: line.split("\t")), header)
    if not len(table):
        raise InputError(f"{path} is empty, but five columns were expected: {', '.join(header)}.")
    return table


def _pairs(table: Table, segments: Sequence[int], documents: Sequence[str] | None, path: str) -> Preferences:
    better, worse = table.columns["better"], table.columns["worse"]
    for index, (one, two, segment) in enumerate(zip(better, worse, segments, strict=True)):
        if one == two or not one or not two or segment < 1:
            raise InputError(
                f"{table.where(index)}: a pair needs a segment and two different systems, not '{one}' and '{two}'."
            )
    return _some(Preferences.of(better, worse, segments, [1] * len(better), document=documents), path)


def _some(pairs: Preferences, path: str) -> Preferences:
    if not len(pairs):
        raise InputError(f"{path} holds no pair of ranked outputs.")
    return pairs
