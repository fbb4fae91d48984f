"""What a user can put right. Anything else that is raised is our bug and keeps its traceback."""


class TertiumError(Exception):
    """The base of all errors that a user can put right."""


class InputError(TertiumError, ValueError):
    """A text, file or setting cannot be meant as it is."""


class UnknownNameError(TertiumError, LookupError):
    """A metric, tokenizer, setting or column does not exist under this name."""


class MissingExtraError(TertiumError, ImportError):
    """An optional package is needed that is not installed."""
