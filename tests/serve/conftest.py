"""Servers in the tests' own process hash passwords at the least cost."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module", autouse=True)
def cheap_passwords() -> Iterator[None]:
    """Nothing here asks what a hash costs, as `storage.test_accounts` does; most make many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("railbird.storage.passwords.ARGON2_PASSES", 1)
        patch.setattr("railbird.storage.passwords.ARGON2_KIB", 8)
        yield
