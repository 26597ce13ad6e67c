"""What models that played took, beside the verdict on their play."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from railbird.cli._console import print_table
from railbird.players.llm import Usage, recorded_usage
from railbird.report.document import Table
from railbird.report.number_format import display_name, number


def usage_of(record: Path | None) -> list[Usage]:
    """Read the record of models' questions, if there is one."""
    return [] if record is None else recorded_usage(record)


def usage_json(usage: list[Usage]) -> dict[str, Any]:
    """Return what joins an answer in JSON: nothing without a record."""
    return {"usage": [one._asdict() for one in usage]} if usage else {}


def tell_usage(usage: list[Usage]) -> None:
    """Show tokens, seconds and price by model."""
    if not usage:
        return
    rows = [
        (
            display_name(one.model),
            f"{one.questions:,}",
            f"{one.prompt_tokens:,}",
            f"{one.completion_tokens:,}",
            number(one.seconds, 1),
            number(one.seconds / one.questions, 2),
            number(one.price or None, 4),
        )
        for one in usage
    ]
    heads = ("model", "questions", "prompt", "answers", "seconds", "each", "price")
    print_table(Table(heads, rows, title="Tokens of prompts and answers, seconds and price"))
