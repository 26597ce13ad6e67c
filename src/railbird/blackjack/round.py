"""One round by a person or from a file: its events so far, and what must come next."""

# A round is the fold of its events, and the same events are its text, what the practice table
# records, and what the simulation plays. So there is one order of events, that in which a person at
# the table sees them, and `add` refuses what cannot come next.
#
# Two things are easily got wrong:
#
# - The dealer's hole card is no event until it is turned up. If it were drawn with the deal, an
#   unfinished record would hold what the player could not know. A card that nobody has seen is as
#   random later as it was at first.
# - A peek is an event without a card. Whoever acts after it knows that there is no blackjack, which
#   changes all probabilities (`exact_kernels`). Where nothing says that the dealer has peeked, it
#   follows from what comes next: the player acts, or other players draw.
#
# Cards of other players come in two groups, since a player who counts cards has seen the first
# before acting and the second only after. Hence two letters, ``o`` and ``x``, in the text.
#
# What a round may leave out is what decides nothing: the dealer does not draw against hands that
# are all settled, and a reader accepts a round that ends there.
#
# Who would notice: tests/blackjack/test_rounds.py.

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from railbird.blackjack.exact import Action, peeks
from railbird.blackjack.rules import RANKS, Doubles, Rules, Soft17, Surrender
from railbird.blackjack.tables import (
    ACE,
    ACTION,
    BLACKJACK,
    CARDS,
    CHILD,
    DEALER,
    INSURANCE,
    MOST_TOKENS,
    OTHERS_DEAL,
    OTHERS_DRAW,
    PAIRED,
    SOFT,
    TEN,
)
from railbird.blackjack.tables import TOTAL as TOTALS
from railbird.errors import IllegalAction, ParseError

_OTHERS: Final = {"o": OTHERS_DEAL, "x": OTHERS_DRAW}
_LETTERS: Final = "shdpr"
"""The letters of the actions, by number; ``i`` is insurance, ``|`` the dealer's turn."""


@dataclass(slots=True)
class PlayedHand:
    """One of the player's hands."""

    number: int
    """The hand's place in the tables; -1 if it is bust."""
    cards: list[int]
    stake: float = 1.0
    over: bool = False
    """Whether the hand takes no more cards or actions."""
    settled: float | None = None
    """What the hand won, if that is known before the dealer plays."""

    @property
    def total(self) -> str:
        """The total in words: ``17``, ``soft 17`` or ``bust``."""
        if self.number < 0:
            return "bust"
        soft = "soft " if SOFT[self.number] and TOTALS[self.number] < 21 else ""
        return f"{soft}{TOTALS[self.number]}"


