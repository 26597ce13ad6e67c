"""A person's game by lines: what is told, what can be typed, and how it ends."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from railbird.arena.guarded_player import DEFAULT_FAULTS, seat_players
from railbird.arena.names import names_of
from railbird.cards import Suits
from railbird.client.local_game import LocalGame
from railbird.client.plain_table import PlainTable
from railbird.client.table_model import TableModel, open_hand_log
from railbird.game import Betting, Call, Fold, Raise
from railbird.histories import HandRecord, read
from railbird.hosting.formats import Clocks, RingFormat
from railbird.players.booker import LearningBooker
from railbird.units import Chips

CLOCKS = Clocks(limit=86_400, bank=0, refill=None, lag=0)


def session(
    typed: Sequence[str],
    *players: str,
    log: Path,
    betting: Betting = Betting.NO_LIMIT,
    stack: int = 400,
    seed: int = 1,
    variant: str = "holdem",
) -> tuple[list[str], list[HandRecord], LocalGame]:
    """Type these lines and then no more; return what was told, and the hands."""
    form = RingFormat(
        name="play",
        betting=betting,
        variant=variant,
        seats=len(players) + 1,
        buy_ins=(20, stack),
        clocks=CLOCKS,
    )
    names = names_of(players)
    seated = seat_players(players, names, DEFAULT_FAULTS, form.rules([stack] * form.seats))
    told: list[str] = []
    lines: Iterator[str] = iter(typed)

    def ask() -> str:
        told.append("?")
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    with open_hand_log(log) as kept:
        house = dict(zip(names, seated, strict=True))
        game = LocalGame(form, "ann", house, seed=seed, log=kept, pause=0)
        model = TableModel(suits=Suits.LETTERS)
        model.me = "ann"
        PlainTable(game, model, say=told.append, ask=ask).run()
    hands = [hand for hand in read(log, variants=True) if isinstance(hand, HandRecord)]
    assert len(hands) == game.hands
    return told, hands, game


def test_what_is_typed_is_played(tmp_path: Path) -> None:
    told, hands, _ = session(["c", "r 60", "3", "f"], "always-call", log=tmp_path / "x.phhs")
    said = "\n".join(told)
    mine = [line for line in told if line.startswith(("You bet", "You raise", "You call"))]
    (hand,) = hands
    assert said.count("Your turn: ") >= 3
    assert "Your cards " in said
    amounts = [action.to for action in hand.actions if isinstance(action, Raise)]
    assert 60 in amounts
    assert mine == ["You call 10", "You bet 60", "You bet 160"]
    assert told.index("?") > told.index(next(line for line in told if "Your turn" in line))


def test_the_last_line_leaves_and_the_hand_is_folded_and_logged(tmp_path: Path) -> None:
    told, (hand,), game = session([], "always-raise", log=tmp_path / "x.phhs")
    assert told.count("?") == 1
    assert "You leave: the hand is played to its end without you" in told
    assert "frozen" not in "\n".join(told)
    assert any(isinstance(action, Fold) for action in hand.actions)
    assert sum(hand.payoffs) == 0
    assert game.net < 0


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("z", "'z'; ? lists what can be typed"),
        ("r", "no amount is typed; allowed: 40 to 400"),
        ("r 9", "9; allowed: 40 to 400"),
        ("r 1e9", "'1e9' is no amount; allowed: 40 to 400"),
        ("?", "q: leave; a hand in play is folded, and logged"),
        ("w", "No board yet"),
        ("t", "no chips to buy"),
        ("l", "cards are written like this: ace of spades, ten of diamonds"),
        ("\x1b[31m", "'\\x1b[31m'; ? lists what can be typed"),
    ],
)
def test_what_is_no_action_is_answered_and_asked_again(
    typed: str, line: str, tmp_path: Path
) -> None:
    told, _, _ = session([typed, "c", "q"], "always-call", log=tmp_path / "x.phhs")
    assert line in told
    first = told.index("?")
    assert told.index(line) > first
    assert "You call 10" in told[told.index(line) :]


def test_cards_by_their_names(tmp_path: Path) -> None:
    told, _, _ = session(["l", "c", "c"], "always-call", log=tmp_path / "x.phhs")
    flop = next(line for line in told if line.startswith("Flop"))
    assert flop.count(" of ") == 3


def test_a_free_fold_is_asked_once_or_refused(tmp_path: Path) -> None:
    told, _, _ = session(["c", "f", "q"], "always-call", log=tmp_path / "x.phhs")
    refused = "checking is free, and folding is not allowed then: c checks"
    asked = "Checking is free. Fold all the same? y folds"
    assert (refused in told) != (asked in told)


def test_odds_and_advice(tmp_path: Path) -> None:
    told, _, _ = session(["o", "h"], "always-call", log=tmp_path / "x.phhs")
    assert any(line.startswith("You win or tie ") for line in told)
    assert any(" would " in line for line in told)


def test_a_fixed_raise_needs_no_amount(tmp_path: Path) -> None:
    told, (hand,), _ = session(["r"], "always-call", log=tmp_path / "x.phhs", betting=Betting.LIMIT)
    assert "c: call 10; f: fold; r: raise to 40" in told
    assert hand.actions[0] == Raise(Chips(40))
    assert isinstance(hand.actions[1], Call)


def test_whoever_has_no_chips_buys_new_ones_by_t(tmp_path: Path) -> None:
    lost = next(
        seed
        for seed in range(1, 30)
        if session(["4"], "always-call", log=tmp_path / f"{seed}.phhs", seed=seed)[2].net == -400
    )
    told, hands, _ = session(
        ["4", "c", "t", "c", "q"], "always-call", log=tmp_path / "again.phhs", seed=lost
    )
    assert "You have no chips left: t buys in again, q leaves" in told
    assert "'c'; allowed: t, m, w, l, q" in told
    assert "400 chips come before the next hand" in told
    assert len(hands) == 2


def test_folded_cards_are_shown_by_m_at_the_next_turn_and_the_log_keeps_it(tmp_path: Path) -> None:
    told, hands, _ = session(["f", "m", "m", "f"], "always-raise", log=tmp_path / "x.phhs")
    assert "Nobody has seen your cards: at your next turn, m shows them" in told
    shown = [line for line in told if line.startswith("You show")]
    assert len(shown) == 1
    assert shown[0].endswith("of hand 1, by choice")
    assert "no cards to show: none of a last hand are hidden" in told
    first, second, *_ = hands
    seat = first.players.index("ann")
    assert first.shown_by_choice[seat] is True
    assert first.shown_by_choice[1 - seat] is False, "house players muck"
    assert second.shown_by_choice == (False, False)


def test_learners_at_home_are_told_who_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    count = LearningBooker.shown_by_choice

    def counted(learner: LearningBooker, person: int) -> None:
        count(learner, person)
        statistics = learner.opponents._met[person]
        shown.append(f"{person}: {statistics.as_record()['shown_freely']}")

    monkeypatch.setattr(LearningBooker, "shown_by_choice", counted)
    _, hands, _ = session(["f", "m", "f", "m", "f"], "booker:4", log=tmp_path / "x.phhs")
    choices = [hand.shown_by_choice[hand.players.index("ann")] for hand in hands]
    assert choices.count(True) == len(shown) >= 1
    assert [text.partition(": ")[2] for text in shown] == [str(n + 1) for n in range(len(shown))]


def test_omaha_is_played_and_its_winners_of_high_and_low_are_told(tmp_path: Path) -> None:
    told, hands, _ = session(
        ["c", "o", "h", *["c"] * 40],
        "sensible",
        "always-call",
        log=tmp_path / "x.phhs",
        betting=Betting.POT_LIMIT,
        variant="omaha-hilo",
    )
    said = "\n".join(told)
    assert {len(own) for hand in hands for own in hand.cards} == {4}
    assert "with any 4 cards." in said
    assert "sensible would " in said
    assert sum(line.startswith("High: ") for line in told) > 1
    assert any(line.startswith("Low: ") for line in told)
