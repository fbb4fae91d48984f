"""Other programs' campaigns as studies: Pearmut's, Appraise's batches, Anthea's projects, told by their content."""

import json
from typing import Any

from tertium.annotate.exchange.anthea import is_project, read_project
from tertium.annotate.exchange.appraise import read_batches
from tertium.annotate.exchange.pearmut import read_campaign
from tertium.annotate.study.building import Material
from tertium.errors import InputError


def read_foreign(path: str) -> tuple[Material, dict[str, Any]]:
    """Return the texts of a file of another program, and what else it says."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}.") from None
    if is_project(text):
        return read_project(text, path)
    try:
        data = json.loads(text)
    except ValueError:
        raise InputError(
            f"{path} is neither JSON (a Pearmut campaign, Appraise's batches) nor an Anthea project, whose first line "
            "is JSON with source_language and target_language."
        ) from None
    if isinstance(data, list) and data and isinstance(data[0], dict) and "items" in data[0]:
        return read_batches(data, path)
    return read_campaign(data, path)
