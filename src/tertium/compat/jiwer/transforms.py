"""Steps that prepare sentences. A pipeline ends in one that makes lists of words or of characters."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from tertium.errors import InputError

_WHITESPACE = " \t\n\r\x0b\x0c"
_CONTRACTIONS = {
    "won't": "will not",
    "can't": "can not",
    "let's": "let us",
    "n't": " not",
    "'re": " are",
    "'s": " is",
    "'d": " would",
    "'ll": " will",
    "'t": " not",
    "'ve": " have",
    "'m": " am",
}


class NotStringError(InputError, TypeError):
    """A list of sentences holds something else."""


class AbstractTransform:
    """What a step is: it changes a string, or each string of a list."""

    def __call__(self, sentences: str | list[str]) -> Any:
        """Apply the step."""
        if isinstance(sentences, str):
            return self.process_string(sentences)
        if not isinstance(sentences, list):
            raise InputError(f"A string or a list of strings was expected, not {sentences!r:.60}.")
        own = type(self).__module__ != __name__  # a user's step may stand after one that makes lists of words
        for index, sentence in enumerate(sentences):
            if not isinstance(sentence, str) and not (own and isinstance(sentence, list)):
                raise NotStringError(f"Item {index} of the list is {sentence!r:.60}, not a string.")
        return self.process_list(sentences)

    def process_string(self, s: str) -> Any:
        """Change one sentence."""
        raise NotImplementedError

    def process_list(self, inp: list[str]) -> Any:
        """Change each sentence of a list."""
        return [self.process_string(sentence) for sentence in inp]


class Compose:
    """Several steps, one after the other."""

    def __init__(self, transforms: Sequence[Callable[[Any], Any]]) -> None:
        self.transforms = transforms

    def __call__(self, text: str | list[str]) -> Any:
        """Apply all steps."""
        result: Any = text
        for transform in self.transforms:
            result = transform(result)
        return result


class BaseRemoveTransform(AbstractTransform):
    """Removes some pieces of text, or puts another in their place."""

    def __init__(self, tokens_to_remove: Iterable[str], replace_token: str = "") -> None:
        self.tokens_to_remove = list(tokens_to_remove)
        self.replace_token = replace_token

    def process_string(self, s: str) -> str:
        """Change one sentence."""
        for token in self.tokens_to_remove:
            s = s.replace(token, self.replace_token)
        return s


class ReduceToListOfListOfWords(AbstractTransform):
    """Makes a list of words of each sentence."""

    def __init__(self, word_delimiter: str = " ") -> None:
        self.word_delimiter = word_delimiter

    def process_string(self, s: str) -> list[list[str]]:
        """Split one sentence."""
        return [[word for word in s.split(self.word_delimiter) if word]]

    def process_list(self, inp: list[str]) -> list[list[str]]:
        """Split all sentences; none at all count as one empty sentence."""
        return [self.process_string(sentence)[0] for sentence in inp] or [[]]


class ReduceToListOfListOfChars(AbstractTransform):
    """Makes a list of characters of each sentence."""

    def process_string(self, s: str) -> list[list[str]]:
        """Take one sentence apart."""
        return [list(s)]

    def process_list(self, inp: list[str]) -> list[list[str]]:
        """Take all sentences apart; none at all count as one empty sentence."""
        return [list(sentence) for sentence in inp] or [[]]


class ReduceToSingleSentence(AbstractTransform):
    """Joins all sentences that are not empty."""

    def __init__(self, word_delimiter: str = " ") -> None:
        self.word_delimiter = word_delimiter

    def process_string(self, s: str) -> str:
        """Leave one sentence as it is."""
        return s

    def process_list(self, inp: list[str]) -> list[str]:
        """Join the sentences."""
        filled = [sentence for sentence in inp if sentence]
        return [self.word_delimiter.join(filled)] if filled else []


class RemoveSpecificWords(AbstractTransform):
    """Puts a blank in the place of some words."""

    def __init__(self, words_to_remove: Iterable[str]) -> None:
        self.words_to_remove = list(words_to_remove)
        self._patterns = [re.compile(rf"\b{re.escape(word)}\b") for word in self.words_to_remove]

    def process_string(self, s: str) -> str:
        """Change one sentence."""
        for pattern in self._patterns:
            s = pattern.sub(" ", s)
        return s


class RemoveWhiteSpace(AbstractTransform):
    """Removes ASCII white space, or makes a blank of each."""

    def __init__(self, replace_by_space: bool = False) -> None:
        self._table = dict.fromkeys(map(ord, _WHITESPACE), " " if replace_by_space else "")

    def process_string(self, s: str) -> str:
        """Change one sentence."""
        return s.translate(self._table)


class _Punctuation(dict[int, str | int]):
    """Finds out about a character when it is first seen."""

    def __missing__(self, code: int) -> str | int:
        self[code] = "" if unicodedata.category(chr(code)).startswith("P") else code
        return self[code]


class RemovePunctuation(AbstractTransform):
    """Removes what Unicode calls punctuation (its categories P…), not symbols."""

    _table = _Punctuation()

    def process_string(self, s: str) -> str:
        """Change one sentence."""
        return s.translate(self._table)


class RemoveMultipleSpaces(AbstractTransform):
    """Makes one blank of two or more white-space characters in a row."""

    def process_string(self, s: str) -> str:
        """Change one sentence."""
        return re.sub(r"\s\s+", " ", s)


class Strip(AbstractTransform):
    """Removes white space from both ends."""

    def process_string(self, s: str) -> str:
        """Change one sentence."""
        return s.strip()


class RemoveEmptyStrings(AbstractTransform):
    """Removes sentences that hold nothing but white space from a list."""

    def process_string(self, s: str) -> str:
        """Strip a sentence that does not come in a list."""
        return s.strip()

    def process_list(self, inp: list[str]) -> list[str]:
        """Keep the sentences that hold something, as they are."""
        return [sentence for sentence in inp if sentence.strip()]


class ExpandCommonEnglishContractions(AbstractTransform):
    """Writes English contractions out: won't, can't, let's, then endings such as n't and 'll."""

    def process_string(self, s: str) -> str:
        """Change one sentence."""
        for short, long in _CONTRACTIONS.items():
            s = s.replace(short, long)
        return s


class SubstituteWords(AbstractTransform):
    """Replaces whole words by others."""

    def __init__(self, substitutions: Mapping[str, str]) -> None:
        self.substitutions = substitutions

    def process_string(self, s: str) -> str:
        """Change one sentence."""
        for word, other in self.substitutions.items():
            s = re.sub(rf"\b{re.escape(word)}\b", other.replace("\\", r"\\"), s)
        return s


class SubstituteRegexes(AbstractTransform):
    """Replaces what regular expressions match."""

    def __init__(self, substitutions: Mapping[str, str]) -> None:
        self.substitutions = substitutions

    def process_string(self, s: str) -> str:
        """Change one sentence."""
        for pattern, other in self.substitutions.items():
            s = re.sub(pattern, other, s)
        return s


class ToUpperCase(AbstractTransform):
    """Makes capital letters."""

    def process_string(self, s: str) -> str:
        """Change one sentence."""
        return s.upper()


class ToLowerCase(AbstractTransform):
    """Makes small letters."""

    def process_string(self, s: str) -> str:
        """Change one sentence."""
        return s.lower()


class RemoveKaldiNonWords(AbstractTransform):
    """Removes what stands in [square] or <pointed> brackets."""

    def process_string(self, s: str) -> str:
        """Change one sentence."""
        return re.sub(r"[<\[][^>\]]*[>\]]", "", s)
