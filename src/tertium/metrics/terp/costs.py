"""TERp's costs: the named sets, mappings, and TERp's own parameter files, read and written.

A parameter file has a line `Name (type) : value` for each setting. A set is what such a file holds: costs, and the
settings that were chosen together with them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from math import inf, isfinite
from pathlib import Path
from typing import Any

from tertium.errors import InputError, UnknownNameError
from tertium.metrics.base import is_number
from tertium.metrics.terp.words import text_lines
from tertium.metrics.tuned_files import SUFFIXES, tuned_text

COSTS = ("match", "insertion", "deletion", "substitution", "stem", "synonym", "shift", "w1", "w2", "w3", "w4")
_MAY_BE_NEGATIVE = ("w1", "w2", "w3", "w4")
_ALSO = {"insert": "insertion", "delete": "deletion", "substitute": "substitution"}
_LARGEST = 1_000_000

_TERP_SETTINGS: dict[str, Any] = {
    "stems": "porter-revised",
    "synonyms": "wordnet",
    "stopwords": "terp",
    "normalized": True,
    "case_sensitive": False,
    "shift_constraint": "relax",
    "cap": True,
    "beam": 35.0,
}
_TER_SETTINGS: dict[str, Any] = {
    "stems": "none",
    "synonyms": "none",
    "normalized": True,
    "case_sensitive": False,
    "shift_constraint": "exact",
    "cap": False,
    "beam": 20.0,
}
_BUILT_IN: dict[str, Any] = _TER_SETTINGS | {"normalized": False}
_BUILT_IN_COSTS = (0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class CostSet:
    """Costs, in the order of `COSTS`, and the settings that go with them."""

    costs: tuple[float, ...]
    settings: Mapping[str, Any] = field(default_factory=dict)


_A = (0.0, 0.2588527567630183, 1.4269364675533365, 1.5565478292505814, 0.0, 0.0, 0.5620538767397316,
      -0.2306579294476191, -0.1469465037633749, -0.07843705907022736, 0.17708577297831574)  # fmt: skip
_H = (0.0, 0.5160029868027748, 0.8897481530721948, 1.6362908525843867, 0.9574806141940626, 0.16474604979800672,
      0.686718582391978, 1.0366410752548514, 0.6518645817002747, -0.008317921340980746, 1.1121928362344298)  # fmt: skip
SETS: dict[str, CostSet] = {
    "terp-a": CostSet(_A, _TERP_SETTINGS),
    "ter": CostSet((0.0, 1.0, 1.0, 1.0, 999.0, 999.0, 1.0, 999.0, 0.0, 0.0, 0.0), _TER_SETTINGS),
    "terp-h": CostSet(_H, _TERP_SETTINGS),
    # Table 6 of the paper, as remembered: provisional.
    "adequacy": CostSet((0.0, 0.18, 1.42, 1.71, 0.0, 0.0, 0.19, -0.38, -0.03, 0.22, 0.47), _TERP_SETTINGS),
    "fluency": CostSet((0.0, 0.12, 1.37, 1.81, 0.0, 0.0, 0.43, -0.63, -0.07, 0.12, 0.46), _TERP_SETTINGS),
    "hter": CostSet((0.0, 0.84, 0.76, 1.55, 0.90, 0.75, 1.07, -0.03, -0.17, -0.08, -0.09), _TERP_SETTINGS),
}
_OTHER_NAMES = {"terpa": "terp-a", "terph": "terp-h", "terp": "terp-a"}


def cost_set(costs: object) -> tuple[str | tuple[float, ...], CostSet]:
    """Return the set that a name, a mapping, eleven numbers or a file stands for, and how a signature writes it."""
    if isinstance(costs, Mapping):
        values = _of_mapping(costs)
        return values, CostSet(values, _TERP_SETTINGS)
    if isinstance(costs, Path):
        found = read_costs(costs)
        return found.costs, found
    if isinstance(costs, str):
        name = _OTHER_NAMES.get(costs, costs)
        if name in SETS:
            return name, SETS[name]
        if _is_number(costs.split("+")[0]):
            values = _checked(tuple(_number(part) for part in costs.split("+")), "terp's costs")
            return values, CostSet(values, _TERP_SETTINGS)
        if costs and Path(costs).exists():
            found = read_costs(costs)
            return found.costs, found
        if "/" in costs or "." in costs:
            raise InputError(f"There is no file {costs} with costs, nor a set of that name: {', '.join(SETS)}.")
        raise UnknownNameError.of("set of terp's costs", costs, SETS)
    if isinstance(costs, Sequence):
        values = _checked(tuple(costs), "terp's costs")
        return values, CostSet(values, _TERP_SETTINGS)
    raise InputError(
        f"terp's costs are the name of a set ({', '.join(SETS)}), a mapping, eleven numbers or a parameter file, "
        f"not {costs!r}."
    )


def _of_mapping(costs: Mapping[Any, Any]) -> tuple[float, ...]:
    """Return all eleven; those left out are terp-a's."""
    named = dict(zip(COSTS, _A, strict=True))
    for kind, value in costs.items():
        known = _ALSO.get(kind, kind)
        if known not in named:
            raise UnknownNameError.of("cost of terp", str(kind), COSTS)
        named[known] = value
    return _checked(tuple(named.values()), "terp's costs")


