"""Folders of a user: of files that can be rebuilt, and of those that cannot."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs


def cache_folder() -> Path:
    """The user's cache folder, or the one that the variable ``RAILBIRD_CACHE`` names."""
    return Path(os.environ.get("RAILBIRD_CACHE") or platformdirs.user_cache_dir("railbird"))


def data_folder() -> Path:
    """Return the platform's folder for user data, for what cannot be computed again."""
    return Path(platformdirs.user_data_dir("railbird"))
