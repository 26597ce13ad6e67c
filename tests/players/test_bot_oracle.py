"""Bots that tell their strategy: beside a class that plays it, and what is refused."""

from __future__ import annotations

import sys
from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest

from railbird.arena.exploitability import local_best_response
from railbird.cards import HOLDINGS, Card, Holding, cards_of
from railbird.errors import BadInput
from railbird.game import (
    Act,
    Action,
    Call,
    Fold,
    HandDealer,
    Moment,
    Raise,
    View,
    acpc_rules,
    act,
    no_limit_holdem,
)
from railbird.players import Distribution, RangeDistribution, bot_program
from railbird.players.bot_oracle import MOST_HOLDINGS, BotOracle
from railbird.players.known_strategy import asked_player, known_policy
from railbird.players.policy import ask_each, hash_of
from railbird.protocol.messages import AskStrategy
from railbird.units import Chips, Seat

RULES = acpc_rules(no_limit_holdem(2, blinds=(50, 100), stack=2_000))

BOT = """
import json, sys

RANKS = "23456789TJQKA"

def chances(hand, legal, cards):
    pair = cards[0][0] == cards[1][0]
    high = max(RANKS.index(card[0]) for card in cards) / 12
    mix = {("call", None): 1.0}
    if legal["to_call"]:
        mix = {("fold", None): 0.8 * (1 - high), ("call", None): 1 - 0.8 * (1 - high)}
    if pair and "min_to" in legal and len(hand["history"]) < 12:
        mix = {("call", None): 0.25, ("raise", legal["min_to"]): 0.75}
    return mix

def send(**message):
    print(json.dumps(message), flush=True)

send(type="hello", versions=[1], log_in={"by": "token", "token": "local"})
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "ping":
        send(type="pong", n=message["n"])
    elif message["type"] == "ask_strategy":
        mixes = [
            chances(message["hand"], message["legal"], (text[:2], text[2:]))
            for text in message["holdings"]
        ]
        actions = sorted({action for mix in mixes for action in mix}, key=str)
        said = [{"verb": verb} | ({} if to is None else {"to": to}) for verb, to in actions]
        rows = [[mix.get(action, 0.0) for action in actions] for mix in mixes]
        ANSWER
        send(type="strategy", ask=message["ask"], hash=known, actions=said, probabilities=rows)
"""


