"""Palette, chart marks, number formats, templates: what all reports share."""
