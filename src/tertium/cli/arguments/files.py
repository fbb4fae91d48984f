"""Systems and references as they are named on the command line."""

from collections.abc import Sequence
from pathlib import Path

from tertium.corpus.formats import open_systems, split_column, split_name, stem_of
from tertium.corpus.readers import TextFile
from tertium.errors import InputError
from tertium.files.lines import Warn
from tertium.files.reading import legible


def open_named_systems(arguments: Sequence[str], *, kind: str | None, warn: Warn) -> dict[str, TextFile]:
    """Return files by system name: NAME=FILE, the file's stem, or as much of its path as tells it apart.

    A file that holds several systems names them itself.
    """
    given = [split_name(argument) for argument in arguments]
    unnamed = [path for name, path in given if name is None]
    systems: dict[str, TextFile] = {}
    for name, argument in given:
        if not Path(argument).exists():
            _refuse_metric(argument)
        found = open_systems(argument, kind=kind, warn=warn)
        for own, file in found.items():
            called = own or (name if name is not None else _short_name(argument, unnamed))
            if called in systems:
                raise InputError(f"Two systems are called '{called}'. Name them: NAME=FILE.")
            systems[called] = file
    return systems


def _short_name(argument: str, rivals: Sequence[str]) -> str:
    path, column = split_column(argument)
    same = [other for other in rivals if other != argument and stem_of(split_column(other)[0]) == stem_of(path)]
    if not same:
        return stem_of(path)
    if column is not None and all(split_column(other)[0] == path for other in same):
        return column
    parts = Path(path).parts
    for length in range(2, len(parts) + 1):
        tail = parts[-length:]
        if not any(Path(other).parts[-length:] == tail for other in same):
            return "/".join([*map(legible, tail[:-1]), stem_of(path)])
    return legible(argument)


def _refuse_metric(path: str) -> None:
    """Say how several metrics are given, where one stands among the files: -m bleu chrf."""
    from tertium.metrics import ALIASES, PLACES

    if path.lower() in {*PLACES, *ALIASES}:
        raise InputError(f"There is no file {path}, but a metric of that name. -m takes one value: add -m {path}.")


def shown_names(systems: Sequence[str], arguments: Sequence[str]) -> dict[str, str]:
    """Return what tables for people call systems: the stems of files, without dotted parts that all of them share.

    hyp.A and hyp.B are A and B. Names that the user gave, or a file has inside, are left alone.
    """
    known = stems(arguments)
    parts = {name: name.split(".") for name in systems if name in known and "/" not in name}
    names = {name: name for name in systems}
    if len(parts) < 2 or len(parts) < len(known):
        return names
    first, most = _shared(list(parts.values())), min(map(len, parts.values()))
    last = min(_shared([each[::-1] for each in parts.values()]), most - first)
    short = {name: ".".join(each[first : len(each) - last]) for name, each in parts.items()}
    shown = names | short
    # A part may be of a number (v1.2, v1.3), and what is left may be another's name.
    clear = all(one and not one.isdigit() for one in short.values()) and len(set(shown.values())) == len(shown)
    return shown if clear else names


def stems(arguments: Sequence[str]) -> list[str]:
    """Return what systems are called whose files have no other name."""
    unnamed = [path for name, path in map(split_name, arguments) if name is None]
    return list(dict.fromkeys(_short_name(path, unnamed) for path in unnamed))


def _shared(names: Sequence[Sequence[str]]) -> int:
    """Return how many parts all names begin with."""
    return next((i for i, each in enumerate(zip(*names, strict=False)) if len(set(each)) > 1), min(map(len, names)))


def files_in(directory: str | None) -> list[str]:
    """Return every file of a directory of references by name; none if there is no directory."""
    if directory is None:
        return []
    folder = Path(directory)
    if not folder.is_dir():
        raise InputError(f"{directory} is no directory, but --refs-dir names one that holds only references.")
    found = sorted(str(path) for path in folder.iterdir() if path.is_file())
    if not found:
        raise InputError(f"{directory} holds no file, but --refs-dir names a directory of references.")
    return found
