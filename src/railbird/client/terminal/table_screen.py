"""The screen of a table."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar, Final

from rich.text import Text
from textual import events
from textual.app import ComposeResult, RenderResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Button, Input, Static

from railbird.cards import Suits
from railbird.client.local_game import LocalGame
from railbird.client.table_model import (
    FREEZE_SECONDS,
    PAUSES,
    GameSource,
    LinkState,
    TableModel,
    usual_opponents,
)
from railbird.client.terminal.felt import Question, draw, help_dialog, shown
from railbird.errors import BadInput, RailbirdError
from railbird.game import Betting
from railbird.protocol import messages
from railbird.table.advice import advice_on, odds_of, odds_words
from railbird.table.choices import (
    Choices,
    Plan,
    Size,
    choices_of,
    may_plan,
    raising_verb,
    stepped_amount,
    typed_amount,
)
from railbird.table.felt import facts
from railbird.table.pot_shares import variant_of
from railbird.table.state import price_words
from railbird.table.words import (
    amount,
    betting_and_game,
    cards_text,
    drawn_words,
    line_text,
    made_in_short,
    short_name,
    stakes_words,
)

# The panel of odds, and of what a house player would do.


_KEYS: Final = "? help   o odds   h house player   w words   PgUp log   q leave"
_KEYS_OF_AMOUNT: Final = "Enter sends the amount   Escape leaves it   up, down: big blinds"
_NO_ODDS: Final = "no hand to compute odds of"

Situation = tuple[object, ...]
"""The hand and the board that odds and advice are about; empty where there is nothing to say."""


class Answered(Message):
    """A house player has answered, which the log says, too."""


class AdvicePanel(Static):
    """Odds and a house player's advice, computed in threads so that keys are answered."""

    def __init__(self, model: TableModel) -> None:
        super().__init__(id="panel")
        self._model = model
        self._odds_of: Situation | None = None
        self._odds = ""
        self._asked: Situation | None = None
        self._advice = ""

    def show(self) -> None:
        """Show the odds of this situation; they are computed once."""
        now = self._situation()
        # The panel is drawn with every message and every key, and odds take too long for that.
        if now != self._odds_of:
            self._odds_of = now
            hand = self._model.hand
            self._odds = "computing …" if now else _NO_ODDS
            if now and hand is not None:
                compute = partial(self._compute, now, hand, self._model.price)
                self.run_worker(compute, thread=True, group="odds", exclusive=True)
        advice = self._advice if self._asked == now else "h: what would a house player do?"
        lines = [*self._odds.split("\n"), *(advice.split("\n") if now else [])]
        self.update(Text("\n".join(map(shown, lines))))

    def ask(self, specs: Sequence[str]) -> None:
        """Ask the first of these house players that can play, by default one for this game."""
        state = self._model.state
        if state is None or state.turn is None:
            return
        self._asked, self._advice = self._situation(), "a house player thinks …"
        form, hand = state.info.format, state.turn.hand
        ask = partial(self._ask, self._asked, tuple(specs), hand, form)
        self.run_worker(ask, thread=True, group="advice", exclusive=True)

    def _situation(self) -> Situation:
        state = self._model.state
        if state is None or state.hand is None or not state.own_cards or not state.is_in:
            return ()
        return (state.hand.hand, len(state.hand.history), state.turn is not None)

    def _compute(self, situation: Situation, hand: messages.HandView, price: int) -> None:
        try:
            odds = odds_of(hand, price)
        except RailbirdError as problem:
            text = str(problem)
        else:
            text = "\n".join(odds_words(odds)) if odds is not None else _NO_ODDS
        self.app.call_from_thread(self._computed, situation, text)

    def _computed(self, situation: Situation, text: str) -> None:
        # A thread that began before the last action answers for a hand that is no longer on the
        # screen.
        if situation == self._odds_of:
            self._odds = text
            self.show()

    def _ask(
        self,
        situation: Situation,
        specs: Sequence[str],
        hand: messages.HandView,
        form: messages.GameFormat,
    ) -> None:
        asked = specs or usual_opponents(Betting(form.betting), variant_of(hand))
        try:
            text = advice_on(asked, hand, form, explains=not specs)
        except RailbirdError as problem:
            text = str(problem)
        self.app.call_from_thread(self._answered, situation, text)

    def _answered(self, situation: Situation, text: str) -> None:
        if situation == self._asked:
            self._advice = text
            self._model.say(text)  # where there is room for all of it
            self.post_message(Answered())


