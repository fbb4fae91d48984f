"""What is refused. Each error is one of tertium's and also of the class that sacreBLEU raises in that place."""

from tertium.errors import InputError, UnknownNameError


class EmptyCorpusError(InputError, IndexError):
    """There is no segment to score."""


class TextTypeError(InputError, TypeError):
    """Texts are not given as strings, or references not as one list of strings per reference set."""


class NoReferencesError(InputError, RuntimeError):
    """Neither were references given nor does the metric hold any."""


class UnequalLengthsError(InputError):
    """There are not as many texts in one list as in another."""


class UnknownTokenizerError(UnknownNameError, KeyError):
    """No tokenizer has this name."""

    __str__ = Exception.__str__  # a KeyError would show its message in quotes


class UnknownSmoothingError(UnknownNameError, AssertionError):
    """No way of smoothing has this name."""
