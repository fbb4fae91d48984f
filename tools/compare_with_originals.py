"""Run the original programs and tertium side by side on texts made up on the spot, and count by cause what differs.

    python -m tools.compare_with_originals                      5,000 cases a program
    python -m tools.compare_with_originals jiwer --cases 200    one program, fewer cases
    python -m tools.compare_with_originals --sets FOLDER        also on FOLDER/NAME.en-de/hyp.*.txt and ref.*.txt
    python -m tools.compare_with_originals --meteor FILE.jar    where METEOR is, if not in an installed pycocoevalcap;
                                                                likewise --tercom, --terp, --mteval
    python -m tools.compare_with_originals --write              puts the table into docs/originals.md as well

A program that is not on this machine is named with what is missing. The exit code is 1 if a difference has no known
cause. What was frozen of programs that are hard to come by is compared by the tests.
"""

import argparse
import itertools
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tools.freeze_originals import texts
from tools.original_programs import UNKNOWN, Case, Comparison, Program, jiwer, meteor, nltk, sacrebleu
from tools.original_scripts import mteval, tercom, terp

PAGE = Path(__file__).parents[1] / "docs" / "originals.md"
PROGRAMS: dict[str, Callable[[argparse.Namespace], Program]] = {
    "sacrebleu": lambda options: sacrebleu(),
    "jiwer": lambda options: jiwer(),
    "nltk": lambda options: nltk(),
    "meteor": lambda options: meteor(options.meteor),
    "tercom": lambda options: tercom(options.tercom),
    "terp": lambda options: terp(options.terp),
    "mteval": lambda options: mteval(options.mteval),
}

WORDS = {
    "fr": "le la les l' n' il je est sait pas une maison Maisons l'eau qu'il d'été aujourd'hui grande grand mangent",
    "el": "ΟΔΟΣ ΑΣ-Α ΑΣ1Α ΣΑΣ, ΤΟΥΣ. Ο'Σ ΑΣ.Α οδός Σ the of ΟΣ ΣΟΦΟΣ",
}
PIECES = [
    ".", ",", "!", "?", "-", "--", "'", "'s", "’s", '"', "“", "”", "(", ")", "%", "$5", "1,000", "3.14", "1970s",
    "U.S.", "p.m.", "…", "&amp;", "&quot;", "<skipped>", "–", "—", "e.g.", "l'", "/", "@", "€", "½", "２", "\u00a0",
    "\u3000", "😀", "é", "e\u0301", "ß", "İ",
]  # fmt: skip


