"""Files from elsewhere: over https, checked, whole or not at all; what a broken connection left is gone on with.

What has come so far lies beside the file, called NAME.part. Only when all of it is there and its checksum is right does
it get its name. Proxies are those of the usual variables (https_proxy, no_proxy). `TERTIUM_MIRROR` names a server or a
folder that has the same files, laid out as HOST/PATH of their addresses.
"""

import errno
import hashlib
import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from tertium.errors import InputError
from tertium.files.systems import exchange, only_one
from tertium.files.writing import unwritable

Progress = Callable[[str], None]

_CHUNK = 1 << 16
_PATIENCE = 30.0  # seconds without a byte, after which a connection is taken for broken
_ATTEMPTS = 5  # in a row that bring nothing
_FULL = (errno.ENOSPC, errno.EDQUOT)


@dataclass(frozen=True)
class Remote:
    """A file elsewhere: its address, and the MD5 or SHA-256 of its contents if they are known."""

    address: str
    checksum: str | None = None

    @property
    def name(self) -> str:
        """The last part of the address."""
        return self.address.rpartition("/")[2]

    def digest(self, path: Path) -> str:
        """Return the checksum that a file has."""
        found = hashlib.sha256() if self.checksum and len(self.checksum) == 64 else hashlib.md5(usedforsecurity=False)
        with open(path, "rb") as file:
            while chunk := file.read(1 << 20):
                found.update(chunk)
        return found.hexdigest()

    def is_at(self, path: Path) -> bool:
        """Whether a file is this one, as far as its checksum tells."""
        try:
            return path.is_file() and (self.checksum is None or self.digest(path) == self.checksum)
        except OSError:
            return False


