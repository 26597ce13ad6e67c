"""A person plays blackjack in the terminal."""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np

from railbird._files import replace_files
from railbird.blackjack import Rules, cards_text
from railbird.blackjack.play.round import Round
from railbird.blackjack.play.training import TrainingRound, Verdict
from railbird.cli._console import output
from railbird.report.toolkit.number_format import counted, number, signed


def play_rounds(rules: Rules, *, rounds: int | None, log: Path | None, seed: int) -> None:
    """Play until the rounds are over, or the person has had enough."""
    rng = np.random.default_rng(seed)
    output.print(rules.text())
    won, cost, decisions, mistakes = 0.0, 0.0, 0, 0
    texts: list[str] = []
    while rounds is None or len(texts) < rounds:
        output.print(f"\nround {len(texts) + 1}")
        played = _one_round(rules, rng)
        if played is None:
            break
        won += played.round.won()
        cost -= played.skill
        decisions += len(played.verdicts)
        mistakes += sum(verdict.cost > 0 for verdict in played.verdicts)
        texts.append(played.round.text())
        output.print(f"you win {signed(played.round.won(), 1)}; {signed(won, 1)} so far")
    luck = won + cost
    output.print(
        f"\n{counted(len(texts), 'round')}: money {signed(won, 1)}, of which your mistakes"
        f" {signed(-cost, 3)} and the cards and the house {signed(luck, 3)}"
    )
    output.print(f"{counted(decisions, 'decision')}, {counted(mistakes, 'mistake')}")
    if log is not None:
        replace_files({log: "\n".join(["round", *texts, ""]).encode()})
        output.print(str(log))


def _one_round(rules: Rules, rng: np.random.Generator) -> TrainingRound | None:
    """Play a round; None if the person stops."""
    played = TrainingRound(rules, rng)
    while not played.over:
        _show(played.round)
        choice = _ask(played.choices)
        if choice is None:
            return None
        output.print(f"  {_judged(played.choose(choice))}")
    _show(played.round)
    return played


def _ask(choices: tuple[str, ...]) -> str | None:
    keys = {_key(choice): choice for choice in choices}
    prompt = ", ".join(f"{key} {choice}" for key, choice in keys.items())
    while True:
        try:
            answer = click.prompt(f"  {prompt}, q stop", prompt_suffix="? ").strip().lower()
        except (click.Abort, EOFError):
            return None
        if answer in ("q", "quit"):
            return None
        if answer in keys:
            return keys[answer]
        if answer in choices:
            return answer


def _key(choice: str) -> str:
    return {"split": "p", "surrender": "r", "play on": "o", "no insurance": "n"}.get(
        choice, choice[0]
    )


def _show(played: Round) -> None:
    dealer = cards_text(played.dealer, " ")
    if len(played.dealer) == 1:
        dealer += " ?"
    hands = " | ".join(cards_text(hand.cards, " ") for hand in played.hands)
    at = f"   (hand {played.current + 1})" if len(played.hands) > 1 and played.legal else ""
    output.print(f"  dealer {dealer}   you {hands}{at}")


def _judged(verdict: Verdict) -> str:
    if verdict.cost <= 0:
        return f"{verdict.chosen}: right"
    return f"{verdict.chosen} costs {number(verdict.cost, 4)}; best is {verdict.best}"
