"""SentencePiece models that sacreBLEU names."""

from typing import ClassVar

from tertium.compat.sacrebleu.errors import UnknownTokenizerError
from tertium.compat.sacrebleu.tokenizers.packaged import PackagedTokenizer

_NAMES = {"spm": "flores101", "flores101": "flores101", "flores200": "flores200", "spBLEU-1K": "spBLEU-1K"}
SPM_MODELS: dict[str, dict[str, str]] = {name: {"signature": model} for name, model in _NAMES.items()}


class TokenizerSPM(PackagedTokenizer):
    """Splits by the model of that name."""

    default: ClassVar[str] = "spm"

    def __init__(self, key: str = "") -> None:
        key = key or self.default
        if key not in _NAMES:
            raise UnknownTokenizerError.of("tokenizer", key, _NAMES)
        self.name = _NAMES[key]
        super().__init__()

    def signature(self) -> str:
        """Return the model's name."""
        return self.name


class Flores101Tokenizer(TokenizerSPM):
    """The model of FLORES-101."""

    default = "flores101"


class Flores200Tokenizer(TokenizerSPM):
    """The model of FLORES-200."""

    default = "flores200"


class spBLEU1KTokenizer(TokenizerSPM):
    """The model of spBLEU-1K."""

    default = "spBLEU-1K"