def download(
    remote: Remote,
    target: Path,
    *,
    say: Progress = lambda message: None,
    use: Callable[[Path], None] = lambda path: None,
) -> None:
    """Fetch a file, unless it is there. `use` gets it once it is whole; only if that goes well it is named `target`.

    Of two processes that want it, one fetches it and the other waits.
    """
    part = target.with_name(f"{target.name}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with only_one(target, waiting=lambda: say(f"{target.name}: another process is fetching it")):
            if target.exists():
                return
            _fetch(remote, part, target, say)
            use(part)
            exchange(part, target)
    except OSError as error:
        if error.errno in _FULL:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise InputError(
                f"{target} cannot be written: {(error.strerror or str(error)).lower()}. What had come of it was "
                "removed. Make room, or name another folder, and start again."
            ) from None
        raise unwritable(target, error) from None


def _fetch(remote: Remote, part: Path, target: Path, say: Progress) -> None:
    """Bring all of the file into `part`, and check it."""
    for fresh in (False, True):
        resumed = _size(part) > 0 and not fresh
        if fresh:
            part.unlink(missing_ok=True)
        _transfer(remote, part, target, say)
        if remote.checksum is None:
            return
        say(f"{target.name}: checking")
        found = remote.digest(part)
        if found == remote.checksum:
            return
        part.unlink(missing_ok=True)
        if not resumed:
            break
    raise InputError(
        f"{_source(remote)} has the checksum {found}, but {remote.checksum} was expected. It is not the file that it "
        f"was, or was changed on the way; nothing of it was kept. If you have the right one, put it at {target}."
    )


def _transfer(remote: Remote, part: Path, target: Path, say: Progress) -> None:
    """Receive until the end, beginning again where a connection broke."""
    import http.client
    import urllib.error

    idle = 0
    while True:
        before = _size(part)
        try:
            if _receive(remote, part, target, say):
                return
            reason = "the connection was closed early"
        except urllib.error.HTTPError as error:
            reason = f"the server answers {error.code} {error.reason}"
            if error.code == 416 and before:  # there is nothing beyond what we have: the checksum will tell
                return
            if error.code < 500 and error.code not in (408, 429):
                raise _unreachable(remote, part, target, reason) from None
        except (urllib.error.URLError, http.client.HTTPException, ConnectionError, TimeoutError) as error:
            cause = getattr(error, "reason", error)
            if isinstance(cause, OSError) and cause.errno in _FULL:
                raise cause from None
            reason = (getattr(cause, "strerror", None) or str(cause) or type(cause).__name__).lower()
        idle = 0 if _size(part) > before else idle + 1
        if idle >= _attempts() or (idle and _size(part) == 0 and idle >= 2):
            raise _unreachable(remote, part, target, reason)
        time.sleep(min(2.0, 0.1 * 2**idle))


def _attempts() -> int:
    return _ATTEMPTS


def _receive(remote: Remote, part: Path, target: Path, say: Progress) -> bool:
    """Append what the server sends; tell whether that was all."""
    import urllib.request

    begun = _size(part)
    request = urllib.request.Request(_source(remote), headers={"User-Agent": "tertium", "Accept-Encoding": "identity"})
    if begun:
        request.add_header("Range", f"bytes={begun}-")
    with _opener().open(request, timeout=_PATIENCE) as answer:
        goes_on = begun > 0 and getattr(answer, "status", None) == 206 and _begins_at(answer, begun)
        held = begun if goes_on else 0
        length = answer.headers.get("Content-Length", "")
        whole = held + int(length) if length.isdigit() else None
        with open(part, "ab" if goes_on else "wb") as file:
            held = _copy(answer, file, held, whole, target.name, say)
            file.flush()
            os.fsync(file.fileno())
    return whole is None or held >= whole


def _copy(answer: Any, file: IO[bytes], held: int, whole: int | None, name: str, say: Progress) -> int:
    while chunk := answer.read1(_CHUNK) if hasattr(answer, "read1") else answer.read(_CHUNK):
        file.write(chunk)
        held += len(chunk)
        say(f"{name}: {_bar(held, whole)}")
    return held


def _bar(held: int, whole: int | None) -> str:
    if not whole:
        return f"{held / 1e6:,.1f} MB"
    return f"[{'#' * (20 * held // whole):<20}] {100 * held // whole} % of {whole / 1e6:,.1f} MB"


def _begins_at(answer: Any, begun: int) -> bool:
    return str(answer.headers.get("Content-Range", "")).startswith(f"bytes {begun}-")


def _opener() -> Any:
    import urllib.error
    import urllib.request

    class SameScheme(urllib.request.HTTPRedirectHandler):
        """Follows redirections, but not from https to something less."""

        def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
            if req.full_url.startswith("https:") and not newurl.startswith("https:"):
                raise urllib.error.HTTPError(newurl, 400, "a redirection to an address without https", headers, fp)
            return super().redirect_request(req, fp, code, msg, headers, newurl)

    return urllib.request.build_opener(SameScheme)


def _source(remote: Remote) -> str:
    """Return the address that is really asked: the file's own, or a mirror's."""
    mirror = os.environ.get("TERTIUM_MIRROR", "")
    if not mirror:
        if not remote.address.startswith("https://"):
            raise InputError(f"{remote.address} is no address that begins with https://.")
        return remote.address
    place = remote.address.partition("://")[2]
    if "://" in mirror:
        return f"{mirror.rstrip('/')}/{place}"
    return (Path(mirror).resolve() / place).as_uri()


def _size(part: Path) -> int:
    try:
        return part.stat().st_size
    except FileNotFoundError:
        return 0


def _unreachable(remote: Remote, part: Path, target: Path, reason: str) -> InputError:
    kept = _size(part)
    begun = f" {kept / 1e6:,.1f} MB have come and are kept: the next attempt goes on from there." if kept else ""
    kind = "SHA-256" if remote.checksum and len(remote.checksum) == 64 else "MD5"
    check = f" ({kind} {remote.checksum})" if remote.checksum else ""
    return InputError(
        f"{_source(remote)} cannot be fetched: {reason}.{begun} Without a connection, fetch it elsewhere{check} and "
        f"put it at {target}."
    )
