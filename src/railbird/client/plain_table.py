"""A person's table in plain lines: for any terminal, for screen readers, and for pipes.

Each event is printed as a line, and at the person's turn a line is read. Nothing is drawn and
nothing moves, so a terminal needs nothing beyond `print`.
"""

from __future__ import annotations

import queue
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from railbird.cards import Suits
from railbird.client.local_game import LocalGame
from railbird.client.table_model import LinkState, News, TableModel, usual_opponents
from railbird.errors import BadInput, RailbirdError
from railbird.game import Betting
from railbird.protocol import messages
from railbird.table.advice import advice_on, odds_of, odds_words
from railbird.table.choices import (
    Choices,
    choices_of,
    raising_verb,
    typed_amount,
    typed_discard,
)
from railbird.table.felt import facts
from railbird.table.pot_shares import variant_of
from railbird.table.state import TableState, price_words
from railbird.table.words import (
    amount,
    cards_text,
    line_text,
    made_in_short,
    spoken,
    spoken_line,
)

TYPED: Final = (
    ("f", "fold; where checking is free it asks once, if a fold is allowed"),
    ("c", "check or call"),
    ("r 120", "bet 120, or raise to it"),
    ("1 2 3 4", "bet or raise: ½ pot, ¾ pot, pot, all-in"),
    ("d 1 3", "in draw games: throw the first and third card away; c stands pat"),
    ("o", "odds: probability of winning, what a call needs"),
    ("h", "what a house player would do, and why"),
    ("w", "say in words: cards, board, pots, stacks"),
    ("l", "suits as symbols, as letters, or cards by their names"),
    ("m", "show your cards of the last hand, where nobody has seen them"),
    ("t", "buy chips up to the full stack, in ring games"),
    ("?", "this list"),
    ("q", "leave; a hand in play is folded, and logged"),
)
"""What can be typed and what it does, for the help and the manual."""


