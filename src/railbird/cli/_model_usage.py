"""What models that played took, beside the verdict on their play."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from railbird import players
from railbird.cli._completion import INPUT_FILE
from railbird.cli._console import print_table
from railbird.report.document import Table
from railbird.report.number_format import display_name, number

if TYPE_CHECKING:
    from railbird.players.llm import Usage


record_option = click.option(
    "--record",
    type=INPUT_FILE,
    metavar="FILE",
    help="Record of the questions to language models that played: their tokens, seconds and price.",
)


def usage_of(record: Path | None) -> list[Usage]:
    """Read the record of models' questions, if there is one."""
    return [] if record is None else players.llm.recorded_usage(record)


def usage_json(usage: list[Usage]) -> dict[str, Any]:
    """Return what joins an answer in JSON: nothing without a record."""
    return {"usage": [model_usage._asdict() for model_usage in usage]} if usage else {}


def tell_usage(usage: list[Usage]) -> None:
    """Show tokens, seconds and price by model."""
    if not usage:
        return
    rows = [
        (
            display_name(model_usage.model),
            f"{model_usage.questions:,}",
            f"{model_usage.requests:,}",
            f"{model_usage.prompt_tokens:,}",
            f"{model_usage.completion_tokens:,}",
            number(model_usage.seconds, 1),
            number(model_usage.seconds / model_usage.questions, 2),
            number(model_usage.price, 4),
        )
        for model_usage in usage
    ]
    heads = ("model", "questions", "requests", "prompt", "answers", "seconds", "each", "price")
    print_table(Table(heads, rows, title="Tokens of prompts and answers, seconds and price"))
