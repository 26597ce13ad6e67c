"""Odds of a hand, and a house player's action in the viewer's place with its reasons."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from railbird.cards import (
    HOLDEM,
    Card,
    Holding,
    Variant,
    parse_cards,
    parse_holding,
)
from railbird.errors import BadInput, RailbirdError
from railbird.game import (
    Act,
    Betting,
    DealHoles,
    DealStreet,
    Discard,
    Event,
    Rules,
    View,
    initial,
    step,
    view,
)
from railbird.modelling.betting_ranges import range_left, retold
from railbird.modelling.tracker import ObservedAction
from railbird.odds import Mode, pot_odds, variant_equity
from railbird.odds.draw import share_after_draws
from railbird.odds.spectra import showdown_odds
from railbird.odds.win_probability import win_probability
from railbird.players.advice import advise, adviser_for
from railbird.players.explanation import action_words
from railbird.players.policy import Distribution
from railbird.protocol import event_of
from railbird.protocol.messages import DiscardEntry, GameFormat, HandView, Turn
from railbird.protocol.redaction import first_cards
from railbird.table.pot_shares import hand_boards, variant_of
from railbird.table.words import amount
from railbird.tournament.schedule import posted_rules
from railbird.units import Seat

# A hand that somebody was told of, as the view that our players know.


class FollowedHand:
    """A hand, from the deal on, kept up with the newest view of it.

    Raises `BadInput` for a hand that our rules cannot have.
    """

    def __init__(self, betting: Betting, seen: HandView) -> None:
        if seen.you is None:
            raise BadInput(f"hand {seen.hand} is another player's")
        self.number = seen.hand
        self.names = tuple(seat.name for seat in seen.seats)
        self._seat = Seat(seen.you)
        self._known = 0
        mine = first_cards(seen.seats[seen.you])
        if not mine:
            raise BadInput(f"hand {seen.hand}: the player's own cards are missing")
        self._variant = variant_of(seen)
        self._draws = 0
        """Draws of its own so far."""
        dealt = _dealt(self._variant, seen, seen.you, mine)
        self._state = step(initial(rules_of(betting, seen)), dealt)

    @property
    def view(self) -> View:
        """The hand now, from one's own seat."""
        return view(self._state, self._seat)

    def news(self, seen: HandView) -> Iterator[tuple[View, Event]]:
        """Yield what has happened since the last call, each with the view that it led to."""
        for entry in seen.history[self._known :]:
            event = event_of(entry, self._variant)
            if isinstance(event, DealStreet):
                event = self._with_own(event, seen)
            elif isinstance(entry, DiscardEntry) and entry.seat == self._seat:
                draw = (seen.seats[self._seat].draws or [])[self._draws]
                event = Act(self._seat, Discard(_cards(draw.thrown)))
                self._draws += 1
            self._state = step(self._state, event)
            self._known += 1
            yield self.view, event

    def _with_own(self, event: DealStreet, seen: HandView) -> DealStreet:
        """Return a deal with what the seat itself was dealt unseen by others."""
        if not event.down or self._seat not in self._state.in_hand:
            return event
        if seen.seats[self._seat].draws is not None:
            new_cards = _cards((seen.seats[self._seat].draws or [])[self._draws - 1].cards)
            down = list(event.down)
            down[self._seat] = new_cards
            return replace(event, down=tuple(down))
        known = {*self._state.cards[self._seat], *_cards(seen.seats[self._seat].up)}
        new = [card for card in _cards(seen.seats[self._seat].cards) if card not in known]
        down = list(event.down)
        down[self._seat] = tuple(new[: self._variant.streets[self._state.street + 1].down])
        return replace(event, down=tuple(down))


def _cards(texts: Sequence[str] | None) -> tuple[Card, ...]:
    return parse_cards(" ".join(texts or ()))


def rules_of(betting: Betting, seen: HandView) -> Rules:
    """Return the rules of a hand: those of tournaments and ring games, with its stacks.

    Raises `BadInput` if its blinds are posted otherwise.
    """
    stacks = [seat.stack + seat.spent for seat in seen.seats]
    return posted_rules(
        betting,
        posts=seen.blinds,
        antes=seen.antes,
        stacks=stacks,
        variant=variant_of(seen),
        opening=(seen.bring_in or 0, seen.small_bet or 0),
    )