LEAST: Final = (80, 24)
"""Smallest terminal that the table fits into, in columns and rows."""

_WIDE: Final = 120
"""Columns from which on the log stands beside the table."""

_LINES: Final = 300
"""Lines of the log that can be scrolled back to."""

_STYLES: Final = {
    "": "",
    "hand": "bold underline",
    "mine": "bold cyan",
    "street": "bold",
    "show": "",
    "win": "bold",
    "note": "italic",
    "problem": "bold reverse",
}
"""Styles of the log's lines, by kind."""


class FeltWidget(Widget):
    """The felt, drawn anew whenever something has changed."""

    def __init__(self, model: TableModel) -> None:
        super().__init__(id="felt")
        self._model = model

    def render(self) -> RenderResult:
        """Draw the table in the room that there is."""
        width, height = self.size
        if not (width and height):
            return ""
        return draw(self._model.state, self._model.suits, width, height)


class TableScreen(Screen[None]):
    """A table, with everything that can be done at it."""

    AUTO_FOCUS = ""
    CSS = """
    TableScreen { layout: vertical; }
    #head { height: 1; background: $panel; text-style: bold; }
    #middle { height: 1fr; layout: vertical; }
    #felt { height: 1fr; min-height: 11; }
    #below { height: 6; layout: horizontal; }
    #log { width: 1fr; height: 100%; scrollbar-size-vertical: 1; }
    #panel { width: 40; height: 100%; border-left: solid $accent; display: none; }
    #prompt { height: 1; text-style: bold; }
    #controls { height: 2; }
    .row { height: 1; layout: horizontal; }
    .row Button { margin: 0 2 0 0; min-width: 8; background: $primary; color: $text; }
    .row Button:disabled { background: $panel; text-style: none; }
    #amount { width: 14; margin: 0 1 0 0; }
    #fold { margin: 0 4 0 0; }
    #call { margin: 0 6 0 0; }
    #keys { height: 1; color: $text-muted; }
    #small { display: none; width: 100%; height: 100%; }
    TableScreen.-wide #middle { layout: horizontal; }
    TableScreen.-wide #felt { width: 1fr; height: 100%; }
    TableScreen.-wide #below { width: 46; height: 100%; layout: vertical; }
    TableScreen.-wide #log { width: 100%; height: 1fr; }
    TableScreen.-wide #panel {
        width: 100%; height: 14; border-left: none; border-top: solid $accent;
    }
    TableScreen.-panel #panel { display: block; }
    TableScreen.-small #table { display: none; }
    TableScreen.-small #small { display: block; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f", "fold", "fold"),
        Binding("c", "call", "check or call"),
        Binding("r", "raise", "raise"),
        Binding("1", "size(0)"),
        Binding("2", "size(1)"),
        Binding("3", "size(2)"),
        Binding("4", "size(3)"),
        Binding("5", "size(4)"),
        Binding("up", "step(1)", priority=True),
        Binding("down", "step(-1)", priority=True),
        Binding("x", "plan('CHECK_OR_FOLD')"),
        Binding("v", "plan('CALL')"),
        Binding("o", "odds"),
        Binding("h", "hint"),
        Binding("w", "words"),
        Binding("l", "letters"),
        Binding("b", "bell"),
        Binding("p", "pause"),
        Binding("m", "show"),
        Binding("t", "top_up"),
        Binding("s", "sit_out"),
        Binding("d", "run_twice"),
        Binding("enter", "go_on"),
        Binding("escape", "leave_amount"),
        Binding("pageup", "look(-1)", priority=True),
        Binding("pagedown", "look(1)", priority=True),
        Binding("question_mark,f1", "help"),
    ]

    def __init__(
        self,
        model: TableModel,
        source: GameSource,
        go_on: Callable[[], object],
        *,
        advisers: Sequence[str] = (),
        rings: bool = False,
    ) -> None:
        super().__init__()
        self.advisers = tuple(advisers)
        self.rings = rings
        """Whether the terminal's bell rings at my turn."""
        self._source = source
        self._go_on = go_on
        self._model = model
        self._actions = 0
        self._is_composed = False
        self._logged = -1
        self._turn: str | None = None
        self._asked_fold: str | None = None
        """The turn at which a fold was confirmed although checking is free."""
        self._price = 0
        self._price_since = 0.0
        self._rests_until = 0.0
        self._acted: str | None = None
        """The turn that was answered, until the server confirms it."""
        self._thrown: set[str] = set()
        """Cards marked to be thrown away."""

    @property
    def is_broke(self) -> bool:
        """Whether I have no chips left at a ring table."""
        return self._model.state is not None and self._model.state.is_broke

    def compose(self) -> ComposeResult:
        """Put the parts of the screen in their places."""
        with Container(id="table"):
            yield Static(id="head")
            with Container(id="middle"):
                yield FeltWidget(self._model)
                with Container(id="below"):
                    with VerticalScroll(id="log", can_focus=False):
                        yield Static(id="lines")
                    yield AdvicePanel(self._model)
            yield Static(id="prompt")
            with Container(id="controls"):
                with Horizontal(classes="row", id="actions"):
                    for id_ in ("fold", "call", "raise"):
                        yield self._button(id_)
                    yield Input(id="amount", restrict=r"[0-9, ]*", max_length=16, compact=True)
                with Horizontal(classes="row", id="sizes"):
                    for number in range(max(len(Size), messages.MOST_DRAWN)):
                        yield self._button(f"size-{number}")
                with Horizontal(classes="row", id="plans"):
                    yield self._button("plan-fold")
                    yield self._button("plan-call")
            yield Static(id="keys")
        yield Static(id="small")

    def _button(self, id_: str) -> Button:
        button = Button(id=id_, compact=True)
        button.can_focus = False  # so that Enter never presses one by accident
        return button

    def on_mount(self) -> None:
        """Show the table, and its clock every second."""
        self.set_interval(1.0, self._tick)
        self._is_composed = True
        self.show()

    def on_resize(self, event: events.Resize) -> None:
        """Arrange the parts for the room that there is."""
        width, height = event.size
        self.set_class(width < LEAST[0] or height < LEAST[1], "-small")
        self.set_class(width >= _WIDE, "-wide")
        words = f"The table needs {LEAST[0]} × {LEAST[1]} cells; there are {width} × {height}."
        self.query_one("#small", Static).update(Text(words))
        self.query_one("#below").styles.height = (
            "100%" if width >= _WIDE else max(6, height // 3 - 3)
        )
        # The end of the log is known only once the new size has been laid out.
        self.call_after_refresh(self._to_end)

    # Showing.

    @property
    def _is_ready(self) -> bool:
        """Whether there are widgets: a timer may still ring while the screen is taken away."""
        return self._is_composed and self in self.app.screen_stack

    def show(self) -> None:
        """Show what the model knows now."""
        if not self._is_ready:
            return
        model = self._model
        self._follow_turn()
        self._text("head", self._title())
        self.query_one(FeltWidget).refresh()
        self._show_log()
        self._show_prompt()
        self._show_buttons()
        self._show_keys()
        if self._has_panel:
            self.query_one(AdvicePanel).show()
        if model.state is not None and model.state.needs_snapshot:
            self._ask_snapshot()

    def _ask_snapshot(self) -> None:
        state = self._model.state
        assert state is not None
        # The mark is cleared before the answer comes; otherwise each message until then would ask
        # once more.
        self._model.state = replace(state, needs_snapshot=False)
        if self._source.is_server:
            self._source.send(messages.AskSnapshot(table=state.info.table))

    def _text(self, id_: str, text: str) -> None:
        self.query_one(f"#{id_}", Static).update(Text("\n".join(map(shown, text.split("\n")))))

    def _title(self) -> str:
        model = self._model
        if model.table is None:
            return "railbird"
        form = model.table.format
        parts: list[str] = [betting_and_game(form)]
        if model.hand is not None:
            parts.append(stakes_words(model.hand))
        series = self._source.series
        parts.append(
            model.table.table if series is None else f"tournament {series[0]} of {series[1]}"
        )
        if model.hand is not None:
            parts.append(f"hand {model.hand.hand}")
        if model.is_watching:
            parts.append("watching")
        if model.link is not None and model.link.state is not LinkState.OPEN:
            parts.append(model.link.state.value.upper())
        return " " + " · ".join(parts)

    def _show_log(self) -> None:
        model = self._model
        if self._logged == model.logged:
            return
        log = self.query_one("#log", VerticalScroll)
        # Somebody who has scrolled back is reading, so new lines must not move the log.
        was_at_end = self._logged < 0 or log.scroll_offset.y >= log.max_scroll_y - 1
        self._logged = model.logged
        text = Text()
        for number, line in enumerate(list(model.log)[-_LINES:]):
            words = shown(line_text(line, model.suits))
            text.append(("\n" if number else "") + words, _STYLES[line.kind])
        self.query_one("#lines", Static).update(text)
        if was_at_end:
            self.call_after_refresh(self._to_end)

    def _to_end(self) -> None:
        self.query_one("#log", VerticalScroll).scroll_end(animate=False)

    def _follow_turn(self) -> None:
        """Let buttons rest where a price has changed, and prepare the amount of a new turn."""
        model, turn = self._model, self._model.turn
        id_ = None if turn is None else turn.turn
        price = model.price
        if price != self._price:
            self._price, self._price_since = price, time.monotonic()
        if id_ == self._turn:
            return
        # A key or a finger on its way when the price changed was meant for the old price. The
        # buttons therefore rest until the new price could be read.
        if turn is not None and time.monotonic() < self._price_since + FREEZE_SECONDS:
            self._rest()
        self._turn, self._acted = id_, None
        self._thrown.clear()
        field = self.query_one("#amount", Input)
        if turn is None:
            field.value = ""
            if field.has_focus:
                self.set_focus(None)
            return
        field.value = "" if turn.legal.min_to is None else str(turn.legal.min_to)
        if self.rings:
            self.app.bell()

    def _rest(self) -> None:
        """Let the buttons rest until the price has been there for long enough to be read."""
        self._rests_until = self._price_since + FREEZE_SECONDS
        seconds = max(0.0, self._rests_until - time.monotonic())
        # The timer rings a little late, so that the rest is over by the clock that `_may_act`
        # reads.
        self.set_timer(seconds + 0.02, self._show_buttons)

    @property
    def _may_act(self) -> bool:
        return (
            self._model.turn is not None
            and self._acted is None
            and time.monotonic() >= self._rests_until
            # Where the table is too large to be shown nobody sees what a key would do.
            and not self.has_class("-small")
        )

    def _show_prompt(self) -> None:
        self._text("prompt", self._prompt())

    def _prompt(self) -> str:
        model = self._model
        if model.link is not None and model.link.state is LinkState.OVER:
            return " The game is over: Enter leaves"
        if model.link is not None and model.link.state is not LinkState.OPEN:
            return " " + (model.link.text or f"{model.link.state.value} …")
        left = model.seconds_left()
        clock = "" if left is None else f" {left[0]} s" + (f" + {left[1]} s" if left[1] else "")
        made = f", you have {self._made}" if self._made else ""
        if model.state is not None and model.turn is not None:
            price = price_words(model.turn.legal)
            pot = amount(model.turn.hand.pot)
            held = f" {cards_text(model.state.own_cards, model.suits)}:"
            return f" YOUR TURN{clock}{held} {price}, pot {pot}{made}"
        if model.plan is not None:
            return f"{clock} planned: {model.plan}{made}"
        return f"{clock} {self._waiting_words()}"

    @property
    def _made(self) -> str:
        """What the person's cards make, in a few words."""
        state = self._model.state
        if state is None or state.hand is None or not state.own_cards or not state.is_in:
            return ""
        return made_in_short(state.own_cards, state.hand.board, variant_of(state.hand))

    def _waiting_words(self) -> str:
        model, state, hand = self._model, self._model.state, self._model.hand
        if model.queued is not None:
            return (
                f"waiting in {model.queued.queue}: {model.queued.waiting} of {model.queued.seats}"
            )
        if state is None:
            return "waiting"
        if state.knocked_out is not None and not model.is_watching:
            way = "Enter goes back to the lobby" if self._source.is_server else "q leaves"
            series = self._source.series
            if series is not None and series[0] < series[1]:
                way = "the next tournament follows"
            return f"You are out: place {state.knocked_out.place}; {way}"
        if hand is None:
            return "waiting"
        if state.over is not None:
            if self.is_broke:
                return "You have no chips left: t buys in again, q leaves"
            shows = "; m shows your cards, or they are mucked" if state.may_show else ""
            return f"hand over{shows}{'' if self._source.is_server else '; Enter goes on'}"
        if state.to_act is not None:
            made = f"   you have {self._made}" if self._made else ""
            return f"{short_name(hand.seats[state.to_act].name)} is to act{made}"
        return ""

    @property
    def _choices(self) -> Choices | None:
        """The buttons of the person's turn."""
        turn, ascii_only = self._model.turn, self._model.suits is Suits.LETTERS
        return None if turn is None else choices_of(turn, ascii_only=ascii_only)

    def _show_buttons(self) -> None:
        if not self._is_ready:
            return
        model, choices = self._model, self._choices
        plans = model.state is not None and may_plan(model.state)
        presets = () if choices is None else choices.presets
        cards = () if choices is None or not choices.draw else choices.cards
        self.query_one("#plans").display = plans
        self.query_one("#sizes").display = bool(presets or cards)
        self.query_one("#actions").display = not plans
        self.query_one("#amount").display = bool(presets)
        if choices is None:
            for id_ in ("fold", "call", "raise"):
                self._set_button(id_, "", shown=False)
        elif choices.draw:
            self._set_button("fold", "", shown=False)
            self._set_button("raise", "", shown=False)
            has_to = choices.must_discard > 0
            words = drawn_words(choices.must_discard or len(self._thrown), has_to=has_to)
            self._set_button("call", f"{words.capitalize()} (c)")
        else:
            self._set_button("fold", "Fold (f)", shown=choices.fold)
            self._set_button("call", f"{choices.call} (c)")
            least = f" {amount(choices.min_to)}" if choices.is_fixed else ""
            self._set_button("raise", f"{choices.raises}{least} (r)", shown=bool(choices.raises))
        filled, empty = ("*", "-") if model.suits is Suits.LETTERS else ("●", "○")
        labels = [f"{preset.label} ({preset.key})" for preset in presets] or [
            f"{filled if card in self._thrown else empty} {cards_text([card], model.suits)} ({key})"
            for key, card in enumerate(cards, 1)
        ]
        for number in range(max(len(Size), messages.MOST_DRAWN)):
            label = labels[number] if number < len(labels) else ""
            self._set_button(f"size-{number}", label, shown=bool(label))
        for plan, id_, key in ((Plan.CHECK_OR_FOLD, "fold", "x"), (Plan.CALL, "call", "v")):
            mark = filled if model.plan is not None and model.plan.plan is plan else empty
            self._set_button(f"plan-{id_}", f"{mark} {plan.label(model.price)} ({key})")

    def _set_button(self, id_: str, text: str, *, shown: bool = True) -> None:
        button = self.query_one(f"#{id_}", Button)
        button.label = Content(text)
        button.display = shown
        button.disabled = not (self._may_act or id_.startswith("plan"))

    def _show_keys(self) -> None:
        is_typed = self.query_one("#amount", Input).has_focus
        self._text("keys", _KEYS_OF_AMOUNT if is_typed else _KEYS)

    def on_descendant_focus(self) -> None:
        """Say which keys there are while an amount is typed."""
        self._show_keys()

    def on_descendant_blur(self) -> None:
        """Say which keys there are otherwise."""
        self._show_keys()

    def _tick(self) -> None:
        if not self._is_ready:
            return
        if self._model.seconds_left() is not None or self._model.queued is not None:
            self._show_prompt()

    # Acting.

    def _act(
        self, verb: messages.Verb, to: int | None = None, cards: list[str] | None = None
    ) -> None:
        turn = self._model.turn
        if turn is None or not self._may_act:
            return
        # A second press of the key before the server answers must not act on the next turn.
        self._acted = turn.turn
        self.set_focus(None)
        self._actions += 1
        self._source.send(
            messages.ActMessage(turn=turn.turn, action=self._actions, verb=verb, to=to, cards=cards)
        )
        self._show_buttons()

    def refused(self) -> None:
        """Let another action be chosen: the last one was refused."""
        self._acted = None
        self._show_buttons()

    def play_plan(self) -> None:
        """Play the action chosen in advance, if this is the turn that it was chosen for."""
        model = self._model
        if model.state is not None and model.turn is not None and model.plan is not None:
            # The plan is dropped whether it is played or not: it was made for this turn alone.
            verb, model.plan = model.plan.verb(model.state), None
            if verb is not None:
                # The price was there when the plan was made, so there is nothing to read before it
                # is played.
                self._rests_until = 0.0
                self._acted = None
                self._turn = model.turn.turn
                self._act(verb)

    def action_fold(self) -> None:
        """Fold; ask once where checking is free."""
        turn = self._model.turn
        if turn is None or not self._may_act:
            return
        if turn.legal.to_call:
            self._act(messages.Verb.FOLD)
        elif turn.legal.draw is not None:
            self._notice("cards are exchanged now: 1 to 5 mark them, c draws or stands pat")
        elif not turn.legal.fold:
            self._notice("checking is free, and folding is not allowed then: c checks")
        else:
            question = Question("Checking is free. Fold all the same?", yes="Fold", no="Go back")
            self.app.push_screen(question, partial(self._fold_if, turn.turn))

    def _fold_if(self, turn: str, yes: bool | None) -> None:
        now = self._model.turn
        # The question may be answered after the clock has folded the hand and another turn has
        # come.
        if yes and now is not None and now.turn == turn:
            self._act(messages.Verb.FOLD)

    def action_call(self) -> None:
        """Check or call; in a draw, throw the marked cards away."""
        if self._choices is not None and self._choices.draw:
            thrown = [card for card in self._choices.cards if card in self._thrown]
            if len(thrown) < self._choices.must_discard:
                self._notice(f"mark {self._choices.must_discard} cards that go")
                return
            self._act(messages.Verb.DISCARD, cards=thrown)
            return
        self._act(messages.Verb.CALL if self._model.price else messages.Verb.CHECK)

    def action_raise(self) -> None:
        """Go to the amount; where there is but one, raise."""
        choices = self._choices
        if choices is None:
            return
        if not choices.raises:
            self._notice("no raise is allowed now")
        elif self._may_act and choices.is_fixed:
            self._raise_to(choices.min_to)
        elif self._may_act:
            self.query_one("#amount", Input).focus()

    def _raise_to(self, to: int) -> None:
        turn = self._model.turn
        if turn is not None:
            self._act(raising_verb(turn), to)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Raise to the amount."""
        event.stop()
        self._submit_amount()

    def action_size(self, number: int) -> None:
        """Set the amount, or in a draw mark a card; nothing is sent."""
        choices = self._choices
        if choices is not None and number < len(choices.cards):
            self._thrown ^= {choices.cards[number]}
            if len(self._thrown) > choices.draw:
                self._thrown ^= {choices.cards[number]}
                has_to = "" if choices.must_discard else "up to "
                self._notice(f"{has_to}{choices.draw} cards are thrown away")
            self._show_buttons()
            return
        presets = () if choices is None else choices.presets
        if number < len(presets):
            field = self.query_one("#amount", Input)
            field.value = str(presets[number].to)
            field.focus()

    def action_step(self, steps: int) -> None:
        """Change the amount by big blinds."""
        choices, field = self._choices, self.query_one("#amount", Input)
        if choices is not None and choices.raises:
            field.value = str(stepped_amount(choices, field.value, steps))

    def action_leave_amount(self) -> None:
        """Leave the field of the amount, and what was typed there."""
        self.set_focus(None)
        turn = self._model.turn
        if turn is not None and turn.legal.min_to is not None:
            self.query_one("#amount", Input).value = str(turn.legal.min_to)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Do what a button says."""
        event.stop()
        id_ = event.button.id or ""
        if id_ == "raise" and self.query_one("#amount", Input).display:
            self._submit_amount()
        elif id_.startswith("size-"):
            self.action_size(int(id_.removeprefix("size-")))
        elif id_.startswith("plan-"):
            self.action_plan("CALL" if id_ == "plan-call" else "CHECK_OR_FOLD")
        else:
            getattr(self, f"action_{id_}")()

    def _submit_amount(self) -> None:
        choices = self._choices
        if choices is not None:
            field = self.query_one("#amount", Input)
            try:
                self._raise_to(typed_amount(choices, field.value))
            except BadInput as problem:
                field.action_select_all()  # the next digits are another amount, not more of this
                self._notice(str(problem))

    def action_plan(self, name: str) -> None:
        """Choose an action in advance."""
        self._model.make_plan(Plan[name])
        self.show()

    def _notice(self, text: str) -> None:
        self._model.say(text, "problem")
        self._show_log()

    # Everything else.

    def action_help(self) -> None:
        """Show the keys."""
        self.app.push_screen(help_dialog())

    def action_words(self) -> None:
        """Say everything in the log."""
        model = self._model
        words = {"table": "No table"}
        if model.state is not None:
            words = facts(model.state.felt(), partial(cards_text, suits=model.suits))
        for line in words.values():
            model.say(line)
        self._show_log()

    def action_letters(self) -> None:
        """Show suits as letters or as symbols."""
        model = self._model
        model.suits = Suits.LETTERS if model.suits is Suits.SYMBOLS else Suits.SYMBOLS
        self._logged = -1  # its cards are written anew
        self.show()

    def action_bell(self) -> None:
        """Ring the bell at my turn, or no longer."""
        self.rings = not self.rings
        self._notice(f"the bell at my turn is {'on' if self.rings else 'off'}")

    def action_pause(self) -> None:
        """Take the next pause."""
        source = self._source
        if not isinstance(source, LocalGame):
            self._notice("on a server the others set the pace")
            return
        longer = [pause for pause in PAUSES if pause > source.pause]
        source.pause = longer[0] if longer else PAUSES[0]
        source.hurry()
        self._notice(f"pause after others' actions: {source.pause:g} s")

    def action_go_on(self) -> None:
        """Go on at once; come back to a server that has closed; leave a game that is over."""
        self._go_on()

    def action_top_up(self) -> None:
        """Buy chips up to a full stack."""
        state = self._model.state
        if state is not None and state.can_buy:
            self._source.send(messages.BuyChips(amount=state.can_buy))
            self._notice(f"{amount(state.can_buy)} chips come before the next hand")
        else:
            self._notice("no chips to buy")

    def action_show(self) -> None:
        """Show my cards of the hand that is over."""
        state = self._model.state
        if state is not None and state.hand and state.may_show:
            table, hand = state.info.table, state.hand.hand
            self._source.send(messages.ShowCards(table=table, hand=hand))
        else:
            self._notice("cards are shown after a hand, where nobody has seen them")

    def action_sit_out(self) -> None:
        """Sit out, or play again."""
        state = self._model.state
        if not self._source.is_server or state is None or state.info.kind != "ring":
            self._notice("sitting out is for ring games on a server")
            return
        out = state.presence is messages.Presence.SITTING_OUT
        self._source.send(messages.SitIn() if out else messages.SitOut())

    def action_run_twice(self) -> None:
        """Run my all-ins twice at a private table, or once again."""
        state = self._model.state
        if not self._source.is_server or state is None or state.runs_twice is None:
            self._notice("all-ins are run twice at private tables on a server")
            return
        self._source.send(messages.RunTwice(table=state.info.table, wants=not state.runs_twice))

    def action_look(self, pages: int) -> None:
        """Scroll in the log."""
        log = self.query_one("#log", VerticalScroll)
        if pages < 0:
            log.scroll_page_up(animate=False)
        else:
            log.scroll_page_down(animate=False)

    # Odds and advice.

    def on_answered(self) -> None:
        """Show what a house player said."""
        self.show()

    def action_odds(self) -> None:
        """Show or hide the panel."""
        self.set_class(not self._has_panel, "-panel")
        self.show()
        self.call_after_refresh(self._to_end)

    @property
    def _has_panel(self) -> bool:
        return self.has_class("-panel")

    def action_hint(self) -> None:
        """Ask a house player."""
        model = self._model
        if model.table is None or (self._source.is_server and model.table.kind != "practice"):
            self._notice("a house player gives advice in practice games only")
        elif model.turn is None:
            self._notice("a house player can be asked at my turn")
        else:
            self.add_class("-panel")
            self.query_one(AdvicePanel).ask(self.advisers)
            self.show()
