"""Where the texts of test sets are, and how they come there.

They are kept where sacreBLEU keeps its own, under its names (`$SACREBLEU`, or `.sacrebleu` in the home directory), so
that each program finds what the other has fetched:

    wmt22/raw/wmt22.v1.1.tar.gz     the archive; it gets this name when its files have been unpacked beside it
    wmt22/raw/…                     the files in it that are used
    wmt22/wmt22.en-de.src           a field of a language pair, one segment per line
"""

import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

from tertium.corpus.named.catalogue import NamedSet, Pair, named_sets
from tertium.corpus.named.conversion import field_names, fields_of, reference_names
from tertium.errors import InputError, UnknownNameError
from tertium.files.archives import extract
from tertium.files.downloads import Remote, download
from tertium.files.reading import whole
from tertium.files.systems import only_one
from tertium.files.writing import new_file, unwritable, write_whole

Say = Callable[[str], None]

_ARCHIVES = (".tgz", ".tar.gz", ".zip")


def test_set_folder() -> Path:
    """Return the folder that holds all test sets: sacreBLEU's."""
    given = os.environ.get("SACREBLEU", "")
    return Path(given).expanduser() if given else Path.home() / ".sacrebleu"


def folder_of(test_set: NamedSet) -> Path:
    """Return the folder of a test set."""
    return test_set_folder() / test_set.name


def field_path(test_set: NamedSet, pair: Pair, field: str) -> Path:
    """Return where a field of a language pair is kept."""
    if "/" in field or "\\" in field or field.startswith(".") or "\0" in field:
        raise InputError(f"{test_set.name} {pair.name} has a field called '{field}', which cannot be a file's name.")
    return folder_of(test_set) / f"{test_set.stem}.{pair.name}.{field.replace(':', '-')}"


def is_here(test_set: NamedSet, pair: Pair) -> bool:
    """Whether the texts of a language pair can be read at once."""
    fields = [name for name in field_names(test_set, pair) if not name.startswith("ref")]
    return all(field_path(test_set, pair, field).is_file() for field in [*fields, *counted_references(test_set, pair)])


def counted_references(test_set: NamedSet, pair: Pair) -> list[str]:
    """Return the references that count; where any does, those that are there."""
    names = reference_names(test_set, pair)
    if not pair.any_reference:
        return names
    return [name for name in names if field_path(test_set, pair, name).is_file()] or names[:1]


def is_fetched(test_set: NamedSet, pair: Pair) -> bool:
    """Whether nothing has to be fetched for a language pair."""
    raw = folder_of(test_set) / "raw"
    return is_here(test_set, pair) or all((raw / path).is_file() for path in pair.paths)


def field_lines(test_set: NamedSet, pair: Pair, field: str, *, say: Say) -> list[str]:
    """Return a field of a language pair; the test set is fetched if it is not here."""
    provide(test_set, pair, say=say)
    path = field_path(test_set, pair, field)
    if not path.is_file():
        known = all_fields(test_set, pair, say=say)
        if field not in known:
            raise UnknownNameError.of(f"field of {test_set.name} {pair.name}", field, known)
        provide(test_set, pair, say=say, anew=True)  # the program that wrote the others was ended before this one
    try:
        lines = whole(str(path)).decode("utf-8").split("\n")
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8, so it was damaged. Delete it, to have it made anew.") from None
    return [line.rstrip() for line in (lines[:-1] if not lines[-1] else lines)]  # as sacreBLEU reads them


def all_fields(test_set: NamedSet, pair: Pair, *, say: Say) -> list[str]:
    """Return the names of all fields of a language pair, in the order of its file."""
    if not test_set.is_xml:
        return field_names(test_set, pair)
    raw = folder_of(test_set) / "raw"
    if not all((raw / path).is_file() for path in pair.paths) and is_here(test_set, pair):
        stem = f"{test_set.stem}.{pair.name}."
        found = sorted(path.name.removeprefix(stem) for path in folder_of(test_set).glob(f"{stem}*"))
        fields = ["src", *counted_references(test_set, pair), "docid", "origlang"]
        others = [name for name in found if name not in [field.replace(":", "-") for field in fields]]
        references = [f"ref:{name[4:]}" for name in others if name.startswith("ref-")]
        return [*fields[:-2], *references, *fields[-2:], *(name for name in others if not name.startswith("ref-"))]
    _unpack(test_set, pair, say=say)
    return list(fields_of(test_set, pair, raw))


