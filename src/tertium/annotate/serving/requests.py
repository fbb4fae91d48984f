"""What comes in, checked before anything looks at it; and what goes out, with the headers that every answer has."""

import json
from collections.abc import Callable, MutableMapping
from typing import Any
from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

LARGEST_BODY = 256 * 1024
HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
    "cache-control": "no-store",
}


class Turned(Exception):
    """A request that is turned away, with a status and a sentence."""

    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status, self.why = status, why


def not_found() -> Response:
    """Return the one answer to everything that does not exist or is nobody's business."""
    return PlainTextResponse("Not found.\n", 404)


async def json_body(request: Request) -> Any:
    """Return the body of a POST from our own page, or turn it away."""
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Turned(415, "Send application/json.")
    origin = request.headers.get("origin")
    if origin is not None and urlsplit(origin).netloc != request.headers.get("host", ""):
        raise Turned(403, "This page belongs to another address.")
    pieces, size = [], 0
    async for piece in request.stream():
        size += len(piece)
        if size > LARGEST_BODY:
            raise Turned(413, f"A request holds at most {LARGEST_BODY // 1024} kB.")
        pieces.append(piece)
    try:
        return json.loads(b"".join(pieces), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise Turned(400, "The body is not JSON.") from None


def _no_constant(name: str) -> Any:
    raise ValueError(name)


class Headers:
    """Adds the headers to every response; nothing is ever cached, framed, or sent on."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(
        self, scope: MutableMapping[str, Any], receive: Callable[..., Any], send: Callable[..., Any]
    ) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [
                    *message.get("headers", []),
                    *((name.encode(), value.encode()) for name, value in HEADERS.items()),
                ]
            await send(message)

        await self.app(scope, receive, send_with_headers)
