"""Segments as metrics take them: texts or tokens in groups, checked once at the door."""

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from typing import Any, Protocol, cast

from tertium import _native
from tertium.errors import InputError, TertiumError

MOST_SEGMENTS = 100_000_000  # that scores are laid out for


class Tokenizes(Hashable, Protocol):
    """What `Segments.tokens` needs of a tokenizer."""

    def tokens(self, texts: _native.Texts) -> _native.TokenTexts: ...


class Segments:
    """The hypotheses or the references of some segments.

    Tokens are made while they are counted, unless `stored` holds the tokenizer: several metrics or systems then
    share them.
    """

    def __init__(self, texts: _native.Texts, *, stored: Collection[Hashable] = (), threads: int = 1) -> None:
        self.texts = texts
        self._stored = stored
        self._threads = threads
        self._tokens: dict[Hashable, _native.TokenTexts] = {}

    def __len__(self) -> int:
        return len(self.texts)

    def __iter__(self) -> Iterator[list[str]]:
        """Return the texts of one segment after the other: one hypothesis, or all references."""
        return (self.texts[segment] for segment in range(len(self)))

    def tokens(self, tokenizer: Tokenizes | None) -> _native.TokenTexts:
        """Return what the tokenizer makes of the texts."""
        assert tokenizer is not None  # only lists of tokens need none
        if not self._stored:
            return tokenizer.tokens(self.texts)
        if tokenizer in self._tokens:
            return self._tokens[tokenizer]
        tokens = tokenizer.tokens(self.texts)
        if tokenizer in self._stored:
            tokens = tokens.stored(self._threads)
            self._tokens[tokenizer] = tokens
        return tokens

    def sharing(self, tokenizers: Collection[Hashable], threads: int) -> "Segments":
        """Return the same segments, which store the tokens of these tokenizers too."""
        if all(tokenizer in self._stored for tokenizer in tokenizers):
            return self
        return Segments(self.texts, stored={*self._stored, *tokenizers}, threads=threads)

    def slice(self, begin: int, end: int, **sharing: Any) -> "Segments":
        """Return the segments [begin, end)."""
        return Segments(self.texts.slice(begin, end), **sharing)


class TokenSegments(Segments):
    """Segments that come as lists of tokens, for `tokenize="tokens"`; they have no texts."""

    def __init__(self, tokens: _native.TokenTexts) -> None:
        self._given = tokens

    def __len__(self) -> int:
        return len(self._given)

    def tokens(self, tokenizer: Any) -> _native.TokenTexts:
        """Return the tokens that were given, in canonical form if there is a tokenizer that makes it."""
        return self._given if tokenizer is None else cast(_native.TokenTexts, tokenizer.canonical(self._given))

    def sharing(self, tokenizers: Collection[Hashable], threads: int) -> "TokenSegments":
        """Return the same: there is nothing to store."""
        return self


def hypothesis_texts(hypotheses: Any, name: str = "hypotheses") -> _native.Texts:
    """Check and borrow the hypotheses: one string per segment, in a list or an Arrow column."""
    if is_column(hypotheses):
        return _arrow_texts(hypotheses, name, grouped=False)
    return _native.flat_texts(in_order(hypotheses, name), name)


def reference_texts(references: Any, name: str = "references") -> _native.Texts:
    """Check and borrow the references: per segment a string or a list of them, where None is a missing one."""
    if isinstance(references, _native.Texts):
        return references
    if is_column(references):
        return _arrow_texts(references, name, grouped=True)
    return _native.grouped_texts(in_order(references, name), name)


def _arrow_texts(column: Any, name: str, *, grouped: bool) -> _native.Texts:
    """Borrow a column. Where pandas cannot make Arrow of its objects, they are looked at one by one, and told of."""
    try:
        return _native.arrow_texts(column, name, grouped)
    except TertiumError:
        raise
    except Exception:
        return (_native.grouped_texts if grouped else _native.flat_texts)(list(column), name)


