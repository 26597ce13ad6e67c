"""Random tokens and session keys.

They have 256 random bits, so one fast hash protects them: there is no list of likely ones to try,
which is what a slow hash is for.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

TOKEN_PREFIX: Final = "railbird_"
"""Beginning of every token, by which scanners find one that was published by mistake."""


def new_token() -> str:
    """Return a random token."""
    return TOKEN_PREFIX + secrets.token_urlsafe(32)


def fast_hash(secret: str) -> str:
    """Return the hash under which a random secret is stored, 64 hexadecimal digits."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()
