"""The programs whose numbers tertium gives, where they are on this machine, and what of them is compared.

A comparison takes cases and yields, for each, what the program says, what tertium says, and how far apart the two may
be. What is known to differ has a cause with a name, which the metric's page tells too.
"""

import importlib.util
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

UNKNOWN = "not known"


class Case(NamedTuple):
    """A segment."""

    hypothesis: str
    references: tuple[str, ...]


class Verdict(NamedTuple):
    """What the program and tertium say of a case, and why they differ, if they do."""

    theirs: object
    ours: object
    cause: str | None


Judge = Callable[[Sequence[Case]], Iterator[Verdict]]


@dataclass(frozen=True)
class Comparison:
    """One way of calling a program, and the same of tertium."""

    what: str
    judge: Judge
    languages: tuple[str, ...]  # of the texts that it is given
    references: int = 1
    size: int = 1  # segments that make a case


@dataclass(frozen=True)
class Program:
    """A program that is here, or the reason why not."""

    name: str
    version: str = ""
    missing: str = ""
    comparisons: list[Comparison] = field(default_factory=list)


ANY = ("en", "de", "ru", "zh", "ja", "hi", "el")


def verdict(theirs: Any, ours: Any, tolerance: float = 0.0, cause: str = UNKNOWN) -> Verdict:
    """Compare two numbers, or tuples of numbers."""
    near = np.allclose(np.asarray(ours, float), np.asarray(theirs, float), rtol=tolerance, atol=tolerance * 1e-3)
    return Verdict(theirs, ours, None if theirs == ours or (tolerance and near) else cause)


def _module(name: str, comparisons: Callable[[], list[Comparison]]) -> Program:
    if importlib.util.find_spec(name) is None:
        return Program(name, missing=f"not installed: pip install {name}")
    return Program(name, version(name), comparisons=comparisons())


# --- sacreBLEU ------------------------------------------------------------------------------------------------

SACREBLEU: list[tuple[str, dict[str, Any], str]] = [
    ("BLEU", {"effective_order": True}, "bleu:effective_order=true"),
    ("BLEU", {"effective_order": True, "lowercase": True}, "bleu:effective_order=true,lowercase=true"),
    ("BLEU", {"effective_order": True, "tokenize": "intl"}, "bleu:effective_order=true,tokenize=intl"),
    ("BLEU", {"effective_order": True, "tokenize": "zh"}, "bleu:effective_order=true,tokenize=zh"),
    ("BLEU", {"effective_order": True, "tokenize": "char"}, "bleu:effective_order=true,tokenize=char"),
    ("BLEU", {"effective_order": True, "smooth_method": "floor"}, "bleu:effective_order=true,smoothing=floor"),
    ("BLEU", {"effective_order": True, "smooth_method": "add-k"}, "bleu:effective_order=true,smoothing=add-k"),
    ("CHRF", {}, "chrf"),
    ("CHRF", {"word_order": 2, "lowercase": True}, "chrf:word_order=2,lowercase=true"),
    ("CHRF", {"eps_smoothing": True, "whitespace": True}, "chrf:eps_smoothing=true,whitespace=true"),
    ("TER", {}, "ter:variant=sacrebleu"),
    ("TER", {"normalized": True, "no_punct": True}, "ter:variant=sacrebleu,normalized=true,no_punct=true"),
    (
        "TER",
        {"normalized": True, "asian_support": True, "case_sensitive": True},
        "ter:variant=sacrebleu,normalized=true,asian_support=true,case_sensitive=true",
    ),
]
RESAMPLED = 12  # segments of a corpus that is resampled


def sacrebleu() -> Program:
    """BLEU, chrF and TER of segments, and bootstrap intervals of small corpora."""

    def comparisons() -> list[Comparison]:
        found = []
        for name, options, ours in SACREBLEU:
            judge = _sacrebleu_segments(name, options, ours)
            found.append(Comparison(f"{name} {_shown(options)}".strip(), judge, ANY, references=2))
        for name in ("BLEU", "CHRF", "TER"):
            judge = _sacrebleu_intervals(name)
            found.append(Comparison(f"{name}: mean and interval of 50 replicates", judge, ANY, size=RESAMPLED))
        return found

    return _module("sacrebleu", comparisons)