def _dealt(
    variant: Variant, seen: HandView, own_seat: int, own: Sequence[str]
) -> DealHoles | DealStreet:
    """Return the first deal of a hand as the owner of some cards saw it."""
    if variant is HOLDEM:
        holdings: list[Holding | None] = [None] * len(seen.seats)
        holdings[own_seat] = parse_holding(" ".join(own))
        return DealHoles(tuple(holdings))
    first = variant.streets[0]
    up = tuple(_cards(seat.up)[: first.up] for seat in seen.seats)
    open_cards = seen.seats[own_seat].up or ()
    down: list[tuple[Card, ...] | None] = [None] * len(seen.seats)
    down[own_seat] = _cards([card for card in own if card not in open_cards])[: first.down]
    on_board = first.board
    boards = (seen.board, *([] if seen.second_board is None else [seen.second_board]))
    dealt = tuple(parse_cards(" ".join(board[:on_board])) for board in boards)
    return DealStreet(down=tuple(down), up=up if first.up else (), boards=dealt if on_board else ())


_LOG = logging.getLogger(__name__)
ADVISERS: Final = (
    *("booker:4", "tight:nolimit", "loki", "tight", "baseline", "rollout"),
    "sensible",
)
"""House players that are asked where none at the table can say why it acts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Odds:
    """The chances of a hand against opponents who may hold any two cards."""

    opponents: int
    win: float | None
    """Probability of winning or tying; in other games than hold'em, of a part of the pot. None
    where only the share is known."""
    equity: float
    """Expected share of the pot, if nobody folds."""
    stderr: float
    """Standard error of the equity; 0 where everything was enumerated."""
    to_call: int
    pot: int
    needed: float | None
    """Equity at which a call breaks even without more betting; None where there is no call."""
    wins: str = "win or tie"
    """What ``win`` counts, in words."""
    hands: str = "any two cards"
    """What the opponents hold, in words."""


def odds_of(hand: HandView, price: int) -> Odds | None:
    """Compute the odds of a viewer's hand at the price of a call; None without cards or opponents.

    Raises `BadInput`.
    """
    cards = None if hand.you is None else hand.seats[hand.you].cards
    others = sum(not seat.folded and n != hand.you for n, seat in enumerate(hand.seats))
    if cards is None or not others:
        return None
    if variant_of(hand).draws:
        return _odds_of_draw(hand, cards, price)
    if hand.variant is not None:
        return _odds_of_variant(hand, cards, others, price)
    chances = win_probability(" ".join(cards), " ".join(hand.board), opponents=others)
    return Odds(
        opponents=others,
        win=chances.unbeaten,
        equity=chances.share,
        stderr=chances.share_stderr if chances.deals else 0.0,
        to_call=price,
        pot=hand.pot,
        needed=pot_odds(price, hand.pot) if price else None,
    )


def _odds_of_variant(hand: HandView, cards: Sequence[str], others: int, price: int) -> Odds:
    variant, boards = variant_of(hand), hand_boards(hand)
    folded = [card for seat in hand.seats if seat.folded for card in seat.up or ()]
    folded += [card for draw in hand.seats[hand.you or 0].draws or () for card in draw.thrown or ()]
    if len(cards) > variant.hand_size:
        variant = variant.undiscarded
    against = [
        " ".join(seat.up or ()) or "random"
        for number, seat in enumerate(hand.seats)
        if not seat.folded and number != hand.you
    ]
    result = variant_equity(
        variant,
        [" ".join(cards), *against],
        [" ".join(board) for board in boards],
        dead=" ".join(folded),
        mode=Mode.SAMPLED,
        samples=_VARIANT_SAMPLES,
    )
    own = result.players[0]
    return Odds(
        opponents=others,
        win=1 - own.nothing / result.trials,
        equity=own.equity,
        stderr=own.stderr,
        to_call=price,
        pot=hand.pot,
        needed=pot_odds(price, hand.pot) if price else None,
        wins="win or tie" if len(variant.shares) == len(boards) == 1 else "win some of the pot",
        hands="any other cards" if variant.has_bring_in else f"any {variant.hand_size} cards",
    )


def _odds_of_draw(hand: HandView, cards: Sequence[str], price: int) -> Odds | None:
    """Compute the odds in a draw game; None while cards are missing that are still to be dealt."""
    variant, own = variant_of(hand), hand.seats[hand.you or 0]
    if len(cards) < variant.hand_size:
        return None
    done = sum(entry.did == "street" for entry in hand.history)
    drawn = [
        [draw.count for draw in (seat.draws or [])[:done]]
        for number, seat in enumerate(hand.seats)
        if not seat.folded and number != hand.you
    ]
    held = {*cards}
    dead = {card for draw in own.draws or () for card in draw.thrown or ()} - held
    share = share_after_draws(
        variant, " ".join(cards), drawn, dead=" ".join(sorted(dead)), samples=_VARIANT_SAMPLES
    )
    return Odds(
        opponents=len(drawn),
        win=None,
        equity=share,
        stderr=(share * (1 - share) / _VARIANT_SAMPLES) ** 0.5,
        to_call=price,
        pot=hand.pot,
        needed=pot_odds(price, hand.pot) if price else None,
        hands="any cards that are drawn to like theirs",
    )


_VARIANT_SAMPLES: Final = 20_000
"""Deals behind the odds of another game than hold'em: a standard error of at most .004."""


