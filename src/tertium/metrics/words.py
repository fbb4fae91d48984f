"""What metrics on words share: how text is split, and stems or concepts that stand for words."""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from tertium.corpus import Segments, check_parallel
from tertium.corpus.segments import token_segments
from tertium.errors import InputError, UnknownNameError
from tertium.metrics.base import Metric
from tertium.metrics.settings import checked_text, setting
from tertium.text import UNICODE_FORMS, Tokenizer, tokenizer
from tertium.text.languages import Language
from tertium.text.tokenizers import NAMES, SENTENCEPIECE, model_mark


def _checked_tokenizer(where: str, value: Any) -> Any:
    """Refuse what `tokenizer` would not know, without loading any package."""
    if callable(value):
        return value
    if not isinstance(value, str):
        raise InputError(f"A tokenizer is a name or a function, not {value!r}.")
    name = checked_text(where, value)
    if not name.startswith("spm:") and name != "tokens" and name not in NAMES:
        raise UnknownNameError.of("tokenizer", name, (*NAMES, "spm:FILE", "tokens"))
    return name


def _read_tokenizer(where: str, text: str) -> str:
    if re.search("@[0-9a-f]{12}$", text):
        raise InputError(f"{where} was a model file ({text}). Give its path: tokenize=spm:FILE.")
    return text


def _checked_stem(where: str, value: Any) -> str | None:
    """Return a stemmer by its own name."""
    from tertium.text.lexicon.stems import Stems  # only metrics in use load the lexicon

    return None if value == "none" else Stems.open(_name(where, value)).name


def _checked_synonyms(where: str, value: Any) -> str | None:
    from tertium.text.lexicon.synonyms import Synonyms

    return None if value == "none" else Synonyms.open(_name(where, value)).source


def _name(where: str, value: Any) -> str:
    return checked_text(where, value if isinstance(value, str) else str(value))


# The lines that many metrics have: `tokenize: Tokenize = tokenize_setting()`.
Tokenize = str | Callable[[str], list[str]]
tokenize_setting = partial(
    setting, "13a", "how text is split into tokens", choices=(*NAMES, "spm:FILE"), file=True,
    check=_checked_tokenizer, read=_read_tokenizer,
)  # fmt: skip
lowercase_setting = partial(setting, False, "fold case first")
unicode_setting = partial(setting, "none", "Unicode normalization first", choices=UNICODE_FORMS)
by_character_setting = partial(setting, False, "make a word of each character in scripts that have no blanks")
stem_setting = partial(
    setting, None, "compare stems of this language instead of words", choices=("none", "en", "de", "hi", "…"),
    check=_checked_stem,
)  # fmt: skip
synonyms_setting = partial(
    setting, None, "compare concepts of this source (wordnet, a file) instead of words",
    choices=("none", "wordnet", "meteor:en", "FILE"), file=True, check=_checked_synonyms,
)  # fmt: skip


def lexicon_settings(stem: str | None, synonyms: str | None) -> dict[str, str]:
    """Return how a signature names the two, with their hashes."""
    settings = {"stem": "none", "synonyms": "none"}
    if stem is not None:
        from tertium.text.lexicon.stems import Stems

        settings["stem"] = Stems(stem).mark
    if synonyms is not None:
        from tertium.text.lexicon.synonyms import Synonyms

        settings["synonyms"] = Synonyms.open(synonyms).mark
    return settings


def canonical(tokenizer: Tokenizer | None, stem: str | None, synonyms: str | None) -> Tokenizer | None:
    """Return a tokenizer that gives stems or concepts for words, or the one given if neither is wanted."""
    if stem is None and synonyms is None:
        return tokenizer
    from tertium.text.canonical import Canonical, Forms
    from tertium.text.lexicon import Stems, Synonyms

    stems = None if stem is None else Stems(stem)
    return Canonical(tokenizer, Forms(stems, None if synonyms is None else Synonyms.open(synonyms)))


class WordMetric(Metric):
    """A metric on tokens; its dataclass has the fields tokenize, lowercase, unicode, stem and synonyms."""

    tokenize: Tokenize
    lowercase: bool
    unicode: str
    stem: str | None
    synonyms: str | None

    @classmethod
    def resolved(cls, given: dict[str, Any]) -> dict[str, Any]:
        """Refuse what tokens cannot have."""
        if given["tokenize"] == "tokens" and (given["lowercase"] or given["unicode"] != "none"):
            raise InputError("tokenize='tokens' takes tokens as they are: lowercase and unicode cannot be set.")
        return given

    @property
    def takes_tokens(self) -> bool:
        """Whether segments come as lists of tokens rather than as text."""
        return self.tokenize == "tokens"

    @property
    def tokenizer(self) -> Tokenizer | None:
        """What splits the texts; None for texts that come as lists of tokens and are compared as they are."""
        return self._giving(self.stem, self.synonyms)

    def _giving(self, stem: str | None, synonyms: str | None) -> Tokenizer | None:
        """Return what splits the texts and gives stems or concepts for words."""
        if self.takes_tokens:
            return canonical(None, stem, synonyms)
        return canonical(tokenizer(self.tokenize, lowercase=self.lowercase, unicode=self.unicode), stem, synonyms)

    @classmethod
    def language_settings(cls, language: Language, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return the language's tokenizer."""
        return {"tokenize": language.tokenizer}

    def segments(self, hypotheses: Sequence[Any], references: Sequence[Any]) -> tuple[Segments, Segments]:
        """Check the texts, or the lists of tokens."""
        if not self.takes_tokens:
            return super().segments(hypotheses, references)
        ours, theirs = token_segments(hypotheses, "hypotheses"), token_segments(references, "references")
        check_parallel(len(ours), len(theirs), nested=references)
        return ours, theirs

    def settings(self) -> dict[str, str]:
        """Return every setting; a model file is named with its hash."""
        settings = super().settings()
        if isinstance(self.tokenize, str) and (self.tokenize.startswith("spm:") or self.tokenize in SENTENCEPIECE):
            kind = "spm" if self.tokenize.startswith("spm:") else self.tokenize
            settings["tokenize"] = f"{kind}:{model_mark(self.tokenize)}"
        return settings | lexicon_settings(self.stem, self.synonyms)
