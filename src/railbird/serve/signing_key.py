"""The key that signs cookies, in a file that only its owner can read."""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from pathlib import Path

from railbird.errors import BadInput, DamagedFile

_BYTES = 32


def signing_key(path: Path) -> str:
    """Read the key in a file, or create the file (mode 0600) with a new key.

    Servers that start at the same time end up with the same key. Raises
    `railbird.errors.BadInput` if others may read the file, and `railbird.errors.DamagedFile` if
    what is in it is no key.
    """
    if not path.exists():
        _create(path)
    if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise BadInput(f"{path}: others may read this key; allowed: mode 0600 (chmod 600)")
    key = path.read_text(encoding="ascii", errors="replace").strip()
    if len(key) < 2 * _BYTES:
        raise DamagedFile(f"{path}: shorter than a key; remove the file for a new one")
    return key


def _create(path: Path) -> None:
    """Write a temporary file and link it to the name, which fails if that exists by now."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(beside, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_hex(_BYTES) + "\n")
        with contextlib.suppress(FileExistsError):
            os.link(beside, path)
    finally:
        beside.unlink()
