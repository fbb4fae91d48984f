"""Systems and references as they are named on the command line."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tertium.errors import InputError


def named_systems(arguments: Sequence[str]) -> dict[str, str]:
    """Return files by system name: NAME=FILE, or the file's stem, or as much of its path as tells it apart."""
    given: list[tuple[str | None, str]] = [_split(argument) for argument in arguments]
    unnamed = [path for name, path in given if name is None]
    names = [name if name is not None else _short_name(path, unnamed) for name, path in given]
    for name, count in Counter(names).items():
        if count > 1:
            raise InputError(f"Two systems are called '{name}'. Name them: NAME=FILE.")
    return dict(zip(names, (path for _, path in given), strict=True))


def _split(argument: str) -> tuple[str | None, str]:
    name, equals, path = argument.partition("=")
    return (name, path) if equals and name and path and not Path(argument).exists() else (None, argument)


def _stem(path: str) -> str:
    if path == "-":
        return "stdin"
    name = Path(path).name.removesuffix(".gz")
    return Path(name).stem if Path(name).suffix else name


def _short_name(path: str, rivals: Sequence[str]) -> str:
    same = [other for other in rivals if other != path and _stem(other) == _stem(path)]
    parts = Path(path).parts
    for length in range(1, len(parts) + 1):
        tail = parts[-length:]
        if not any(Path(other).parts[-length:] == tail or (length == 1) for other in same):
            return _stem(path) if length == 1 else "/".join([*tail[:-1], _stem(path)])
    return path


def reference_files(references: Sequence[str], directory: str | None) -> list[str]:
    """Return the reference files: those named, then every file of the directory by name."""
    files = list(references)
    if directory is not None:
        folder = Path(directory)
        if not folder.is_dir():
            raise InputError(f"{directory} is no directory, but --refs-dir names one that holds only references.")
        found = sorted(str(path) for path in folder.iterdir() if path.is_file())
        if not found:
            raise InputError(f"{directory} holds no file, but --refs-dir names a directory of references.")
        files += found
    if not files:
        raise InputError("No reference was given. Add -r FILE, once per reference, or --refs-dir DIR.")
    return files
