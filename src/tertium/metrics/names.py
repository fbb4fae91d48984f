"""Metrics as text: `bleu:tokenize=intl,lowercase=true` after -m, and signatures back into metrics."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from tertium.errors import InputError, TertiumError, UnknownNameError
from tertium.metrics import PLACES
from tertium.metrics.averaged import Averaged
from tertium.metrics.base import Metric
from tertium.metrics.combination import Combination
from tertium.metrics.settings import Setting, settings_of, written
from tertium.metrics.tuned_files import SUFFIXES, tuned_text
from tertium.text.languages import Language, target_language

ALIASES = {
    "chrf++": "chrf:word_order=2",
    "bleu-s": "bleu:smoothing=add-k,smoothing_value=1",
    "spbleu": "bleu:tokenize=flores200",
}
_AVERAGED = "averaged-"
_KNOWN = "|".join(map(re.escape, sorted([*PLACES, *ALIASES], key=len, reverse=True)))
_ONE = rf"(?:{_AVERAGED})*(?:{_KNOWN}|\([^()]*\))"
_NAMES = re.compile(rf"{_ONE}(\+{_ONE})*")
_TITLED = re.compile(rf"(?<![a-z])({'|'.join(sorted(PLACES, key=len, reverse=True))})(?![a-z])")
SACREBLEUS = re.compile(r"\s*(?:(?:BLEU|chrF\d*\+*|TER)\|)?(?:nrefs|#):", re.IGNORECASE)  # signatures begin so
_FIELDS = ("refs", "resegment", "unicode", "tertium")  # of a signature, after its settings


def parse_metric(text: str, *, language: str | Language | None = None) -> Metric:
    """Return the metric that a text such as `bleu:tokenize=intl` or a signature stands for.

    A target language (`ja`, `zh-Hant`, `en-de`) sets what the text does not.
    """
    language = target_language(language) if isinstance(language, str) else language
    if not isinstance(text, str):
        raise InputError(f"A metric's text is a string such as 'bleu:tokenize=intl', not {text!r}.")
    if text.endswith(SUFFIXES) and ":" not in text.partition("/")[0]:
        return parse_metric(tuned_text(text), language=language)
    if SACREBLEUS.match(text):
        from tertium.metrics.sacrebleu_signatures import translated

        return parse_metric(translated(text))
    text, *tail = text.split("|")
    for item in tail:
        if item.partition("=")[0] not in _FIELDS or "=" not in item:
            fields = ", ".join(f"{field}=" for field in _FIELDS)
            raise InputError(f"'{item}' is no part of a signature; after a bar come {fields}.")
    name, colon, rest = text.strip().partition(":")
    name = _lower(name)
    if name not in PLACES and len(names := _names_in(name)) > 1:
        return _combination(names, rest, language)
    if name.startswith(_AVERAGED):
        inner = name.removeprefix(_AVERAGED)
        if inner.startswith("(") and inner.endswith(")"):
            inner = inner[1:-1]
        return Averaged(parse_metric(inner + colon + rest, language=language))
    name, _, fixed = ALIASES.get(name, name).partition(":")
    metric = metric_called(name)
    given = _settings(metric, fixed) | _settings(metric, rest)
    brought = {} if language is None else metric.language_settings(language, given)
    return metric(**(brought | given))


def metric_called(name: str) -> type[Metric]:
    """Return the metric of this name, ours or another package's."""
    if name in PLACES:
        home, _, called = PLACES[name].rpartition(".")
        found: type[Metric] = getattr(import_module(f"tertium.metrics.{home}"), called)
        return found
    from tertium.metrics.plugins import plugin, plugin_names

    brought_along = plugin(name)
    if brought_along is None:
        raise UnknownNameError.of("metric", name, [*PLACES, *ALIASES, *plugin_names()])
    return brought_along


def _lower(name: str) -> str:
    """Return a name as it is spelt here: BLEU and chrF are bleu and chrf."""
    return name.lower() if "(" not in name else name


def split_label(text: str) -> tuple[str, str]:
    """Split NAME=metric:settings; a text without a name is its own."""
    name, equals, metric = text.partition("=")
    named = bool(equals and name and metric) and not set(name) & set(":|/\\") and not Path(text).is_file()
    return (name, metric) if named else (text, text)


