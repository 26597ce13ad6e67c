"""Accounts in the browser as a mount of the web application."""

from __future__ import annotations

from railbird.serve.account import routes
from railbird.serve.mounts import Mount


def mount() -> Mount:
    """Return the pages."""
    return Mount(name="account", title="Account", path=routes.HOME, rank=200, router=routes.router)
