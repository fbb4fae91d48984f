"""The routes. A token in the path is all there is of a login; without one, nothing can be read."""

import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from tertium.annotate.protocols import Refused
from tertium.annotate.serving.desk import Desk
from tertium.annotate.serving.limits import PER_MINUTE, WRONG_PER_MINUTE, Buckets
from tertium.annotate.serving.requests import Headers, Turned, json_body, not_found
from tertium.annotate.study.saving import Person

_ASSETS = {
    "annotate.css": "text/css", "text.js": "text/javascript", "spans.js": "text/javascript",
    "controls.js": "text/javascript", "edit.js": "text/javascript", "queue.js": "text/javascript",
    "annotate.js": "text/javascript", "organiser.js": "text/javascript", "icon.svg": "image/svg+xml",
}  # fmt: skip
Handler = Callable[[Request, Person], Awaitable[Response]]


def asset(name: str) -> str:
    """Return one of the page's own files."""
    return (files("tertium.annotate.page") / name).read_text(encoding="utf-8")


def application(desk: Desk) -> Starlette:
    """Return the application that serves a study."""
    requests, wrong = Buckets(PER_MINUTE), Buckets(WRONG_PER_MINUTE)
    assets = {name: asset(name) for name in _ASSETS}
    pages = {name: asset(name) for name in ("annotate.html", "organiser.html")}

    def unknown(request: Request) -> Response:
        address = request.client.host if request.client is not None else ""
        return not_found() if wrong.take(address) else Response("Too many wrong links.\n", 429)

    def with_person(handler: Handler) -> Callable[[Request], Awaitable[Response]]:
        async def handle(request: Request) -> Response:
            who = desk.person(request.path_params["token"])
            if who is None:
                return unknown(request)
            if not requests.take(who.id):
                return JSONResponse({"error": "Too many requests. Wait a little."}, 429, {"retry-after": "5"})
            return await _guarded(handler(request, who))

        return handle

    async def page(request: Request, who: Person) -> Response:
        if request.query_params:
            await desk.keep_parameters(who, request.query_params)
        if not request.url.path.endswith("/"):
            return RedirectResponse(request.path_params["token"] + "/", 303)
        return Response(pages["annotate.html"], media_type="text/html")

    async def about(request: Request, who: Person) -> Response:
        return JSONResponse(desk.about(who))

    async def screen(request: Request, who: Person) -> Response:
        number = request.query_params.get("n")
        if number is not None and (not number.isascii() or not number.isdecimal() or len(number) > 9):
            return not_found()
        shown = await desk.screen(who, int(number) if number is not None else None)
        return not_found() if shown is None else JSONResponse(shown)

    async def save(request: Request, who: Person) -> Response:
        return JSONResponse({"saves": await desk.save(who, await json_body(request))})

    async def done(request: Request, who: Person) -> Response:
        return JSONResponse(await desk.done(who, await json_body(request)))

    async def file(request: Request) -> Response:
        name, token = request.path_params["name"], request.path_params["token"]
        if desk.person(token) is None and not desk.is_organiser(token):
            return unknown(request)
        return Response(assets[name], media_type=_ASSETS[name]) if name in assets else not_found()

    async def join(request: Request) -> Response:
        if not desk.is_join(request.path_params["token"]):
            return unknown(request)
        if not requests.take(("join", request.client.host if request.client is not None else "")):
            return Response("Too many people at once. Try again in a minute.\n", 429)
        token = await desk.join(dict(request.query_params))
        return RedirectResponse(f"../a/{token}/", 303)

    async def organiser(request: Request) -> Response:
        if not desk.is_organiser(request.path_params["token"]):
            return unknown(request)
        if not request.url.path.endswith("/"):
            return RedirectResponse(request.path_params["token"] + "/", 303)
        return Response(pages["organiser.html"], media_type="text/html")

    async def status(request: Request) -> Response:
        if not desk.is_organiser(request.path_params["token"]):
            return unknown(request)
        return JSONResponse(await desk.status())

    async def export(request: Request) -> Response:
        if not desk.is_organiser(request.path_params["token"]):
            return unknown(request)
        name = {"content-disposition": "attachment; filename=export.zip"}
        return Response(await desk.export(), media_type="application/zip", headers=name)

    async def nothing(request: Request, error: Exception) -> Response:
        return not_found()

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        desk.close()

    handlers: dict[Any, Any] = {404: nothing, 405: nothing}
    return Starlette(
        routes=[
            Route("/a/{token}", with_person(page)),
            Route("/a/{token}/", with_person(page)),
            Route("/a/{token}/about", with_person(about)),
            Route("/a/{token}/screen", with_person(screen)),
            Route("/a/{token}/save", with_person(save), methods=["POST"]),
            Route("/a/{token}/done", with_person(done), methods=["POST"]),
            Route("/join/{token}", join),
            Route("/organiser/{token}", organiser),
            Route("/organiser/{token}/", organiser),
            Route("/organiser/{token}/status", status),
            Route("/organiser/{token}/export.zip", export),
            Route("/a/{token}/{name}", file),
            Route("/organiser/{token}/{name}", file),
        ],
        middleware=[Middleware(Headers)],
        exception_handlers=handlers,
        lifespan=lifespan,
    )


async def _guarded(answer: Awaitable[Response]) -> Response:
    """Turn refusals into answers; what the disk refuses is said too, and the page keeps its queue."""
    try:
        return await answer
    except Turned as turned:
        return JSONResponse({"error": turned.why}, turned.status)
    except Refused as refusal:
        return JSONResponse({"error": str(refusal)}, 400)
    except sqlite3.Error as error:
        return JSONResponse({"error": f"Not saved: {error}."}, 503, {"retry-after": "5"})