def odds_words(odds: Odds) -> Iterator[str]:
    """Yield odds in sentences."""
    against = "one opponent" if odds.opponents == 1 else f"{odds.opponents} opponents"
    plus = f" ± {196 * odds.stderr:.1f}" if odds.stderr else ""
    if odds.win is None:
        yield f"This is against {against} with {odds.hands}."
    else:
        yield f"You {odds.wins} {100 * odds.win:.1f} % against {against} with {odds.hands}."
    yield f"Your share of the pot is {100 * odds.equity:.1f}{plus} %."
    if odds.needed is not None:
        price, pot = amount(odds.to_call), amount(odds.pot)
        yield f"Calling {price} for a pot of {pot} needs {100 * odds.needed:.1f} %."


@dataclass(frozen=True, slots=True, kw_only=True)
class BettorOdds:
    """The chances of a hand against what the betting of the others leaves of their hands."""

    bettors: int
    equity: float
    """Expected share of the pot if nobody bets or folds any more."""
    least: float
    """The same by the reading of the betting in which it is least."""
    most: float


_READINGS: Final = ("half", "best")
"""Besides the frequencies as they stand: of those who bluff more, and of those who bluff less."""


def bettor_odds_of(hand: HandView, betting: Betting) -> BettorOdds | None:
    """Compute a hand's odds against the ranges that the betting leaves.

    None without cards or opponents, where nobody has bet or called yet, and in games by fixed
    limits, for which no frequencies are there. Raises `BadInput`.
    """
    others = [n for n, seat in enumerate(hand.seats) if not seat.folded and n != hand.you]
    cards = None if hand.you is None else hand.seats[hand.you].cards
    is_counted = hand.variant is None and betting in (Betting.NO_LIMIT, Betting.POT_LIMIT)
    if cards is None or not others or not is_counted:
        return None
    followed = FollowedHand(betting, hand)
    previous_view, seen = followed.view, list[ObservedAction]()
    for after, event in followed.news(hand):
        if isinstance(event, Act):
            seen.append(ObservedAction(previous_view.state, event))
        previous_view = after
    if not {observed.act.seat for observed in seen} & {*others}:
        return None
    board = previous_view.state.board
    ranges = [range_left(seen, Seat(seat)) for seat in others]
    readings = [ranges, *([retold(w, name, board) for w in ranges] for name in _READINGS)]
    holding = parse_holding("".join(cards))
    equity, *else_read = (showdown_odds(holding, board, read).joint for read in readings)
    shares = (equity, *else_read)
    return BettorOdds(bettors=len(others), equity=equity, least=min(shares), most=max(shares))


def bettor_words(odds: BettorOdds) -> Iterator[str]:
    """Yield odds against the others' ranges in sentences."""
    whose = "the other's" if odds.bettors == 1 else "the others'"
    yield (
        f"Against the hands that {whose} betting leaves, your share is {100 * odds.equity:.0f} %;"
        f" {100 * odds.least:.0f} to {100 * odds.most:.0f} % if they bluff less or more than most."
    )
    yield (
        "Which hands people bet is counted in 10,000 hands of six whose cards are all known; these"
        " opponents may play otherwise."
    )


CLEAR: Final = 0.15
"""Distance of an equity from what a call needs from which on the cards alone decide."""


