"""`tertium.report`: the page that shows where systems differ, made from texts in memory."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any

from tertium.errors import InputError
from tertium.files.writing import write_whole
from tertium.metrics.base import References
from tertium.metrics.names import Metrics
from tertium.report.pages.page import check_installed
from tertium.scoring.loop import score
from tertium.significance import compare
from tertium.significance.sampling import SEED

if TYPE_CHECKING:
    from tertium.judgments import Judgments


@dataclass(frozen=True, repr=False)
class Page:
    """A page of HTML in one piece, which a notebook shows in a frame."""

    html: str

    def save(self, path: str | PathLike[str]) -> None:
        """Write the page, whole or not at all."""
        write_whole(fspath(path), self.html)

    def __repr__(self) -> str:
        """Say what it is, for it is long."""
        return f"A page of {len(self.html) // 1024:,} KiB; save(path) writes it, a notebook shows it."

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self.html)}" style="width:100%;height:40em;border:1px solid"></iframe>'


def report(
    hypotheses: Mapping[str, Sequence[str]],
    references: References | None = None,
    metrics: Metrics = ("bleu", "chrf", "ter"),
    *,
    reference_sets: Sequence[Sequence[str | None]] | None = None,
    sources: Sequence[str] | None = None,
    judgments: "Judgments | None" = None,
    documents: Sequence[str] | None = None,
    language: str | None = None,
    baseline: str | None = None,
    samples: int = 10_000,
    seed: int = SEED,
    threads: int | None = None,
) -> Page:
    """Score and compare two or more systems, and return the page that `tertium compare --report` writes.

    `judgments` (from `read_judgments`) bring the errors that people marked, which are shown in the texts.
    """
    from tertium.report.pages.comparison import compare_page
    from tertium.report.pages.contents import contents
    from tertium.report.pages.markings import of_judgments
    from tertium.report.pages.segments import Texts

    check_installed()
    found = score(
        metrics, hypotheses, references, reference_sets=reference_sets, documents=documents, language=language,
        threads=threads,
    )  # fmt: skip
    if len(found.systems) < 2 or found.systems == ("",):
        raise InputError("A report compares systems: give two or more by name, {'mine': […], 'theirs': […]}.")
    compared = compare(found, baseline=baseline, samples=samples, seed=seed, ranks=True, threads=threads)
    texts = Texts(
        {name: [_listed(hypotheses[name])] for name in found.systems},
        _groups(references, reference_sets),
        None if sources is None else _listed(sources),
        {} if judgments is None else of_judgments(judgments, found.systems, found.segment_count),
    )
    if texts.sources is not None and len(texts.sources) != found.segment_count:
        raise InputError(f"sources has {len(texts.sources):,} texts, but there are {found.segment_count:,} segments.")
    return Page(compare_page(contents(compared, texts, ranks=compared.ranks, command="tertium.report(…)")))


def _listed(texts: Any) -> list[str]:
    return [str(text) for text in texts]


def _groups(references: Any, sets: Sequence[Sequence[str | None]] | None) -> list[list[str]]:
    if sets is not None:
        return [[str(text) for text in group if text is not None] for group in zip(*sets, strict=True)]
    return [
        [group] if isinstance(group, str) else [str(text) for text in group if text is not None] for group in references
    ]
