"""The running host, and who may operate it."""

from __future__ import annotations

import hmac
import ipaddress

from starlette.requests import HTTPConnection

from railbird.serve.host.host import Host


def host_of(connection: HTTPConnection) -> Host | None:
    """Return the tournament server, if one runs here."""
    host = connection.app.state.host
    return host if isinstance(host, Host) else None


def from_operator(
    connection: HTTPConnection, host: Host, *, loopback_suffices: bool = False
) -> bool:
    """Return whether a request comes from this machine and brings the operator's token.

    Where this machine suffices, the token does as well.
    """
    here = is_loopback(connection)
    known = host.settings.admin_token
    sent = connection.headers.get("authorization", "").removeprefix("Bearer ")
    fits = bool(known) and hmac.compare_digest(sent.encode(), known.encode())
    return (here or fits) if loopback_suffices else (here and fits)


def is_loopback(connection: HTTPConnection) -> bool:
    """Return whether the other end, or what a proxy says of it, is this machine."""
    client = connection.client
    if client is None or connection.headers.get("x-forwarded-for"):
        return False
    try:
        return ipaddress.ip_address(client.host).is_loopback
    except ValueError:
        return False
