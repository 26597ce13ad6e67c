"""Hold'em hands: rules as data, events, the states they lead to, and views of those states."""

from railbird.game.actions import Action, Call, Fold, Raise
from railbird.game.deal import AcpcDealer, due, seeded_deals
from railbird.game.dealer import HandDealer, Step
from railbird.game.engine.legality import Legal, Reason, Refusal, legal, refusal
from railbird.game.engine.play import (
    act,
    is_settled,
    payoff_parts,
    payoffs,
    replay,
    showdown,
    start,
    step,
)
from railbird.game.engine.pots import Pot, pots
from railbird.game.engine.state import HandState, Phase, initial
from railbird.game.events import Act, DealBoard, DealHoles, Event, Muck, Show, seen_by
from railbird.game.presets import (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    LIMIT_RAISES,
    acpc_rules,
    limit_holdem,
    no_limit_holdem,
    pot_limit_holdem,
    spread_limit_holdem,
)
from railbird.game.rake import NoFlop, Rake, RakeTier, parse_rake
from railbird.game.rules import (
    BOARD_CARDS,
    Betting,
    OddChips,
    OpenFold,
    Rules,
    ShortAllIn,
    Street,
    UncallableRaise,
)
from railbird.game.view import Moment, View, public, view

__all__ = [
    "BOARD_CARDS",
    "HEADS_UP_LIMIT",
    "HEADS_UP_NO_LIMIT",
    "LIMIT_RAISES",
    "AcpcDealer",
    "Act",
    "Action",
    "Betting",
    "Call",
    "DealBoard",
    "DealHoles",
    "Event",
    "Fold",
    "HandDealer",
    "HandState",
    "Legal",
    "Moment",
    "Muck",
    "NoFlop",
    "OddChips",
    "OpenFold",
    "Phase",
    "Pot",
    "Raise",
    "Rake",
    "RakeTier",
    "Reason",
    "Refusal",
    "Rules",
    "ShortAllIn",
    "Show",
    "Step",
    "Street",
    "UncallableRaise",
    "View",
    "acpc_rules",
    "act",
    "due",
    "initial",
    "is_settled",
    "legal",
    "limit_holdem",
    "no_limit_holdem",
    "parse_rake",
    "payoff_parts",
    "payoffs",
    "pot_limit_holdem",
    "pots",
    "public",
    "refusal",
    "replay",
    "seeded_deals",
    "seen_by",
    "showdown",
    "spread_limit_holdem",
    "start",
    "step",
    "view",
]
