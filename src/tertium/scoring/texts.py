"""Texts as `tertium.score` is given them: checked, and cut into blocks like those that files are read in."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from tertium.corpus import check_parallel, hypothesis_texts, is_arrow, reference_texts
from tertium.corpus.parallel import Block
from tertium.corpus.segments import TokenSegments, in_order, token_segments
from tertium.errors import InputError
from tertium.metrics.base import References

_BLOCK = 16_384  # segments whose tokens are held at once, where several metrics or systems share them


@dataclass(frozen=True)
class TokenBlock:
    """Segments that come as lists of tokens, all in one block."""

    hypotheses: dict[str, TokenSegments]
    references: TokenSegments
    documents: list[str] | None
    reference_count: str = "var"


class GivenTexts:
    """What `score` was given, checked; texts are borrowed where they are. Metrics may learn from `references`."""

    def __init__(
        self,
        systems: Mapping[str, Any],
        references: References | None,
        reference_sets: Sequence[Sequence[str | None]] | None,
        documents: Sequence[str] | None,
    ) -> None:
        first = next(iter(systems.values()))
        sized = hasattr(in_order(first, "hypotheses"), "__len__") and not isinstance(first, str)
        count = len(first) if sized else -1
        self._systems = systems
        self._documents = documents
        self.references: Any = _per_segment(references, reference_sets, count)

    def blocks(self) -> Iterator[Block]:
        """Borrow the texts, and return them in blocks, once all were checked."""
        given, self.references = self.references, reference_texts(self.references)
        theirs = self.references
        count = len(theirs)
        ours = {system: hypothesis_texts(texts, _name(system)) for system, texts in self._systems.items()}
        if count == 0 and not any(map(len, ours.values())):
            raise InputError("hypotheses and references are empty: there is no segment to score.")
        for texts in ours.values():
            check_parallel(len(texts), count, nested=given)
        documents = _document_ids(self._documents, count)
        return (
            Block(
                {system: texts.slice(begin, begin + _BLOCK) for system, texts in ours.items()},
                theirs.slice(begin, begin + _BLOCK),
                None if documents is None else documents[begin : begin + _BLOCK],
            )
            for begin in range(0, count, _BLOCK)
        )

    def tokens(self) -> Iterator[TokenBlock]:
        """Take the segments as lists of tokens."""
        theirs = token_segments(self.references, "references")
        ours = {system: token_segments(texts, _name(system)) for system, texts in self._systems.items()}
        for side in ours.values():
            check_parallel(len(side), len(theirs), nested=self.references)
        return iter([TokenBlock(ours, theirs, _document_ids(self._documents, len(theirs)))])


def _name(system: str) -> str:
    return f"hypotheses[{system!r}]" if system else "hypotheses"


def _per_segment(
    references: References | None, reference_sets: Sequence[Sequence[str | None]] | None, count: int
) -> Sequence[Any]:
    if (references is None) == (reference_sets is None):
        raise InputError("Give either references=, one item per segment, or reference_sets=, one list per set.")
    if reference_sets is not None:
        return _transposed(reference_sets, count)
    if isinstance(references, str):
        raise InputError("references is one string. Give one item per segment: [text].")
    if is_arrow(references):
        return cast(Sequence[Any], references)
    per_segment = list(in_order(cast(Sequence[Any], references), "references"))
    _refuse_ambiguous(per_segment, count)
    return per_segment


def _transposed(reference_sets: Sequence[Sequence[str | None]], count: int) -> list[list[str]]:
    sets = list(in_order(reference_sets, "reference_sets"))
    if isinstance(reference_sets, str) or any(one is None or isinstance(one, str) for one in sets):
        raise InputError("reference_sets must be a list of lists, one per reference set. Give [texts] for one set.")
    if not sets:
        raise InputError("reference_sets is empty. Give at least one list of references.")
    sets = [list(in_order(one, f"reference_sets[{index}]")) for index, one in enumerate(sets)]
    for index, one in enumerate(sets):
        if len(one) != count:
            raise InputError(
                f"reference_sets[{index}] has {len(one):,} texts, but there are {count:,} hypotheses. Each set has "
                "one text per segment, or None."
            )
    groups = [[text for text in group if text is not None] for group in zip(*sets, strict=True)]
    for index, group in enumerate(groups):
        if not group:
            raise InputError(f"Segment {index} has no reference: it is None in all {len(sets)} sets.")
    return groups


def _refuse_ambiguous(references: Sequence[Any], count: int) -> None:
    """A square of texts can be read by segments and by sets; where that matters, only its owner knows."""
    square = (
        count > 1
        and len(references) == count
        and all(_is_group(group) and len(group) == count for group in references)
        and all(isinstance(text, str | None) for group in references for text in group)
    )
    if not square:
        return
    for i in range(count):
        for j in range(i):
            if references[i][j] != references[j][i]:
                raise InputError(
                    f"references is {count} lists of {count} texts for {count} hypotheses: they can be read per "
                    f"segment or per reference set, and the readings first differ at references[{j}][{i}]. Pass them "
                    "as reference_sets= (one list per set) to say which is meant."
                )


def _is_group(item: Any) -> bool:
    return isinstance(item, list | tuple) or (hasattr(item, "__array__") and getattr(item, "ndim", 0) == 1)


def _document_ids(documents: Sequence[str] | None, count: int) -> list[str] | None:
    if documents is None:
        return None
    documents = documents if isinstance(documents, str) else list(in_order(documents, "documents"))
    if isinstance(documents, str) or len(documents) != count:
        size = "is one string" if isinstance(documents, str) else f"has {len(documents):,} ids"
        raise InputError(f"documents {size}, but there are {count:,} segments. Give one id per segment.")
    return [str(name) for name in documents]