def _shown(options: dict[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in options.items())


def _sacrebleu_segments(name: str, options: dict[str, Any], text: str) -> Judge:
    import sacrebleu.metrics

    import tertium.compat.sacrebleu as drop_in
    from tertium import parse_metric

    def judge(cases: Sequence[Case]) -> Iterator[Verdict]:
        theirs, stand_in = getattr(sacrebleu.metrics, name)(**options), getattr(drop_in, name)(**options)
        metric = parse_metric(text)
        own = metric.score(metric.statistics([case.hypothesis for case in cases], [case.references for case in cases]))
        for case, score in zip(cases, own, strict=True):
            peer = theirs.sentence_score(case.hypothesis, list(case.references)).score
            exact = verdict(peer, stand_in.sentence_score(case.hypothesis, list(case.references)).score)
            yield exact if exact.cause else verdict(peer, float(score), 1e-9)

    return judge


def _sacrebleu_intervals(name: str) -> Judge:
    import sacrebleu.metrics

    import tertium.compat.sacrebleu as drop_in

    def judge(cases: Sequence[Case]) -> Iterator[Verdict]:
        for corpus in _corpora(cases, RESAMPLED):
            lines, sets = [case.hypothesis for case in corpus], [[case.references[0] for case in corpus]]
            ours = getattr(drop_in, name)().corpus_score(lines, sets, n_bootstrap=50)
            found = (ours.score, ours._mean, ours._ci)
            try:
                peer = getattr(sacrebleu.metrics, name)().corpus_score(lines, sets, n_bootstrap=50)
            except TypeError as error:  # some replicates are Python's 0, others NumPy's numbers
                yield Verdict(repr(error), found, "sacreBLEU stops where a replicate scores exactly 0")
            else:
                yield verdict((peer.score, float(peer._mean), float(peer._ci)), found)

    return judge


def _corpora(cases: Sequence[Case], size: int) -> Iterator[Sequence[Case]]:
    for begin in range(0, len(cases), size):
        yield cases[begin : begin + size]


# --- jiwer ----------------------------------------------------------------------------------------------------

RATES = ("wer", "mer", "wil", "wip", "cer")


def jiwer() -> Program:
    """All rates of a segment at once."""
    return _module("jiwer", lambda: [Comparison(" ".join(RATES), _jiwer_rates, ANY)])


def _jiwer_rates(cases: Sequence[Case]) -> Iterator[Verdict]:
    import jiwer

    from tertium.compat import jiwer as drop_in

    def rates(program: Any, case: Case) -> object:
        try:
            return tuple(float(getattr(program, rate)(case.references[0], case.hypothesis)) for rate in RATES)
        except ValueError:
            return "refused"

    for case in cases:
        theirs, ours = rates(jiwer, case), rates(drop_in, case)
        yield Verdict(theirs, ours, None if theirs == ours else UNKNOWN)


# --- NLTK -----------------------------------------------------------------------------------------------------


def nltk() -> Program:
    """Its BLEU of small corpora, without smoothing."""
    return _module("nltk", lambda: [Comparison("corpus_bleu", _nltk_bleu, ANY, references=2, size=3)])


def _nltk_bleu(cases: Sequence[Case]) -> Iterator[Verdict]:
    import warnings

    from nltk.translate.bleu_score import corpus_bleu

    from tertium import BLEU

    bleu = BLEU(tokenize="tokens", smoothing="none")
    totals = [name.startswith("total") for name in bleu.columns]
    for corpus in _corpora(cases, 3):
        lines = [case.hypothesis.split() for case in corpus]
        groups = [[one.split() for one in case.references] for case in corpus]
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = 100 * float(corpus_bleu(groups, lines))
        rows = bleu.statistics(lines, groups)
        ours = float(bleu.score(rows.sum(axis=0)))
        as_there = float(bleu.score(np.where(totals, np.maximum(rows, 1), rows).sum(axis=0)))
        if verdict(theirs, ours, 1e-9).cause is None:
            yield Verdict(theirs, ours, None)
        elif verdict(theirs, as_there, 1e-9).cause is None:
            yield Verdict(theirs, ours, "NLTK counts an n-gram of every order in each segment")
        elif ours == 0 and theirs < 1e-50:
            yield Verdict(theirs, ours, "NLTK has something tiny for 0")
        else:
            yield Verdict(theirs, ours, UNKNOWN)


# --- METEOR ---------------------------------------------------------------------------------------------------

# METEOR's options, the same as ours, languages, and references.
METEOR: list[tuple[str, str, tuple[str, ...], int]] = [
    ("-norm", "paraphrases", ("en",), 2),
    ("-norm", "", ("en",), 1),
    ("-lower", "text=lower", ("en", "el"), 1),
    ("", "text=none", ("en",), 2),
    ("-norm -noPunct", "punctuation=false", ("en",), 1),
    ("-norm -ch -t util", "task=util,characters=true", ("en",), 2),
    ("-norm -t adq", "task=adq", ("en",), 1),
    ("-norm -t hter", "task=hter", ("en",), 2),
    ("-norm", "language=de", ("de",), 2),
    ("-norm", "language=fr", ("fr",), 1),
    ("", "language=fr,text=none", ("fr",), 1),
    ("-norm", "language=ru", ("ru",), 1),
    ("-norm", "language=cs", ("de",), 2),
    ("-norm", "language=es", ("fr",), 1),
    ("-lower", "language=it,text=lower", ("fr",), 1),
]
_CODES = {"cs": "cz"}


def meteor(jar: str | None) -> Program:
    """METEOR 1.5 from its jar, as in PyPI's pycocoevalcap; with its paraphrases where they lie beside it."""
    found = jar or os.environ.get("TERTIUM_METEOR") or _jar_of_pycocoevalcap()
    found = found and str(Path(found).resolve())
    if not found or not Path(found).is_file():
        hint = "pip install --no-deps pycocoevalcap, or give --meteor FILE.jar"
        return Program("meteor", missing=f"no jar: {hint}")
    if shutil.which("java") is None:
        return Program("meteor", missing="no Java")
    table = Path(found).parent / "data" / "paraphrase-en.gz"
    comparisons = []
    for options, settings, languages, references in METEOR:
        code = settings.partition("language=")[2].split(",")[0] or "en"
        modules = {"en": "exact stem synonym", "cs": "exact"}.get(code, "exact stem")
        if "paraphrases" in settings:
            if not table.is_file():
                continue
            settings, modules = f"paraphrases={table}", f"{modules} paraphrase"
        judge = _meteor_segments(found, [*options.split(), "-m", modules], code, settings)
        what = ["-l", _CODES.get(code, code), *options.split(), "-m", f"'{modules}'", "-r", str(references)]
        comparisons.append(Comparison(" ".join(what), judge, languages, references))
    return Program("meteor", "1.5", comparisons=comparisons)


def _jar_of_pycocoevalcap() -> str | None:
    package = importlib.util.find_spec("pycocoevalcap")
    if package is None or not package.submodule_search_locations:
        return None
    return str(Path(package.submodule_search_locations[0]) / "meteor" / "meteor-1.5.jar")


def _meteor_segments(jar: str, options: list[str], code: str, settings: str) -> Judge:
    from tertium import parse_metric

    modules = options[-1].replace(" ", "+")

    def judge(cases: Sequence[Case]) -> Iterator[Verdict]:
        theirs = _meteor_scores(jar, options, _CODES.get(code, code), cases)
        given = [f"modules={modules}", f"resources={jar}", *([settings] if settings else [])]
        metric = parse_metric(f"meteor:{','.join(given)}")
        rows = metric.statistics([case.hypothesis for case in cases], [case.references for case in cases])
        for one, other in zip(theirs, metric.score(rows) / 100, strict=True):
            yield verdict(one, float(other), 1e-9)

    return judge


def _meteor_scores(jar: str, options: list[str], code: str, cases: Sequence[Case]) -> list[float]:
    with tempfile.TemporaryDirectory() as folder:
        write_lines(Path(folder, "hypotheses"), [case.hypothesis for case in cases])
        write_lines(Path(folder, "references"), [one for case in cases for one in case.references])
        count = str(len(cases[0].references))
        call = ["java", "-Xmx2G", "-Dfile.encoding=UTF-8", "-jar", jar, "hypotheses", "references"]
        printed = run([*call, "-l", code, "-r", count, *options], folder)
    return [float(line.split()[-1]) for line in printed.splitlines() if line.startswith("Segment ")]


def run(call: list[str], folder: str) -> str:
    """Run a program in a folder and return what it printed; one that fails ends the comparison."""
    ran = subprocess.run(call, cwd=folder, capture_output=True, encoding="utf-8", errors="replace")
    if ran.returncode:
        raise SystemExit(f"{' '.join(call)} ended with {ran.returncode}:\n{(ran.stderr or ran.stdout)[-2000:]}")
    return ran.stdout


def write_lines(path: Path, lines: Sequence[str]) -> None:
    """Write a text file, a line each."""
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
