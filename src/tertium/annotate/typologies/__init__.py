"""Kinds of errors for MQM: two lists that ship, or a file of the user's own in the same form."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from tertium.errors import InputError
from tertium.files.reading import whole_text

SHIPPED = ("mqm", "google")
FORM = '{"severities": {"minor": 1, "major": 5}, "categories": {"Accuracy": ["Omission", "Addition"], "Other": []}}'


@dataclass(frozen=True)
class Rule:
    """What holds for one category: where its spans lie, its one severity, whether it needs a note."""

    side: str | None = None
    severity: str | None = None
    needs_note: bool = False


@dataclass(frozen=True)
class Typology:
    """Severities with weights, and categories written `Category/Subcategory`; `weights` are the exceptions."""

    name: str
    severities: tuple[str, ...]
    severity_weights: tuple[float, ...]
    categories: tuple[tuple[str, tuple[str, ...]], ...]
    weights: tuple[tuple[str, float], ...] = ()  # "minor/Fluency/Punctuation": 0.1
    rules: tuple[tuple[str, Rule], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """All categories that can be chosen."""
        return tuple(
            f"{category}/{sub}" if sub else category for category, subs in self.categories for sub in (subs or ("",))
        )

    def rule(self, category: str | None) -> Rule | None:
        """Return what holds for a category; None if there is no such category."""
        return dict(self.rules).get(category, Rule()) if category in self.names else None

    def weight(self, severity: str | None, category: str | None) -> float:
        """Return what an error costs."""
        if severity is None:
            return 0.0
        exceptions = dict(self.weights)
        for key in (f"{severity}/{category}", f"{severity}/{(category or '').partition('/')[0]}", f"*/{category}"):
            if key in exceptions:
                return exceptions[key]
        return dict(zip(self.severities, self.severity_weights, strict=True))[severity]

    def described(self) -> dict[str, Any]:
        """Return what the page needs."""
        return {
            "severities": self.severities,
            "categories": self.categories,
            "rules": {
                name: {"side": rule.side, "severity": rule.severity, "note": rule.needs_note}
                for name, rule in self.rules
            },
        }


@lru_cache(maxsize=16)
def typology_of(name: str) -> Typology:
    """Return a shipped typology, or read one from a file or from its own JSON text."""
    if name in SHIPPED:
        text = (files("tertium.annotate.typologies") / f"{name}.json").read_text(encoding="utf-8")
        return _parsed(name, text)
    if name.lstrip().startswith("{"):
        return _parsed("own typology", name)
    if not Path(name).is_file():
        raise InputError(
            f"No typology is called '{name}', and there is no such file. Known: {', '.join(SHIPPED)}; a file looks "
            f"like this: {FORM}"
        )
    return _parsed(name, whole_text(name))


def _parsed(name: str, text: str) -> Typology:
    wrong = f"{name} is no typology; one looks like this: {FORM}"
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{name}, line {error.lineno}: {error.msg}. {wrong}") from None
    except RecursionError:
        raise InputError(wrong) from None
    if not isinstance(data, Mapping) or not all(isinstance(data.get(k), Mapping) for k in ("severities", "categories")):
        raise InputError(wrong)
    severities: Mapping[str, Any] = data["severities"]
    if not severities or not all(isinstance(w, int | float) and 0 <= w < 1000 for w in severities.values()):
        raise InputError(f"{wrong}. Every severity needs a weight.")
    categories = data["categories"]
    if not categories or not all(
        isinstance(subs, list) and all(isinstance(sub, str) and sub for sub in subs) for subs in categories.values()
    ):
        raise InputError(f"{wrong}. Every category has a list of subcategories, which may be empty.")
    rules = {
        str(category): Rule(rule.get("side"), rule.get("severity"), bool(rule.get("note")))
        for category, rule in data.get("rules", {}).items()
    }
    found = Typology(
        name,
        tuple(severities),
        tuple(float(weight) for weight in severities.values()),
        tuple((category, tuple(subs)) for category, subs in categories.items()),
        tuple((str(key), float(weight)) for key, weight in data.get("weights", {}).items()),
        tuple(rules.items()),
    )
    for category, rule in rules.items():
        if category not in found.names:
            raise InputError(f"{name}: there is a rule for '{category}', which is not among the categories.")
        if rule.severity is not None and rule.severity not in found.severities:
            raise InputError(f"{name}: '{category}' has the severity '{rule.severity}', which is not there.")
    return found
