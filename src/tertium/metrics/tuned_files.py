"""Files that hold a tuned metric: JSON or TOML with the metric's text, its values and where they come from."""

import json
import tomllib
from pathlib import Path
from typing import Any

from tertium.errors import InputError

SUFFIXES = (".json", ".toml")


def tuned_text(path: str | Path) -> str:
    """Return the text of the metric that a file holds, as it stands after -m."""
    path = Path(path)
    try:
        text = path.read_bytes().decode("utf-8")
        data: Any = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {(error.strerror or str(error)).lower()}.") from None
    except ValueError as error:  # also of TOML, JSON and UTF-8
        raise InputError(f"{path} is no proper {path.suffix[1:].upper()}: {error}.") from None
    found = data.get("metric") if isinstance(data, dict) else None
    if not isinstance(found, str) or not found:
        raise InputError(f"{path} names no metric. A file that `tertium tune --output` wrote has the key 'metric'.")
    return found


def tuned_settings(path: str | Path, metric: str) -> dict[str, str]:
    """Return the settings of a metric that a file holds, each as text; another metric is refused."""
    name, _, rest = tuned_text(path).partition("|")[0].partition(":")
    if name != metric:
        raise InputError(f"{path} holds {name}, not {metric}.")
    return dict(item.split("=", 1) for item in rest.split(",") if "=" in item)
