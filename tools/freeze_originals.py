"""Write what other programs print for the texts in tests/data/originals, so that any clone can compare.

    python -m tools.freeze_originals sacrebleu
    python -m tools.freeze_originals jiwer
    python -m tools.freeze_originals meteor FOLDER/meteor-1.5.jar

Each writes tests/data/originals/PROGRAM.tsv: on top the program, its version and how it was called, then a row for
each system: the score of all its lines, and of each. The column `ours` holds the same as `tertium score -m` takes it.
"""

import csv
import gzip
import json
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "tests" / "data" / "originals"
LANGUAGES = ("en", "de", "ru", "zh", "ja", "hi")
SYSTEMS = ("north", "south", "east")
REFERENCES = ("a", "a+b")
COLUMNS = ("language", "references", "system", "theirs", "ours", "corpus", "segments")

Row = tuple[str, str, str, str, str, float, list[float]]

# sacreBLEU's class, its options, and the same as ours.
EVERYWHERE: list[tuple[str, dict[str, Any], str]] = [
    ("BLEU", {}, "bleu"),
    ("BLEU", {"effective_order": True, "lowercase": True}, "bleu:effective_order=true,lowercase=true"),
    ("BLEU", {"tokenize": "intl", "smooth_method": "floor"}, "bleu:tokenize=intl,smoothing=floor"),
    ("BLEU", {"tokenize": "char", "smooth_method": "add-k"}, "bleu:tokenize=char,smoothing=add-k"),
    ("BLEU", {"smooth_method": "none", "max_ngram_order": 2}, "bleu:smoothing=none,orders=1+2"),
    ("CHRF", {}, "chrf"),
    ("CHRF", {"word_order": 2, "lowercase": True}, "chrf:word_order=2,lowercase=true"),
    ("CHRF", {"char_order": 4, "beta": 1, "whitespace": True}, "chrf:char_order=4,beta=1,whitespace=true"),
    ("TER", {}, "ter:variant=sacrebleu"),
    ("TER", {"normalized": True, "case_sensitive": True}, "ter:variant=sacrebleu,normalized=true,case_sensitive=true"),
    ("TER", {"no_punct": True}, "ter:variant=sacrebleu,no_punct=true"),
]
EAST_ASIAN: list[tuple[str, dict[str, Any], str]] = [
    ("BLEU", {"tokenize": "zh"}, "bleu:tokenize=zh"),
    ("TER", {"normalized": True, "asian_support": True}, "ter:variant=sacrebleu,normalized=true,asian_support=true"),
]

# METEOR's options, and the same as ours. Its word lists and paraphrases are not ours to keep: words.en.txt and
# paraphrases.en.tsv are our own, and with a delta of 0.5 no list is asked.
METEOR = {
    "en": [
        (
            "-norm -m 'exact stem' -w '1.0 0.6' -p '0.85 0.2 0.6 0.5'",
            "meteor:modules=exact+stem,weights=1+0.6,parameters=0.85+0.2+0.6+0.5",
        ),
        (
            "-norm -m 'exact stem synonym' -w '1.0 0.6 0.8' -s words.en.txt",
            "meteor:function_words=words.en.txt",
        ),
        (
            "-norm -t adq -m 'exact stem synonym paraphrase' -w '1.0 1.0 0.6 0.8' -s words.en.txt -a paraphrases.en.gz",
            "meteor:task=adq,modules=exact+stem+synonym+paraphrase,weights=1+1+0.6+0.8,function_words=words.en.txt,"
            "paraphrases=paraphrases.en.tsv",
        ),
        (
            "-norm -noPunct -ch -m 'exact' -w '1.0' -p '0.9 3.0 0.5 0.5'",
            "meteor:punctuation=false,characters=true,modules=exact,weights=1,parameters=0.9+3+0.5+0.5",
        ),
    ],
    "de": [
        (
            "-norm -m 'exact stem' -w '1.0 0.8' -p '0.95 1.0 0.5 0.5'",
            "meteor:language=de,modules=exact+stem,weights=1+0.8,parameters=0.95+1+0.5+0.5",
        )
    ],
    "ru": [
        (
            "-lower -m 'exact stem' -w '1.0 0.6' -p '0.7 1.4 0.3 0.5'",
            "meteor:language=ru,text=lower,modules=exact+stem,weights=1+0.6,parameters=0.7+1.4+0.3+0.5",
        )
    ],
}