class PlainTable:
    """A game in this process, followed and played by lines."""

    def __init__(
        self,
        game: LocalGame,
        model: TableModel,
        *,
        say: Callable[[str], object],
        ask: Callable[[], str],
        advisers: Sequence[str] = (),
    ) -> None:
        """``ask`` returns the next line that the person types; it raises `EOFError` at the end."""
        self._game, self._model = game, model
        self._say, self._ask = say, ask
        self._advisers = tuple(advisers)
        self._news: queue.SimpleQueue[News | str] = queue.SimpleQueue()
        self._said = self._actions = 0
        self._answered = ""
        """The question that is answered, until the answer is refused."""
        self._hidden: messages.ShowCards | None = None
        """What shows the person's cards of the last hand; None where they have been seen."""
        self._has_said_muck = False
        self._names_cards = False
        self._has_said_compiling = False

    # What `railbird._jit.watched` calls, in other threads.

    def begins(self, room: str, kernel: str) -> None:
        """Announce once that compiling makes the first hands slow."""
        del room, kernel
        if not self._has_said_compiling:
            self._has_said_compiling = True
            self._news.put("compiling code for this machine, once: this takes a while")

    def ends(self) -> None:
        """Do nothing: the next hand shows that the compiling is over."""

    def run(self) -> None:
        """Play until the game is over or the person leaves: by ``q``, Ctrl-C or the last line."""
        self._say("? lists what can be typed; q leaves")
        self._game.start(self._news.put)
        try:
            while self._model.link is None or self._model.link.state is not LinkState.OVER:
                self._hear(self._news.get())
                while self._question not in ("", self._answered):
                    self._do(self._ask())
        except (EOFError, KeyboardInterrupt):
            if self._model.state is not None and self._model.state.is_in:
                self._say("You leave: the hand is played to its end without you")
            self._game.close()
            while not self._news.empty():
                self._hear(self._news.get())

    @property
    def _question(self) -> str:
        """What the game waits for the person to say; empty where it does not."""
        state = self._model.state
        if state is None:
            return ""
        if state.turn is not None:
            return state.turn.turn
        return f"chips after {state.info.hand}" if state.is_broke else ""

    # Telling.

    def _hear(self, news: News | str) -> None:
        model = self._model
        if isinstance(news, str):
            model.say(news, "note")
        else:
            model.hears(news)
        fresh, self._said = model.logged - self._said, model.logged
        for line in list(model.log)[-fresh:] if fresh else ():
            self._say(spoken_line(line) if self._names_cards else line_text(line, model.suits))
        match news:
            case messages.Turn():
                self._tell_turn(news)
            case messages.ErrorMessage():
                self._answered = ""
            case messages.HandOver() if model.state is not None:
                self._tell_end(model.state, news.hand)
            case _:
                pass

    def _tell_end(self, state: TableState, hand: int) -> None:
        """Say what can be done after a hand."""
        table = state.info.table
        self._hidden = messages.ShowCards(table=table, hand=hand) if state.may_show else None
        if self._hidden is not None and not self._has_said_muck:
            self._has_said_muck = True
            self._say("Nobody has seen your cards: at your next turn, m shows them")
        if state.is_broke:
            self._say("You have no chips left: t buys in again, q leaves")

    def _cards(self, cards: Sequence[str]) -> str:
        return spoken(cards) if self._names_cards else cards_text(cards, self._model.suits)

    def _tell_turn(self, turn: messages.Turn) -> None:
        """Say what the person holds, what it costs and what may be typed."""
        hand, choices = turn.hand, self._choices(turn)
        own = () if self._model.state is None else self._model.state.own_cards
        made = made_in_short(own, hand.board, variant_of(hand))
        price = price_words(turn.legal)
        parts = [self._cards(own), price, f"pot {amount(hand.pot)}"]
        self._say(f"Your turn: {', '.join([*parts, *([f'you have {made}'] if made else [])])}")
        if choices.draw:
            numbered = (f"{n} {self._cards([card])}" for n, card in enumerate(choices.cards, 1))
            pat = "throw the lowest away" if choices.must_discard else "stand pat"
            self._say(f"c: {pat}; d and numbers: throw away of {', '.join(numbered)}")
            return
        words = [
            f"c: {choices.call.lower()}",
            *(["f: fold"] if choices.price and choices.fold else []),
        ]
        if choices.is_fixed:
            words.append(f"r: {choices.raises.lower()} {amount(choices.min_to)}")
        elif choices.raises:
            least, most = amount(choices.min_to), amount(choices.max_to)
            to = f"{least} or {most}" if choices.two_sizes else f"{least} or more, up to {most}"
            words.append(f"r and an amount: {choices.raises.lower()} {to}")
        self._say("; ".join(words))
        if choices.presets:
            sizes = (
                f"{preset.key}: {preset.label.lower()}, {amount(preset.to)}"
                for preset in choices.presets
            )
            self._say("; ".join(sizes))

    def _choices(self, turn: messages.Turn) -> Choices:
        return choices_of(turn, ascii_only=self._model.suits is Suits.LETTERS)

    # Doing what the person types.

    def _do(self, typed: str) -> None:
        """Carry out a typed line; an invalid one is refused with the reason."""
        word, _, rest = typed.strip().partition(" ")
        rest = rest.strip()
        if word[:1] in "rb" and word[1:].isdigit():  # r120
            word, rest = word[:1], word[1:]
        state = self._model.state
        assert state is not None
        at_any_time: dict[str, Callable[[], None]] = {
            "l": self._change_cards,
            "m": self._show,
            "t": partial(self._buy, state),
        }
        if (command := at_any_time.get(word.lower())) is not None:
            command()
            return
        match word.lower():
            case "q":
                raise EOFError
            case "w":
                for line in facts(state.felt(), self._cards).values():
                    self._say(line)
            case "" | "?":
                for key, words in TYPED:
                    self._say(f"{key}: {words}")
            case _ if state.turn is None:
                self._say(f"{typed.strip()[:20]!r}; allowed: t, m, w, l, q")
            case _:
                self._act(state.turn, word.lower(), rest)

    def _act(self, turn: messages.Turn, word: str, rest: str) -> None:
        choices = self._choices(turn)
        sizes = {size.key: size.to for size in choices.presets}
        match word:
            case "c":
                self._send(turn, messages.Verb.CALL if choices.price else messages.Verb.CHECK)
            case "d" if choices.draw:
                self._discard(turn, choices, rest)
            case "f":
                self._fold(turn, choices)
            case "r" | "b":
                try:
                    wanted = rest or (str(choices.min_to) if choices.is_fixed else "")
                    self._send(turn, raising_verb(turn), typed_amount(choices, wanted))
                except BadInput as problem:
                    self._say(str(problem))
            case _ if word in sizes:
                self._send(turn, raising_verb(turn), sizes[word])
            case "o":
                self._tell_odds(turn)
            case "h":
                self._tell_advice(turn)
            case _:
                self._say(f"{word[:20]!r}; ? lists what can be typed")

    def _discard(self, turn: messages.Turn, choices: Choices, typed: str) -> None:
        try:
            thrown = typed_discard(choices, typed)
        except BadInput as problem:
            self._say(str(problem))
            return
        self._send(turn, messages.Verb.DISCARD, cards=thrown)

    def _fold(self, turn: messages.Turn, choices: Choices) -> None:
        if choices.is_free:
            if not choices.fold:
                self._say("checking is free, and folding is not allowed then: c checks")
                return
            self._say("Checking is free. Fold all the same? y folds")
            if self._ask().strip().lower() not in ("y", "yes"):
                return
        self._send(turn, messages.Verb.FOLD)

    def _send(
        self,
        turn: messages.Turn,
        verb: messages.Verb,
        to: int | None = None,
        cards: list[str] | None = None,
    ) -> None:
        self._actions += 1
        self._answered = turn.turn
        self._game.send(
            messages.ActMessage(turn=turn.turn, action=self._actions, verb=verb, to=to, cards=cards)
        )

    def _buy(self, state: TableState) -> None:
        if not state.can_buy:
            self._say("no chips to buy")
            return
        self._say(f"{amount(state.can_buy)} chips come before the next hand")
        if state.turn is None:
            self._answered = self._question
        self._game.send(messages.BuyChips(amount=state.can_buy))

    def _show(self) -> None:
        """Show the person's cards of the last hand, and report the outcome."""
        if self._hidden is None:
            self._say("no cards to show: none of a last hand are hidden")
            return
        self._game.send(self._hidden)
        self._hidden = None
        while self._model.link is None or self._model.link.state is not LinkState.OVER:
            news = self._news.get()
            self._hear(news)
            if isinstance(news, messages.Showed | messages.ErrorMessage):
                return

    def _change_cards(self) -> None:
        """Write cards in the next way: symbols, letters, names."""
        model = self._model
        if self._names_cards:
            self._names_cards, model.suits = False, Suits.SYMBOLS
        elif model.suits is Suits.SYMBOLS:
            model.suits = Suits.LETTERS
        else:
            self._names_cards = True
        self._say(f"cards are written like this: {self._cards(['As', 'Td'])}")

    def _tell_odds(self, turn: messages.Turn) -> None:
        try:
            odds = odds_of(turn.hand, turn.legal.to_call)
        except RailbirdError as problem:
            self._say(str(problem))
            return
        for line in () if odds is None else odds_words(odds):
            self._say(line)

    def _tell_advice(self, turn: messages.Turn) -> None:
        assert self._model.table is not None
        form = self._model.table.format
        asked = self._advisers or usual_opponents(Betting(form.betting), variant_of(turn.hand))
        try:
            self._say(advice_on(asked, turn.hand, form, explains=not self._advisers))
        except RailbirdError as problem:
            self._say(str(problem))
