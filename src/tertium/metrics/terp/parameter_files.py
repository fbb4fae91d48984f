"""TERp's parameter files, read and written: a line `Name (type) : value` for each setting."""

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Any

from tertium.errors import InputError, UnknownNameError
from tertium.metrics.settings import is_number, settings_of
from tertium.metrics.terp.costs import (
    COSTS,
    MAY_BE_NEGATIVE,
    TER_SETTINGS,
    TERP_SETTINGS,
    CostSet,
    checked_cost,
    checked_costs,
    number_of,
)
from tertium.metrics.terp.word_lists import text_lines
from tertium.metrics.tuned_files import SUFFIXES, tuned_text

# What the program takes where a file has no line.
_BUILT_IN: dict[str, Any] = TER_SETTINGS | {"normalized": False}
_BUILT_IN_COSTS = (0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0)

_COST_LINES = {
    "Default Match Cost": "match",
    "Default Insertion Cost": "insertion",
    "Default Deletion Cost": "deletion",
    "Default Substitution Cost": "substitution",
    "Default Stem Cost": "stem",
    "Default Synonym Cost": "synonym",
    "Default Shift Cost": "shift",
}
_FLAG_LINES = {
    "Normalize": "normalized",
    "New Normalization": "new_normalization",
    "Case Sensitive": "case_sensitive",
    "Strip Punctuation": "no_punct",
    "Cap Maximum TER": "cap",
    "Generalize Numbers": "generalize_numbers",
    "Normalize Numbers": "normalize_numbers",
}
_FILE_LINES = {
    "Phrase Database": "paraphrases",
    "Shift Stop Word List": "stopwords",
    "Normalization File": "equivalences",
}
_NUMBER_LINES = {
    "Beam Width": "beam",
    "Shift Distance": "max_shift_distance",
    "Adjust Phrase Table Min": "phrase_minimum",
    "Adjust Phrase Table Max": "phrase_maximum",
}
_FUNCTIONS = {"STD": "standard", "STDINV": "inverse", "STDNONED": "no-edits", "NONE": "table"}
_CONSTRAINTS = ("noshift", "exact", "relax_nophrase", "relax", "allow_mismatch")
# What tertium has no part for, and the value at which nothing is asked of it.
_UNSUPPORTED = {
    "Word Class File": "",
    "Weight File": "",
    "Normalize Phrase Table": "false",
    "Sum Duplicate Phrases": "false",
}


def read_costs(path: str | Path) -> CostSet:
    """Read a parameter file of TERp, one of its weight files (a heading, then eleven numbers), or a tuned metric."""
    if Path(path).suffix in SUFFIXES:
        return _tuned(path)
    lines = [(number, line) for number, line in enumerate(text_lines(path), start=1) if line.strip()]
    if not lines:
        raise InputError(f"{path} is empty, but a parameter file of TERp was expected: lines 'Name (type) : value'.")
    if not any(_is_parameter(line) for _, line in lines):
        return _weights(path, lines)
    costs, settings = dict(zip(COSTS, _BUILT_IN_COSTS, strict=True)), dict(_BUILT_IN)
    for number, line in lines:
        where = f"{path}, line {number}"
        name, colon, value = line.partition(" : ")
        name, value = name.split(" (")[0].strip(), value.strip()
        if not colon:
            name, colon, value = (part.strip() for part in line.partition(":"))
            name = name.split(" (")[0].strip()
        if not colon:
            raise InputError(f"{where}: {line.strip()[:60]!r} is no parameter. A line reads 'Name (type) : value'.")
        _read_line(where, name, value, costs, settings)
    return CostSet(tuple(costs.values()), settings)


def _tuned(path: str | Path) -> CostSet:
    """What `tertium tune` wrote: costs to score with, those that were aligned with, and the settings of both."""
    from tertium.metrics.names import parse_metric
    from tertium.metrics.terp.metric import TERp

    metric = parse_metric(tuned_text(path))
    if not isinstance(metric, TERp):
        raise InputError(f"{path} holds {metric.name}, not terp.")
    left_open = [name for name, one in settings_of(TERp).items() if one.default is None]
    return CostSet(metric.scoring_costs, {name: getattr(metric, name) for name in left_open})