def title(label: str) -> str:
    """Return a label as people write it: BLEU:orders=1+2, chrF++. Names that are no metric's are left alone."""
    name, colon, settings = label.partition("|")[0].partition(":")
    if not _NAMES.fullmatch(_lower(name)):
        return label
    titles = {found: metric_called(found).title or found for found in _TITLED.findall(_lower(name))}
    return _TITLED.sub(lambda found: titles[found[0]], _lower(name)).replace("spbleu", "spBLEU") + colon + settings


def titles(labels: Iterable[str]) -> dict[str, str]:
    """Return labels as people write them; those that would be the same (our chrf, another program's chrF) stay."""
    found = {label: title(label) for label in labels}
    often = Counter(found.values())
    return {label: name if often[name] == 1 else label for label, name in found.items()}


def heading(label: str, metric: Metric) -> str:
    """Return the head of a column of scores: what people call the metric, and which way is better."""
    return f"{title(label)} {'↑' if metric.higher_is_better else '↓'}"


def _names_in(text: str) -> list[str]:
    """Split `cder+per` at its pluses, but not `chrf++`, nor what stands in brackets."""
    if not _NAMES.fullmatch(text):
        return [text] if text in ALIASES or "+" not in text or "(" in text else text.split("+")
    names, rest = [], text
    while rest:
        # The longest name that leaves a text of names behind.
        found = next(
            match
            for end in range(len(rest), 0, -1)
            if (match := re.fullmatch(_ONE, rest[:end]))
            and (end == len(rest) or re.fullmatch(rf"(\+{_ONE})+", rest[end:]))
        )
        names.append(found[0])
        rest = rest[found.end() + 1 :]
    return names


def _combination(names: Sequence[str], text: str, language: Language | None) -> Combination:
    """Return the combination; a setting belongs to all metrics that have it, `2.setting` to the second alone."""
    items = [item for item in text.split(",") if item]
    weights = [item.partition("=")[2] for item in items if item.startswith("weights=")]
    parts = [parse_metric(name, language=language) for name in names]
    own: list[list[str]] = [[] for _ in names]
    for item in items:
        if item.startswith("weights="):
            continue
        number, dot, setting = item.partition(".")
        if dot and number.isdigit():
            if not 1 <= int(number) <= len(names):
                raise InputError(f"'{item}' is for metric {number}, but there are {len(names)}: {', '.join(names)}.")
            own[int(number) - 1].append(setting)
            continue
        key = item.partition("=")[0]
        having = [index for index, part in enumerate(parts) if key in part.settings()]
        if not having:
            every = dict.fromkeys(key for part in parts for key in part.settings())
            raise UnknownNameError.of(f"setting of {'+'.join(names)}", key, ["weights", *every])
        for index in having:
            own[index].append(item)
    metrics = [parse_metric(f"{name}:{','.join(one)}", language=language) for name, one in zip(names, own, strict=True)]
    return Combination(zip(metrics, _weights(weights, names), strict=True))


def _weights(texts: Sequence[str], names: Sequence[str]) -> list[float]:
    if not texts:
        return [1 / len(names)] * len(names)
    try:
        weights = [float(text) for text in texts[-1].split("+")]
    except ValueError:
        weights = []
    if len(weights) != len(names):
        raise InputError(
            f"weights={texts[-1]} must be {len(names)} numbers, one for each of {', '.join(names)}, "
            f"such as weights={'+'.join(['1'] * len(names))}."
        )
    return weights


def _settings(metric: type[Metric], text: str) -> dict[str, Any]:
    settings: dict[str, Any] = {}
    declared = settings_of(metric)
    for item in filter(None, text.split(",")):
        key, equals, value = item.partition("=")
        if not equals and settings:
            last = next(reversed(settings))
            raise InputError(f"'{item}' is no setting of {metric.name}. A list is joined with +: {last}=A+B.")
        if key not in declared:
            raise UnknownNameError.of(f"setting of {metric.name}", key, declared)
        if not equals:
            raise InputError(f"The setting '{item}' of {metric.name} has no value. Write {key}=VALUE.")
        if key in settings:
            raise InputError(f"The setting {key} of {metric.name} was given twice.")
        settings[key] = _value(metric, key, declared[key], value)
    return settings


