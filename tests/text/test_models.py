"""SentencePiece models by name: fetched whole, checked, and kept where sacreBLEU looks for them."""

import hashlib

import pytest

from tertium.errors import InputError, UnknownNameError
from tertium.files.downloads import Remote
from tertium.text import models
from tertium.text.tokenizers import SENTENCEPIECE, found_model, model_path


@pytest.fixture
def mirror(tmp_path, monkeypatch):
    monkeypatch.setenv("TERTIUM_MIRROR", str(tmp_path / "mirror"))
    monkeypatch.setenv("SACREBLEU", str(tmp_path / "sets"))
    for name in SENTENCEPIECE:
        monkeypatch.delenv(f"TERTIUM_{name.upper().replace('-', '_')}", raising=False)

    def put(name, data):
        path = tmp_path / "mirror" / models.REMOTES[name].address.partition("://")[2]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    return put


def fetch(name):
    return models.fetch_model(name, say=lambda what: None)


def test_every_named_model_has_an_address():
    assert set(models.REMOTES) == set(SENTENCEPIECE)
    assert all(remote.address.startswith("https://") for remote in models.REMOTES.values())


def test_a_model_is_fetched_once_and_found(mirror, tmp_path):
    with pytest.raises(InputError, match="tertium resources get flores101"):
        model_path("flores101")
    mirror("flores101", b"\n\x0e model")
    assert fetch("flores101") == found_model("flores101") == tmp_path / "sets/models/sacrebleu_tokenizer_spm.model"
    mirror("flores101", b"another")
    assert fetch("flores101").read_bytes() == b"\n\x0e model"


def test_what_is_no_model_leaves_nothing(mirror, tmp_path):
    mirror("spBLEU-1K", b"<html>moved</html>")
    with pytest.raises(InputError, match="is no SentencePiece model"):
        fetch("spBLEU-1K")
    mirror("flores200", b"\n\x0e not the one")
    with pytest.raises(InputError, match="checksum"):
        fetch("flores200")
    assert [path.suffix for path in (tmp_path / "sets/models").iterdir()] == [".lock", ".lock"]
    with pytest.raises(UnknownNameError, match="Known: flores101, flores200, spBLEU-1K"):
        fetch("flores300")


def test_a_checksum_may_be_sha256(mirror, monkeypatch):
    data = b"\n\x0e model"
    address = models.REMOTES["flores200"].address
    monkeypatch.setitem(models.REMOTES, "flores200", Remote(address, hashlib.sha256(data).hexdigest()))
    mirror("flores200", data)
    assert fetch("flores200").read_bytes() == data
