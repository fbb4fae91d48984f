"""What `make bench` measures: every metric beside the program it replaces, and what a user waits for.

One thread and processor time, from Python lists, unless the name says otherwise. The peer's best public call runs on
the same lists in the same process; where there is no peer in reach, another job of ours is the yardstick, so that the
ratio still tells when something becomes slower.
"""

import importlib.metadata
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import tertium
from benchmarks import meteor as meteor_program
from benchmarks import resampling, terp
from benchmarks.measure import TERTIUM, least, run
from benchmarks.race import Contest, processor
from benchmarks.texts import Pairs, files, sets
from tertium import BLEU, CDER, CHRF, METEOR, NIST, TER, WER, Metric, TERp
from tertium.corpus import hypothesis_texts, reference_texts
from tertium.text.lexicon.phrases import write_index

SEGMENTS = 20_000
LENGTHS = {"up to 20 tokens": (1, 21, 400), "21 to 45 tokens": (21, 46, 100), "more than 45 tokens": (46, 1000, 30)}
MODULES = ("exact", "stem", "synonym")
TERP_RATE = 39  # segments a second of TERp's program with stems and synonyms, measured elsewhere on texts like these
PARAPHRASES = 1_000_000


def contests(groups: Sequence[str]) -> Iterator[Contest]:
    """Yield contests, ready to be held: one after the other, so that each has the memory to itself."""
    for texts, suffix in sets(SEGMENTS):
        for name, group in GROUPS.items():
            if name in groups:
                yield from group(texts, suffix)
    for name, alone in ALONE.items():
        if name in groups:
            yield from alone()


def _rows(metric: Metric, texts: Pairs) -> Callable[[], Any]:
    return lambda: metric.statistics(texts.hypotheses, texts.references, threads=1)


def _corpus(metric: Metric, texts: Pairs) -> float:
    return float(metric.score(metric.statistics(texts.hypotheses, texts.references, threads=1).sum(axis=0)))


def _version(package: str) -> str:
    return f"{package} {importlib.metadata.version(package)}".replace("sacrebleu", "sacreBLEU")


def _against_sacrebleu(texts: Pairs, suffix: str) -> Iterator[Contest]:
    from sacrebleu import metrics as peer

    cases: list[tuple[str, Metric, Callable[[], Any]]] = [
        ("BLEU", BLEU(), peer.BLEU),
        ("chrF", CHRF(), peer.CHRF),
        ("chrF++", CHRF(word_order=2), lambda: peer.CHRF(word_order=2)),
    ]
    for name, metric, maker in cases:  # a new object each time, so that nothing it remembers helps

        def theirs(maker: Callable[[], Any] = maker) -> float:
            return float(maker().corpus_score(texts.hypotheses, [texts.references]).score)

        def ours(metric: Metric = metric) -> float:
            return _corpus(metric, texts)

        yield Contest(
            f"{name}{suffix}", _version("sacrebleu"), processor(ours), processor(theirs), len(texts), often=10,
            same=lambda ours=ours, theirs=theirs: abs(ours() - theirs()) < 1e-9,
        )  # fmt: skip


def _ter(texts: Pairs, suffix: str) -> Iterator[Contest]:
    from sacrebleu.metrics import TER as PeerTER

    sizes = [len(text.split()) for text in texts.references]
    for name, (low, high, count) in LENGTHS.items():
        chosen = [index for index, size in enumerate(sizes) if low <= size < high]
        some = texts.chosen(random.Random(7).sample(chosen, min(count, len(chosen))))

        def theirs(some: Pairs = some) -> float:
            return float(PeerTER().corpus_score(some.hypotheses, [some.references]).score)

        metric = TER(variant="sacrebleu")
        many = 2000 // len(some)  # often enough for the clock
        repeated = Pairs(some.hypotheses * many, some.references * many, some.origin)
        yield Contest(
            f"TER, {name}{suffix}", _version("sacrebleu"), _shared(processor(_rows(metric, repeated)), many),
            processor(theirs), len(some), often=10, rounds=2,
            same=lambda some=some, metric=metric, theirs=theirs: abs(_corpus(metric, some) - theirs()) < 1e-9,
        )  # fmt: skip


def _shared(timed: Callable[[], float], times: int) -> Callable[[], float]:
    return lambda: timed() / times


def _against_jiwer(texts: Pairs, suffix: str) -> Iterator[Contest]:
    import jiwer

    # jiwer knows no blank but the space, and refuses empty references.
    usable = [(h, r) for h, r in zip(texts.hypotheses, texts.references, strict=True) if r.strip()]
    some = Pairs(*([" ".join(pair[k].split()) for pair in usable] for k in (0, 1)), texts.origin)
    metric = WER(tokenize="space")

    def theirs() -> float:
        return float(jiwer.process_words(some.references, some.hypotheses).wer)

    yield Contest(
        f"WER{suffix}", _version("jiwer"), processor(_rows(metric, some)), processor(theirs), len(some), often=10,
        same=lambda: abs(_corpus(metric, some) - 100 * theirs()) < 1e-9,
    )  # fmt: skip