def in_order(texts: Any, name: str) -> Any:
    """Return what has an order; refuse sets, whose order is chance, mappings, whose values are not gone through, and
    what holds nothing at all.
    """
    if frame_columns(texts) is not None:
        raise InputError(f"{name} is a data frame, but one column of texts was expected. Give a column of it.")
    if isinstance(texts, set | frozenset | Mapping):
        raise InputError(
            f"{name} is a {type(texts).__name__}, which has no order that segments could be told by. Give a list."
        )
    holds = hasattr(texts, "__iter__") or hasattr(texts, "__getitem__") or is_arrow(texts)
    if texts is not None and (not holds or getattr(texts, "ndim", 1) == 0):
        raise InputError(f"{name} must be a list of segments, not a {type(texts).__name__}.")
    return texts


def frame_columns(texts: Any) -> dict[str, Any] | None:
    """Return the columns of a data frame (pandas, Polars) or Arrow table by name; None for anything else."""
    names = getattr(texts, "column_names", None) or getattr(texts, "columns", None)
    if names is None or not hasattr(texts, "shape") or len(texts.shape) != 2 or not hasattr(texts, "__getitem__"):
        return None
    return {str(name): texts[name] for name in names}


def is_arrow(column: object) -> bool:
    """Whether a column of a table or data frame offers itself through Arrow's interface."""
    return hasattr(column, "__arrow_c_stream__") or hasattr(column, "__arrow_c_array__")


def is_column(texts: Any) -> bool:
    """Whether texts are a column in Arrow's form, or a table that has no other column, as DuckDB gives them."""
    return is_arrow(texts) and len(frame_columns(texts) or " ") == 1


def check_parallel(hypotheses: int, references: int, *, nested: object = None) -> None:
    """Refuse different numbers of segments; `nested` are the references as given, to tell what went wrong."""
    if hypotheses == references:
        return
    message = f"hypotheses has {hypotheses:,} segments, but references has {references:,}."
    if _look_like_sets(nested, hypotheses):
        message += (
            f" Each of the {references:,} items has {hypotheses:,} texts, so these look like reference sets: "
            "transpose them to one list per segment, or pass them to tertium.score as reference_sets=."
        )
    else:
        message += " Give one item per segment, in the same order, or cut the hypotheses first: tertium.resegment."
    raise InputError(message)


def _look_like_sets(nested: object, segments: int) -> bool:
    if not isinstance(nested, list | tuple) or not nested:
        return False
    return all(isinstance(item, list | tuple) and len(item) == segments for item in nested)


def token_segments(texts: Sequence[Any], name: str) -> TokenSegments:
    """Check lists of tokens: per segment one list, or for references a list of lists."""
    if isinstance(texts, str):
        raise InputError(f"{name} must be lists of tokens, but one string was given.")
    lists: list[list[str]] = []
    offsets = [0]
    for index, item in enumerate(in_order(texts, name)):
        where = f"{name}[{index}]"
        in_order(item, where)
        if isinstance(item, str) or item is None:
            raise InputError(
                f"{where} is {item!r:.60}, but tokenize='tokens' takes lists of tokens. Split the text first, or "
                "choose a tokenizer."
            )
        several = name == "references" and any(isinstance(part, list | tuple) for part in item)
        group = [part for part in item if part is not None] if several else [item]
        if not group:
            raise InputError(f"{where} holds no reference. Give at least one, or leave the segment out.")
        for tokens in group:
            if isinstance(tokens, str) or not all(isinstance(token, str) for token in tokens):
                raise InputError(f"{where} must be a list of strings, but holds {tokens!r:.80}.")
            lists.append(list(tokens))
        offsets.append(len(lists))
    try:
        return TokenSegments(_native.tokens_of_lists(lists, offsets))
    except UnicodeEncodeError as error:
        raise InputError(
            f"{name} has a token with a lone surrogate, which is no character: {error.object!r:.40}."
        ) from None
