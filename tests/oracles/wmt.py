"""Real translations and what other programs print for them, where TERTIUM_ORACLE says they are."""

import csv
import os
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

_GIVEN = os.environ.get("TERTIUM_ORACLE")
ORACLE = Path(_GIVEN or "TERTIUM_ORACLE-is-not-set")
if _GIVEN and not ORACLE.is_dir():
    raise NotADirectoryError(f"TERTIUM_ORACLE is {_GIVEN!r}, but no directory is there.")
needs_oracle = pytest.mark.skipif(not _GIVEN, reason="TERTIUM_ORACLE is not set: no WMT texts to compare on")


@cache
def read(name: str, file: str) -> list[str]:
    """Return the lines of one text of a test set."""
    path = ORACLE / "data" / name / f"{file}.txt"
    return path.read_text(encoding="utf-8").removesuffix("\n").split("\n")


def records(name: str, tool: str, level: str) -> Iterator[dict[str, str]]:
    """Return what a tool printed for a test set."""
    path = ORACLE / "expected" / f"{name}.{tool}.{level}.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        yield from csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)


def expected(
    name: str, tool: str, level: str, config: str, *, prefix: str = "", refs: str = "A"
) -> list[tuple[str, dict[str, float]]]:
    """Return per system the numbers of all metrics whose name begins so."""
    by_system: dict[str, dict[str, float]] = defaultdict(dict)
    for record in records(name, tool, level):
        if record["config"] == config and record["refs"] == refs and record["metric"].startswith(prefix):
            by_system[record["system"]][record["metric"]] = float(record["value"])
    assert by_system, f"nothing expected of {config}"
    return list(by_system.items())


def check_moses(metric: Any, name: str, refs: str, statistics: Callable[[dict[str, Any]], list[Any]]) -> None:
    """Compare a metric's statistics and corpus score with those of Moses, for all systems of a test set.

    Of several references Moses takes the one with the highest score cut to a whole number, so nearly always the first.
    """
    found: dict[str, dict[int, list[float]]] = defaultdict(dict)
    for record in records(name, "misc", "segment"):
        if record["metric"] == f"{metric.name.upper()}.stats" and record["refs"] == refs:
            found[record["system"]][int(record["segment"])] = [float(number) for number in record["value"].split()]
    assert found
    config = "tok=whitespace|case=mixed|raw-evaluator-output"
    totals = dict(expected(name, "misc", "corpus", config, prefix=metric.name.upper(), refs=refs))
    for system, segments in found.items():
        rows = [metric.statistics(read(name, f"hyp.{system}"), read(name, f"ref.{one}")) for one in refs.split("+")]
        cut = np.trunc(1 - np.array([metric.score(one) for one in rows]) / 100)
        chosen = np.array(rows)[cut.argmax(axis=0), np.arange(len(rows[0]))]
        ours = np.stack(statistics(metric.parts(chosen)), axis=-1)
        assert {number: ours[number - 1].tolist() for number in segments} == segments
        score = 1 - metric.score(chosen.sum(axis=0)) / 100
        assert round(float(score), 4) == pytest.approx(totals[system][metric.name.upper()], abs=1.01e-4 * 0.5 + 1e-9)
