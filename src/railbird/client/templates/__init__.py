"""Example bots for users to start from, one in each language: no dependencies, at most 30 lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from string import Template
from types import MappingProxyType
from typing import Final


@dataclass(frozen=True, slots=True)
class BotTemplate:
    """A bot's source without its name."""

    language: str
    suffix: str
    interpreter: str
    """Program that runs it."""

    def file(self, name: str) -> str:
        """Return the file name of a bot.

        >>> TEMPLATES["python"].file("tom")
        'tom.py'
        """
        return f"{name}{self.suffix}"

    def text(self, name: str) -> str:
        """Return the source of a bot."""
        source = files(__name__).joinpath(f"{self.language}.txt").read_text(encoding="utf-8")
        return Template(source).safe_substitute(name=name, file=self.file(name))


TEMPLATES: Final[Mapping[str, BotTemplate]] = MappingProxyType(
    {
        "python": BotTemplate("python", ".py", "python3"),
        "javascript": BotTemplate("javascript", ".js", "node"),
    }
)
"""The bots to begin with, by language."""
