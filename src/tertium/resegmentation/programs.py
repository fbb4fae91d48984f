"""Cuts as other programs make them: mwerSegmenter, mweralign 1.4 and OmniSTEval 0.1 (SoftSegmenter)."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tertium import _native
from tertium.errors import Argument, InputError, UnknownNameError
from tertium.resegmentation.documents import Document
from tertium.resegmentation.moses import MosesWords
from tertium.text.languages import Language, target_language
from tertium.text.tokenizers import pieces_with_places

# mweralign's "cj": characters beyond Latin-1 one by one, the rest in runs with its blanks.
_RUNS_OR_CHARACTERS = re.compile(r"[\x00-\xff]+|[^\x00-\xff]")
_HAS_LETTER = re.compile(r"[^\W_]|[^\x00-\x7f]")


class Placed(NamedTuple):
    """A token, and where it begins in its text."""

    token: str
    start: int


Split = Callable[[str], list[Placed]]


@dataclass(frozen=True)
class ProgramCut:
    """Where the pieces of a document end, what the program counts for it, and where the first piece begins.

    OmniSTEval loses words at the beginning of a document that have no partner, if the first is a mark.
    """

    ends: list[int]
    cost: float
    begin: int = 0


def cut_as(
    program: str,
    lines: Sequence[str],
    references: _native.Texts,
    documents: Sequence[Document],
    tokenize: str | None,
    language: str | None,
) -> tuple[list[ProgramCut], str]:
    """Return the cuts of each document, and which tokens they were made with."""
    if references.group_size != 1:
        raise InputError(
            f"{program}'s rules for several references are not known here: give one, or use the methods soft and mwer."
        )
    target = None if language is None else target_language(language)
    if program == "omnisteval":
        return _soft_segmenter(lines, references, documents, tokenize, language, target)
    usual = "cj" if program == "mweralign" and target and target.is_east_asian else "none"
    chosen = usual if tokenize is None else tokenize
    if program == "mwersegmenter" and chosen != "none":
        raise InputError("mwerSegmenter takes words between blanks: leave out ", Argument("tokenize"), ".")
    split = _splitter(chosen, lower=program == "mweralign")
    whole_words = chosen.startswith("spm:") and not (target and target.is_east_asian)
    found = []
    for document in documents:
        text = " ".join(lines[slice(*document.lines)])
        stream = split(text)
        inside = [
            whole_words and not one.token.startswith("▁") and bool(_HAS_LETTER.search(one.token)) for one in stream
        ]
        segments = [[one.token for one in split(references[i][0])] for i in range(*document.segments)]
        ends, cost = _native.mwer_segmenter(
            _native.tokens_of_lists([[one.token for one in stream]], [0, 1]),
            np.array(inside, np.uint8),
            _native.tokens_of_lists(segments, list(range(len(segments) + 1))),
        )
        found.append(ProgramCut(_characters(ends, stream, len(text)), cost))
    return found, chosen


def _splitter(tokenize: str, *, lower: bool) -> Split:
    def lowered(token: str) -> str:
        return token.lower() if lower else token

    if tokenize == "none":
        return lambda text: [Placed(lowered(found[0]), found.start()) for found in re.finditer(r"\S+", text)]
    if tokenize == "cj":
        return lambda text: [
            Placed(lowered(found[0]).replace(" ", "▁"), found.start()) for found in _RUNS_OR_CHARACTERS.finditer(text)
        ]
    if tokenize.startswith("spm:"):
        return lambda text: [Placed(lowered(piece), start) for piece, start in pieces_with_places(tokenize, text)]
    raise UnknownNameError.of("tokenizer of mweralign", tokenize, ("none", "cj", "spm:FILE"))


def _soft_segmenter(
    lines: Sequence[str],
    references: _native.Texts,
    documents: Sequence[Document],
    tokenize: str | None,
    language: str | None,
    target: Language | None,
) -> tuple[list[ProgramCut], str]:
    characters = tokenize == "char" or (tokenize is None and target is not None and target.is_east_asian)
    if tokenize not in (None, "none", "moses", "char"):
        raise UnknownNameError.of("tokenizer of OmniSTEval", tokenize, ("moses", "none", "char"))
    if tokenize == "moses" and language is None:
        raise InputError("Moses' rules depend on the language: give ", Argument("language"), ".")
    moses = None if characters or language is None or tokenize == "none" else MosesWords(language)
    unit = re.compile(r"\S" if characters else r"\S+")

    def tokens(text: str) -> list[tuple[int, Sequence[str]]]:
        found: list[tuple[int, Sequence[str]]] = []
        for one in unit.finditer(text):
            word = _native.lower(_native.normalize(one[0], "nfkc"))
            found.append((one.start(), (moses(word) or (word,)) if moses else (word,)))
        return found

    cuts = []
    for document in documents:
        text = "\n".join(lines[slice(*document.lines)])
        words = tokens(text)
        theirs: list[str] = []
        segment_of: list[int] = []
        for segment in range(*document.segments):
            for _, parts in tokens(references[segment][0]):
                theirs += parts
                segment_of += [segment - document.segments[0]] * len(parts)
        segments = _native.soft_segmenter(
            [part for _, parts in words for part in parts], theirs, segment_of, characters
        )
        cuts.append(_first_tokens_decide(words, segments, document, len(text)))
    name = "char" if characters else f"moses-{moses.language}" if moses else "none"
    return cuts, name


def _first_tokens_decide(
    words: Sequence[tuple[int, Sequence[str]]], segments: Sequence[int], document: Document, length: int
) -> ProgramCut:
    """Return where pieces end: a word goes where its first token does."""
    count = document.segments[1] - document.segments[0]
    ends = [length] * count
    place = segment = 0
    begin: int | None = None
    for start, parts in words:
        goes_to = segments[place]
        place += len(parts)
        if goes_to == _native.lost_token:
            continue
        begin = start if begin is None else begin
        while segment < goes_to:
            ends[segment] = start
            segment += 1
    lost = words and segments[0] == _native.lost_token
    return ProgramCut(ends, 0.0, (length if begin is None else begin) if lost else 0)


def _characters(ends: Sequence[int], stream: Sequence[Placed], length: int) -> list[int]:
    """Return where pieces end in the text: each segment ends before a token."""
    starts = [*(one.start for one in stream), length]
    inner = [starts[end] if end else 0 for end in ends[:-1]]
    return [*inner, length]
