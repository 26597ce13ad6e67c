"""Limits on the size, rate and origin of requests, and the headers of every response."""

from __future__ import annotations

import ipaddress
import time
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from types import MappingProxyType
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from railbird._token_buckets import TokenBuckets

# Whose an address is, for limits.


def network_of(address: str) -> str:
    """Return what one subscriber has: an IPv4 address, or the /64 of an IPv6 one.

    >>> network_of("192.0.2.7"), network_of("::ffff:192.0.2.7"), network_of("2001:db8::1:2")
    ('192.0.2.7', '192.0.2.7', '2001:db8::/64')
    >>> network_of("fe80::1%eth0"), network_of("")
    ('fe80::/64', '')
    """
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    return str(ipaddress.ip_network((ip, 64), strict=False))


class Crowd:
    """Open things by key, such as connections by address, with a limit for each key."""

    def __init__(self, most: float) -> None:
        self.most = most
        self._counts: Counter[str] = Counter()
        self._keys: dict[object, str] = {}

    def __len__(self) -> int:
        """Return the number of all."""
        return len(self._keys)

    def enter(self, member: object, key: str) -> bool:
        """Count one; return False, and do not, if its key has too many."""
        if self._counts[key] >= self.most:
            return False
        self._counts[key] += 1
        self._keys[member] = key
        return True

    def leave(self, member: object) -> None:
        """Count one no longer, if it was counted."""
        key = self._keys.pop(member, None)
        if key is not None:
            self._counts[key] -= 1
            if not self._counts[key]:
                del self._counts[key]


HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    # With "no-referrer" browsers would send "Origin: null" with our own forms.
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}

FOR_PROGRAMS = ("/api/", "/admin/", "/hands", "/winnings")
"""Beginnings of paths whose problems are reported as JSON."""

SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}


def line_response(text: str, status: int) -> PlainTextResponse:
    """Respond with a line of text, which htmx shows in the page's notice area."""
    return PlainTextResponse(
        text, status, {"HX-Retarget": "#notice", "HX-Reswap": "textContent", **HEADERS}
    )


def problem_response(path: str, text: str, status: int) -> Response:
    """Respond with a problem: as JSON to programs, else in a line."""
    if path.startswith(FOR_PROGRAMS):
        return JSONResponse({"problem": text}, status, HEADERS)
    return line_response(text, status)


class AnswerHeaders:
    """Adds `HEADERS` to every response, and forbids caching unless the response allows it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self.app(scope, receive, with_headers)


class RateLimit:
    """Token bucket of requests for each client address, refilled at a steady rate.

    A request that reads the whole database counts as many; paths that are ``paced`` hold theirs
    back by themselves.
    """

    MOST_ADDRESSES = 10_000
    HEAVY = 20

    def __init__(
        self,
        app: ASGIApp,
        *,
        per_second: float,
        burst: int,
        heavy: tuple[str, ...] = (),
        paced: tuple[str, ...] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.app = app
        self.heavy = heavy
        self.paced = paced
        self._buckets = TokenBuckets(
            per_second=per_second, burst=burst, most=self.MOST_ADDRESSES, clock=clock
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or respond with 429."""
        if scope["type"] != "http" or self._admits(scope):
            await self.app(scope, receive, send)
            return
        answer = problem_response(scope["path"], "Too many requests. Please wait a moment.", 429)
        answer.headers["Retry-After"] = "2"
        await answer(scope, receive, send)

    def _admits(self, scope: Scope) -> bool:
        if scope["path"].startswith(self.paced):
            return True
        address = network_of(scope["client"][0]) if scope["client"] else ""
        price = self.HEAVY if scope["path"].startswith(self.heavy) else 1
        return self._buckets.take(address, price)


def is_same_origin(scope: Scope) -> bool:
    """Return whether a request, or a WebSocket's handshake, comes from our own page or a program.

    A browser says where it comes from; a program that says nothing holds nobody else's cookies.
    """
    headers = Headers(scope=scope)
    origin = headers.get("origin")
    if origin is not None:
        with suppress(ValueError):  # not a URL, such as http://[::1
            return urlsplit(origin).netloc.lower() == headers.get("host", "").lower() != ""
        return False
    return headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")


def too_long(limit: int) -> str:
    """Say how long a body may be.

    >>> too_long(8192), too_long((4 << 20) + 16384)
    ('Too long: at most 8192 bytes.', 'Too long: at most 4 MB.')
    """
    most = f"{limit} bytes" if limit < 1 << 20 else f"{limit >> 20} MB"
    return f"Too long: at most {most}."


class BodyLimit:
    """Refuses a body that is too long, whatever length its header declares.

    Paths in ``larger`` have other limits. ``answer`` tells the sender, as for any other problem.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        limit: int,
        answer: Callable[[Request, int, str], Response],
        larger: Mapping[str, int] = MappingProxyType({}),
    ) -> None:
        self.app = app
        self.limit = limit
        self.answer = answer
        self.larger = larger

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or respond with 413."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        limit = self.larger.get(scope["path"], self.limit)
        said = Headers(scope=scope).get("content-length", "0")
        if not said.isdigit() or int(said) > limit:
            answer = self.answer(Request(scope), 413, too_long(limit))
            await answer(scope, receive, send)
            return
        length = 0

        async def counted() -> Message:
            nonlocal length
            message = await receive()
            length += len(message.get("body", b""))
            if length > limit:
                raise HTTPException(413, too_long(limit))
            return message

        await self.app(scope, counted, send)


class SameOrigin:
    """Refuses forms that another site's page makes a browser send.

    This adds to the token in every form and the cookie's SameSite=Lax. It refuses the handshakes of
    WebSockets, too, which browsers let any page begin, and send cookies along.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or respond with 403."""
        if scope["type"] == "websocket":
            if is_same_origin(scope):
                await self.app(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": 1008})  # before accepting: 403
            return
        if scope["type"] != "http" or scope["method"] in SAFE_METHODS or is_same_origin(scope):
            await self.app(scope, receive, send)
            return
        answer = problem_response(scope["path"], "This form was sent from another site.", 403)
        await answer(scope, receive, send)