def main() -> None:
    """Compare what is here and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help=f"some of {', '.join(PROGRAMS)} (default: all)")
    parser.add_argument("--cases", type=int, default=5000, help="random cases a program (default: 5000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sets", metavar="FOLDER", help="real texts to compare on, too")
    parser.add_argument("--segments", type=int, default=20, help="how many of each system's (default: 20)")
    parser.add_argument("--meteor", metavar="JAR", help="METEOR 1.5")
    parser.add_argument("--tercom", metavar="JAR", help="tercom 0.8 or later")
    parser.add_argument("--terp", metavar="JAR", help="TERp")
    parser.add_argument("--mteval", metavar="SCRIPT", help="mteval-v13a.pl or mteval-v14.pl")
    parser.add_argument("--write", action="store_true", help=f"put the table into {PAGE.name}")
    options = parser.parse_args()
    unknown = [name for name in options.programs if name not in PROGRAMS]
    if unknown or options.cases < 1 or options.segments < 1:
        parser.error(f"no program is called {unknown[0]}" if unknown else "--cases and --segments must be at least 1")
    if options.sets and not any(Path(options.sets).glob("*.*-*/hyp.*.txt")):
        parser.error(f"--sets: there is no {options.sets}/NAME.SOURCE-TARGET/hyp.*.txt")
    programs = [PROGRAMS[name](options) for name in options.programs or PROGRAMS]
    tallies = [tally for program in programs for tally in _compared(program, options)]
    table = "\n".join(_table(programs, tallies))
    print(table)
    if options.write:
        _write(table)
    sys.exit(any(tally.causes[UNKNOWN] for tally in tallies))


@dataclass
class Tally:
    """What came of one comparison."""

    program: str
    what: str
    cases: int = 0
    real: int = 0  # of them, on real texts
    causes: Counter[str] = field(default_factory=Counter)


def _compared(program: Program, options: argparse.Namespace) -> Iterator[Tally]:
    share = -(-options.cases // max(1, len(program.comparisons)))
    for comparison in program.comparisons:
        rng = random.Random(f"{options.seed} {program.name} {comparison.what}")
        languages = itertools.islice(itertools.cycle(comparison.languages), share * comparison.size)
        segments = [_random_case(rng, language, comparison) for language in languages]
        segments += _real_cases(options, comparison)
        yield _counted(Tally(program.name, comparison.what), comparison, segments, share)


def _counted(tally: Tally, comparison: Comparison, segments: list[Case], made_up: int) -> Tally:
    for number, verdict in enumerate(comparison.judge(segments)):
        tally.cases += 1
        tally.real += number >= made_up
        if verdict.cause is None:
            continue
        tally.causes[verdict.cause] += 1
        if verdict.cause == UNKNOWN and tally.causes[UNKNOWN] <= 3:
            found = f"{tally.program} {tally.what}: {verdict.theirs!r}, tertium {verdict.ours!r}"
            case = segments[number * comparison.size : (number + 1) * comparison.size]
            print(f"{found}\n  {case!r}", file=sys.stderr)
    return tally


# --- cases ----------------------------------------------------------------------------------------------------


def _random_case(rng: random.Random, language: str, comparison: Comparison) -> Case:
    words = _vocabulary(language)
    chosen = rng.choices(words, k=rng.choice([3, 12, 40]))  # few words, so that they meet again
    hypothesis = [_word(rng, chosen) for _ in range(rng.randrange(1, 16))]
    references = tuple(_text(rng, _varied(rng, hypothesis, chosen)) for _ in range(comparison.references))
    return Case(_text(rng, hypothesis), references)


def _vocabulary(language: str) -> list[str]:
    if language in WORDS:
        return WORDS[language].split()
    return sorted({word for column in texts(language).values() for line in column for word in line.split()})


def _word(rng: random.Random, words: list[str]) -> str:
    word = rng.choice(words)
    return word if rng.random() < 0.85 else rng.choice([word + rng.choice(PIECES), rng.choice(PIECES), word.upper()])


def _varied(rng: random.Random, words: list[str], known: list[str]) -> list[str]:
    varied = list(words)
    for _ in range(rng.randrange(5)):
        at = rng.randrange(len(varied) + 1)
        block = varied[at : at + rng.randrange(1, 4)]
        del varied[at : at + len(block)]
        if rng.random() < 0.5:
            to = rng.randrange(len(varied) + 1)
            varied[to:to] = block
        elif rng.random() < 0.7:
            varied.insert(at, _word(rng, known))
    return varied or [rng.choice(known)]


def _text(rng: random.Random, words: list[str]) -> str:
    return "".join(word + rng.choice(["", " ", " ", " ", " ", " ", " ", "  "]) for word in words).strip() or "x"


def _real_cases(options: argparse.Namespace, comparison: Comparison) -> Iterator[Case]:
    """Yield segments from all over the file of each system whose language the comparison knows."""
    for folder in sorted(Path(options.sets).glob("*.*-*")) if options.sets else ():
        if folder.name.rpartition("-")[2] not in comparison.languages:
            continue
        references = [_lines(path) for path in sorted(folder.glob("ref.*.txt"))][: comparison.references]
        references += references[:1] * (comparison.references - len(references))
        for path in sorted(folder.glob("hyp.*.txt")):
            found = [Case(one, tuple(group)) for one, *group in zip(_lines(path), *references, strict=True)]
            yield from found[:: max(1, len(found) // options.segments)][: options.segments]


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


# --- the table ------------------------------------------------------------------------------------------------


def _table(programs: list[Program], tallies: list[Tally]) -> Iterator[str]:
    yield "| program | compared | cases | of them real | differ | cause |"
    yield "|---|---|---:|---:|---:|---|"
    for program in programs:
        name = f"{program.name} {program.version}".strip()
        if program.missing:
            yield f"| {name} | {program.missing} | 0 | 0 | | |"
        for tally in tallies:
            if tally.program == program.name:
                counts = f"{tally.cases:,} | {tally.real:,} | {tally.causes.total():,}"
                causes = "; ".join(f"{cause}: {count:,}" for cause, count in tally.causes.items())
                yield f"| {name} | {tally.what} | {counts} | {causes} |"


def _write(table: str) -> None:
    begin, end = "<!-- originals -->\n", "<!-- end -->"
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(begin)
    after = rest.partition(end)[2]
    words = [Path(word).name for word in sys.argv[1:] if word != "--write"]
    command = " ".join(["python -m tools.compare_with_originals", *words])
    PAGE.write_text(f"{before}{begin}Made by `{command}`.\n\n{table}\n{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