def _meteor(texts: Pairs, suffix: str) -> Iterator[Contest]:
    metric = METEOR(modules=MODULES)
    rows = _rows(metric, texts)
    rows()  # from here on all words are known, as they are to a program that has warmed up
    call = meteor_program.program()
    if call is not None:
        yield Contest(
            f"METEOR 1.5{suffix}", "its program, warm", processor(rows),
            lambda: len(texts) / meteor_program.rate_of(call, texts), len(texts), often=3, rounds=2,
        )  # fmt: skip
    yield Contest(
        f"METEOR 2005{suffix}", "tertium's METEOR 1.5", processor(_rows(METEOR(version="2005"), texts)),
        processor(rows), len(texts), often=1,
    )  # fmt: skip


def _terp(texts: Pairs, suffix: str) -> Iterator[Contest]:
    some = texts.chosen(random.Random(7).sample(range(len(texts)), min(2000, len(texts))))
    with tempfile.TemporaryDirectory() as folder:
        table = Path(folder) / "table.index"
        write_index(table, terp.entries(texts, PARAPHRASES))
        for name, metric in (("TERp", TERp()), (f"TERp, {PARAPHRASES:,} paraphrases", TERp(paraphrases=table))):
            rows = _rows(metric, some)
            rows()
            yield Contest(
                f"{name}{suffix}", f"its program, {TERP_RATE} a second elsewhere", processor(rows),
                lambda: len(some) / TERP_RATE, len(some),
            )  # fmt: skip


def _borrowing(texts: Pairs, suffix: str) -> Iterator[Contest]:
    def ours() -> None:
        hypothesis_texts(texts.hypotheses)
        reference_texts(texts.references)

    def theirs() -> list[bytes]:
        return [text.encode() for side in (texts.hypotheses, texts.references) for text in side]

    yield Contest(
        f"taking two lists of strings{suffix}", "str.encode", processor(ours), processor(theirs), len(texts), rounds=10
    )


def _yardsticks(texts: Pairs, suffix: str) -> Iterator[Contest]:
    def learnt() -> None:
        NIST().fitted_to(texts.references).statistics(texts.hypotheses, texts.references, threads=1)

    bleu = processor(_rows(BLEU(), texts))
    cases: dict[str, Callable[[], Any]] = {
        "BLEU, lowercase": _rows(BLEU(lowercase=True), texts),
        "BLEU, unicode=nfc": _rows(BLEU(unicode="nfc"), texts),
        "NIST, learning and scoring": learnt,
        "WER, levenshtein": _rows(WER(substitution="levenshtein"), texts),
        "CDER": _rows(CDER(), texts),
        "CDER, levenshtein": _rows(CDER(substitution="levenshtein"), texts),
        "chrF": _rows(CHRF(), texts),
    }
    for name, work in cases.items():
        yield Contest(f"{name} beside BLEU{suffix}", "tertium's BLEU", processor(work), bleu, len(texts))


def _tests() -> Iterator[Contest]:
    systems, references, _ = resampling.systems_of(2000)
    scores = tertium.score({"BLEU": BLEU()}, systems, references)
    for name, short, samples in (("randomization test", "ar", 10_000), ("bootstrap", "bs", 1000)):
        ours = resampling.test_of(scores, name.split()[0], samples)
        theirs = resampling.peer_of(short, samples, systems, references)
        nothing = least(resampling.peer_of(short, 1, systems, references), repeats=5)
        yield Contest(
            name, f"{_version('sacrebleu')}, what {samples:,} samples add", processor(ours),
            lambda theirs=theirs, nothing=nothing: processor(theirs)() - nothing, samples, "sample",
            often=10, same=lambda ours=ours, theirs=theirs: ours() == theirs(),
        )  # fmt: skip


def _waiting() -> Iterator[Contest]:
    hypothesis, reference, _ = files(2_000_000)
    large = [str(hypothesis), str(reference)]
    score = [TERTIUM, "score", large[0], "-r", large[1], "-m", "bleu", "--threads", "2"]
    yield _commands("two files of 2,000,000 lines, BLEU, two threads", score, "wc -lw", ["wc", "-lw", *large])
    hypothesis, reference, _ = files(2_000)
    small = [str(hypothesis), str(reference)]
    bleu = str(Path(sys.executable).with_name("sacrebleu"))
    yield _commands(
        "`tertium score` of 2,000 segments: BLEU, chrF, TER", [TERTIUM, "score", small[0], "-r", small[1]],
        "sacreBLEU without TER", [bleu, small[1], "-i", small[0], "-m", "bleu", "chrf"],
    )  # fmt: skip
    yield _commands("`tertium --version`", [TERTIUM, "--version"], "sacrebleu --version", [bleu, "--version"])


def _commands(name: str, ours: list[str], peer: str, theirs: list[str]) -> Contest:
    def wall(command: list[str]) -> float:
        result = run(command, LC_ALL="C.UTF-8")
        if result.exit_code != 0:
            raise SystemExit(f"{' '.join(command)} failed:\n{result.errors}")
        return result.wall

    wall(ours), wall(theirs)  # bytecode and pages are in memory from here on
    return Contest(name, peer, lambda: wall(ours), lambda: wall(theirs), 1, "", often=2, rounds=5, on_the_wall=True)


GROUPS: dict[str, Callable[[Pairs, str], Iterator[Contest]]] = {
    "ngrams": _against_sacrebleu,
    "ter": _ter,
    "wer": _against_jiwer,
    "meteor": _meteor,
    "terp": _terp,
    "lists": _borrowing,
    "yardsticks": _yardsticks,
}
ALONE: dict[str, Callable[[], Iterator[Contest]]] = {"tests": _tests, "waiting": _waiting}