def provide(test_set: NamedSet, pair: Pair, *, say: Say, anew: bool = False) -> None:
    """See to it that the texts of a language pair are here; `anew` writes all of them once more."""
    if is_here(test_set, pair) and not anew:
        return
    folder = folder_of(test_set)
    try:
        (folder / "raw").mkdir(parents=True, exist_ok=True)
        with only_one(folder / "raw" / f"{test_set.stem}.{pair.name}"):
            if is_here(test_set, pair) and not anew:
                return
            _unpack(test_set, pair, say=say)
            say(f"{test_set.name} {pair.name}: converting")
            fields = fields_of(test_set, pair, folder / "raw")
            paths = {name: field_path(test_set, pair, name) for name in fields}
            for name, lines in reversed(fields.items()):  # the source last: who finds it finds all
                write_whole(paths[name], "".join(f"{line}\n" for line in lines))
    except OSError as error:
        raise _no_place(folder, error) from None


def _no_place(folder: Path, error: OSError) -> InputError:
    return InputError(
        f"{unwritable(folder, error)} Test sets are kept there; set SACREBLEU to a folder that you may write to."
    )


def _unpack(test_set: NamedSet, pair: Pair, *, say: Say) -> None:
    """See to it that the files of a language pair lie unpacked in the set's folder."""
    raw = folder_of(test_set) / "raw"
    for remote in _likely_first(test_set, pair):
        if all((raw / path).is_file() for path in pair.paths):
            return
        _obtain(test_set, remote, raw, say)
    for path in pair.paths:
        if not (raw / path).is_file():
            names = ", ".join(test_set.archive_name(remote) for remote in test_set.remotes)
            raise InputError(f"{test_set.name} {pair.name} needs {path}, but {names} in {raw} do not hold it.")


def _likely_first(test_set: NamedSet, pair: Pair) -> list[Remote]:
    """Return the archives, first those that are named as what is looked for: a set may have one per language pair."""
    starts = {path.split("/")[0] for path in pair.paths}

    def unlikely(remote: Remote) -> bool:
        return test_set.archive_name(remote) not in starts and remote.name.split(".")[0] not in starts

    return sorted(test_set.remotes, key=unlikely)


def _obtain(test_set: NamedSet, remote: Remote, raw: Path, say: Say) -> None:
    """Bring an archive and unpack it: from where it was put, from another set that has it, or from its address."""
    target = raw / test_set.archive_name(remote)

    def unpack(archive: Path) -> None:
        if remote.name.endswith(_ARCHIVES):
            say(f"{target.name}: unpacking")
            extract(archive, raw, {path for pair in test_set.pairs.values() for path in pair.paths})

    if target.is_file():
        check(remote, target)
        unpack(target)
        return
    twin = _twin(test_set, remote)
    if twin is None:
        download(remote, target, say=say, use=unpack)
        return
    raw.mkdir(parents=True, exist_ok=True)
    with only_one(target):
        unpack(twin)
        copy_whole(twin, target)


def check(remote: Remote, path: Path) -> None:
    """Refuse a file that is not what it is called."""
    found = remote.digest(path)
    if remote.checksum not in (None, found):
        raise InputError(
            f"{path} has the checksum {found}, but {remote.checksum} was expected: it is another file, or cut short. "
            f"Delete it; it comes from {remote.address}."
        )


def _twin(test_set: NamedSet, remote: Remote) -> Path | None:
    """Return the same file, fetched for another test set."""
    for other in _sets_with(remote):
        path = folder_of(other) / "raw" / other.archive_name(remote)
        if other.name != test_set.name and remote.is_at(path):
            return path
    return None


def _sets_with(remote: Remote) -> Iterable[NamedSet]:
    return (test_set for test_set in named_sets().values() if remote in test_set.remotes)


def copy_whole(source: Path, target: Path) -> None:
    """Let a file have a second name; where that cannot be, copy it."""
    target.unlink(missing_ok=True)
    try:
        os.link(source, target)
    except OSError:
        with open(source, "rb") as file, new_file(target) as copy:
            shutil.copyfileobj(file, copy)


def put(test_set: NamedSet, path: Path, *, say: Say) -> Remote:
    """Take a file that was fetched by other means for one of a test set's; tell by its checksum which it is."""
    for remote in test_set.remotes:
        if remote.is_at(path):
            raw = folder_of(test_set) / "raw"
            try:
                raw.mkdir(parents=True, exist_ok=True)
                copy_whole(path, raw / test_set.archive_name(remote))
            except OSError as error:
                raise _no_place(raw, error) from None
            _obtain(test_set, remote, raw, say)
            return remote
    expected = ", ".join(f"{remote.name} ({remote.checksum})" for remote in test_set.remotes)
    found = test_set.remotes[0].digest(path)
    raise InputError(f"{path} has the checksum {found}, so it is no file of {test_set.name}. It has: {expected}.")