def _checked(values: tuple[Any, ...], where: str) -> tuple[float, ...]:
    if len(values) != len(COSTS):
        raise InputError(f"{where} are {len(COSTS)} numbers ({', '.join(COSTS)}), not {len(values)}.")
    for kind, value in zip(COSTS, values, strict=True):
        least = -_LARGEST if kind in _MAY_BE_NEGATIVE else 0
        if not is_number(value) or not isfinite(value) or not least <= value <= _LARGEST:
            raise InputError(f"{where}: {_what(kind)} must be a number from {least:,} to {_LARGEST:,}, not {value!r}.")
    return tuple(float(value) + 0.0 for value in values)


def _what(kind: str) -> str:
    return kind if kind in _MAY_BE_NEGATIVE else f"the cost of {'an' if kind == 'insertion' else 'a'} {kind}"


# --- parameter files ------------------------------------------------------------------------------------------

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

    metric = parse_metric(tuned_text(path))
    if metric.name != "terp":
        raise InputError(f"{path} holds {metric.name}, not terp.")
    settings = {field.name: getattr(metric, field.name) for field in fields(metric) if field.default is None}  # type: ignore[arg-type]
    return CostSet(cost_set(metric.costs)[1].costs, settings)  # type: ignore[attr-defined]


def _read_line(where: str, name: str, value: str, costs: dict[str, float], settings: dict[str, Any]) -> None:
    if name in _COST_LINES:
        if value:
            costs[_COST_LINES[name]] = _cost(where, _COST_LINES[name], value)
    elif name == "Adjust Phrase Table Params":
        parts = value.split()
        if parts and len(parts) != 4:
            raise InputError(f"{where}: '{name}' has four numbers (w1 w2 w3 w4), not {len(parts)}.")
        costs |= {kind: _cost(where, kind, part) for kind, part in zip(_MAY_BE_NEGATIVE, parts, strict=False)}
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
    values = tuple(_number(part) for part in line.split())
    costs = _checked(values, f"{path}, line {number}: the weights")
    return CostSet(costs, _TERP_SETTINGS)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _number(text: str) -> Any:
    return float(text) if _is_number(text) else text


def _cost(where: str, kind: str, text: str) -> float:
    value = _number(text)
    least = -_LARGEST if kind in _MAY_BE_NEGATIVE else 0
    if not is_number(value) or not isfinite(value) or not least <= value <= _LARGEST:
        raise InputError(f"{where}: {_what(kind)} must be a number from {least:,} to {_LARGEST:,}, not {text!r}.")
    return float(value)


def _limit(where: str, name: str, text: str) -> float:
    value = _number(text)
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
    yield line("Adjust Phrase Table Params", "float list", " ".join(repr(named[kind]) for kind in _MAY_BE_NEGATIVE))
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
