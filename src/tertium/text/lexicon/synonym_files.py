"""Readers of files that say which words mean the same; all give synsets, by a number that tells the part of speech."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tertium.corpus.readers import LineFile, whole
from tertium.errors import InputError

POS = {"noun": 1, "verb": 2, "adj": 3, "adv": 4}
POS_STEP = 100_000_000  # an id divided by it is the part of speech, 0 if that is not known
_POS_LETTERS = {"n": 1, "v": 2, "a": 3, "s": 3, "r": 4}


@dataclass
class Synsets:
    """Words with the synsets they belong to, and irregular forms with the synsets of their base forms."""

    ids: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    bases: list[tuple[str, int, list[str]]] = field(default_factory=list)  # form, part of speech (0: any), base forms

    def irregular(self, *, any_pos: bool = False) -> dict[str, list[int]]:
        """Return the ids that irregular forms have through their base forms, of the same part of speech or of any."""
        found: dict[str, list[int]] = defaultdict(list)
        for form, pos, bases in self.bases:
            for base in bases:
                found[form] += [id for id in self.ids.get(base, ()) if any_pos or pos in (0, id // POS_STEP)]
        return found


@dataclass(frozen=True)
class SynonymFile:
    """Files of one form: what it is called, which of them are read, how, and which rule for base forms is usual."""

    form: str
    paths: tuple[Path, ...]
    read: Callable[[], Synsets]
    rule: str


def synonym_file(path: Path) -> SynonymFile:
    """Tell what form a file or directory has."""
    if path.is_dir():
        return _directory(path)
    if path.name.endswith(".synsets"):
        exceptions = path.with_name(path.name.removesuffix(".synsets") + ".exceptions")
        both = (path, exceptions) if exceptions.is_file() else (path,)
        return SynonymFile("meteor", both, lambda: meteor_synsets(*(_lines(file) for file in both)), "meteor")
    first = next((line for _, line in _lines(path) if line.strip()), "")
    if not first:
        raise InputError(f"{path} is empty, but synonyms were expected.")
    if first.startswith("#noun"):
        return SynonymFile("bundled", (path,), lambda: _bundled(path), "wordnet")
    if first.lstrip().startswith("<"):
        return SynonymFile("wn-lmf", (path,), lambda: _lmf(path), "wordnet")
    if first.startswith("#") or re.match(r"\d{8}-[nvasr]\t", first):
        return SynonymFile("omw", (path,), lambda: _omw(path), "none")
    fields = first.split("\t")
    if len(fields) >= 4 and fields[0].isdigit():
        return SynonymFile("indowordnet", (path,), lambda: _indowordnet(path), "none")
    return SynonymFile("tsv", (path,), lambda: _tsv(path), "none")


def _directory(path: Path) -> SynonymFile:
    for place in (path, path / "dict", path / "database"):
        if (place / "index.noun").is_file():
            files = [place / f"index.{pos}" for pos in POS] + [place / f"{pos}.exc" for pos in POS]
            files = [file for file in files if file.is_file()]
            return SynonymFile("wndb", tuple(files), lambda place=place: _wndb(place), "wordnet")  # type: ignore[misc]
        if (place / "data_txt").is_file():
            files = [place / "data_txt", *sorted(place.glob("idx*_txt"))]
            return SynonymFile("hindi-wordnet", tuple(files), lambda files=tuple(files): _hindi(files), "none")  # type: ignore[misc]
    raise InputError(
        f"{path} has neither index.noun (a WordNet database) nor data_txt (Hindi WordNet), so no synonyms can be read "
        "from it."
    )


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    file = LineFile(str(path), warn=lambda _: None)
    number = 0
    while len(lines := file.lines(1 << 14)):
        for group in range(len(lines)):
            number += 1
            yield number, lines[group][0]


def _bad(path: Path, line: int, found: str, expected: str) -> InputError:
    return InputError(f"{path}, line {line:,}: {found[:60]!r}, but {expected}.")


def _bundled(path: Path) -> Synsets:
    synsets = Synsets()
    pos = number = 0
    exceptions = False
    for line in whole(str(path)).decode().splitlines():
        if line.startswith("#") and line.removesuffix(".exc")[1:] in POS:
            pos, number, exceptions = POS[line.removesuffix(".exc")[1:]], 0, line.endswith(".exc")
            continue
        words = line.split("\t")
        if exceptions:
            synsets.bases.append((words[0], pos, words[1:]))
            continue
        number += 1
        for word in words:
            synsets.ids[word].append(pos * POS_STEP + number)
    return synsets


def _wndb(directory: Path) -> Synsets:
    synsets = Synsets()
    for name, pos in POS.items():
        path = directory / f"index.{name}"
        for number, line in _lines(path) if path.is_file() else ():
            if line.startswith(" ") or not line.strip():
                continue  # the licence
            fields = line.split()
            count = int(fields[2]) if len(fields) > 3 and fields[2].isdigit() else 0
            offsets = fields[-count:] if count else []
            if not offsets or not all(len(offset) == 8 and offset.isdigit() for offset in offsets):
                raise _bad(
                    path, number, line, "a line of WordNet's index ends in as many offsets as its third field says"
                )
            synsets.ids[fields[0]] += [pos * POS_STEP + int(offset) for offset in offsets]
        path = directory / f"{name}.exc"
        for number, line in _lines(path) if path.is_file() else ():
            forms = line.split()
            if len(forms) == 1:
                raise _bad(path, number, line, "an irregular form has its base forms behind it")
            if forms:
                synsets.bases.append((forms[0], pos, forms[1:]))
    return synsets


def meteor_synsets(words: Iterable[tuple[int, str]], exceptions: Iterable[tuple[int, str]] = ()) -> Synsets:
    """Return METEOR's synonyms: a line with a word, a line with its ids; a base form, then its irregular forms."""
    synsets = Synsets()
    for word, _, ids, line in _pairs(words):
        if not all(id.isdigit() for id in ids.split()) or not ids.split():
            raise InputError(
                f"METEOR's synsets, line {line:,}: {ids[:60]!r}, but the ids of '{word[:40]}' belong there."
            )
        synsets.ids[word] += [int(id) % POS_STEP for id in ids.split()]
    for base, _, forms, _ in _pairs(exceptions):
        for form in forms.split():
            synsets.bases.append((form, 0, [base]))
    return synsets


