"""Servers in the tests' own process hash passwords at the least cost, and are patient."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from helpers.hosted import PATIENCE_S
from railbird.storage.directory import Directory


@pytest.fixture(scope="module", autouse=True)
def cheap_passwords() -> Iterator[None]:
    """Nothing here asks what a hash costs, as `storage.test_accounts` does; most make many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("railbird.storage.passwords.ARGON2_PASSES", 1)
        patch.setattr("railbird.storage.passwords.ARGON2_KIB", 8)
        # Ten seconds without an answer of the database say that it is away, or that tests are many.
        defaults = Directory.__init__.__kwdefaults__ or {}
        patch.setitem(defaults, "patience_s", PATIENCE_S)
        yield