def hint(
    turn: Turn, form: GameFormat, specs: Sequence[str] = (), *, named: Callable[[str], str] = str
) -> tuple[str, ...]:
    """Return what to do, why and how sure in a line, and then how that came about.

    The first that can say why is asked, of those with these ``specs`` and then of `ADVISERS`; the
    other lines have the odds, and what that player says.
    """
    odds = odds_of(turn.hand, turn.legal.to_call)
    lines = () if odds is None else tuple(odds_words(odds))
    against = None
    with suppress(RailbirdError):  # what the betting leaves may be nothing
        against = bettor_odds_of(turn.hand, Betting(form.betting))
    if against is not None:
        lines = (*bettor_words(against), *lines)
    for spec in dict.fromkeys((*specs, *ADVISERS)):
        with suppress(RailbirdError):  # it cannot
            do, words = _advice(spec, turn.hand, form, explains=True, named=named)
            if turn.legal.draw is not None:
                return (short_hint(do, None), *lines, words)
            return (short_hint(do, odds, against), *lines, words)
    return lines


def short_hint(do: str, odds: Odds | None, against: BettorOdds | None = None) -> str:
    """Say in a line what to do, why and how sure.

    >>> odds = Odds(opponents=1, win=0.5, equity=0.45, stderr=0, to_call=40, pot=98, needed=0.29)
    >>> short_hint("fold", odds, BettorOdds(bettors=1, equity=0.12, least=0.05, most=0.2))
    'Fold. You need 29 % and have 12 % against hands that bet like this. Clear.'
    >>> short_hint("fold", odds)
    'Fold, against the odds. You need 29 % and have 45 % against any two cards. Not sure.'
    """
    do = f"{do[:1].upper()}{do[1:]}"
    if odds is None:
        return f"{do}."
    if against is None:
        equity, whom = odds.equity, odds.hands
        least, most = equity - CLEAR, equity + CLEAR
    else:
        equity, least, most = against.equity, against.least, against.most
        whom = f"hands that {'bet' if odds.needed is not None else 'play'} like this"
    have = f"have {100 * equity:.0f} % against {whom}."
    if odds.needed is None:
        return f"{do}. Checking is free; you {have}"
    if (equity >= odds.needed) is do.startswith("Fold"):
        do = f"{do}, {'against the odds' if do.startswith(('Fold', 'Call')) else 'as a bluff'}"
        sure = "Not sure."
    else:
        sure = "Close." if least < odds.needed < most else "Clear."
    return f"{do}. You need {100 * odds.needed:.0f} % and {have} {sure}"


def advice_on(
    specs: Sequence[str],
    hand: HandView,
    form: GameFormat,
    *,
    explains: bool = True,
    named: Callable[[str], str] = str,
) -> str:
    """Ask the first player that can play for the viewer's action; return its answer in words.

    One that ``explains`` says why, too; ``named`` returns what a player's spec is called. A player
    that fails is passed over. Raises `RailbirdError` if no player can play, or has an answer.
    """
    problem: RailbirdError = BadInput("nobody to ask: no player is named")
    for spec in dict.fromkeys(specs):
        try:
            return _advice(spec, hand, form, explains=explains, named=named)[1]
        except RailbirdError as error:
            problem = error
    raise problem


def _advice(
    spec: str, hand: HandView, form: GameFormat, *, explains: bool, named: Callable[[str], str]
) -> tuple[str, str]:
    """Return what a player would do, and that in a sentence with its reasons."""
    followed = FollowedHand(Betting(form.betting), hand)
    dealt = followed.view
    adviser_for([spec], dealt.rules, carries_over=not form.top_up, explains=explains)
    try:
        advice = advise(spec, dealt, followed.news(hand))
    except RailbirdError:
        _LOG.exception("no advice from %s", spec)
        raise
    do = action_words(advice.action, followed.view.state)
    words = f"{named(spec)} would {do}"
    if advice.distribution is not None and len(shares := _shares(advice.distribution)) > 1:
        words += f" ({', '.join(shares)})"
    return do, f"{words}: {advice.reasons}" if advice.reasons else f"{words}."


def _shares(distribution: Distribution) -> list[str]:
    raises = sum(sizes.probability for sizes in distribution.raises)
    parts = (("fold", distribution.fold), ("call", distribution.call), ("raise", raises))
    return [f"{name} {100 * p:.0f} %" for name, p in parts if p >= 0.005]