class Twin:
    """The same strategy as a class that is asked as our own are."""

    strategy_hash = "twin"

    def reset(self, rng: np.random.Generator) -> None:
        self._actions = 0

    def begin(self, view: View) -> None:
        self._actions = 0

    def observe(self, view: View, event: object) -> None:
        self._actions += 1  # the board, too, stands in the history

    def end(self, view: View) -> None:
        pass

    def act(self, view: View) -> Action:
        raise AssertionError("it is asked, and never acts")

    def distribution(self, view: View) -> Distribution:
        low, high = sorted(card // 4 for card in cards_of(view.holding))
        strong, legal = high / 12, view.legal
        if low == high and legal.min_raise_to is not None and self._actions < 12:
            return Distribution.of([(Call(), 0.25), (Raise(legal.min_raise_to), 0.75)])
        if not view.state.to_call:
            return Distribution.certain(Call())
        return Distribution.of([(Fold(), 0.8 * (1 - strong)), (Call(), 1 - 0.8 * (1 - strong))])

    def range_distribution(self, view: View, holdings: np.ndarray) -> RangeDistribution:
        return ask_each(self, view, holdings)


def bot(folder: Path, answer: str = "known = 'tom-1'") -> str:
    """Write a bot that answers so; return its spec."""
    path = folder / "tom.py"
    path.write_text(BOT.replace("ANSWER", answer))
    return f"bot:{sys.executable} {path}"


LIVE = np.flatnonzero([not {20, 21, 30} & set(cards_of(Holding(h))) for h in range(HOLDINGS)])
"""Holdings that share no card with the flop."""


def flop(oracle: BotOracle) -> View:
    """Let an oracle see a hand up to the flop, where the big blind acts first."""
    board = [Card(card) for card in (20, 21, 30, 40, 51)]
    dealer = HandDealer(RULES, [Holding(1000), Holding(3)], board)
    oracle.reset(np.random.default_rng(1))
    dealt, *_ = dealer.begin()
    oracle.begin(Moment(dealt.after).view(Seat(0)))
    for action in (Raise(Chips(300)), Call()):
        for event, _, state in dealer.act(action):
            oracle.observe(Moment(state).view(Seat(0)), event)
    return Moment(dealer.state).view(Seat(0))


def test_it_is_asked_for_all_holdings_at_a_public_decision(tmp_path: Path) -> None:
    oracle = asked_player(bot(tmp_path))
    assert isinstance(oracle, BotOracle)
    assert hash_of(oracle) == "tom-1"
    view = flop(oracle)
    holdings = LIVE
    assert len(holdings) > 8 * MOST_HOLDINGS
    said = oracle.range_distribution(view, holdings)
    total = said.fold + said.call + said.raises.sum(axis=1)
    assert total == pytest.approx(np.ones(len(holdings)))
    pairs = [len({card // 4 for card in cards_of(Holding(int(h)))}) == 1 for h in holdings]
    assert said.raises[:, 0] == pytest.approx(np.where(pairs, 0.75, 0.0))
    assert said.sizes == ((100, 100),)
    copy = deepcopy(oracle)
    after = act(view.state, Raise(Chips(100)))
    copy.observe(Moment(after).view(Seat(0)), Act(Seat(0), Raise(Chips(100))))
    assert oracle.distribution(view).probability(oracle.act(view)) > 0
    oracle.close()


def test_a_question_shows_nobodys_cards(tmp_path: Path) -> None:
    oracle = BotOracle(bot(tmp_path).removeprefix("bot:"))
    flop(oracle)
    assert oracle._seat is not None
    question = oracle._seat.asks_strategy("q", ["AhKh"])
    assert isinstance(question, AskStrategy)
    assert question.hand.you == 0
    assert [seat.cards for seat in question.hand.seats] == [None, None]
    assert question.hand.board == ["7c", "7d", "9h"]


@pytest.mark.slow
def test_a_local_best_response_wins_the_same_from_bot_and_class(tmp_path: Path) -> None:
    of_bot, of_class = (
        local_best_response(spec, RULES, menu="fcpa", streets="all", deals=20, seed=4)
        for spec in (bot(tmp_path), f"python:{__name__}:Twin")
    )
    assert of_bot.won.value == pytest.approx(of_class.won.value, abs=1e-9)
    assert of_bot.money == of_class.money
    assert of_bot.won.value > 0


def test_who_tells_by_which_hash_it_plays_is_known(tmp_path: Path) -> None:
    assert isinstance(known_policy(f"python:{__name__}:Twin", RULES), Twin)
    assert isinstance(known_policy(bot(tmp_path), RULES), BotOracle)


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        ("known = 'tom-' + message['ask']", "tells of a strategy tom-q2, after one of tom-q1"),
        ("known = 'a'; rows = rows[1:]", "rows of probabilities; allowed: 128, each of"),
        ("known = 'a'; rows = [[p / 2 for p in row] for row in rows]", "that sum to 0.5"),
        ("known = 'a'; said = [dict(verb='raise', to=7)] * len(said)", "not allowed: seat 0"),
        ("known = 'a'; said = said[:1] * 2; rows = [[1, 0] for _ in rows]", "an action twice"),
        ("sys.exit(3)", "does not tell its strategy: it ended with status 3"),
    ],
)
def test_what_is_no_strategy_is_refused(tmp_path: Path, answer: str, words: str) -> None:
    oracle = BotOracle(bot(tmp_path, answer).removeprefix("bot:"))
    view = flop(oracle)
    with pytest.raises(BadInput, match=words):
        oracle.range_distribution(view, LIVE[:200])


def test_who_passes_over_the_question_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_program, "PASSED_OVER_SECONDS", 0.1)
    with pytest.raises(BadInput, match="does not tell its strategy: no answer to ask_strategy in"):
        known_policy(bot(tmp_path, "continue"), RULES)