@dataclass(slots=True)
class Round:
    """The state of a round, which `add` changes event by event.

    The dealer's hole card is an event only when it is turned up. If the cards come from a shoe it
    is drawn at that moment, when it is as random as at any other.
    """

    rules: Rules
    tokens: list[int] = field(default_factory=list)
    own: list[int] = field(default_factory=list)
    """The tokens without the cards of other players."""
    hands: list[PlayedHand] = field(default_factory=list)
    dealer: list[int] = field(default_factory=list)
    current: int = 0
    insured: bool = False
    gave_up: bool = False
    peeked: bool = False
    """Whether the dealer has peeked and has no blackjack."""
    dealer_plays: bool = False

    def add(self, token: int) -> None:
        """Add a card or an action. Raises `IllegalAction` if it cannot come now."""
        if token >= OTHERS_DEAL:
            self._see(token)
            self.tokens.append(token)
            return
        if token < ACTION:
            self._check_card(token)
            self._card(token)
        elif token == DEALER:
            if not (self._player_done or self._before_peek):
                raise IllegalAction(f"not the dealer's turn; allowed: {self._allowed()}")
            self.dealer_plays = True
        elif token == INSURANCE:
            if not self.may_insure:
                raise IllegalAction(f"no insurance now; allowed: {self._allowed()}")
            self.insured = True
        else:
            action = Action(token - ACTION)
            if action not in self.legal:
                raise IllegalAction(f"no {action.word} now; allowed: {self._allowed()}")
            self._act(action)
        self.tokens.append(token)
        self.own.append(token)

    def _check_card(self, card: int) -> None:
        if not self.needs_card:
            raise IllegalAction(f"no card now; allowed: {self._allowed()}")
        # A hole card that is turned up before the player has acted ends the round, and that only a
        # blackjack does; after a peek without one it cannot make one any more.
        if self.dealer_plays and len(self.dealer) == 1:
            blackjack = _natural([*self.dealer, card])
            if not self._player_done and not blackjack:
                raise IllegalAction("no blackjack; allowed: a hole card that makes one")
            if self.peeked and blackjack and peeks(self.rules, self.dealer[0]):
                raise IllegalAction("a blackjack after the peek; allowed: another hole card")

    def _see(self, token: int) -> None:
        """Check that a card of another player may come now."""
        # The others' first cards are seen at once, right after the deal, so nothing may have come
        # between them.
        before = self.tokens[-1] if len(self.tokens) > 3 else OTHERS_DEAL
        if token < OTHERS_DRAW:
            if len(self.own) != 3 or not OTHERS_DEAL <= before < OTHERS_DRAW:
                raise IllegalAction("others' first cards; allowed: after the deal")
            return
        # The others act before the player's first action or after the last one: a card in between
        # would change a hand of which half has been played.
        acted = any(ACTION <= own < INSURANCE for own in self.own)
        if len(self.own) < 3 or self.dealer_plays or not (self._player_done or not acted):
            raise IllegalAction(
                "others' cards; allowed: before the first action and after the last"
            )
        # The others could draw only because the dealer had peeked and gone on.
        self.peeked = True

    def no_blackjack(self) -> None:
        """Record that the dealer has peeked and has no blackjack."""
        self.peeked = True

    @property
    def must_peek(self) -> bool:
        """Whether the dealer checks for a blackjack before the player may go on."""
        return not self.peeked and not self.dealer_plays and self._before_peek

    @property
    def _before_peek(self) -> bool:
        if len(self.own) < 3 or not peeks(self.rules, self.dealer[0]) or self._others_drew:
            return False
        return len(self.own) == 3 or (len(self.own) == 4 and self.insured)

    @property
    def _others_drew(self) -> bool:
        return any(token >= OTHERS_DRAW for token in self.tokens)

    @property
    def may_insure(self) -> bool:
        """Whether insurance is offered."""
        early = len(self.own) == 3 and not self._others_drew
        return early and self.dealer[0] == ACE and not self.insured

    @property
    def legal(self) -> tuple[Action, ...]:
        """The actions allowed now; none if a card must come or the dealer plays."""
        if len(self.own) < 3 or self.needs_card or self._player_done:
            return ()
        hand = self.hands[self.current]
        alone = len(self.hands) == 1
        two = CARDS[hand.number] == 2
        rules = self.rules
        pair = int(PAIRED[hand.number])
        aces = not alone and self.hands[0].cards[0] == ACE and not rules.hit_split_aces
        actions = [Action.STAND] if aces else [Action.STAND, Action.HIT]
        if two and not aces and (alone or rules.double_after_split) and self._may_double(hand):
            actions.append(Action.DOUBLE)
        room = len(self.hands) < rules.most_hands
        if two and pair >= 0 and (alone or (room and (pair != ACE or rules.resplit_aces))):
            actions.append(Action.SPLIT)
        # Early surrender is worth its price only before the peek, so it ends with that.
        gone = rules.surrender is Surrender.EARLY and self.peeked and peeks(rules, self.dealer[0])
        if two and alone and rules.surrender is not Surrender.NONE and not gone:
            actions.append(Action.SURRENDER)
        return tuple(actions)

    @property
    def needs_card(self) -> bool:
        """Whether the next event is a card."""
        if len(self.own) < 3:
            return True
        if self.dealer_plays:
            return self._dealer_draws
        return self.current < len(self.hands) and self._waits(self.hands[self.current])

    @property
    def over(self) -> bool:
        """Whether the round has ended."""
        return self.dealer_plays and not self._dealer_draws

    @property
    def _player_done(self) -> bool:
        return len(self.own) >= 3 and (
            self.gave_up
            or self.current >= len(self.hands)
            or (len(self.hands) == 1 and self.hands[0].number == BLACKJACK)
        )

    def won(self) -> float:
        """Return the player's winnings in wagers, once the round is `over`."""
        natural = _natural(self.dealer)
        total = _total(self.dealer)
        won = 0.0
        if self.insured:
            won += 1.0 if natural and self.dealer[0] == ACE else -0.5
        if self.gave_up:
            late = natural and self.rules.surrender is Surrender.LATE
            return won - (1.0 if late else 0.5)
        for hand in self.hands:
            if hand.settled is not None:
                won += hand.settled
            elif len(self.hands) == 1 and hand.number == BLACKJACK:
                won += 0.0 if natural else float(self.rules.payout)
            elif natural or TOTALS[hand.number] < total:
                won -= hand.stake
            elif TOTALS[hand.number] > total:
                won += hand.stake
        return won

    def text(self) -> str:
        """Write the round for `parse_round`."""
        return round_text(self.tokens)

    def _waits(self, hand: PlayedHand) -> bool:
        # A split hand waits for its second card, which comes only when the hand's turn has come.
        return len(hand.cards) == 1 or (bool(self.own) and self._last_asks_for_card)

    @property
    def _last_asks_for_card(self) -> bool:
        asks = (ACTION + Action.HIT, ACTION + Action.DOUBLE, ACTION + Action.SPLIT)
        return self.own[-1] in asks

    @property
    def _dealer_draws(self) -> bool:
        if len(self.dealer) == 1:
            return self._must_show
        # The dealer draws only against a hand that is neither settled nor a blackjack; otherwise
        # the cards would decide nothing.
        live = any(hand.settled is None for hand in self.hands)
        alone = len(self.hands) == 1 and self.hands[0].number == BLACKJACK
        if not live or alone or self.gave_up or _natural(self.dealer):
            return False
        total, soft = _total(self.dealer), _soft(self.dealer)
        hits = self.rules.soft_17 is Soft17.HIT
        return 0 < total < 17 or (total == 17 and soft and hits)

    @property
    def _must_show(self) -> bool:
        high = self.dealer[0] in (ACE, TEN)
        alone = len(self.hands) == 1 and self.hands[0].number == BLACKJACK
        if self.gave_up:
            early = self.rules.surrender is Surrender.EARLY
            return self.insured or (high and early == peeks(self.rules, self.dealer[0]))
        if alone:
            return high
        return self.insured or any(hand.settled is None for hand in self.hands)

    def _card(self, card: int) -> None:
        events = len(self.own)
        if events == 1 or self.dealer_plays:
            self.dealer.append(card)
        elif events == 0:
            self.hands.append(PlayedHand(int(CHILD[0, card]), [card]))
        else:
            self._to_player(card)

    def _to_player(self, card: int) -> None:
        hand = self.hands[self.current]
        hand.cards.append(card)
        hand.number = int(CHILD[hand.number, card])
        doubled = self.own[-1] == ACTION + Action.DOUBLE
        if hand.number < 0:
            hand.over, hand.settled = True, -hand.stake
        elif self.rules.charlie is not None and CARDS[hand.number] >= self.rules.charlie:
            hand.over, hand.settled = True, hand.stake
        # A 21 in the first two cards is a blackjack, which `_player_done` ends: the dealer's own
        # blackjack has to be seen first.
        elif doubled or (TOTALS[hand.number] == 21 and len(self.own) > 2):
            hand.over = True
        elif (
            len(self.hands) > 1 and self.hands[0].cards[0] == ACE and not self.rules.hit_split_aces
        ):
            room = len(self.hands) < self.rules.most_hands and self.rules.resplit_aces
            hand.over = not (card == ACE and room)
        self._go_on()

    def _go_on(self) -> None:
        while self.current < len(self.hands) and self.hands[self.current].over:
            self.current += 1

    def _act(self, action: Action) -> None:
        hand = self.hands[self.current]
        early = self.rules.surrender is Surrender.EARLY and action is Action.SURRENDER
        # Whoever acts has seen the dealer go on, so there is no blackjack. Only early surrender
        # comes before the peek.
        if not early:
            self.peeked = True
        if action is Action.STAND:
            hand.over = True
        elif action is Action.DOUBLE:
            hand.stake = 2.0
        elif action is Action.SURRENDER:
            self.gave_up = True
            hand.over = True
        elif action is Action.SPLIT:
            card = hand.cards[1]
            single = int(CHILD[0, card])
            hand.number, hand.cards = single, [card]
            # The second hand follows the first, so that hands are played from left to right and
            # their cards come in that order.
            self.hands.insert(self.current + 1, PlayedHand(single, [card]))
        self._go_on()

    def _may_double(self, hand: PlayedHand) -> bool:
        if self.rules.doubles is Doubles.ANY:
            return True
        least = 9 if self.rules.doubles is Doubles.NINE_TO_ELEVEN else 10
        return not SOFT[hand.number] and least <= int(TOTALS[hand.number]) <= 11

    def _allowed(self) -> str:
        if self.over:
            return "nothing, the round is over"
        if self.needs_card:
            return "a card"
        if self._player_done:
            return "the dealer's turn"
        words = [action.word for action in self.legal]
        return ", ".join([*words, "insurance"] if self.may_insure else words)


