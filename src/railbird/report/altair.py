"""Altair, loaded for charts of any game when the first is drawn: half a second that tables save."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import altair as alt
else:
    import lazy_loader

    alt = lazy_loader.load("altair")

__all__ = ["alt"]
