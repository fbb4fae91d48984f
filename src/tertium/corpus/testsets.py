"""Test-set formats that know their segments by id: WMT XML, NIST SGML, tercom's trans. They are held whole."""

import re
from collections.abc import Iterable, Mapping

from tertium import _native
from tertium.corpus.readers import Id, TextFile
from tertium.errors import InputError
from tertium.files.reading import legible, whole

Side = dict[Id, list[str]]  # of each segment, the texts that one system or all references give it


class HeldFile(TextFile):
    """Texts with ids, in the order of the file."""

    def __init__(self, name: str, texts: Mapping[Id, list[str]]) -> None:
        self.name = legible(name)
        self.texts = dict(texts)
        self.ids = list(self.texts)

    def take(self, most: int) -> _native.Texts:
        """Return `most` further segments; fewer only at the end."""
        groups = list(self.texts.values())[self.taken : self.taken + most]
        self.taken += len(groups)
        return _native.grouped_texts(groups, self.name)

    def again(self) -> "HeldFile":
        """Return the texts from their beginning."""
        return HeldFile(self.name, self.texts)


def systems_of(path: str, kind: str) -> dict[str, HeldFile]:
    """Return the hypotheses of a file by system; a format without system names has one, called ''."""
    sides = _wmt_xml(path, "hyp") if kind == "xml" else _sgml(path) if kind == "sgml" else {"": _trans(path)}
    if not sides:
        raise InputError(f"{path} holds no hypotheses (no <hyp> element). Is it a file of references? Give it with -r.")
    for side in sides.values():
        for (document, segment), texts in side.items():
            if len(texts) > 1:
                raise InputError(
                    f"{path} has {len(texts)} hypotheses for {_named(document, segment)}, but one is expected. Remove "
                    "the others; for n-best lists keep the best."
                )
    return {system: HeldFile(path, side) for system, side in sides.items()}


def references_of(path: str, kind: str) -> dict[str, HeldFile]:
    """Return the references of a file by translator."""
    sides = _wmt_xml(path, "ref") if kind == "xml" else _sgml(path) if kind == "sgml" else {"": _trans(path)}
    if not sides:
        raise InputError(f"{path} holds no references (no <ref> element).")
    return {name: HeldFile(path, side) for name, side in sides.items()}


def sources_of(path: str, kind: str) -> HeldFile:
    """Return the source texts of a file."""
    sides = _wmt_xml(path, "src") if kind == "xml" else _sgml(path) if kind == "sgml" else {"": _trans(path)}
    if not sides:
        raise InputError(f"{path} holds no source texts (no <src> element).")
    return HeldFile(path, next(iter(sides.values())))


def _named(document: str, segment: str) -> str:
    return f"segment '{segment}' of document '{document}'" if document else f"segment '{segment}'"


def _text(raw: str) -> str:
    """Line breaks of the layout are blanks; a text without any stands as it is."""
    return " ".join(filter(None, (line.strip() for line in raw.split("\n")))) if "\n" in raw else raw


def _decoded(path: str) -> str:
    data = whole(path).removeprefix(b"\xef\xbb\xbf")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        raise InputError(
            f"{path}, line {line:,}, byte {column:,} (0x{data[error.start]:02X}) is not UTF-8. Convert the file first."
        ) from None


def _add(side: Side, path: str, document: str, segment: str, text: str, *, again: bool) -> None:
    if (document, segment) in side and not again:
        raise InputError(f"{path} has {_named(document, segment)} twice. Ids must be unique.")
    side.setdefault((document, segment), []).append(text)


def _wmt_xml(path: str, element: str) -> dict[str, Side]:
    data = whole(path)
    if b"<!ENTITY" in data:
        raise InputError(
            f"{path} declares entities, which can grow without end or read other files. Write the text out."
        )
    from xml.etree import ElementTree

    try:
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise InputError(f"{path} is no well-formed XML ({error}).") from None
    attribute, default = ("system", "") if element == "hyp" else ("translator", "")
    sides: dict[str, Side] = {}
    for number, document in enumerate(root.iter("doc"), start=1):
        name = document.get("id") or str(number)
        for part in document.findall(element):
            side = sides.setdefault(part.get(attribute) or default, {})
            for segment in part.iter("seg"):
                text = _text("".join(segment.itertext()))
                _add(side, path, name, _segment_id(segment.get("id"), path, name), text, again=False)
    return sides


