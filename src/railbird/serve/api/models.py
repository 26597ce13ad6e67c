"""What the HTTP interface takes, strictly, and what it answers."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from railbird.storage.settings import LONGEST_NAME, LONGEST_PASSWORD, SHORTEST_PASSWORD

Name = Annotated[
    str,
    Field(
        min_length=1,
        max_length=LONGEST_NAME,
        pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$",
        examples=["ann"],
    ),
]
NewPassword = Annotated[
    str,
    Field(
        min_length=SHORTEST_PASSWORD,
        max_length=LONGEST_PASSWORD,
        examples=["correct horse battery"],
    ),
]
Password = Annotated[str, Field(max_length=LONGEST_PASSWORD)]
Number = Annotated[int, Field(ge=1, le=2**31 - 1)]


class Taken(BaseModel):
    """A body that is taken, without unknown fields."""

    model_config = ConfigDict(extra="forbid")


class SignUpBody(Taken):
    """A new account of a person."""

    name: Name
    password: NewPassword


class LogInBody(Taken):
    """A name and a password."""

    name: Name
    password: Password


class PasswordBody(Taken):
    """A change of password."""

    old: Password
    new: NewPassword


class DeletionBody(Taken):
    """The password once more, since deletion cannot be undone."""

    password: Password


class BotBody(Taken):
    """A new bot."""

    name: Name


class TokenBody(Taken):
    """A new token."""

    label: Annotated[str, Field(max_length=LONGEST_NAME, pattern=r"^[ -~]*$")] = ""


class AccountAnswer(BaseModel):
    """An account as everybody may see it."""

    name: str
    kind: str
    owner: str | None
    created_at: datetime


class SessionAnswer(BaseModel):
    """The account of this browser, and the token that changes must bring as ``X-CSRF-Token``."""

    account: AccountAnswer | None
    csrf_token: str


class TokenAnswer(BaseModel):
    """A token without its text."""

    id: int
    label: str
    created_at: datetime


class NewTokenAnswer(TokenAnswer):
    """A new token with its text, which is never shown again."""

    token: str


class RatingAnswer(BaseModel):
    """A place in a ladder."""

    player: str
    kind: str
    mean: float
    deviation: float
    low: float
    high: float
    provisional: bool
    tournaments: int


class EntryAnswer(BaseModel):
    """A player's part in a tournament."""

    player: str
    kind: str
    place: int | None
    prize: float
    fee: float
    hands: int
    service: dict[str, Any]


class ResultAnswer(BaseModel):
    """How a tournament ended."""

    tournament: str
    ladder: str
    rated: bool
    void: str | None
    started_at: datetime
    finished_at: datetime
    entries: list[EntryAnswer]
    details: dict[str, Any]


class Problem(BaseModel):
    """Why a request was refused, in one sentence."""

    problem: str
