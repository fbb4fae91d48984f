"""Logs of simultaneous translation: which word was shown when, as SimulEval and SimulStream write it down."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from tertium.errors import Argument, InputError
from tertium.files.lines import Lines

Warn = Callable[[str], None]

_LONGEST = 1e15  # milliseconds; what is longer is no time
_FIELDS = ("total_audio_processed", "computation_time", "generated_tokens", "deleted_tokens")  # of SimulStream


@dataclass(frozen=True)
class Instance:
    """What was shown for one recording or segment: words, with how much had been heard by then, in milliseconds.

    `elapsed` also counts the time that computing took. `length` is how long the recording is, if that is known.
    """

    recording: str
    words: tuple[str, ...]
    delays: tuple[float, ...]
    elapsed: tuple[float, ...] | None
    length: float | None


def read_log(
    path: str, *, unit: str = "word", raw_elapsed: bool = False, warn: Warn = lambda _: None
) -> list[Instance]:
    """Read SimulEval's instances.log or SimulStream's log: JSON objects, one a line.

    SimulEval's `elapsed` adds up all computing since the recording began, as if nothing were heard meanwhile; each word
    is given its own share, unless `raw_elapsed`. For `unit="char"` each character has a time.
    """
    records = list(_records(path, warn))
    if not records:
        raise InputError(f"{path} is empty: a log has a JSON object a line, such as SimulEval's instances.log.")
    if any("generated_tokens" in record for _, record in records):
        return _simulstream(path, records, unit)
    found = [_simuleval(path, line, record, unit) for line, record in records]
    return found if raw_elapsed else [_own_shares(one) for one in found]


def _records(path: str, warn: Warn) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(Lines(path, warn=warn, crlf_is_usual=True), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict):
            raise InputError(f"{path}, line {number:,} is no JSON object, but {line[:40]!r}. Is it a log?")
        yield number, record


def _simuleval(path: str, line: int, record: dict[str, Any], unit: str) -> Instance:
    where = f"{path}, line {line:,}"
    text = record.get("prediction")
    if not isinstance(text, str):
        raise InputError(f"{where} has no prediction: a log of SimulEval has prediction, delays and source_length.")
    words = _units(text, unit)
    delays = _times(where, record, "delays", len(words), unit)
    if delays is None:
        raise InputError(f"{where} has no delays: when each word was shown, in milliseconds of the source.")
    source = record.get("source")
    name = source[0] if isinstance(source, list) and source else source
    length = record.get("source_length")
    if length is not None and not (_is_time(length) and length > 0):
        raise InputError(f"{where}: source_length is {length!r}, but milliseconds were expected.")
    return Instance(
        recording=PurePosixPath(str(name)).name if name else "",
        words=words,
        delays=delays,
        elapsed=_times(where, record, "elapsed", len(words), unit),
        length=None if length is None else float(length),
    )


def _units(text: str, unit: str) -> tuple[str, ...]:
    """Return what has a time of its own: what stands between blanks, or each character."""
    if unit == "char":
        return tuple(text.replace(" ", ""))
    return tuple(text.split(" ")) if text else ()


def _times(where: str, record: dict[str, Any], key: str, words: int, unit: str) -> tuple[float, ...] | None:
    times = record.get(key)
    if times is None:
        return None
    if not isinstance(times, list) or not all(map(_is_time, times)):
        raise InputError(f"{where}: {key} must be a list of numbers, milliseconds.")
    if len(times) != words:
        units, others, other = (
            ("characters", "words", "word") if unit == "char" else ("words", "characters, as in Chinese", "char")
        )
        raise InputError(
            f"{where}: the prediction has {words:,} {units}, but there are {len(times):,} {key}. If times are of "
            f"{others}, say ",
            Argument("unit", other),
            ".",
        )
    return tuple(map(float, times))


def _is_time(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < _LONGEST


def _own_shares(one: Instance) -> Instance:
    """Return when words really came: what was heard, and what computing took since the last word; never earlier."""
    if one.elapsed is None:
        return one
    fixed: list[float] = []
    before = 0.0
    for delay, elapsed in zip(one.delays, one.elapsed, strict=True):
        computing = elapsed - delay
        own = delay + computing - before
        fixed.append(max(own, fixed[-1]) if fixed else own)
        before = computing
    return replace(one, elapsed=tuple(fixed))


def _simulstream(path: str, records: list[tuple[int, dict[str, Any]]], unit: str) -> list[Instance]:
    """Join tokens to words: a word comes with its last token. Tokens that are taken back are gone."""
    names: dict[Any, str] = {}
    tokens: dict[Any, list[tuple[str, float, float]]] = {}
    for line, record in records:
        if "id" not in record:
            continue  # how long the model took to load
        which = record["id"]
        if not isinstance(which, int | str):
            raise InputError(f"{path}, line {line:,}: id is {which!r}, but a number or a name was expected.")
        if "metadata" in record:
            about = record["metadata"]
            if not isinstance(about, dict):
                raise InputError(f"{path}, line {line:,}: metadata is {about!r}, but an object was expected.")
            names[which] = PurePosixPath(str(about.get("wav_name", which))).name
        shown = tokens.setdefault(which, [])
        if "total_audio_processed" not in record:
            continue
        where = f"{path}, line {line:,}"
        audio, computing, generated, deleted = (_field(where, record, name) for name in _FIELDS)
        heard = 1000 * float(audio)
        done = heard + 1000 * float(computing)
        if len(deleted) > len(shown):
            raise InputError(
                f"{where} takes back {len(deleted):,} tokens, but only {len(shown):,} had been shown. Is the log whole?"
            )
        if deleted:
            del shown[len(shown) - len(deleted) :]
        shown += [(str(token), heard, done) for token in generated]
    return [_joined(names.get(which, str(which)), found, unit) for which, found in tokens.items()]


def _field(where: str, record: dict[str, Any], name: str) -> Any:
    if name not in record:
        raise InputError(f"{where} lacks a field, {name}: {', '.join(_FIELDS)} were expected.")
    value = record[name]
    if not (isinstance(value, list) if name.endswith("tokens") else _is_time(value)):
        wanted = "a list of tokens was" if name.endswith("tokens") else "seconds were"
        raise InputError(f"{where}: {name} is {str(value)[:40]}, but {wanted} expected.")
    return value


def _joined(recording: str, tokens: list[tuple[str, float, float]], unit: str) -> Instance:
    words: list[str] = []
    times: list[tuple[float, float]] = []
    for token, heard, done in tokens:
        for place, part in enumerate(token.replace("▁", " ").split(" ")):
            if unit == "char":
                words += part
                times += [(heard, done)] * len(part)
            elif place or not words:
                words.append(part)
                times.append((heard, done))
            elif part:
                words[-1] += part
                times[-1] = (heard, done)
    kept = [(word, time) for word, time in zip(words, times, strict=True) if word]
    return Instance(
        recording=recording,
        words=tuple(word for word, _ in kept),
        delays=tuple(heard for _, (heard, _) in kept),
        elapsed=tuple(done for _, (_, done) in kept),
        length=None,
    )