def _total(cards: Sequence[int]) -> int:
    """Return the dealer's total; 0 for a bust."""
    hand = 0
    for card in cards:
        hand = int(CHILD[hand, card])
        if hand < 0:
            return 0
    return int(TOTALS[hand])


def _soft(cards: Sequence[int]) -> bool:
    hard = sum(card + 1 for card in cards)
    return ACE in cards and hard <= 11


def _natural(cards: Sequence[int]) -> bool:
    return len(cards) == 2 and sorted(cards) == [ACE, TEN]


def round_text(tokens: Iterable[int]) -> str:
    """Write events: ``45v7 dT|T`` is a 4 and a 5 against a 7, doubled with a ten.

    >>> round_text([3, 6, 4, 12, 9, 16, 9])
    '45v7 dT|T'
    >>> round_text([3, 6, 4, 29, 22, 34, 12, 9, 16, 9])
    '45v7 oT3 x5 dT|T'
    """
    first, upcard, second, *rest = tokens
    text = f"{RANKS[first]}{RANKS[second]}v{RANKS[upcard]} "
    for others, group in groupby(rest, lambda token: token // ACTION * ACTION):
        letters = "".join(_letter(token) for token in group)
        word = {OTHERS_DEAL: f"o{letters} ", OTHERS_DRAW: f"x{letters} "}
        text += word.get(others, letters)
    return text


def _letter(token: int) -> str:
    if token < ACTION or token >= OTHERS_DEAL:
        return RANKS[token % ACTION]
    return {DEALER: "|", INSURANCE: "i"}.get(token) or _LETTERS[token - ACTION]


def parse_round(text: str, rules: Rules) -> Round:
    """Read a whole round. Raises `ParseError` if it does not follow the rules.

    The letters are s, h, d, p (split), r (surrender) and i (insurance), each followed by the cards
    that it brings. After ``o`` come the first cards of other players, and after ``x`` those that
    they draw. After ``|`` come the dealer's other cards, which may be left out if they do not
    matter.
    """
    squeezed = [(position, char) for position, char in enumerate(text) if not char.isspace()]
    if len(squeezed) < 4 or squeezed[2][1].lower() != "v":
        raise ParseError("not a round", text=text, position=0, allowed="such as 45v7 dT|T")
    deal = [squeezed[0], squeezed[3], squeezed[1]]
    played = Round(rules)
    others = 0
    for position, char in [*deal, *squeezed[4:]]:
        if char in _OTHERS:
            others = _OTHERS[char]
            continue
        token = _token(char)
        if token is None or len(played.tokens) >= MOST_TOKENS - 1:
            allowed = f"ranks A23456789T and s, h, d, p, r, i, |, o, x; {MOST_TOKENS - 1} of them"
            raise ParseError(
                "not an event of a round", text=text, position=position, allowed=allowed
            )
        # The others' cards end with the player's next action, which needs no sign of its own.
        others = others if token < ACTION else 0
        try:
            played.add(token + others)
        except IllegalAction as problem:
            raise ParseError(str(problem), text=text, position=position) from None
    if not played.over:
        raise ParseError(
            f"the round is not over ({played._allowed()})", text=text, position=len(text)
        )
    return played


def _token(char: str) -> int | None:
    if char in RANKS:
        return RANKS.index(char)
    if char in _LETTERS:
        return ACTION + _LETTERS.index(char)
    return {"i": INSURANCE, "|": DEALER}.get(char)
