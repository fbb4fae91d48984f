"""Links: random tokens, of which the study holds only hashes.

Tokens are made from a key that lies beside the study (`study.db.key`, readable by its owner alone), so that links can
be shown again, while a copy of the study alone opens nothing. Without the key new links can be made, and the old ones
end.
"""

import base64
import hashlib
import hmac
import os
import secrets
import sqlite3
from pathlib import Path

from tertium.annotate.study.file import get_meta, set_meta
from tertium.errors import InputError


def key_path(study: Path) -> Path:
    """Return where a study's key lies."""
    return study.with_name(study.name + ".key")


def new_key(study: Path) -> bytes:
    """Make a key, in place of an older one."""
    key = secrets.token_bytes(32)
    path = key_path(study)
    path.unlink(missing_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
        file.write(key.hex() + "\n")
    return key


def read_key(study: Path) -> bytes:
    """Return the key, or say how to get new links."""
    path = key_path(study)
    try:
        key = bytes.fromhex(path.read_text(encoding="ascii").strip())
    except (OSError, ValueError):
        key = b""
    if len(key) != 32:
        raise InputError(
            f"{path}, from which the links are made, is not there or damaged. Put it back beside the study, or make "
            f"new links, after which the old ones end: tertium annotate links {study} --renew"
        )
    return key


def token(key: bytes, whom: str) -> str:
    """Return somebody's token: 128 bits that cannot be guessed without the key."""
    return base64.urlsafe_b64encode(hmac.digest(key, whom.encode(), "sha256")[:16]).decode().rstrip("=")


def annotator_token(key: bytes, annotator: int, generation: int) -> str:
    """Return an annotator's token; a new generation ends the old link."""
    return token(key, f"annotator:{annotator}:{generation}")


def organiser_token(key: bytes) -> str:
    """Return the token of the organiser's page."""
    return token(key, "organiser")


def join_token(key: bytes) -> str:
    """Return the token of the public link, which makes a new annotator on the first visit."""
    return token(key, "join")


def hashed(token: str) -> bytes:
    """Return what is stored of a token. It is random, so a plain hash is enough."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


def opaque(secret: bytes, screen: int, output: int) -> str:
    """Return what the page calls an output: it tells neither its system nor whether it is a check."""
    return hmac.digest(secret, f"{screen}:{output}".encode(), "sha256")[:9].hex()


def renew(db: sqlite3.Connection, study: Path) -> bytes:
    """Make a new key and new tokens for everybody; inside a transaction."""
    key = new_key(study)
    for row in db.execute(
        "SELECT id, generation FROM annotator WHERE name IS NOT NULL OR token IS NOT NULL"
    ).fetchall():
        db.execute("UPDATE annotator SET token = ? WHERE id = ?", (hashed(annotator_token(key, *row)), row["id"]))
    store_hashes(db, key)
    return key


def store_hashes(db: sqlite3.Connection, key: bytes) -> None:
    """Store the hashes of the tokens that belong to nobody in particular."""
    set_meta(db, "organiser", hashed(organiser_token(key)).hex())
    set_meta(db, "join", hashed(join_token(key)).hex())


def fits(db: sqlite3.Connection, key: bytes) -> bool:
    """Whether a key is the one that the study's tokens were made from."""
    return hmac.compare_digest(get_meta(db, "organiser", ""), hashed(organiser_token(key)).hex())
