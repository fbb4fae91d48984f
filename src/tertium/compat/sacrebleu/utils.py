"""What clients call in sacreBLEU's `utils`: test sets by name, and small helpers."""

import gzip
import hashlib
import math
from collections.abc import Sequence
from typing import Any, ClassVar

from tertium.compat.sacrebleu.dataset import DATASETS, SUBSETS
from tertium.compat.sacrebleu.errors import UnequalLengthsError
from tertium.corpus.named.catalogue import named_set, named_sets
from tertium.corpus.named.store import field_lines, test_set_folder

SACREBLEU_DIR = str(test_set_folder())
_LOG_OF_ZERO = -9999999999
_COLOURS = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")


class Color:
    """Colours for a terminal."""

    ENABLE_COLORS: ClassVar[bool] = True

    @staticmethod
    def format(msg: str, color: str) -> str:
        """Return a text in a colour, unless colours are off."""
        if not Color.ENABLE_COLORS or color not in _COLOURS:
            return msg
        return f"\033[{30 + _COLOURS.index(color)}m{msg}\033[0m"


def smart_open(file: str, mode: str = "rt", encoding: str = "utf-8") -> Any:
    """Open a file whose lines end in a line feed alone, compressed by gzip or not."""
    if str(file).endswith(".gz"):
        return gzip.open(file, mode=mode, encoding=encoding, newline="\n")
    return open(file, mode=mode, encoding=encoding, newline="\n")


def my_log(num: float) -> float:
    """Return the logarithm; of 0, a very small number."""
    return math.log(num) if num else _LOG_OF_ZERO


def sum_of_lists(lists: Sequence[Sequence[float]]) -> list[float]:
    """Add lists up, place by place."""
    return [sum(column) for column in zip(*lists, strict=True)]


def get_md5sum(dest_path: str) -> str:
    """Return a file's checksum."""
    with open(dest_path, "rb") as file:
        return hashlib.file_digest(file, "md5").hexdigest()


def sanity_check_lengths(system: Sequence[str], refs: Sequence[Sequence[str]], test_set: str | None = None) -> None:
    """Refuse a system that has not as many segments as each list of references."""
    for number, reference in enumerate(refs):
        if len(reference) != len(system):
            raise UnequalLengthsError(
                f"The system has {len(system):,} segments, but the references {number}"
                f"{f' of {test_set}' if test_set else ''} have {len(reference):,}."
            )


# --- test sets by name -----------------------------------------------------------------------------------------------


def get_available_testsets() -> list[str]:
    """Return the names of all test sets, newest first."""
    return list(named_sets())


def get_available_testsets_for_langpair(langpair: str) -> list[str]:
    """Return the names of the test sets that have a language pair, in either direction."""
    either = {langpair, "-".join(reversed(langpair.split("-")))}
    return [name for name, one in named_sets().items() if either & set(one.pairs)]


def get_langpairs_for_testset(testset: str) -> list[str]:
    """Return the language pairs of a test set; none of one that is not known."""
    return list(named_sets()[testset].pairs) if testset in named_sets() else []


def download_test_set(test_set: str, langpair: str | None = None) -> list[str]:
    """Fetch a test set and return the files of a language pair, or of all."""
    one = DATASETS[named_set(test_set).name]
    pairs = [langpair] if langpair else list(one.langpairs)
    return [path for pair in pairs for path in one.get_files(pair)]


def get_files(test_set: str, langpair: str) -> list[str]:
    """Return the files of all fields of a language pair."""
    return DATASETS[named_set(test_set).name].get_files(langpair)


def get_source_file(test_set: str, langpair: str) -> str:
    """Return the file of a test set's source."""
    return DATASETS[named_set(test_set).name].get_source_file(langpair)


def get_reference_files(test_set: str, langpair: str) -> list[str]:
    """Return the files of the references that count."""
    return DATASETS[named_set(test_set).name].get_reference_files(langpair)


def get_available_origlangs(test_sets: str, langpair: str) -> list[str]:
    """Return the languages that segments were first written in, of one or several sets (with commas)."""
    found: set[str] = set()
    for name in test_sets.split(","):
        one = named_set(name)
        if "origlang" in DATASETS[name].fieldnames(langpair):
            found |= set(field_lines(one, one.pair(langpair), "origlang", say=lambda what: None))
    return sorted(found)


def get_available_subsets(test_sets: str, langpair: str) -> list[str]:
    """Return the countries and domains that are known of documents."""
    tags = [tag.split("-") for name in test_sets.split(",") for tag in SUBSETS.get(name, {}).values()]
    return sorted({f"country:{tag[0]}" for tag in tags} | {tag[1] for tag in tags})