def texts(language: str) -> dict[str, list[str]]:
    """Return the columns of a language's texts."""
    with (FOLDER / f"texts.{language}.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return {name: [row[name] for row in rows] for name in rows[0]}


def reference_sets(language: str, names: str) -> list[list[str]]:
    """Return the references, set by set; `names` is a or a+b."""
    return [texts(language)[f"reference_{name}"] for name in names.split("+")]


def of_sacrebleu() -> Iterator[Row]:
    """Yield sacreBLEU's scores; of segments, BLEU's where it is meant for them (`effective_order`)."""
    import sacrebleu.metrics

    for language in LANGUAGES:
        configurations = [*EVERYWHERE, *(EAST_ASIAN if language in ("zh", "ja") else [])]
        for refs in REFERENCES:
            sets = reference_sets(language, refs)
            for name, options, ours in configurations:
                metric = getattr(sacrebleu.metrics, name)(**options)
                theirs = f"{name} {json.dumps(options)}"
                for system in SYSTEMS:
                    lines = texts(language)[system]
                    whole = metric.corpus_score(lines, sets).score
                    each = zip(lines, *sets, strict=True) if name != "BLEU" or options.get("effective_order") else []
                    segments = [metric.sentence_score(line, group).score for line, *group in each]
                    yield language, refs, system, theirs, ours, whole, segments


def of_jiwer() -> Iterator[Row]:
    """Yield jiwer's rates: of words, and of characters."""
    import jiwer

    for language in LANGUAGES:
        references = texts(language)["reference_a"]
        for system in SYSTEMS:
            lines = texts(language)[system]
            for rate in ("wer", "mer", "wil", "wip", "cer"):
                ours = f"tertium.compat.jiwer.{rate}"
                measured = getattr(jiwer, rate)
                segments = [measured(*pair) for pair in zip(references, lines, strict=True)]
                yield language, "a", system, rate, ours, measured(references, lines), segments


def of_meteor(jar: str) -> Iterator[Row]:
    """Yield the scores of METEOR's own program."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "words.en.txt").write_bytes((FOLDER / "words.en.txt").read_bytes())
        with gzip.open(folder / "paraphrases.en.gz", "wt", encoding="utf-8") as file:
            for phrase in _paraphrases():
                file.write("\n".join(phrase) + "\n")
        for language, configurations in METEOR.items():
            for refs in REFERENCES:
                groups = zip(*reference_sets(language, refs), strict=True)
                _write(folder / "references", [one for group in groups for one in group])
                for options, ours in configurations:
                    for system in SYSTEMS:
                        _write(folder / "system", texts(language)[system])
                        call = [
                            "system",
                            "references",
                            "-l",
                            language,
                            "-r",
                            str(len(refs.split("+"))),
                            *shlex.split(options),
                        ]
                        *segments, whole = _meteor_scores(jar, call, folder)
                        yield language, refs, system, options, ours, whole, segments


def _meteor_scores(jar: str, call: list[str], folder: Path) -> list[float]:
    java = ["java", "-Xmx2G", "-Dfile.encoding=UTF-8", "-jar", jar]
    printed = subprocess.run([*java, *call], cwd=folder, capture_output=True, text=True, check=True).stdout
    wanted = (line for line in printed.splitlines() if line.startswith(("Segment ", "Final score:")))
    return [float(line.split()[-1]) for line in wanted]


def _paraphrases() -> Iterator[tuple[str, str, str]]:
    """Yield probability, reference phrase, hypothesis phrase, as METEOR's three lines have them."""
    with (FOLDER / "paraphrases.en.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            yield row["prob"], row["phrase_ref"], row["phrase_hyp"]


def _write(path: Path, lines: list[str]) -> None:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def frozen(program: str) -> list[dict[str, Any]]:
    """Return the rows of a file, with numbers as numbers."""
    with (FOLDER / f"{program}.tsv").open(encoding="utf-8", newline="") as file:
        lines = (line for line in file if not line.startswith("# "))
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    return [
        row | {"corpus": float(row["corpus"]), "segments": [float(one) for one in row["segments"].split()]}
        for row in rows
    ]


def main(program: str, *arguments: str) -> None:
    """Write one program's file."""
    makers: dict[str, tuple[Callable[..., Iterator[Row]], str]] = {
        "sacrebleu": (of_sacrebleu, "the classes of sacrebleu.metrics: corpus_score and sentence_score"),
        "jiwer": (of_jiwer, "its functions on lists of lines, and on each line"),
        "meteor": (of_meteor, "java -Dfile.encoding=UTF-8 -jar meteor-1.5.jar SYSTEM REFERENCES -l CODE -r N OPTIONS"),
    }
    maker, how = makers[program]
    released = "1.5, the jar in PyPI's pycocoevalcap 1.2" if program == "meteor" else version(program)
    lines = [
        f"# {program} {released}; called as: {how}",
        f"# made by: python -m tools.freeze_originals {' '.join([program, *(Path(one).name for one in arguments)])}",
        "\t".join(COLUMNS),
    ]
    for *words, corpus, segments in maker(*arguments):
        lines.append("\t".join([*words, repr(float(corpus)), " ".join(repr(float(one)) for one in segments)]))
    _write(FOLDER / f"{program}.tsv", lines)


if __name__ == "__main__":
    main(*sys.argv[1:])
