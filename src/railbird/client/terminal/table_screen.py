"""The screen of a table."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from rich.text import Text
from textual import events
from textual.app import ComposeResult, RenderResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Button, Input, Static

from railbird.cards import Suits
from railbird.client.play.event_words import cards_text, chips
from railbird.client.play.planned_action import Plan
from railbird.client.play.settings import FREEZE_SECONDS, PAUSES
from railbird.client.play.shown import Tone
from railbird.client.play.sizes import Size, checked_amount, raise_to
from railbird.client.play.source import LinkState
from railbird.client.play.table_model import TableModel
from railbird.client.play.table_words import table_words
from railbird.client.terminal.advice_panel import AdvicePanel
from railbird.client.terminal.canvas import shown
from railbird.client.terminal.dialogs import Question, help_dialog
from railbird.client.terminal.felt import draw
from railbird.errors import BadInput
from railbird.protocol.messages.client import ActMessage, BuyChips, SitIn, SitOut, Verb
from railbird.protocol.messages.game import Presence, Turn
from railbird.tournament.table_rules import ante_noun

if TYPE_CHECKING:
    from railbird.client.terminal.app import PlayApp

LEAST: Final = (80, 24)
"""Columns and rows that the table needs."""

_WIDE: Final = 120
"""Columns from which on the log stands beside the table."""

_LINES: Final = 300
"""Lines of the log that can be scrolled back to."""

_STYLES: Final = {
    Tone.PLAIN: "",
    Tone.HAND: "bold underline",
    Tone.BOARD: "bold",
    Tone.MINE: "bold cyan",
    Tone.NOTICE: "italic",
    Tone.PROBLEM: "bold reverse",
}
_SIZES: Final = tuple(Size)


class Felt(Widget):
    """The felt, drawn anew whenever something has changed."""

    def __init__(self, model: TableModel) -> None:
        super().__init__(id="felt")
        self._model = model

    def render(self) -> RenderResult:
        """Draw the table in the room that there is."""
        width, height = self.size
        return draw(self._model, width, height) if width and height else ""


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
        Binding("t", "top_up"),
        Binding("s", "sit_out"),
        Binding("enter", "go_on"),
        Binding("escape", "leave_amount"),
        Binding("pageup", "look(-1)", priority=True),
        Binding("pagedown", "look(1)", priority=True),
        Binding("question_mark,f1", "help"),
    ]

    def __init__(self, model: TableModel) -> None:
        super().__init__()
        self._model = model
        self._is_ready = False
        self._logged = -1
        self._turn: str | None = None
        self._asked_fold: str | None = None
        """The turn at which a fold was confirmed although checking is free."""
        self._price = 0
        self._price_since = 0.0
        self._rests_until = 0.0
        self._acted: str | None = None
        """The turn that is answered, until the answer is told."""

    @property
    def _play(self) -> PlayApp:
        return self.app  # type: ignore[return-value]

    def compose(self) -> ComposeResult:
        """Put the parts of the screen in their places."""
        with Container(id="table"):
            yield Static(id="head")
            with Container(id="middle"):
                yield Felt(self._model)
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
                    for number in range(len(_SIZES)):
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
        self._is_ready = True
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
        self.call_after_refresh(self._to_end)

    # Showing.

    def show(self) -> None:
        """Show what the model knows now."""
        if not self._is_ready:
            return
        model = self._model
        self._follow_turn()
        self._text("head", self._title())
        self.query_one(Felt).refresh()
        self._show_log()
        self._show_prompt()
        self._show_buttons()
        self._text("keys", "? help   o odds   h house player   w words   PgUp log   q leave")
        if self._has_panel:
            self.query_one(AdvicePanel).show()
        if model.needs_snapshot:
            self._play.ask_snapshot()

    def _text(self, id_: str, text: str) -> None:
        self.query_one(f"#{id_}", Static).update(Text("\n".join(map(shown, text.split("\n")))))

    def _title(self) -> str:
        model = self._model
        if model.table is None:
            return "railbird"
        form = model.table.format
        parts: list[str] = [form.betting]
        if model.hand is not None:
            parts.append("/".join(map(str, sorted(b for b in model.hand.blinds if b))))
            ante = max(model.hand.antes, default=0)
            parts += [f"{ante_noun(model.hand.antes)} {ante}"] if ante else []
        parts.append(model.table.table)
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
        was_at_end = self._logged < 0 or log.scroll_offset.y >= log.max_scroll_y - 1
        self._logged = model.logged
        text = Text()
        for number, line in enumerate(list(model.log)[-_LINES:]):
            text.append(("\n" if number else "") + shown(line.text), _STYLES[line.tone])
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
        if turn is not None and time.monotonic() < self._price_since + FREEZE_SECONDS:
            self._rest()
        self._turn, self._acted = id_, None
        amount = self.query_one("#amount", Input)
        if turn is None:
            amount.value = ""
            if amount.has_focus:
                self.set_focus(None)
            return
        amount.value = "" if turn.legal.min_to is None else str(turn.legal.min_to)
        self._play.my_turn_begins()

    def _rest(self) -> None:
        """Let the buttons rest until the price has been there for long enough to be read."""
        self._rests_until = self._price_since + FREEZE_SECONDS
        seconds = max(0.0, self._rests_until - time.monotonic())
        self.set_timer(seconds + 0.02, self._show_buttons)

    @property
    def _may_act(self) -> bool:
        return (
            self._model.turn is not None
            and self._acted is None
            and time.monotonic() >= self._rests_until
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
        made = f", you have {model.my_hand_in_short}" if model.my_hand_in_short else ""
        if model.turn is not None:
            price = f"{chips(model.price)} to call" if model.price else "checking is free"
            held = f" {cards_text(model.my_cards, model.suits)}:" if model.my_cards else ""
            return f" YOUR TURN{clock}{held} {price}, pot {chips(model.pot)}{made}"
        if model.plan is not None:
            return f"{clock} planned: {model.plan}{made}"
        return f"{clock} {self._waiting_words()}"

    def _waiting_words(self) -> str:
        model, hand = self._model, self._model.hand
        if model.queued is not None:
            return (
                f"waiting in {model.queued.queue}: {model.queued.waiting} of {model.queued.seats}"
            )
        if model.place is not None and not model.is_watching:
            way = "Enter goes back to the lobby" if self._play.source.is_server else "q leaves"
            return f"You are out: place {model.place.place}; {way}"
        if hand is None:
            return "waiting"
        if model.is_over:
            if self._play.is_broke:
                return "You have no chips left: t buys in again, q leaves"
            return "hand over; Enter goes on" if not self._play.source.is_server else "hand over"
        if model.to_act is not None:
            mine = model.my_hand_in_short if model.is_in else ""
            made = f"   you have {mine}" if mine else ""
            return f"{hand.seats[model.to_act].name} is to act{made}"
        return ""

    def _show_buttons(self) -> None:
        model, turn = self._model, self._model.turn
        can_raise = turn is not None and turn.legal.min_to is not None
        fixed = turn is not None and turn.legal.min_to == turn.legal.max_to
        self.query_one("#plans").display = model.can_plan
        self.query_one("#sizes").display = can_raise and not fixed
        self.query_one("#actions").display = turn is not None or not model.can_plan
        self.query_one("#amount").display = can_raise and not fixed
        self._set_button("fold", "Fold (f)", shown=turn is not None)
        call = f"Call {chips(model.price)} (c)" if model.price else "Check (c)"
        self._set_button("call", call, shown=turn is not None)
        self._set_button("raise", self._raise_words(turn), shown=can_raise)
        for number, size in enumerate(_SIZES):
            words = size.label(ascii_only=model.suits is Suits.LETTERS)
            self._set_button(f"size-{number}", f"{words} ({number + 1})")
        chosen, other = ("*", "-") if model.suits is Suits.LETTERS else ("●", "○")
        marks = {plan: chosen if model.plan and model.plan.plan is plan else other for plan in Plan}
        fold = f"{marks[Plan.CHECK_OR_FOLD]} {'fold' if model.price else 'check/fold'} (x)"
        self._set_button("plan-fold", fold)
        planned = f"call {chips(model.price)}" if model.price else "check"
        self._set_button("plan-call", f"{marks[Plan.CALL]} {planned} (v)")

    def _raise_words(self, turn: Turn | None) -> str:
        if turn is None or turn.legal.min_to is None:
            return ""
        is_bet = max(seat.bet for seat in turn.hand.seats) == 0
        word = "Bet" if is_bet else "Raise to"
        if turn.legal.min_to == turn.legal.max_to:
            return f"{word} {chips(turn.legal.min_to)} (r)"
        return f"{word} (r)"

    def _set_button(self, id_: str, text: str, *, shown: bool = True) -> None:
        button = self.query_one(f"#{id_}", Button)
        button.label = Content(text)
        button.display = shown
        button.disabled = not (self._may_act or id_.startswith("plan"))

    def _tick(self) -> None:
        if self._model.clock is not None or self._model.queued is not None:
            self._show_prompt()

    # Acting.

    def _act(self, verb: Verb, to: int | None = None) -> None:
        turn = self._model.turn
        if turn is None or not self._may_act:
            return
        self._acted = turn.turn
        self.set_focus(None)
        number = self._play.next_action()
        self._play.source.send(ActMessage(turn=turn.turn, action=number, verb=verb, to=to))
        self._show_buttons()

    def refused(self) -> None:
        """Let another action be chosen: the last one was refused."""
        self._acted = None
        self._show_buttons()

    def play_plan(self) -> None:
        """Play what was planned, if this is the turn it was planned for."""
        model = self._model
        if model.turn is not None and model.plan is not None:
            verb = model.plan.verb(model.turn.legal)
            model.plan = None
            if verb is not None:
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
            self._act(Verb.FOLD)
        elif not turn.legal.fold:
            self._notice("checking is free, and folding is not allowed then: c checks")
        else:
            question = Question("Checking is free. Fold all the same?", yes="Fold", no="Go back")
            self.app.push_screen(question, partial(self._fold_if, turn.turn))

    def _fold_if(self, turn: str, yes: bool | None) -> None:
        now = self._model.turn
        if yes and now is not None and now.turn == turn:
            self._act(Verb.FOLD)

    def action_call(self) -> None:
        """Check or call."""
        self._act(Verb.CALL if self._model.price else Verb.CHECK)

    def action_raise(self) -> None:
        """Go to the amount; where there is but one, raise."""
        turn = self._model.turn
        if turn is None or turn.legal.min_to is None or not self._may_act:
            if turn is not None and turn.legal.min_to is None:
                self._notice("no raise is allowed now")
            return
        if turn.legal.min_to == turn.legal.max_to:
            self._raise_to(turn, turn.legal.min_to)
        else:
            self.query_one("#amount", Input).focus()

    def _raise_to(self, turn: Turn, amount: int) -> None:
        is_bet = max(seat.bet for seat in turn.hand.seats) == 0
        self._act(Verb.BET if is_bet else Verb.RAISE, amount)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Raise to the amount."""
        event.stop()
        self._submit_amount()

    def action_size(self, number: int) -> None:
        """Set the amount; nothing is sent."""
        turn = self._model.turn
        amount = None if turn is None else raise_to(turn, _SIZES[number])
        if amount is not None:
            field = self.query_one("#amount", Input)
            field.value = str(amount)
            if field.display:
                field.focus()

    def action_step(self, steps: int) -> None:
        """Change the amount by big blinds."""
        turn, field = self._model.turn, self.query_one("#amount", Input)
        if turn is None or turn.legal.min_to is None or turn.legal.max_to is None:
            return
        digits = "".join(filter(str.isdecimal, field.value))
        now = int(digits or turn.legal.min_to)
        wanted = now + steps * max(turn.hand.blinds)
        field.value = str(min(max(wanted, turn.legal.min_to), turn.legal.max_to))

    def action_leave_amount(self) -> None:
        """Leave the field of the amount."""
        self.set_focus(None)

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
        turn = self._model.turn
        if turn is not None:
            try:
                self._raise_to(turn, checked_amount(turn, self.query_one("#amount", Input).value))
            except BadInput as problem:
                self._notice(str(problem))

    def action_plan(self, name: str) -> None:
        """Choose an action in advance."""
        self._model.make_plan(Plan[name])
        self.show()

    def _notice(self, text: str) -> None:
        self._model.say(text, Tone.PROBLEM)
        self._show_log()

    # Everything else.

    def action_help(self) -> None:
        """Show the keys."""
        self.app.push_screen(help_dialog())

    def action_words(self) -> None:
        """Say everything in the log."""
        for line in table_words(self._model):
            self._model.say(line)
        self._show_log()

    def action_letters(self) -> None:
        """Show suits as letters or as symbols."""
        model = self._model
        model.suits = Suits.LETTERS if model.suits is Suits.SYMBOLS else Suits.SYMBOLS
        self.show()

    def action_bell(self) -> None:
        """Ring the bell at my turn, or no longer."""
        self._play.rings = not self._play.rings
        self._notice(f"the bell at my turn is {'on' if self._play.rings else 'off'}")

    def action_pause(self) -> None:
        """Take the next pause."""
        source = self._play.local
        if source is None:
            self._notice("on a server the others set the pace")
            return
        longer = [pause for pause in PAUSES if pause > source.pause]
        source.pause = longer[0] if longer else PAUSES[0]
        source.hurry()
        self._notice(f"pause after others' actions: {source.pause:g} s")

    def action_go_on(self) -> None:
        """Go on at once; come back to a server that has closed; leave a game that is over."""
        self._play.go_on()

    def action_top_up(self) -> None:
        """Buy chips up to a full stack."""
        chips_missing = self._play.missing_chips()
        if chips_missing > 0:
            self._play.source.send(BuyChips(amount=chips_missing))
            self._notice(f"{chips(chips_missing)} chips come before the next hand")
        else:
            self._notice("no chips to buy")

    def action_sit_out(self) -> None:
        """Sit out, or play again."""
        model = self._model
        if not self._play.source.is_server or model.table is None or model.table.kind != "ring":
            self._notice("sitting out is for ring games on a server")
            return
        mine = next((p for p in model.table.players if p.name == model.me), None)
        out = mine is not None and mine.presence is Presence.SITTING_OUT
        self._play.source.send(SitIn() if out else SitOut())

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
        if model.table is None or (self._play.source.is_server and model.table.kind != "practice"):
            self._notice("a house player gives advice in practice games only")
        elif model.turn is None:
            self._notice("a house player can be asked at my turn")
        else:
            self.add_class("-panel")
            self.query_one(AdvicePanel).ask(self._play.advisers)
            self.show()
