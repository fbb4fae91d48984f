"""The programs that read files and write files, and come in no package: tercom, TERp and mteval.

Each is run where its file is given: a jar, for which Java must be here, or mteval's script, for which Perl must. Their
output is read as their manuals describe it.
"""

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from tools.original_programs import ANY, Case, Comparison, Judge, Program, Verdict, run, verdict, write_lines


def tercom(jar: str | None) -> Program:
    """Edits and reference lengths of tercom 0.8 and later."""
    missing = _missing("tercom", jar, "java")
    if jar is None or missing:
        return Program("tercom", missing=missing)
    jar = str(Path(jar).resolve())
    options = {
        "": "",
        "-N": "normalized=true",
        "-N -P": "normalized=true,no_punct=true",
        "-N -A": "normalized=true,asian_support=true",
        "-s": "case_sensitive=true",
    }
    return Program(
        "tercom",
        comparisons=[
            Comparison(f"tercom {given}".strip(), _tercom(jar, given.split(), f"ter:{settings}"), ANY, references=2)
            for given, settings in options.items()
        ],
    )


def _missing(name: str, path: str | None, needed: str) -> str:
    if path is None:
        return f"not given: --{name} FILE"
    if not Path(path).is_file():
        return f"there is no {path}"
    return "" if shutil.which(needed) else f"no {needed}"


def _tercom(jar: str, options: list[str], text: str) -> Judge:
    from tertium import parse_metric

    def judge(cases: Sequence[Case]) -> Iterator[Verdict]:
        with tempfile.TemporaryDirectory() as folder:
            _write_trans(folder, cases)
            call = ["java", "-Dfile.encoding=UTF-8", "-jar", jar, "-h", "hypotheses", "-r", "references"]
            run([*call, "-o", "ter", "-n", "out", *options], folder)
            lines = Path(folder, "out.ter").read_text(encoding="utf-8").splitlines()
        found = {line.split()[0].split(":")[0]: line.split()[-3:-1] for line in lines if line.startswith("[")}
        rows = parse_metric(text.removesuffix(":")).statistics(*_texts(cases))
        for number, row in enumerate(rows):
            edits, words = found[_id(number)]
            yield verdict((float(edits), float(words)), (float(row[5]), float(row[6])), 1e-6)

    return judge


def _texts(cases: Sequence[Case]) -> tuple[list[str], list[tuple[str, ...]]]:
    return [case.hypothesis for case in cases], [case.references for case in cases]


def _id(number: int) -> str:
    return f"[made-up][{number + 1:06}]"


def _write_trans(folder: str, cases: Sequence[Case]) -> None:
    write_lines(Path(folder, "hypotheses"), [f"{case.hypothesis} ({_id(k)})" for k, case in enumerate(cases)])
    references = [f"{one} ({_id(k)})" for k, case in enumerate(cases) for one in case.references]
    write_lines(Path(folder, "references"), references)


# --- TERp -----------------------------------------------------------------------------------------------------

TERP: list[dict[str, Any]] = [
    {},
    {"generalize_numbers": True},
    {"new_normalization": True},
    {"new_normalization": True, "normalized": False},
    {"normalize_numbers": True},
    {"case_sensitive": True},
    {"shift_constraint": "noshift"},
    {"shift_constraint": "relax_nophrase"},
    {"shift_constraint": "allow_mismatch"},
    {"costs": "ter"},
]


def terp(jar: str | None) -> Program:
    """TERp's rates, option by option, without synonyms, for which it needs a WordNet."""
    missing = _missing("terp", jar, "java")
    if jar is None or missing:
        return Program("TERp", missing=missing)
    jar = str(Path(jar).resolve())
    comparisons = [
        Comparison(
            ", ".join(f"{name}={value}" for name, value in options.items()) or "TERp-A", _terp(jar, options), ANY
        )
        for options in TERP
    ]
    return Program("TERp", comparisons=comparisons)


