"""What stands in the files of a test set, as lines: one field (source, reference, document …) is a list of lines.

This follows sacreBLEU to the character, oddities included, because the numbers that papers report were computed so:
SGML is read line by line, entities stay as they are, and blanks are joined; in WMT's XML, entities are resolved.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from tertium.corpus.named.catalogue import NamedSet, Pair, split_member
from tertium.errors import InputError
from tertium.files.reading import whole

Fields = dict[str, list[str]]  # of one language pair, by name: src, ref or ref:NAME, docid, genre, origlang, systems

_TAKEN = ("", "src", "ref", "docid", "origlang", "domain")  # names that a system cannot have
_SEGMENT = re.compile(r"<seg.*?>(.*)</seg>.*?")
_ATTRIBUTES = {name: re.compile(f'{name}="(.*?)"') for name in ("docid", "genre", "origlang")}


def fields_of(test_set: NamedSet, pair: Pair, folder: Path) -> Fields:
    """Return all fields of a language pair, from the unpacked files in a folder."""
    if test_set.is_xml:
        fields = _xml(str(folder / pair.members[0]))
        wanted = reference_names(test_set, pair)
        if not any(name in fields for name in wanted) if pair.any_reference else not set(wanted) <= set(fields):
            raise InputError(
                f"{folder / pair.members[0]} lacks {' or '.join(wanted)}, which count for {test_set.name} {pair.name}. "
                f"It has {', '.join(fields)}."
            )
        return fields
    sides = [_lines(folder, member) for member in pair.members]
    fields = dict(zip(field_names(test_set, pair), sides, strict=False))
    source = str(folder / pair.paths[0])
    if has_documents(pair):
        fields |= _documents(source)
    counts = {name: len(lines) for name, lines in fields.items()}
    for name, count in counts.items():
        if count != counts["src"]:
            raise InputError(
                f"{test_set.name} {pair.name}: {source} has {counts['src']:,} segments, but the field {name} has "
                f"{count:,}. The files do not belong together; delete {folder} to fetch them anew."
            )
    return fields


def field_names(test_set: NamedSet, pair: Pair) -> list[str]:
    """Return the fields that a pair has; of WMT's XML those that count, since systems and other references vary."""
    documents = ["docid", "origlang"] if test_set.is_xml else ["docid", "genre", "origlang"]
    return ["src", *reference_names(test_set, pair), *(documents if has_documents(pair) else [])]


def reference_names(test_set: NamedSet, pair: Pair) -> list[str]:
    """Return the references that count."""
    if test_set.is_xml:
        return [_reference(name) for name in pair.references]
    count = len(pair.members) - 1
    return ["ref"] if count == 1 else [f"ref:{number}" for number in range(count)]


def has_documents(pair: Pair) -> bool:
    """Whether the files tell documents."""
    return pair.paths[0].endswith((".sgm", ".xml"))


def _reference(translator: str) -> str:
    return f"ref:{translator}" if translator else "ref"


def _lines(folder: Path, member: str) -> list[str]:
    column, path = split_member(member)
    lines = list(_read(str(folder / path)))
    if path.endswith((".sgm", ".xml")):
        return [_joined(_SEGMENT.sub(r"\1", line)) for line in lines if line.startswith("<seg ")]
    if column is None:
        return [line.rstrip() for line in lines]
    rows = [line.split("\t") for line in lines]
    for number, row in enumerate(rows, 1):
        if len(row) <= column:
            raise InputError(
                f"{folder / path}, line {number:,} has {len(row)} columns, but column {column + 1} is read."
            )
    return [row[column] for row in rows]


def _documents(path: str) -> Fields:
    found: Fields = {name: [] for name in _ATTRIBUTES}
    now = dict.fromkeys(_ATTRIBUTES, "")
    for line in _read(path):
        if line.startswith("<doc "):
            for name, pattern in _ATTRIBUTES.items():
                if match := pattern.search(line):
                    now[name] = match[1]
        elif line.startswith("<seg "):
            for name, values in found.items():
                values.append(now[name])
    return found


def _joined(text: str) -> str:
    return " ".join(text.split())


def _read(path: str) -> Iterator[str]:
    data = whole(path)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}, line {line:,} is not UTF-8. Delete the file, to fetch it anew.") from None
    lines = text.split("\n")
    return iter(lines[:-1] if not lines[-1] else lines)


def _xml(path: str) -> Fields:
    """Read WMT's XML: segments are matched by their number, and what a side lacks is an empty line.

    Documents of test suites, which challenge systems on something of their own, do not belong to the test set.
    """
    try:
        root = ElementTree.fromstring(whole(path))
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise InputError(f"{path} is no well-formed XML ({error}). Delete it, to fetch it anew.") from None
    elements = [element for element in root.iter("doc") if element.get("testsuite") is None]
    documents = [_document(element, path) for element in elements]
    sides = list(dict.fromkeys(name for sides, _ in documents for name in sides))
    if not any(name == "ref" or name.startswith("ref:") for name in sides):
        raise InputError(f"{path} holds no reference (no <ref> element).")
    fields: Fields = {name: [] for name in ("src", *sorted(filter(_is_reference, sides)), "docid", "origlang")}
    fields |= {name: [] for name in sides if name not in fields}
    if all(facts["domain"] for _, facts in documents):
        fields["domain"] = []
    for texts, facts in documents:
        for number in sorted(texts.get("src", {})):
            for side in sides:
                fields[side].append(texts.get(side, {}).get(number, ""))
            for name, value in facts.items():
                if name in fields:
                    fields[name].append(value)
    return fields


def _is_reference(name: str) -> bool:
    return name == "ref" or name.startswith("ref:")


def _document(document: ElementTree.Element, path: str) -> tuple[dict[str, dict[int, str]], dict[str, str]]:
    sides: dict[str, dict[int, str]] = {}
    for part in document:
        if part.tag not in ("src", "ref", "hyp"):
            continue
        name = {"src": "src", "ref": _reference(part.get("translator") or "")}.get(part.tag, part.get("system") or "")
        if part.tag == "hyp" and (name in _TAKEN or name.startswith(("ref:", "ref-"))):
            continue  # its file would be another field's
        texts = sides.setdefault(name, {})
        for segment in part.iter("seg"):
            number = segment.get("id") or ""
            if not number.isdecimal():
                raise InputError(
                    f"{path}: document '{document.get('id')}' has a segment '{number}'; a number is expected."
                )
            texts[int(number)] = _joined("".join(segment.itertext()))
    facts = {"docid": "id", "origlang": "origlang", "domain": "domain"}
    return sides, {name: _joined(document.get(attribute) or "") for name, attribute in facts.items()}
