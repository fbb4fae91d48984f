"""Readers of files that say which words mean the same; all give synsets, by a number that tells the part of speech."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tertium.errors import InputError
from tertium.files.lines import Lines
from tertium.files.reading import whole

POS = {"noun": 1, "verb": 2, "adj": 3, "adv": 4}
POS_STEP = 100_000_000  # an id divided by it is the part of speech, 0 if that is not known
_COUNTS = "cntlist.rev"  # how often each sense was met in text
_POS_LETTERS = {"n": 1, "v": 2, "a": 3, "s": 3, "r": 4}


@dataclass
class Synsets:
    """Words with the synsets they belong to, and irregular forms with the synsets of their base forms."""

    ids: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))  # the usual sense first
    bases: list[tuple[str, int, list[str]]] = field(default_factory=list)  # form, part of speech (0: any), base forms

    def irregular(self, *, any_pos: bool = False) -> dict[str, list[int]]:
        """Return the ids that irregular forms have through their base forms, of the same part of speech or of any."""
        found: dict[str, list[int]] = defaultdict(list)
        for form, pos, bases in self.bases:
            for base in bases:
                found[form] += [id for id in self.ids.get(base, ()) if any_pos or pos in (0, id // POS_STEP)]
        return found

    def usual(self) -> dict[str, list[int]]:
        """Return the usual sense of each word; of an irregular form that is no word itself, that of its base form."""
        found = {
            form: self.ids[base][:1]
            for form, _, bases in reversed(self.bases)
            for base in bases[:1]
            if base in self.ids
        }
        return found | {word: ids[:1] for word, ids in self.ids.items()}


def synonym_paths(path: Path) -> tuple[Path, ...]:
    """Return the files that `read_synonyms` reads, without looking into them."""
    if not path.is_dir():
        exceptions = path.with_name(path.name.removesuffix(".synsets") + ".exceptions")
        return (path, exceptions) if path.name.endswith(".synsets") and exceptions.is_file() else (path,)
    for place in (path, path / "dict", path / "database"):
        if (place / "index.noun").is_file():
            files = [place / name for pos in POS for name in (f"index.{pos}", f"{pos}.exc")] + [place / _COUNTS]
            return tuple(file for file in files if file.is_file())
        if (place / "data_txt").is_file():
            return (place / "data_txt", *sorted(place.glob("idx*_txt")))
    raise InputError(
        f"{path} has neither index.noun (a WordNet database) nor data_txt (Hindi WordNet), so no synonyms can be read "
        "from it."
    )


def read_synonyms(path: Path) -> tuple[Synsets, str]:
    """Return what a file or directory says, and which rule for base forms is usual for its form."""
    paths = synonym_paths(path)
    if path.is_dir():
        return (_hindi(paths), "none") if paths[0].name == "data_txt" else (_wndb(paths), "wordnet")
    if path.name.endswith(".synsets"):
        return meteor_synsets(*((str(file), _lines(file)) for file in paths)), "meteor"
    first = next((line for _, line in _lines(path) if line.strip()), "")
    if not first:
        raise InputError(f"{path} is empty, but synonyms were expected.")
    if first.startswith("#noun"):
        return _bundled(path), "wordnet"
    if first.lstrip().startswith("<"):
        return _lmf(path), "wordnet"
    if first.startswith("#") or re.match(r"\d{8}-[nvasr]\t", first):
        return _omw(path), "none"
    fields = first.split("\t")
    return (_indowordnet if len(fields) >= 4 and fields[0].isdigit() else _tsv)(path), "none"


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    return enumerate(Lines(str(path), warn=lambda _: None), start=1)


def _bad(path: Path | str, line: int, found: str, expected: str) -> InputError:
    return InputError(f"{path}, line {line:,}: {found[:60]!r}, but {expected}.")


def _bundled(path: Path) -> Synsets:
    """Read what tools/make_wordnet_table.py wrote; ids are those of the database it was made from."""
    synsets = Synsets()
    pos = id = 0
    exceptions = False
    for line in whole(str(path)).decode().splitlines():
        if line.startswith("#") and line.removesuffix(".exc")[1:] in POS:
            pos, exceptions = POS[line.removesuffix(".exc")[1:]], line.endswith(".exc")
            id = pos * POS_STEP
            continue
        first, *words = line.split("\t")
        if exceptions:
            synsets.bases.append((first, pos, words))
            continue
        id += int(first)
        for word in words:
            # A star marks the most frequent sense of a word that has several.
            ids = synsets.ids[word.removesuffix("*")]
            ids.insert(0 if word.endswith("*") else len(ids), id)
    return synsets


def _wndb(paths: tuple[Path, ...]) -> Synsets:
    synsets = Synsets()
    counts = _sense_counts(next((path for path in paths if path.name == _COUNTS), None))
    senses: dict[str, list[tuple[int, int, list[int]]]] = defaultdict(list)
    for path in paths:
        if path.name.endswith(".exc"):
            _add_exceptions(path, synsets)
        if not path.name.startswith("index."):
            continue
        pos = POS[path.name.removeprefix("index.")]
        for number, line in _lines(path):
            if line.startswith(" ") or not line.strip():
                continue  # the licence
            fields = line.split()
            count = int(fields[2]) if len(fields) > 3 and fields[2].isdigit() else 0
            offsets = fields[-count:] if count else []
            if not offsets or not all(len(offset) == 8 and offset.isdigit() for offset in offsets):
                raise _bad(
                    path, number, line, "a line of WordNet's index ends in offsets, as many as its third field says"
                )
            ids = [pos * POS_STEP + int(offset) for offset in offsets]
            senses[fields[0]].append((-counts.get((fields[0], pos), 0), pos, ids))
    for word, parts in senses.items():
        # The sense that is met most often comes first: WordNet orders them so within a part of speech.
        synsets.ids[word] = [id for _, _, ids in sorted(parts) for id in ids]
    return synsets


def _sense_counts(path: Path | None) -> dict[tuple[str, int], int]:
    """Return how often the first sense of a word in a part of speech was met."""
    counts = {}
    for number, line in _lines(path) if path else ():
        sense = re.fullmatch(r"(\S+)%([1-5]):\S* (\d+) (\d+)", line.strip())
        if sense is None:
            raise _bad(path or "", number, line, "a line is 'sense_key sense_number count'")
        if sense[3] == "1":
            counts[sense[1], 3 if sense[2] == "5" else int(sense[2])] = int(sense[4])
    return counts


def _add_exceptions(path: Path, synsets: Synsets) -> None:
    pos = POS[path.name.removesuffix(".exc")]
    for number, line in _lines(path):
        forms = line.split()
        if len(forms) == 1:
            raise _bad(path, number, line, "an irregular form has its base forms behind it")
        if forms:
            synsets.bases.append((forms[0], pos, forms[1:]))


NamedLines = tuple[str, Iterable[tuple[int, str]]]  # where they stand; numbered lines


def meteor_synsets(words: NamedLines, exceptions: NamedLines = ("", ())) -> Synsets:
    """Return METEOR's synonyms: a line with a word, a line with its ids; a base form, then its irregular forms."""
    synsets = Synsets()
    for word, ids, line in _pairs(*words):
        if not all(id.isdigit() for id in ids.split()) or not ids.split():
            raise _bad(words[0], line, ids, f"the ids of '{word[:40]}' belong there")
        synsets.ids[word] += [int(id) % POS_STEP for id in ids.split()]
    for base, forms, _ in _pairs(*exceptions):
        for form in forms.split():
            synsets.bases.append((form, 0, [base]))
    return synsets


def _pairs(where: str, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[str, str, int]]:
    waiting: tuple[int, str] | None = None
    for number, line in lines:
        if waiting is None:
            waiting = number, line.strip()
        else:
            yield waiting[1], line.strip(), number
            waiting = None
    if waiting is not None and waiting[1]:
        raise _bad(where, *waiting, "lines come in pairs, and the second is missing")


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
    """Hindi WordNet: a line of `data_txt` has an id, a part of speech, how many words, and the words, with colons."""
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
