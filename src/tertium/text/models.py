"""SentencePiece models of FLORES and their like: where they come from, and where sacreBLEU keeps them, too."""

from collections.abc import Callable
from pathlib import Path

from tertium.errors import InputError, UnknownNameError
from tertium.files.downloads import Remote, download
from tertium.text.tokenizers import model_place

_META = "https://dl.fbaipublicfiles.com"
REMOTES = {
    "flores101": Remote(f"{_META}/fairseq/models/flores/sacrebleu_tokenizer_spm.model"),
    "flores200": Remote(
        f"{_META}/large_objects/nllb/models/spm_200/flores200_sacrebleu_tokenizer_spm.model",
        "14bb8dfb35c0ffdea7bc01e56cea38b9e3d5efcdcb9c251d6b40538e1aab555a",
    ),
    "spBLEU-1K": Remote("https://www.dlnlp.ai/spBLEU-1K/spbleu-1k_tokenizer_spm.model"),
}


def fetch_model(name: str, *, say: Callable[[str], None]) -> Path:
    """Fetch a model, whole or not at all, unless it is here."""
    if name not in REMOTES:
        raise UnknownNameError.of("SentencePiece model", name, REMOTES)
    place = model_place(name)
    if not place.is_file():
        download(REMOTES[name], place, say=say, use=lambda part: _check(part, name))
    return place


def _check(path: Path, name: str) -> None:
    """Refuse what can be no model, such as the page of a server that has it no more."""
    with open(path, "rb") as file:
        begins = file.read(1)
    if begins != b"\n":
        path.unlink()
        raise InputError(f"{REMOTES[name].address} is no SentencePiece model. Nothing of it was kept.")
