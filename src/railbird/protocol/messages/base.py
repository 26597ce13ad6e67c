"""Base classes of messages: strict for what the server reads, lenient for what a client reads."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from railbird.protocol.settings import LONGEST_NAME, LONGEST_TEXT, MOST_CHIPS


class ClientMessage(BaseModel):
    """A message of a client: unknown fields are refused, nothing is converted."""

    model_config = ConfigDict(
        extra="forbid", strict=True, frozen=True, use_attribute_docstrings=True
    )


class ServerMessage(BaseModel):
    """A message of the server: clients ignore fields that they do not know.

    Fields that are null are left out.
    """

    model_config = ConfigDict(extra="ignore", frozen=True, use_attribute_docstrings=True)

    seq: Annotated[int, Field(ge=1)] | None = None
    """Number of the message on its connection, counted from 1 without gaps."""


class Part(BaseModel):
    """A part of a server's message."""

    model_config = ConfigDict(extra="ignore", frozen=True, use_attribute_docstrings=True)


Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, pattern=r"^[!-~]+( [!-~]+)*$")]
"""Name: printable ASCII, single spaces inside it only."""

Reference = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[!-~]+$")]
"""Name that the server gave to a table, a turn or a tournament."""

Text = Annotated[str, Field(max_length=LONGEST_TEXT)]

Amount = Annotated[int, Field(ge=0, le=MOST_CHIPS)]
"""Chips."""

Number = Annotated[int, Field(ge=0, le=MOST_CHIPS)]

CardText = Annotated[str, Field(pattern="^[2-9TJQKA][cdhs]$")]
"""A card, such as ``Ts``."""

Milliseconds = Annotated[int, Field(ge=0)]