def _segment_id(given: str | None, path: str, document: str) -> str:
    if given is None:
        raise InputError(f"{path}: document '{document}' has a <seg> without an id, so it cannot be matched.")
    return given


# Each pattern can fail only near where it began, so that no file takes more than linear time.
_TAG = re.compile(r"<(doc|seg|hl)\b([^<>]*)>|</doc\b", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"(?<![\w.-])([\w.-]{1,64})\s{0,9}=\s{0,9}(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))")
_SEGMENT_END = re.compile(r"</seg\s{0,9}>|(?=<seg\b)|(?=</(?:doc|p|hl)\b)|(?=<(?:doc|hl)\b)", re.IGNORECASE)


def _sgml(path: str) -> dict[str, Side]:
    """Read by tags, not as XML: real files have bare ampersands, missing ends and attributes in any case."""
    from html import unescape

    content = _decoded(path)
    sides: dict[str, Side] = {}
    side: Side | None = None
    document = ""
    at = 0
    while tag := _TAG.search(content, at):
        at = tag.end()
        kind = (tag[1] or "").lower()
        attributes = {key.lower(): a or b or c for key, a, b, c in _ATTRIBUTE.findall(tag[2] or "")}
        if kind == "doc":
            document = attributes.get("docid", "")
            side = sides.setdefault(attributes.get("sysid", ""), {})
        elif kind == "seg":
            if side is None:
                line = content.count("\n", 0, tag.start()) + 1
                raise InputError(f"{path}, line {line:,} has a <seg> outside of any <doc>.")
            end = _SEGMENT_END.search(content, at)
            text = content[at : end.start() if end else len(content)]
            at = end.end() if end else len(content)
            _add(
                side,
                path,
                document,
                _segment_id(attributes.get("id"), path, document),
                unescape(_text(text)),
                again=False,
            )
    if not sides:
        raise InputError(f"{path} has no <doc>, so it is no SGML test set.")
    return sides


_BLANKS = " \t\n\v\f\r"  # what tercom takes for them; others belong to words
_BRACKETS = re.compile(r"^\[([^\]]*)\]\[([^\]]*)\]\[([^\]]*)\]$")


def _trans(path: str) -> Side:
    side: Side = {}
    for number, line in enumerate(_decoded(path).split("\n"), start=1):
        line = line.removesuffix("\r")
        if not line.strip(_BLANKS):
            continue
        text, opening, rest = line.rstrip(_BLANKS).rpartition("(")
        if not opening or not rest.endswith(")") or ")" in rest[:-1] or not rest[:-1].strip(_BLANKS):
            raise InputError(
                f"{path}, line {number:,} does not end in an id in parentheses, such as (doc1-3): {line[-40:]!r}."
            )
        text, identity = text.rstrip(_BLANKS), rest[:-1].strip(_BLANKS)
        brackets = _BRACKETS.match(identity)
        document, segment = (brackets[2], brackets[3]) if brackets else ("", identity)
        _add(side, path, document, segment, text, again=True)
    return side


def in_order_of(ids: Iterable[Id], file: HeldFile, wanted_by: str) -> list[list[str] | None]:
    """Return the texts of a file for these ids; None where it has none. Ids that nobody wants are refused."""
    ids = list(ids)
    unwanted = set(file.texts) - set(ids)
    if unwanted:
        first = next(identity for identity in file.texts if identity in unwanted)
        raise InputError(
            f"{file.name} has {len(unwanted):,} segments that {wanted_by} lacks, first {_named(*first)}. Ids must fit."
        )
    return [file.texts.get(identity) for identity in ids]


def missing(file: str, document: str, segment: str, wanted_by: str) -> InputError:
    """Return the error for a segment that a file should have."""
    return InputError(f"{file} lacks {_named(document, segment)}, which {wanted_by} has. Ids must match.")
