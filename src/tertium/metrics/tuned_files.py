"""Files that hold a tuned metric: JSON or TOML with the metric's text, its values and where they come from."""

from pathlib import Path
from typing import Any

from tertium.errors import InputError

SUFFIXES = (".json", ".toml")


def tuned_text(path: str | Path) -> str:
    """Return the text of the metric that a file holds, as it stands after -m.

    A result of tuning names the metric alone, and has its text besides.
    """
    import json
    import tomllib

    path = Path(path)
    try:
        text = path.read_bytes().decode("utf-8")
        data: Any = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}.") from None
    except ValueError as error:  # also of TOML, JSON and UTF-8
        raise InputError(f"{path} is no proper {path.suffix[1:].upper()}: {error}.") from None
    found = data.get("text", data.get("metric")) if isinstance(data, dict) else None
    if not isinstance(found, str) or not found:
        raise InputError(f"{path} names no metric. A file that `tertium tune` saved has the key 'metric'.")
    return found
