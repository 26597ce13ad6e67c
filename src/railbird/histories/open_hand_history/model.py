"""Objects of Open Hand History, as far as a hand needs them; other fields are ignored."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Annotated, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from railbird.histories.sites.money import UNIT

_MOST: Final = Decimal(10**15)
_LONGEST: Final = 200
"""Maximum characters of a text: a name, an address, a kind of action."""
_MANY: Final = 1000
"""Maximum number of players, rounds, and actions of a round."""


def _in_units(amount: object) -> int:
    """Return an amount in units of `money.UNIT`; zero if it is missing."""
    if amount is None or amount == "":
        return 0
    try:
        exact = Decimal(str(amount))
        units = exact * UNIT if 0 <= exact < _MOST else None
    except InvalidOperation:  # no number
        units = None
    if units is None:
        raise ValueError(f"{str(amount)[:40]} is no amount")
    if units != int(units):
        raise ValueError(f"{str(amount)[:40]} has too many decimals")
    return int(units)


def _listed(cards: object) -> object:
    """Return cards as a list; sites also omit them or write null or a single text."""
    return cards.replace(",", " ").split() if isinstance(cards, str) else cards or ()


Text = Annotated[str, Field(max_length=_LONGEST)]
Amount = Annotated[int, BeforeValidator(_in_units)]
"""An amount in units of `money.UNIT`."""
Cards = Annotated[tuple[Text, ...], BeforeValidator(_listed), Field(max_length=10)]


class _Object(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True)


class Player(_Object):
    """A seat of the table."""

    id: int
    seat: int = Field(ge=0, le=999)
    name: Text
    starting_stack: Amount
    is_sitting_out: bool | None = None


class Action(_Object):
    """Something that happens; its amount is what the player puts in with it."""

    action: Text
    player_id: int | None = None
    amount: Amount = 0
    is_allin: bool | None = None
    cards: Cards = ()


class Round(_Object):
    """A street, with the cards that it adds to the board."""

    street: Text
    cards: Cards = ()
    actions: Annotated[tuple[Action, ...], Field(max_length=_MANY)] = ()


class PlayerWins(_Object):
    """A player's share of a pot."""

    player_id: int
    win_amount: Amount
    cashout_amount: Amount = 0
    bonus_amount: Amount = 0


class Pot(_Object):
    """A pot; its amount includes the rake."""

    amount: Amount
    rake: Amount | None = None
    jackpot: Amount = 0
    player_wins: Annotated[tuple[PlayerWins, ...], Field(max_length=_MANY)] = ()


class BetLimit(_Object):
    """Betting structure and cap."""

    bet_type: Text
    bet_cap: Amount = 0


class Hand(_Object):
    """One hand."""

    game_type: Text
    bet_limit: BetLimit
    players: Annotated[tuple[Player, ...], Field(max_length=_MANY)]
    rounds: Annotated[tuple[Round, ...], Field(max_length=_MANY)]
    pots: Annotated[tuple[Pot, ...], Field(max_length=_MANY)]
    dealer_seat: int
    game_number: Text = ""
    start_date_utc: Text | None = None
    local_date: Annotated[Text | None, Field(alias="_local_date")] = None
    """Extension: the time of a hand whose time zone is unknown."""
    table_name: Text | None = None
    currency: Text | None = None
    small_blind_amount: Amount = 0
    big_blind_amount: Amount = 0
    tournament: bool | None = None
    tournament_info: dict[str, object] | None = None
    flags: Annotated[tuple[Text, ...] | None, Field(max_length=_MANY)] = None
    decimals: Annotated[int | None, Field(alias="_decimals", ge=0, le=8)] = None
    """Extension: the decimals of a chip, where the amounts do not show them."""
