"""sacreBLEU's test sets by name, as the objects that its clients take from `DATASETS`."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tertium.corpus.named.catalogue import NamedSet, Pair, named_sets
from tertium.corpus.named.store import all_fields, counted_references, field_lines, field_path, folder_of, provide


class Dataset:
    """A test set. Its texts are fetched when they are first asked for."""

    def __init__(self, named: NamedSet) -> None:
        self._named = named
        self.name = named.name
        self.description = f"{named.title}."
        self.citation = named.citation
        self.data = [remote.address for remote in named.remotes]
        self.md5 = [remote.checksum for remote in named.remotes]
        self.langpairs = {name: _described(named, pair) for name, pair in named.pairs.items()}

    @property
    def _outdir(self) -> str:
        return str(folder_of(self._named))

    @property
    def _rawdir(self) -> str:
        return str(folder_of(self._named) / "raw")

    def _get_tarball_filename(self, url: str) -> str:
        return f"{self._named.stem}.{url.rpartition('/')[2]}"

    def _get_langpair_allowed_refs(self, langpair: str) -> list[str]:
        return counted_references(self._named, self._named.pair(langpair))

    def maybe_download(self) -> None:
        """Fetch what is not here."""
        self.process_to_text()

    def process_to_text(self, langpair: str | None = None) -> None:
        """See to it that the texts of a pair, or of all pairs, lie there as lines."""
        for name in self.langpairs if langpair is None else [langpair]:
            provide(self._named, self._named.pair(name), say=_silent)

    def fieldnames(self, langpair: str) -> list[str]:
        """Return what is known of each segment: source, references, document and so on."""
        return all_fields(self._named, self._named.pair(langpair), say=_silent)

    def get_files(self, langpair: str) -> list[str]:
        """Return the files of all fields."""
        self.process_to_text(langpair)
        return [self._path(langpair, field) for field in self.fieldnames(langpair)]

    def get_source_file(self, langpair: str) -> str:
        """Return the file of the source."""
        self.process_to_text(langpair)
        return self._path(langpair, "src")

    def get_reference_files(self, langpair: str) -> list[str]:
        """Return the files of the references that count."""
        self.process_to_text(langpair)
        return [self._path(langpair, field) for field in self._get_langpair_allowed_refs(langpair)]

    def source(self, langpair: str) -> Iterable[str]:
        """Return the source, segment by segment."""
        yield from field_lines(self._named, self._named.pair(langpair), "src", say=_silent)

    def references(self, langpair: str) -> Iterator[tuple[str, ...]]:
        """Return the references that count, segment by segment."""
        pair = self._named.pair(langpair)
        self.process_to_text(langpair)
        fields = [field_lines(self._named, pair, name, say=_silent) for name in counted_references(self._named, pair)]
        yield from zip(*fields, strict=True)

    def __repr__(self) -> str:
        return f"Dataset({self.name})"

    def _path(self, langpair: str, field: str) -> str:
        return str(field_path(self._named, self._named.pair(langpair), field))


def _described(named: NamedSet, pair: Pair) -> list[str] | dict[str, Any]:
    """Return a pair's files; with its references, where they are not those that count for most pairs."""
    (usual, _), *_ = Counter(other.references for other in named.pairs.values()).most_common()
    if named.is_xml and pair.references != usual:
        return {"path": pair.members[0], "refs": list(pair.references)}
    return list(pair.members)


def _silent(what: str) -> None:
    """Say nothing."""


DATASETS: Mapping[str, Dataset] = {name: Dataset(named) for name, named in named_sets().items()}
SUBSETS: Mapping[str, Mapping[str, str]] = {
    name: named.subsets for name, named in named_sets().items() if named.subsets
}
_TAGS = [tag.split("-") for documents in SUBSETS.values() for tag in documents.values()]
COUNTRIES = sorted({tag[0] for tag in _TAGS})
DOMAINS = sorted({tag[1] for tag in _TAGS})