def _read_line(where: str, name: str, value: str, costs: dict[str, float], settings: dict[str, Any]) -> None:
    if name in _COST_LINES:
        if value:
            costs[_COST_LINES[name]] = checked_cost(_COST_LINES[name], number_of(value), where)
    elif name == "Adjust Phrase Table Params":
        parts = value.split()
        if parts and len(parts) != 4:
            raise InputError(f"{where}: '{name}' has four numbers (w1 w2 w3 w4), not {len(parts)}.")
        costs |= {
            kind: checked_cost(kind, number_of(part), where) for kind, part in zip(MAY_BE_NEGATIVE, parts, strict=False)
        }
    elif name in _FLAG_LINES:
        if value:
            settings[_FLAG_LINES[name]] = _flag(where, name, value)
    elif name in _FILE_LINES:
        if value:
            settings[_FILE_LINES[name]] = value
    elif name in _NUMBER_LINES:
        if value:
            settings[_NUMBER_LINES[name]] = _limit(where, name, value)
    elif name == "Use Porter Stemming":
        settings["stems"] = "porter-revised" if value and _flag(where, name, value) else "none"
    elif name == "Use WordNet Synonymy":
        settings["synonyms"] = "wordnet" if value and _flag(where, name, value) else "none"
    elif name == "Use Average Length":
        settings["reference_length"] = "average" if not value or _flag(where, name, value) else "best"
    elif name == "Adjust Phrase Table Func":
        settings["phrase_cost"] = _one_of(where, name, value or "STD", _FUNCTIONS)
    elif name == "Shift Constraint":
        settings["shift_constraint"] = _one_of(where, name, value or "exact", {one: one for one in _CONSTRAINTS})
    elif name in _UNSUPPORTED:
        if value.lower() != _UNSUPPORTED[name] and value:
            raise InputError(f"{where}: '{name}' is {value!r}, which tertium cannot do. Leave it empty or false.")
    elif "Cost" in name:  # TERp passes over names it does not know; a cost that is passed over is a wrong score
        raise UnknownNameError(f"{where}: {UnknownNameError.of('cost of TERp', name, _COST_LINES)}")


def _is_parameter(line: str) -> bool:
    return ":" in line


def _weights(path: str | Path, lines: Sequence[tuple[int, str]]) -> CostSet:
    """A heading, then one line of eleven numbers."""
    if len(lines) != 2:
        raise InputError(
            f"{path}, line {lines[0][0]}: neither a parameter file of TERp ('Name (type) : value') nor a weight file "
            "(a heading and a line of eleven numbers)."
        )
    number, line = lines[1]
    values = tuple(number_of(part) for part in line.split())
    costs = checked_costs(values, f"{path}, line {number}: the weights")
    return CostSet(costs, TERP_SETTINGS)


def _limit(where: str, name: str, text: str) -> float:
    value = number_of(text)
    if not is_number(value) or value < 0:
        raise InputError(f"{where}: '{name}' must be a number of at least 0, not {text!r}.")
    return float(value)


def _flag(where: str, name: str, text: str) -> bool:
    if text.lower() not in ("true", "false"):
        raise InputError(f"{where}: '{name}' must be true or false, not {text!r}.")
    return text.lower() == "true"


def _one_of(where: str, name: str, text: str, known: Mapping[str, str]) -> str:
    if text not in known:
        raise UnknownNameError(f"{where}: {UnknownNameError.of(name, text, known)}")
    return known[text]


def parameter_lines(costs: Sequence[float], settings: Mapping[str, Any]) -> Iterator[str]:
    """Return a parameter file of TERp, line by line; settings that TERp has no name for are left out."""
    named = dict(zip(COSTS, costs, strict=True))

    def line(name: str, kind: str, value: object) -> str:
        return f"{f'{name} ({kind})':<40} : {value}\n"

    for name, setting in _FLAG_LINES.items():
        yield line(name, "boolean", str(bool(settings.get(setting, False))).lower())
    yield line("Beam Width", "integer", _whole(settings["beam"]))
    yield line("Shift Distance", "integer", _whole(settings["max_shift_distance"]))
    yield line("Shift Size", "integer", _whole(settings["max_shift_size"]))
    for name, kind in _COST_LINES.items():
        yield line(name, "float", repr(named[kind]))
    yield line("Use Porter Stemming", "boolean", str(settings["stems"] != "none").lower())
    yield line("Use WordNet Synonymy", "boolean", str(settings["synonyms"] != "none").lower())
    function = next(theirs for theirs, ours in _FUNCTIONS.items() if ours == settings["phrase_cost"])
    yield line("Adjust Phrase Table Func", "string", function)
    yield line("Adjust Phrase Table Params", "float list", " ".join(repr(named[kind]) for kind in MAY_BE_NEGATIVE))
    yield line("Adjust Phrase Table Min", "float", repr(float(settings["phrase_minimum"])))
    most = settings["phrase_maximum"]
    yield line("Adjust Phrase Table Max", "float", "" if most == inf else repr(float(most)))
    yield line("Shift Constraint", "string", settings["shift_constraint"])
    yield line("Use Average Length", "boolean", str(settings["reference_length"] == "average").lower())
    for name, setting in _FILE_LINES.items():
        value = settings.get(setting)
        yield line(name, "filename", "" if value in (None, "none") else value)


def _whole(value: float) -> object:
    return 1_000_000 if value == inf else int(value)
