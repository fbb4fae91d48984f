"""Metrics as text: `bleu:tokenize=intl,lowercase=true` after -m, and signatures back into metrics."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import Field, fields
from typing import Any

from tertium.errors import InputError, UnknownNameError
from tertium.metrics.averaged import Averaged
from tertium.metrics.base import Metric, written

ALIASES = {
    "chrf++": "chrf:word_order=2",
    "bleu-s": "bleu:smoothing=add-k,smoothing_value=1",
    "spbleu": "bleu:tokenize=flores200",
}
_AVERAGED = "averaged-"


def parse_metric(text: str) -> Metric:
    """Return the metric that a text such as `bleu:tokenize=intl` or a signature stands for."""
    from tertium.metrics import METRICS  # which imports this file

    if not isinstance(text, str):
        raise InputError(f"A metric's text is a string such as 'bleu:tokenize=intl', not {text!r}.")
    name, colon, rest = text.split("|")[0].strip().partition(":")
    if name.startswith(_AVERAGED):
        return Averaged(parse_metric(name.removeprefix(_AVERAGED) + colon + rest))
    if name in ALIASES:
        name, _, fixed = ALIASES[name].partition(":")
        rest = f"{fixed},{rest}" if rest else fixed
    known = {metric.name: metric for metric in METRICS}
    if name not in known:
        raise UnknownNameError.of("metric", name, [*known, *ALIASES])
    return known[name](**_settings(known[name], rest))


def _settings(metric: type[Metric], text: str) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    by_name = {field.name: field for field in fields(metric)}  # type: ignore[arg-type]
    for item in filter(None, text.split(",")):
        key, equals, value = item.partition("=")
        if not equals and settings:
            last = next(reversed(settings))
            raise InputError(f"'{item}' is no setting of {metric.name}. A list is joined with +: {last}=A+B.")
        if key not in by_name:
            raise UnknownNameError.of(f"setting of {metric.name}", key, by_name)
        if not equals:
            raise InputError(f"The setting '{item}' of {metric.name} has no value. Write {key}=VALUE.")
        settings[key] = _value(metric, by_name[key], value)
    return settings


def _value(metric: type[Metric], field: Field[Any], text: str) -> Any:
    """Read a value by what the field holds by default."""
    if text == "default":
        return field.default
    if text == "custom":
        raise InputError(
            f"{metric.name}'s {field.name} was a function of the user's ('custom'), which a text cannot bring back. "
            f"Make the metric in Python: {metric.__name__}({field.name}=…)."
        )
    if field.name == "tokenize" and re.search("@[0-9a-f]{12}$", text):
        raise InputError(
            f"{metric.name}'s {field.name} was a model file ({text}). Give its path: {field.name}=spm:FILE."
        )
    try:
        if isinstance(field.default, bool):
            return {"true": True, "false": False}[text.lower()]
        kind = str(field.type)
        if "tuple[int" in kind:
            return tuple(int(part) for part in text.split("+"))
        if "tuple[float" in kind:
            return tuple(float(part) for part in text.split("+"))
        if kind == "int" or field.type is int:
            return int(text)
        if "float" in kind:
            return int(text) if text.lstrip("-").isdigit() else float(text)
    except (ValueError, KeyError):
        wanted = f"like {field.name}={written(field.default)}" if field.default is not None else "as a number"
        raise InputError(f"{metric.name}'s {field.name} cannot be '{text}'. It must be written {wanted}.") from None
    return text


def labels(metrics: Iterable[Metric] | Mapping[str, Metric] | Metric) -> dict[str, Metric]:
    """Return metrics by the label that results go under: the name, with settings where names are equal."""
    if isinstance(metrics, Metric):
        metrics = [metrics]
    if isinstance(metrics, Mapping):
        given = dict(metrics)
        _check_metrics(given.values())
        return given
    metrics = list(metrics)
    _check_metrics(metrics)
    named: dict[str, Metric] = {}
    for metric in metrics:
        label = _label(metric, [other for other in metrics if other.name == metric.name])
        if label in named:
            raise InputError(f"The metric {label} was given twice.")
        named[label] = metric
    return named


def _label(metric: Metric, rivals: Sequence[Metric]) -> str:
    """Return the name, with those settings that tell it from the others of that name and are not the default."""
    ours, usual = metric.settings(), metric.default().settings()
    telling = [
        key for key in ours if ours[key] != usual[key] and any(rival.settings()[key] != ours[key] for rival in rivals)
    ]
    return metric.name + (":" + ",".join(f"{key}={ours[key]}" for key in telling) if telling else "")


def _check_metrics(metrics: Collection[object]) -> None:
    if not metrics:
        raise InputError("No metric was given. Give at least one, such as [BLEU()].")
    for metric in metrics:
        if isinstance(metric, str):
            raise InputError(f"'{metric}' is a text, not a metric. Use tertium.parse_metric('{metric}').")
        if not isinstance(metric, Metric):
            raise InputError(f"{metric!r} is no metric. Give objects such as BLEU().")
