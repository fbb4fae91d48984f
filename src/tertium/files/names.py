"""Names of systems in names of files."""

from pathlib import Path

from tertium.files.reading import COMPRESSED


def split_name(argument: str) -> tuple[str | None, str]:
    """Split NAME=FILE; a file whose own name has an equals sign is left whole."""
    name, equals, path = argument.partition("=")
    return (name, path) if equals and name and path and not Path(argument).exists() else (None, argument)


def stem_of(path: str) -> str:
    """Return a file's name without folders, compression and the last suffix: what its system is called."""
    if path == "-":
        return "stdin"
    name = Path(path).name
    for suffix in COMPRESSED:
        name = name.removesuffix(suffix)
    return Path(name).stem if Path(name).suffix else name
