"""Other programs' campaigns and answers as studies: Pearmut, Appraise, Anthea, Marot, told by their content."""

import json
from typing import Any

from tertium.annotate.exchange.anthea import is_project, read_project
from tertium.annotate.exchange.appraise import read_batches, read_export
from tertium.annotate.exchange.marot import is_table, read_table
from tertium.annotate.exchange.pearmut import read_annotations, read_campaign
from tertium.annotate.study.building import Material
from tertium.annotate.study.file import as_json
from tertium.annotate.study.results import Results
from tertium.errors import InputError
from tertium.files.reading import whole_text


def read_foreign(path: str) -> tuple[Material, dict[str, Any]]:
    """Return the texts of a file of another program, and what else it says; `results` among it, if it has answers."""
    text = whole_text(path)
    if is_project(text):
        return read_project(text, path)
    if is_table(text):
        material, said, results = read_table(text, path)
        return material, said | {"results": results}
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError(
            f"{path} is neither JSON (a Pearmut campaign, Appraise's batches) nor an Anthea project, whose first line "
            "is JSON with source_language and target_language, nor Marot's ten columns."
        ) from None
    as_json(data, path)
    if isinstance(data, list) and data and isinstance(data[0], dict) and "items" in data[0]:
        return read_batches(data, path)
    return read_campaign(data, path)


def read_results(path: str, campaign: str, material: Material, said: dict[str, Any]) -> tuple[Results, str]:
    """Return the answers that people gave in a campaign, and the protocol they were given by."""
    if "results" in said:
        raise InputError(f"{campaign} holds its answers itself: leave {path} away.")
    if "appraise" in said:
        return read_export(path, campaign, said["segments"])
    if "pearmut" in said:
        return read_annotations(path, said["pearmut"], material), said["protocol"]
    raise InputError(f"Answers are taken in with a Pearmut campaign or Appraise's batches, which {campaign} is not.")
