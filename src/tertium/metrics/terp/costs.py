"""TERp's costs: named sets, mappings, numbers. A set also has the settings that were chosen together with it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tertium.errors import InputError, UnknownNameError
from tertium.metrics.settings import checked_text, is_number

COSTS = ("match", "insertion", "deletion", "substitution", "stem", "synonym", "shift", "w1", "w2", "w3", "w4")
MAY_BE_NEGATIVE = ("w1", "w2", "w3", "w4")
_ALSO = {"insert": "insertion", "delete": "deletion", "substitute": "substitution"}
_LARGEST = 1_000_000

TERP_SETTINGS: dict[str, Any] = {
    "stems": "porter-revised",
    "synonyms": "wordnet",
    "stopwords": "terp",
    "normalized": True,
    "case_sensitive": False,
    "shift_constraint": "relax",
    "cap": True,
    "beam": 35.0,
}
TER_SETTINGS: dict[str, Any] = {
    "stems": "none",
    "synonyms": "none",
    "normalized": True,
    "case_sensitive": False,
    "shift_constraint": "exact",
    "cap": False,
    "beam": 20.0,
}


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
    "terp-a": CostSet(_A, TERP_SETTINGS),
    "ter": CostSet((0.0, 1.0, 1.0, 1.0, 999.0, 999.0, 1.0, 999.0, 0.0, 0.0, 0.0), TER_SETTINGS),
    "terp-h": CostSet(_H, TERP_SETTINGS),
    # Table 6 of the paper, as remembered: provisional.
    "adequacy": CostSet((0.0, 0.18, 1.42, 1.71, 0.0, 0.0, 0.19, -0.38, -0.03, 0.22, 0.47), TERP_SETTINGS),
    "fluency": CostSet((0.0, 0.12, 1.37, 1.81, 0.0, 0.0, 0.43, -0.63, -0.07, 0.12, 0.46), TERP_SETTINGS),
    "hter": CostSet((0.0, 0.84, 0.76, 1.55, 0.90, 0.75, 1.07, -0.03, -0.17, -0.08, -0.09), TERP_SETTINGS),
}
_OTHER_NAMES = {"terpa": "terp-a", "terph": "terp-h", "terp": "terp-a"}


def cost_set(costs: object) -> tuple[str | tuple[float, ...], CostSet]:
    """Return the set that a name, a mapping, eleven numbers or a file stands for, and how a signature writes it."""
    from tertium.metrics.terp.parameter_files import read_costs  # which imports this file

    if isinstance(costs, Mapping):
        values = _of_mapping(costs)
        return values, CostSet(values, TERP_SETTINGS)
    if isinstance(costs, Path):
        found = read_costs(costs)
        return found.costs, found
    if isinstance(costs, str):
        name = _OTHER_NAMES.get(costs, costs)
        if name in SETS:
            return name, SETS[name]
        if is_number(number_of(costs.split("+")[0])):
            values = checked_costs(tuple(number_of(part) for part in costs.split("+")), "terp's costs")
            return values, CostSet(values, TERP_SETTINGS)
        if costs and Path(checked_text("terp's costs", costs)).exists():
            found = read_costs(costs)
            return found.costs, found
        if "/" in costs or "." in costs:
            raise InputError(f"There is no file {costs} with costs, nor a set of that name: {', '.join(SETS)}.")
        raise UnknownNameError.of("set of terp's costs", costs, SETS)
    if isinstance(costs, Sequence):
        values = checked_costs(tuple(costs), "terp's costs")
        return values, CostSet(values, TERP_SETTINGS)
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
    return checked_costs(tuple(named.values()), "terp's costs")


def checked_costs(values: tuple[Any, ...], where: str) -> tuple[float, ...]:
    """Return eleven costs, if that is what they are."""
    if len(values) != len(COSTS):
        raise InputError(f"{where} are {len(COSTS)} numbers ({', '.join(COSTS)}), not {len(values)}.")
    return tuple(checked_cost(kind, value, where) for kind, value in zip(COSTS, values, strict=True))


def checked_cost(kind: str, value: object, where: str) -> float:
    """Return the cost of a kind of edit, or a weight of phrases, which alone may be below 0."""
    least = -_LARGEST if kind in MAY_BE_NEGATIVE else 0
    if not is_number(value) or not least <= value <= _LARGEST:
        what = kind if kind in MAY_BE_NEGATIVE else f"the cost of {'an' if kind == 'insertion' else 'a'} {kind}"
        raise InputError(f"{where}: {what} must be a number from {least:,} to {_LARGEST:,}, not {value!r}.")
    return float(value) + 0.0


def number_of(text: str) -> float | str:
    """Return the number that a text stands for, or the text."""
    try:
        return float(text)
    except ValueError:
        return text
