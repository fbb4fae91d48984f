"""Anthea's projects: a line of JSON, then source, target, document, system in tabs, a blank line between paragraphs."""

import json
from typing import Any

from tertium.annotate.study.building import Material
from tertium.errors import InputError


def is_project(text: str) -> bool:
    """Whether a text is a project: its first line is JSON that names both languages."""
    try:
        first = json.loads(text.split("\n", 1)[0].lstrip("\ufeff"))
    except (ValueError, RecursionError):
        return False
    return isinstance(first, dict) and "source_language" in first


def read_project(text: str, path: str) -> tuple[Material, dict[str, Any]]:
    """Return the texts of a project, segments that all systems have."""
    lines = text.lstrip("\ufeff").replace("\r\n", "\n").split("\n")
    head = json.loads(lines[0])
    texts: dict[str, dict[tuple[str, str], str]] = {}
    order: dict[tuple[str, str], str] = {}
    for number, line in enumerate(lines[1:], start=2):
        fields = line.split("\t")
        if not line.strip() or len(fields) == 2:  # a new paragraph
            continue
        if len(fields) < 4:
            raise InputError(
                f"{path}, line {number:,} has {len(fields)} fields, but source, target, document, system are expected."
            )
        source, target, document, system = (_plain(field) for field in fields[:4])
        order[document, source] = document
        texts.setdefault(system, {})[document, source] = target
    whole = [key for key in order if all(key in own for own in texts.values())]
    if not whole:
        raise InputError(f"{path}: no segment has outputs of all systems ({', '.join(texts) or 'there are none'}).")
    material = Material(
        [source for _, source in whole],
        {name: [own[key] for key in whole] for name, own in texts.items()},
        documents=[document for document, _ in whole],
    )
    languages = {"source": head.get("source_language", ""), "target": head.get("target_language", "")}
    return material, {
        "anthea": head, "languages": languages, "left_out": len(order) - len(whole), "protocol": "mqm:typology=google",
    }  # fmt: skip


def _plain(field: str) -> str:
    return field.replace("\u200b", "").replace("\\n", "\n").replace("\\t", "\t")