def _terp(jar: str, options: dict[str, Any]) -> Judge:
    from tertium import TERp

    metric = TERp(synonyms=False, stopwords=False, **options)
    known = "TERp's rule for blocks with a mismatch is not known"
    cause = {"cause": known} if metric.shift_constraint == "allow_mismatch" else {}

    def judge(cases: Sequence[Case]) -> Iterator[Verdict]:
        with tempfile.TemporaryDirectory() as folder:
            _write_trans(folder, cases)
            files = {"Hypothesis File": "hypotheses", "Reference File": "references", "Output Prefix": "out."}
            lines = [metric.parameters(), *(f"{name} (filename) : {value}" for name, value in files.items())]
            write_lines(Path(folder, "parameters"), [*lines, "Output Formats (list) : nist"])
            run(["java", "-Xmx2G", "-Dfile.encoding=UTF-8", "-jar", jar, "parameters"], folder)
            scores = [_last_columns(path) for path in sorted(Path(folder).glob("out.*seg.scr"))]
        rows = metric.statistics(*_texts(cases))
        for theirs, ours in zip((score for some in scores for score, _ in some), metric.score(rows) / 100, strict=True):
            yield verdict(float(theirs), float(ours), 1e-6, **cause)

    return judge


def _last_columns(path: Path) -> list[list[str]]:
    return [line.split()[-2:] for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


# --- mteval ---------------------------------------------------------------------------------------------------

MTEVAL = {
    "": "tokenize=mteval,lowercase=true",
    "-c": "tokenize=mteval",
    "--international-tokenization": "tokenize=mteval-intl-bare,lowercase=true",
    "--international-tokenization -c": "tokenize=mteval-intl-bare",
}


def mteval(script: str | None) -> Program:
    """NIST and BLEU of segments by mteval-v13a or -v14."""
    missing = _missing("mteval", script, "perl")
    if script is None or missing:
        return Program("mteval", missing=missing)
    comparisons = [
        Comparison(f"NIST and BLEU {options}".strip(), _mteval(script, options.split(), settings), ANY, references=2)
        for options, settings in MTEVAL.items()
    ]
    return Program("mteval", comparisons=comparisons)


def _mteval(script: str, options: list[str], settings: str) -> Judge:
    from tertium import parse_metric

    def judge(cases: Sequence[Case]) -> Iterator[Verdict]:
        plain = [Case(_plain(case.hypothesis), tuple(map(_plain, case.references))) for case in cases]
        with tempfile.TemporaryDirectory() as folder:
            _write_sgml(Path(folder, "src.sgm"), "srcset", [("", [case.references[0] for case in plain])])
            _write_sgml(Path(folder, "tst.sgm"), "tstset", [("made-up", [case.hypothesis for case in plain])])
            sets = zip(*(case.references for case in plain), strict=True)
            _write_sgml(Path(folder, "ref.sgm"), "refset", [(f"ref{k}", list(some)) for k, some in enumerate(sets)])
            files = ["-s", "src.sgm", "-r", "ref.sgm", "-t", "tst.sgm"]
            run(["perl", str(Path(script).resolve()), *files, "--metricsMATR-output", *options], folder)
            theirs = [_last_columns(Path(folder, f"{name}-seg.scr")) for name in ("NIST", "BLEU")]
        texts, groups = _texts(plain)
        nist = parse_metric(f"nist:{settings}").fitted_to(groups)
        bleu = parse_metric(f"bleu:{settings},smoothing=mteval")
        ours = [nist.score(nist.statistics(texts, groups)), bleu.score(bleu.statistics(texts, groups)) / 100]
        for (_, one), (_, other), *pair in zip(*theirs, *ours, strict=True):
            yield verdict((float(one), float(other)), tuple(map(float, pair)), 1e-6)

    return judge


def _plain(text: str) -> str:
    """Return the text without what SGML and XML read differently."""
    return text.replace("&", "+").replace("<", "(").replace(">", ")")


def _write_sgml(path: Path, kind: str, systems: Sequence[tuple[str, list[str]]]) -> None:
    languages = 'setid="made-up" srclang="any"' + ("" if kind == "srcset" else ' trglang="any"')
    lines = [f"<{kind} {languages}>"]
    for system, texts in systems:
        lines.append('<doc docid="made-up"' + (f' sysid="{system}"' if system else "") + ">")
        lines += [f'<seg id="{number}">{text}</seg>' for number, text in enumerate(texts, start=1)]
        lines.append("</doc>")
    write_lines(path, [*lines, f"</{kind}>"])
