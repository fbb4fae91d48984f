"""Systems and kinds called otherwise."""

import re
from collections.abc import Callable
from dataclasses import replace

from tertium.errors import InputError
from tertium.judgments.labels import Labels
from tertium.judgments.table import Judgments, Marked


def without_submission_numbers(judgments: Judgments) -> Judgments:
    """Return the same judgments with WMT's submission numbers cut off the names: `Online-B.0` is `Online-B`."""
    return renamed(judgments, lambda name: re.sub(r"\.\d+$", "", name))


def renamed(judgments: Judgments, rename: Callable[[str], str]) -> Judgments:
    """Return the same judgments with systems called otherwise."""
    names = [rename(name) for name in judgments.systems]
    clash = next((name for name in names if names.count(name) > 1), None)
    if clash is not None:
        raise InputError(f"Two systems would both be called '{clash}'.")
    pairs = judgments.preferences
    return replace(
        judgments,
        system=Labels(tuple(names), judgments.system.codes),
        preferences=replace(pairs, system=tuple(rename(name) for name in pairs.system)),
        marked=_marked(judgments, lambda ours: renamed(ours, rename)),
    )


def renamed_kinds(judgments: Judgments, rename: Callable[[str], str]) -> Judgments:
    """Return the same judgments with kinds called otherwise."""
    return replace(
        judgments,
        kind=Labels(tuple(rename(kind) for kind in judgments.kinds), judgments.kind.codes),
        lower_is_better=frozenset(rename(kind) for kind in judgments.lower_is_better),
    )


def _marked(judgments: Judgments, change: Callable[[Judgments], Judgments]) -> Marked | None:
    """Return the rows that do not count, changed in the same way."""
    return judgments.marked and replace(judgments.marked, judgments=change(judgments.marked.judgments))