def _value(metric: type[Metric], key: str, declared: Setting, text: str) -> Any:
    if text == "custom":
        raise InputError(
            f"{metric.name}'s {key} was a function of the user's ('custom'), which a text cannot bring back. "
            f"Make the metric in Python: {metric.__name__}({key}=…)."
        )
    try:
        return declared.parsed(f"{metric.name}'s {key}", text)
    except TertiumError:
        raise
    except (ValueError, KeyError):
        usual = "true" if declared.flag and declared.default is None else written(declared.default)
        wanted = f"like {key}={usual}" if usual != "default" else "as a number"
        raise InputError(f"{metric.name}'s {key} cannot be '{text}'. It must be written {wanted}.") from None


def metric_text(metric: Metric) -> str:
    """Return what brings a metric back after -m, on this machine."""
    return f"{metric.name}:" + ",".join(f"{key}={value}" for key, value in _text_settings(metric).items())


def _text_settings(metric: Metric) -> dict[str, str]:
    """Return every setting as in a signature, but files by their paths."""
    if isinstance(metric, Combination):
        return metric.joined([_text_settings(part) for part in metric.parts_of])
    if isinstance(metric, Averaged):
        return _text_settings(metric.metric)
    files = [key for key, one in settings_of(type(metric)).items() if one.file]
    return metric.settings() | {key: path for key in files if (path := _path(getattr(metric, key))) is not None}


def _path(value: object) -> str | None:
    """Return where a file is that a setting names, unless it is a resource known by name, or a text cannot hold it."""
    kind = "spm:" if str(value).startswith("spm:") else ""
    path = Path(str(value).removeprefix(kind))
    if str(path) == path.stem or not path.is_file() or "," in str(path.absolute()):
        return None
    return f"{kind}{path.absolute()}"


Metrics: TypeAlias = Iterable[Metric | str] | Mapping[str, Metric | str] | Metric | str


def labels(metrics: Metrics, *, language: str | None = None) -> dict[str, Metric]:
    """Return metrics by the label that results go under: the name, with settings where names are equal.

    A text is a metric as after -m, and its own label unless it has one (`mine=bleu:tokenize=intl`); a target language
    sets what it leaves open.
    """
    if isinstance(metrics, Metric | str):
        metrics = [metrics]
    if isinstance(metrics, type) or not isinstance(metrics, Iterable):
        raise InputError(f"{metrics!r} is no metric. Give objects such as BLEU(), or texts such as 'bleu'.")
    if isinstance(metrics, Mapping):
        _check_metrics(metrics.values())
        return {label: _metric(one, language) for label, one in metrics.items()}
    given = list(metrics)
    _check_metrics(given)
    objects = [metric for metric in given if isinstance(metric, Metric)]
    named: dict[str, Metric] = {}
    for metric in given:
        if isinstance(metric, str):
            label, one = split_label(metric)
            made = parse_metric(one, language=language)
        else:
            label, made = _label(metric, [other for other in objects if other.name == metric.name]), metric
        if label in named:
            raise InputError(f"The metric {label} was given twice.")
        named[label] = made
    return named


def _metric(metric: Metric | str, language: str | None) -> Metric:
    return parse_metric(metric, language=language) if isinstance(metric, str) else metric


def _label(metric: Metric, rivals: Sequence[Metric]) -> str:
    """Return the name, with those settings that tell it from the others of that name and are not the default."""
    ours = metric.settings()
    telling = [key for key in metric.told_settings() if any(one.settings().get(key) != ours[key] for one in rivals)]
    return metric.name + (":" + ",".join(f"{key}={ours[key]}" for key in telling) if telling else "")


def _check_metrics(metrics: Collection[object]) -> None:
    if not metrics:
        raise InputError("No metric was given. Give at least one, such as [BLEU()].")
    for metric in metrics:
        if not isinstance(metric, Metric | str):
            raise InputError(f"{metric!r} is no metric. Give objects such as BLEU(), or texts such as 'bleu'.")
