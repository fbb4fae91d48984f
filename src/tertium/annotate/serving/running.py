"""Serving: one process, one writer; links printed, then uvicorn until Ctrl-C."""

import errno
import os
import re
import socket
import time
from collections.abc import Callable
from pathlib import Path

from tertium.annotate.study import keys
from tertium.annotate.study.file import Study
from tertium.errors import Argument, InputError, MissingExtraError


def base_of(url: str) -> str:
    """Return what links begin with; refuse what no browser would open, or would run."""
    if not re.fullmatch(r"https?://[^\s/?#]+(/[^\s?#]*)?", url):
        raise InputError(
            f"Links begin with http:// or https:// and a host, as in https://eval.example.org, not '{url}'."
        )
    return url.rstrip("/")


def links(study: Study, base: str) -> list[tuple[str, str]]:
    """Return everybody's link: annotators, the public one, the organiser's."""
    key = keys.read_key(study.path)
    db = study.reader()
    try:
        if not keys.fits(db, key):
            raise InputError(
                f"{keys.key_path(study.path)} belongs to another study. Put the right one back, or make new links, "
                f"after which the old ones end: tertium annotate links {study.path} --renew"
            )
        people = db.execute("SELECT id, code, name, token, generation FROM annotator ORDER BY id").fetchall()
    finally:
        db.close()
    found = []
    for row in people:
        token = keys.annotator_token(key, row["id"], row["generation"])
        if row["token"] == keys.hashed(token):  # those of the public link have tokens of their own
            found.append((row["name"] or row["code"], f"{base}/a/{token}"))
    if study.meta["assignment"] != "lists":
        found.append(("anybody (public)", f"{base}/join/{keys.join_token(key)}"))
    return [*found, ("organiser", f"{base}/organiser/{keys.organiser_token(key)}")]


def listening(host: str, port: int) -> socket.socket:
    """Listen at the port, or at the next free one if nobody asked for this one (0): who comes from now on waits."""
    nowhere = f"{host or 'An empty host'} is no address of this machine. 127.0.0.1 is, and 0.0.0.0 is any."
    if not host:  # which would be any, with links that lead nowhere
        raise InputError(nowhere)
    if not 0 <= port <= 65535:
        raise InputError(f"{port} is no port: they go from 0, which takes the next free one, to 65535.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for candidate in [port] if port else range(8001, 8100):
        place = socket.socket(family, socket.SOCK_STREAM)
        if os.name == "posix":  # elsewhere it would let two programs listen at one port
            place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:  # :: is any address of IPv6, not of IPv4 too
            place.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        try:
            place.bind((host, candidate))
            place.listen(2048)  # as many as uvicorn lets wait
            return place
        except OSError as error:
            place.close()
            if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
                raise InputError(nowhere) from None
            if port:
                failed = f"Port {port} of {host} cannot be used: {error.strerror}. Take another "
                raise InputError(failed, Argument("port"), ".") from None
    raise InputError("No port from 8001 to 8099 is free. Name one: ", Argument("port"), ".")


def serve(
    path: str | Path, *, host: str = "127.0.0.1", port: int = 0, url: str | None = None, proxy: bool = False,
    say: Callable[[str], None] = print,
) -> None:  # fmt: skip
    """Serve a study until interrupted."""
    try:
        import uvicorn

        from tertium.annotate.serving.app import application
        from tertium.annotate.serving.desk import Desk
    except ImportError:
        raise MissingExtraError("Serving needs two packages: pip install 'tertium[annotate]'.") from None
    study = Study.opened(path)
    with listening(host, port) as place:
        port = place.getsockname()[1]
        shown = f"[{host}]" if ":" in host else "localhost" if host in ("127.0.0.1", "0.0.0.0") else host
        base = base_of(url) if url is not None else f"http://{shown}:{port}"
        found = links(study, base)
        width = max(len(name) for name, _ in found)
        say(f"Serving {path} at {base} (Ctrl-C stops; answers are saved as they come).\n")
        for name, link in found:
            say(f"  {name.ljust(width)}  {link}")
        if host not in ("127.0.0.1", "::1", "localhost") and not (url or "").startswith("https:"):
            say("\nThis address can be reached from outside without encryption. Put a proxy with TLS before it.")
        say("")
        desk = Desk(study, keys.read_key(study.path))
        started = time.time()
        config = uvicorn.Config(
            application(desk), log_level="warning", access_log=False,
            timeout_keep_alive=75, timeout_graceful_shutdown=5,
            proxy_headers=proxy, server_header=False, ws="none",
        )  # fmt: skip
        uvicorn.Server(config).run(sockets=[place])
    say(f"Stopped after {time.time() - started:,.0f} s; everything that was confirmed is in {path}.")
