"""Folders laid out as mt-metrics-eval's: texts, documents, human scores and metric scores of a test set."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from tertium.corpus.formats import open_systems
from tertium.errors import InputError, UnknownNameError
from tertium.judgments.forms.mtme import LEVELS, fields_of, kind_and_rater, numbers_of, ratings_in, scores_in
from tertium.judgments.labels import Floats, Labels
from tertium.judgments.mqm_weights import MQMWeights
from tertium.judgments.table import Judgments, Warn

_NO_TRANSLATION = "[No translation supplied]"

LevelScores = dict[str, dict[str, Floats]]  # level, system, scores


@dataclass(frozen=True, eq=False)
class EvaluationSet:
    """A test set in one language pair: texts, documents, human judgments and scores of metrics.

    `metric_scores[metric][level][system]` are scores of other programs: one per segment, document, domain or for the
    whole system; NaN where there is none. `domain_scores[kind][system]` are human scores by domain.
    """

    name: str
    language_pair: str
    sources: list[str]
    references: dict[str, list[str]]
    outputs: dict[str, list[str]]
    documents: list[str]
    domains: list[str]
    judgments: Judgments
    metric_scores: dict[str, LevelScores]
    domain_scores: dict[str, dict[str, dict[str, float]]]

    @property
    def document_order(self) -> tuple[str, ...]:
        """The documents in the order of the text."""
        return tuple(dict.fromkeys(self.documents))


def is_folder(path: str) -> bool:
    """Whether this is a test set's folder in mt-metrics-eval's layout."""
    return (Path(path) / "sources").is_dir() and (Path(path) / "system-outputs").is_dir()


def language_pairs(path: str) -> list[str]:
    """Return the language pairs that a folder has texts of."""
    _check(path)
    found = {file.name.split(".")[0] for file in (Path(path) / "sources").iterdir() if file.is_file()}
    return sorted(name for name in found if "-" in name)


def read_folder(path: str, language_pair: str, *, warn: Warn = lambda message: None) -> EvaluationSet:
    """Read all that a folder has for a language pair."""
    folder = Path(path)
    known = language_pairs(path)
    if language_pair not in known:
        raise UnknownNameError.of(f"language pair of {path}", language_pair, known or ["none"])
    sources = _texts(folder / "sources", language_pair, "source", warn)
    documents, domains = _documents(folder / "documents" / f"{language_pair}.docs", len(sources), warn)
    references = {
        file.name.removeprefix(f"{language_pair}.").partition(".")[0]: _lines(file, "target", len(sources), warn)
        for file in _files(folder / "references", f"{language_pair}.")
    }
    outputs = {
        _stem(file): _lines(file, "hypothesis", len(sources), warn)
        for file in _files(folder / "system-outputs" / language_pair, "")
    }
    if not outputs:
        raise InputError(f"{folder / 'system-outputs' / language_pair} holds no system outputs.")
    _tell_untranslated(outputs, path, warn)
    sizes = _Sizes(len(sources), tuple(dict.fromkeys(documents)), tuple(dict.fromkeys(domains)))
    judgments, domain_scores = _human_scores(folder / "human-scores", language_pair, documents, sizes, warn)
    judgments = judgments.restricted([*outputs, *references], len(sources), warn=warn)
    return EvaluationSet(
        name=folder.resolve().name,
        language_pair=language_pair,
        sources=sources,
        references=references,
        outputs=outputs,
        documents=documents,
        domains=domains,
        judgments=judgments,
        metric_scores=_metric_scores(folder / "metric-scores" / language_pair, sizes, warn),
        domain_scores=domain_scores,
    )


@dataclass(frozen=True)
class _Sizes:
    segments: int
    documents: tuple[str, ...]
    domains: tuple[str, ...]

    def of(self, level: str) -> int:
        return {
            "segment": self.segments, "document": len(self.documents), "domain": len(self.domains), "system": 1,
        }[level]  # fmt: skip


def _check(path: str) -> None:
    if not is_folder(path):
        inside = [str(folder) for folder in sorted(Path(path).glob("*/")) if is_folder(str(folder))]
        hint = f" Name one of those inside: {', '.join(inside[:8])}." if inside else ""
        raise InputError(
            f"{path} is no test set in mt-metrics-eval's layout, which has the folders sources, documents, references, "
            f"system-outputs and human-scores.{hint}"
        )


def _files(folder: Path, prefix: str) -> list[Path]:
    if not folder.is_dir():
        return []
    return sorted(
        file for file in folder.iterdir() if file.is_file() and file.name.startswith(prefix) and file.name[0] != "."
    )


def _stem(file: Path) -> str:
    return re.sub(r"\.(txt|jsonl)(\.(gz|xz|zst|bz2))?$", "", file.name)


def _texts(folder: Path, language_pair: str, field: str, warn: Warn) -> list[str]:
    for suffix in (".txt", ".jsonl", ".txt.gz", ".jsonl.gz"):
        file = folder / f"{language_pair}{suffix}"
        if file.is_file():
            return _lines(file, field, None, warn)
    raise InputError(f"{folder} has no {language_pair}.txt.")


def _lines(file: Path, field: str, count: int | None, warn: Warn) -> list[str]:
    is_json = ".jsonl" in file.name
    opened = open_systems(f"{file}:{field}" if is_json else str(file), kind="jsonl" if is_json else "text", warn=warn)
    texts: list[str] = []
    while len(block := opened[""].take(1 << 15)):
        texts += [block[i][0] for i in range(len(block))]
    if count is not None and len(texts) != count:
        raise InputError(f"{file} has {len(texts):,} segments, but the source has {count:,}.")
    return texts


def _documents(file: Path, count: int, warn: Warn) -> tuple[list[str], list[str]]:
    if not file.is_file():
        warn(f"{file} is missing, so there are no documents.")
        return ["?"] * count, ["?"] * count
    documents, domains = [], []
    for number, fields in fields_of(str(file), warn):
        if len(fields) != 2:
            raise InputError(
                f"{file}, line {number:,} has {len(fields)} fields, but a domain and a document are expected."
            )
        domains.append(fields[0])
        documents.append(fields[1])
    if len(documents) != count:
        raise InputError(f"{file} has {len(documents):,} lines, but the source has {count:,} segments.")
    return documents, domains


def _tell_untranslated(outputs: dict[str, list[str]], path: str, warn: Warn) -> None:
    for system, texts in outputs.items():
        count = texts.count(_NO_TRANSLATION)
        if count:
            warn(f"{path}: {count:,} segments of {system} say '{_NO_TRANSLATION}'; they are scored as they stand.")


def _read_scores(file: Path, level: str, sizes: _Sizes, warn: Warn) -> dict[str, Floats]:
    """Read a .score file: a block of scores per system."""
    domains: dict[str, list[str]] = {}
    values = scores_in(str(file), warn, domains=domains if level == "domain" else None)
    found = {}
    for system, texts in values.items():
        if len(texts) != sizes.of(level):
            raise InputError(
                f"{file} has {len(texts):,} scores of {system}, but there are {sizes.of(level):,} "
                f"{level}{'' if sizes.of(level) == 1 else 's'}."
            )
        scores = numbers_of(texts, str(file), system)
        if level == "domain":
            order = domains[system]
            if sorted(order) != sorted(sizes.domains):
                raise InputError(f"{file}: the domains of {system} are not those of the test set.")
            scores = scores[[order.index(domain) for domain in sizes.domains]]
        found[system] = scores
    return found


def _human_scores(
    folder: Path, language_pair: str, documents: Sequence[str], sizes: _Sizes, warn: Warn
) -> tuple[Judgments, dict[str, dict[str, dict[str, float]]]]:
    parts: list[Judgments] = []
    by_domain: dict[str, dict[str, dict[str, float]]] = {}
    kinds = set()
    for file in _files(folder, f"{language_pair}."):
        score = re.fullmatch(r"(.+)\.(seg|doc|sys|domain)\.score", file.name.removeprefix(f"{language_pair}."))
        if score is None:
            continue
        kind, level = score[1], LEVELS[score[2]]
        kinds.add(kind)
        scores = _read_scores(file, level, sizes, warn)
        if level == "domain":
            by_domain[kind] = {s: dict(zip(sizes.domains, v.tolist(), strict=True)) for s, v in scores.items()}
        else:
            parts += [_rows(kind, level, system, values, documents, sizes) for system, values in scores.items()]
    for file in _files(folder, f"{language_pair}."):
        if file.name.endswith(".seg.rating"):
            name = file.name.removeprefix(f"{language_pair}.").removesuffix(".seg.rating")
            kind, rater = kind_and_rater(name)
            parts.append(_ratings(file, f"{kind}.rating" if kind in kinds else kind, rater, documents, warn))
    return Judgments.joined([part for part in parts if len(part)]), by_domain


def _rows(kind: str, level: str, system: str, values: Floats, documents: Sequence[str], sizes: _Sizes) -> Judgments:
    judged = np.flatnonzero(np.isfinite(values))
    names = {"segment": documents, "document": sizes.documents, "system": [None]}[level]
    return Judgments.of(
        system=[system] * len(judged),
        document=[names[i] for i in judged.tolist()],
        segment=judged + 1 if level == "segment" else None,
        kind=kind,
        score=values[judged],
    )


def _ratings(file: Path, kind: str, rater: str | None, documents: Sequence[str], warn: Warn) -> Judgments:
    """Read a .rating file: a block per system, each line the errors that a rater marked in a segment, or None."""
    found, lines = ratings_in(str(file), kind, rater, MQMWeights(), warn)
    for system, count in lines.items():
        if count != len(documents):
            raise InputError(f"{file} has {count:,} lines of {system}, but there are {len(documents):,} segments.")
    return replace(found, document=Labels.of([documents[segment - 1] for segment in found.segment.tolist()]))


def _metric_scores(folder: Path, sizes: _Sizes, warn: Warn) -> dict[str, LevelScores]:
    found: dict[str, LevelScores] = {}
    for file in _files(folder, ""):
        name = re.fullmatch(r"(.+)\.(seg|doc|sys|domain)\.score", file.name)
        if name is not None:
            level = LEVELS[name[2]]
            found.setdefault(name[1], {})[level] = _read_scores(file, level, sizes, warn)
    return found
