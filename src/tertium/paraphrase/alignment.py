"""A bitext without word alignments: split into words, then linked by a library (FastAlign's model, both ways)."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tertium.errors import Argument, InputError, MissingExtraError
from tertium.files.lines import Lines, Warn
from tertium.paraphrase.sources import AlignedBitext, Source
from tertium.text import tokenizer

_BLOCK = 1 << 10
_ITERATIONS = 5


@dataclass(frozen=True)
class Bitext(Source):
    """Sentences and their translations, as they are."""

    text: str
    pivot: str
    weight: float = 1.0
    skip_empty: bool = False
    lowercase: bool = False
    tokenize: str = "13a"
    pivot_tokenize: str = "13a"

    @property
    def files(self) -> tuple[str, ...]:
        """Text and pivot."""
        return self.text, self.pivot

    def aligned(self, prefix: Path, *, warn: Warn, done: Callable[[int], None]) -> AlignedBitext:
        """Write words and links to files that begin with `prefix`, and return the bitext made of them."""
        thot = _thot()
        words = [f"{prefix}.text", f"{prefix}.pivot"]
        for path, words_path, name in zip(self.files, words, (self.tokenize, self.pivot_tokenize), strict=True):
            _split(path, words_path, name, self.lowercase, warn)
        ours, theirs = thot.FastAlignModel(), thot.FastAlignModel()
        for line, (text, pivot) in enumerate(_pairs(words[0], words[1], self.files), start=1):
            if bool(text) != bool(pivot) and not self.skip_empty:
                empty = self.text if not text else self.pivot
                raise InputError(
                    f"{empty}, line {line:,} is empty, but its translation is not. Leave such lines out of both "
                    "files, or pass over them with ",
                    Argument("skip_empty", True),
                    ".",
                )
            if text and pivot:
                ours.add_sentence_pair(text, pivot)
                theirs.add_sentence_pair(pivot, text)
        for model in (ours, theirs):
            model.start_training()
            for _ in range(_ITERATIONS):
                model.train()
                done(0)
            model.end_training()
        both = thot.SymmetrizedAligner(ours, theirs)
        both.heuristic = thot.SymmetrizationHeuristic.GROW_DIAG_FINAL_AND
        links = f"{prefix}.links"
        with open(links, "w", encoding="ascii", newline="\n") as file:
            for number, (text, pivot) in enumerate(_pairs(words[0], words[1], self.files)):
                matrix = both.get_best_alignment(text, pivot)[1].to_numpy() if text and pivot else None
                found = [] if matrix is None else zip(*(axis.tolist() for axis in matrix.nonzero()), strict=True)
                file.write(" ".join(f"{i}-{j}" for i, j in found) + "\n")
                if number % _BLOCK == 0:
                    done(number)
        return AlignedBitext(words[0], words[1], links, weight=self.weight, skip_empty=self.skip_empty)


def _thot() -> Any:
    try:
        import thot.alignment
    except ImportError:
        raise MissingExtraError(
            "Finding which words translate which needs a package: pip install 'tertium[align]'. Or give links made by "
            "another program (Pharaoh's i-j): ",
            Argument("links"),
            ".",
        ) from None
    return thot.alignment


def _split(path: str, words_path: str, name: str, lowercase: bool, warn: Warn) -> None:
    """Write a file's words, with one blank between them."""
    split = tokenizer(name, lowercase=lowercase)
    file = Lines(path, warn=warn)
    with open(words_path, "w", encoding="utf-8", newline="\n") as words:
        while len(block := file.take(_BLOCK)):
            words.writelines(" ".join(split(block[i][0])) + "\n" for i in range(len(block)))


def _pairs(text_path: str, pivot_path: str, names: tuple[str, ...]) -> Iterator[tuple[list[str], list[str]]]:
    with (
        open(text_path, encoding="utf-8", newline="\n") as texts,
        open(pivot_path, encoding="utf-8", newline="\n") as pivots,
    ):
        text_count = pivot_count = 0
        while True:
            text, pivot = texts.readline(), pivots.readline()
            text_count += bool(text)
            pivot_count += bool(pivot)
            if not text or not pivot:
                break
            yield (
                text.rstrip("\n").split(" ") if text != "\n" else [],
                (pivot.rstrip("\n").split(" ") if pivot != "\n" else []),
            )
        text_count += sum(1 for _ in texts)
        pivot_count += sum(1 for _ in pivots)
    if text_count != pivot_count:
        raise InputError(
            f"The files of a bitext must have the same number of lines, but {names[0]} has {text_count:,}, {names[1]} "
            f"has {pivot_count:,}. Were lines lost or cut off?"
        )
