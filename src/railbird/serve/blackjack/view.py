"""The table as its template shows it."""

from __future__ import annotations

from dataclasses import dataclass

from railbird.blackjack import Rules, cards_text
from railbird.blackjack.exact._tables_hands import SOFT, TOTAL
from railbird.blackjack.play.round import PlayedHand
from railbird.blackjack.play.training import TrainingRound, Verdict
from railbird.serve.blackjack.people import Person

KEYS = {
    "stand": "s",
    "hit": "h",
    "double": "d",
    "split": "p",
    "surrender": "r",
    "insurance": "i",
    "no insurance": "n",
    "play on": "o",
}
"""Keys of the choices."""

_SUITS = "cdhs"


@dataclass(frozen=True, slots=True)
class ShownHand:
    """A hand of the player."""

    cards: str
    """Cards with suits, which mean nothing in blackjack and make them look like cards."""
    total: str
    stake: float
    current: bool
    lost: bool


@dataclass(frozen=True, slots=True)
class ShownVerdict:
    """A decision and its cost."""

    hand: str
    chosen: str
    best: str
    cost: float
    values: tuple[tuple[str, float], ...]


def faces(cards: list[int], start: int = 0) -> str:
    """Give cards suits, the same ones each time."""
    return "".join(
        cards_text([card]) + _SUITS[(3 * place + card + start) % 4]
        for place, card in enumerate(cards)
    )


def hands_of(played: TrainingRound) -> list[ShownHand]:
    """Return the player's hands."""
    state = played.round
    return [
        ShownHand(
            cards=faces(hand.cards, place),
            total=_total(hand),
            stake=hand.stake,
            current=place == state.current and len(state.hands) > 1 and bool(played.choices),
            lost=hand.settled is not None and hand.settled < 0,
        )
        for place, hand in enumerate(state.hands)
    ]


def _total(hand: PlayedHand) -> str:
    if hand.number < 0:
        return "bust"
    soft = "soft " if SOFT[hand.number] and TOTAL[hand.number] < 21 else ""
    return f"{soft}{TOTAL[hand.number]}"


def dealer_total(played: TrainingRound) -> str:
    """Say what the dealer has."""
    cards = played.round.dealer
    if len(cards) == 2 and sorted(cards) == [0, 9]:
        return "blackjack"
    hard = sum(card + 1 for card in cards)
    total = hard + 10 if 0 in cards and hard <= 11 else hard
    return "bust" if total > 21 else str(total)


def headline(person: Person) -> str:
    """Say how the round stands."""
    if person.round is None:
        return "Blackjack, every decision scored"
    if not person.round.over:
        if "insurance" in person.round.choices:
            return "Insurance?"
        hands = person.round.round.hands
        which = f", hand {person.round.round.current + 1}" if len(hands) > 1 else ""
        return f"Your move{which}"
    won = person.round.round.won()
    if won == 0:
        return "A push"
    return "You win" if won > 0 else "You lose"


def verdict_of(verdict: Verdict) -> ShownVerdict:
    """Return a decision for the list."""
    hand = f"{cards_text(verdict.hand, ',')} v {cards_text([verdict.upcard])}"
    values = tuple(sorted(verdict.values.items(), key=lambda each: -each[1]))
    return ShownVerdict(hand, verdict.chosen, verdict.best, verdict.cost, values)


def rules_in_words(rules: Rules) -> str:
    """Say the rules in one sentence."""
    decks = "an endless shoe" if not rules.decks else f"{rules.decks} decks"
    dealer = "hits" if rules.soft_17.value == "H17" else "stands on"
    words = [
        decks,
        f"the dealer {dealer} soft 17",
        f"blackjack pays {rules.payout.numerator} to {rules.payout.denominator}",
        "double after a split" if rules.double_after_split else "no double after a split",
        f"up to {rules.most_hands} hands",
        {"ls": "late surrender", "es": "early surrender", "nosur": "no surrender"}[
            rules.surrender.value
        ],
    ]
    return ", ".join(words) + "; a fresh shoe each round"