def _pairs(lines: Iterable[tuple[int, str]]) -> Iterator[tuple[str, int, str, int]]:
    waiting: tuple[int, str] | None = None
    for number, line in lines:
        if waiting is None:
            waiting = number, line.strip()
        else:
            yield waiting[1], waiting[0], line.strip(), number
            waiting = None
    if waiting is not None and waiting[1]:
        raise InputError(f"METEOR's synonyms, line {waiting[0]:,}: the file ends after the first line of a pair.")


def _lmf(path: Path) -> Synsets:
    from io import BytesIO
    from xml.etree import ElementTree

    synsets, numbers = Synsets(), dict[str, int]()
    try:
        for _, element in ElementTree.iterparse(BytesIO(whole(str(path)))):
            if element.tag != "LexicalEntry":
                continue
            lemma = element.find("Lemma")
            if lemma is None:
                raise InputError(f"{path}: the entry {element.get('id')!r} has no Lemma, which WN-LMF needs.")
            pos = _POS_LETTERS.get(lemma.get("partOfSpeech", ""), 0)
            word = lemma.get("writtenForm", "").replace(" ", "_")
            word = word.lower() if word.isascii() else word
            for sense in element.iter("Sense"):
                synset = sense.get("synset", "")
                synsets.ids[word].append(pos * POS_STEP + numbers.setdefault(synset, len(numbers)))
            for form in element.iter("Form"):
                synsets.bases.append((form.get("writtenForm", "").replace(" ", "_"), pos, [word]))
            element.clear()
    except ElementTree.ParseError as error:
        raise InputError(f"{path} is no XML that can be read: {error}.") from None
    if not synsets.ids:
        raise InputError(f"{path} has no LexicalEntry. Is it WN-LMF?")
    return synsets


def _omw(path: Path) -> Synsets:
    synsets = Synsets()
    for number, line in _lines(path):
        if line.startswith("#") or not line.strip():
            continue
        fields = line.split("\t")
        offset = re.fullmatch(r"(\d{8})-([nvasr])", fields[0])
        if offset is None or len(fields) < 3:
            raise _bad(path, number, line, "a line of an OMW file is 'offset-pos<TAB>lemma<TAB>word'")
        if fields[1].split(":")[-1] == "lemma":
            word = fields[2].strip().replace(" ", "_")
            synsets.ids[word].append(_POS_LETTERS[offset[2]] * POS_STEP + int(offset[1]))
    return synsets


def _hindi(files: tuple[Path, ...]) -> Synsets:
    """Hindi WordNet: `data_txt` has per line an id, a part of speech, how many words, and the words joined by colons."""
    synsets, known = Synsets(), set[int]()
    for number, line in _lines(files[0]):
        fields = line.split("|")[0].split()
        if not fields:
            continue
        words = next((each for each in fields[1:] if not each.isdigit()), None)
        if not fields[0].isdigit() or words is None:
            raise _bad(files[0], number, line, "a line of data_txt is 'id pos count word:word:… … | gloss'")
        pos = int(fields[1]) if len(fields) > 2 and fields[1].isdigit() and int(fields[1]) <= 4 else 0
        id = pos * POS_STEP + int(fields[0]) % POS_STEP
        known.add(id)
        for word in words.split(":"):
            if word:
                synsets.ids[word].append(id)
    for path in files[1:]:
        for _, line in _lines(path):
            fields = line.split()
            for each in reversed(fields[2:]):
                if not (each.isdigit() and len(each) == 8):
                    break
                pos = int(fields[1]) if fields[1].isdigit() else 0
                id = pos * POS_STEP + int(each)
                if id in known and id not in synsets.ids[fields[0]]:
                    synsets.ids[fields[0]].append(id)
    return synsets


def _indowordnet(path: Path) -> Synsets:
    synsets = Synsets()
    parts = {"noun": 1, "verb": 2, "adjective": 3, "adverb": 4}
    for number, line in _lines(path):
        if not line.strip():
            continue
        fields = line.split("\t")
        if len(fields) < 4 or not fields[0].isdigit():
            raise _bad(path, number, line, "a line is 'id<TAB>word,word,…<TAB>gloss<TAB>part of speech'")
        id = parts.get(fields[3].strip().lower(), 0) * POS_STEP + int(fields[0]) % POS_STEP
        for word in fields[1].split(","):
            if word.strip():
                synsets.ids[word.strip().replace(" ", "_")].append(id)
    return synsets


def _tsv(path: Path) -> Synsets:
    synsets = Synsets()
    for number, line in _lines(path):
        if not line.strip():
            continue
        words = [word.strip() for word in line.split("\t")]
        if len(words) < 2 or not all(words):
            raise _bad(path, number, line, "a line has two or more words that mean the same, separated by tabs")
        for word in words:
            synsets.ids[word].append(number)
    return synsets
