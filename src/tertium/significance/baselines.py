"""The baseline of a gate: one file with the rows of a system that was good enough, and what fixes them.

Rows, not scores: so the test of a new system against it is paired, segment by segment, though the old texts are gone.
They are kept as compressed bytes, columns first, and the first bytes of all numbers before the second: a thousand
segments of BLEU and chrF take 40 kB.
"""

import base64
import binascii
import hashlib
import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tertium import __version__
from tertium.errors import InputError
from tertium.files.reading import whole
from tertium.metrics.base import Floats
from tertium.scoring.scores import Scores

_FORMAT = 1
_ANEW = "Remove it, and make a new one."
_MOST = 1 << 32  # bytes of rows that are believed; more is a file made to fill memory


@dataclass(frozen=True, eq=False)
class KeptMetric:
    """The rows of one metric, and the signature under which they may be compared."""

    signature: str
    higher_is_better: bool
    score: float
    columns: tuple[str, ...]
    rows: Floats


@dataclass(frozen=True, eq=False)
class Baseline:
    """What a gate compares with."""

    system: str
    segments: int
    references: str  # hashes; empty where there are none
    source: str
    metrics: Mapping[str, KeptMetric]
    version: str = field(default=__version__)

    @classmethod
    def of(cls, scores: Scores, system: str, *, references: str, source: str) -> "Baseline":
        """Keep the rows of a system."""
        rows, signatures = scores.kept_rows, scores.signatures
        assert rows is not None
        kept = {
            label: KeptMetric(
                signatures[label],
                metric.higher_is_better,
                float(metric.score(scores.totals[system][label])),
                tuple(metric.columns),
                rows[system][label],
            )
            for label, metric in scores.metrics.items()
        }
        return cls(system, scores.segment_count, references, source, kept)

    def written(self) -> str:
        """Return the file."""
        metrics = [
            {
                "metric": label,
                "signature": one.signature,
                "higher_is_better": one.higher_is_better,
                "score": one.score,
                "columns": list(one.columns),
                "rows": _packed(one.rows),
            }
            for label, one in self.metrics.items()
        ]
        head = {
            "tertium": self.version,
            "baseline": _FORMAT,
            "system": self.system,
            "segments": self.segments,
            "references": self.references,
            "source": self.source,
        }
        return json.dumps(head | {"metrics": metrics}, ensure_ascii=False, indent=1) + "\n"


def read_baseline(path: str) -> Baseline:
    """Read a baseline; refuse what is none, or was cut or changed."""
    data = whole(path)
    try:
        found = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is no JSON ({error}), but a baseline was expected.") from None
    if not isinstance(found, dict) or "baseline" not in found:
        raise InputError(f"{path} is no baseline: such a file is written by: tertium gate.")
    if found["baseline"] != _FORMAT:
        raise InputError(
            f"{path} is a baseline of format {found['baseline']!r:.20}, but this version reads {_FORMAT}. {_ANEW}"
        )
    try:
        segments = int(found["segments"])
        metrics = {str(one["metric"]): _kept(one, segments, path) for one in found["metrics"]}
        return Baseline(
            str(found["system"]), segments, str(found["references"]), str(found["source"]), metrics,
            str(found["tertium"]),
        )  # fmt: skip
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(f"{path} is a damaged baseline ({error}). {_ANEW}") from None


def _kept(found: dict[str, Any], segments: int, path: str) -> KeptMetric:
    columns = tuple(map(str, found["columns"]))
    rows = _unpacked(str(found["rows"]), (segments, len(columns)), path)
    return KeptMetric(
        str(found["signature"]), found["higher_is_better"] is True, float(found["score"]), columns, rows
    )  # fmt: skip


def _packed(rows: Floats) -> str:
    planes = np.ascontiguousarray(rows.T, "<f8").view(np.uint8).reshape(-1, 8).T
    return base64.b64encode(zlib.compress(planes.tobytes(), 9)).decode()


def _unpacked(text: str, shape: tuple[int, int], path: str) -> Floats:
    size = shape[0] * shape[1] * 8
    broken = InputError(f"{path} is a damaged baseline: its rows were cut or changed. {_ANEW}")
    if not 0 <= size <= _MOST:
        raise broken
    try:
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(base64.b64decode(text, validate=True), size + 1)
    except (zlib.error, binascii.Error, ValueError):
        raise broken from None
    if len(data) != size or not unpacker.eof:
        raise broken
    numbers = np.frombuffer(data, np.uint8).reshape(8, -1).T.copy().view("<f8")
    rows = numbers.reshape(shape[1], shape[0]).T.astype(np.float64)
    if not np.isfinite(rows).all():
        raise broken
    return np.ascontiguousarray(rows)


def hashed(groups: Iterable[Sequence[str]]) -> str:
    """Return what tells two sides of a test set apart: a hash of all texts, segment by segment."""
    digest = hashlib.sha256()
    for group in groups:
        digest.update(f"{len(group)}\n".encode())
        for text in group:
            data = text.encode("utf-8", "surrogatepass")
            digest.update(f"{len(data)}\n".encode() + data)
    return f"sha256:{digest.hexdigest()}"


def changed_fields(was: str, now: str) -> Iterator[tuple[str, str, str]]:
    """Return the fields in which two signatures differ, with both values; one that is missing is empty."""
    before, after = _fields(was), _fields(now)
    for name in dict.fromkeys([*before, *after]):
        if before.get(name) != after.get(name):
            yield name, before.get(name, ""), after.get(name, "")


def _fields(signature: str) -> dict[str, str]:
    """Return what stands in a signature: the metric, its settings, then references and versions."""
    text, *tail = signature.split("|")
    name, _, settings = text.partition(":")
    pairs = (part.partition("=") for part in [*filter(None, settings.split(",")), *tail])
    return {"metric": name} | {key: value for key, _, value in pairs}
