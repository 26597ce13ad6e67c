"""Altair, loaded when the first chart is drawn: half a second, which a table need not wait."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import altair as alt
else:
    import lazy_loader

    alt = lazy_loader.load("altair")

__all__ = ["alt"]
