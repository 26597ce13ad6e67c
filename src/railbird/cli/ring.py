"""``railbird ring``: ring games with re-buys."""

from __future__ import annotations

import re
from collections.abc import Sequence

import click

from railbird import arena, cards
from railbird.arena.settings import RING_HANDS, SESSION
from railbird.cli._completion import PLAYER, Whole
from railbird.cli._console import print_json, print_table, progress
from railbird.cli._play import (
    Playing,
    betting_of,
    betting_option,
    game_or_usual,
    playing_options,
    rake_option,
    stack_of,
    variant_option,
)
from railbird.cli._result_tables import game_words, shown, tell_faults
from railbird.errors import BadInput
from railbird.report.document import Table
from railbird.report.number_format import counted, signed


@click.command(name="ring")
@click.argument("players", nargs=-1, required=True, metavar="A B...", type=PLAYER)
@betting_option
@variant_option
@rake_option
@click.option(
    "--stack",
    default="200",
    help="Buy-in, such as 100bb or 200 chips; a bare number is chips.",
)
@click.option("--blinds", default="1,2", help="SMALL,BIG or SMALL,BIG,ANTE in chips.")
@click.option(
    "-n",
    "--hands",
    type=Whole(min=1),
    default=RING_HANDS,
    help="Hands in all sessions together.",
)
@click.option(
    "--session",
    type=Whole(min=1),
    default=SESSION,
    help="Hands in a session, after which everybody starts afresh.",
)
@click.option(
    "--rebuy",
    default="always",
    help="Who buys in again. always: a player who goes broke; below=0.5: also a player with "
    "less than half a buy-in; never: nobody; below=0.5,most=3: at most three times in a "
    "session.",
)
@click.option("--top-up", is_flag=True, help="Top up all stacks to the buy-in before each hand.")
@playing_options(log="PHHS file to write; an unfinished one is resumed.")
def command(
    *,
    players: Sequence[str],
    game: str,
    variant: str,
    rake: str | None,
    stack: str,
    blinds: str,
    hands: int,
    session: int,
    rebuy: str,
    top_up: bool,
    how: Playing,
) -> None:
    """Play at one table where stacks carry over from hand to hand.

    A player who goes broke buys in again, or leaves if --rebuy says so; the others
    continue until one is left. A player's winnings are its final stack less all buy-ins. Hands of a
    session are dependent through the stacks, so intervals are computed from whole sessions, each
    starting with the buy-in, reset players and new seats. With a log, an interrupted game is
    resumed.

    \b
    Examples:
      railbird ring always-call always-raise random --hands 4000
      railbird ring tom=random ann=always-call bob=random --stack 100 --log ring.phhs \\
        --rebuy below=0.5,most=3
      railbird ring random random random --game spreadlimit,bets=2/10 --rake 5%,cap=3
      railbird ring random random always-call --variant omaha --game potlimit
    """
    from railbird.game import parse_rake

    small, big, ante = _posts(blinds)
    dealt = cards.variant_from(variant)
    betting, with_bets, bets = game_or_usual(game, dealt).partition(",bets=")
    ring = arena.Ring(
        players=tuple(players),
        hands=hands,
        seed=how.seed,
        buy_in=stack_of(stack, big),
        blinds=(small, big),
        ante=ante,
        betting=betting_of(betting, spread=True),
        bets=_bets(bets) if with_bets else None,
        rake=None if rake is None else parse_rake(rake),
        variant=dealt,
        rebuys=_rebuys(rebuy),
        top_up=arena.TopUp.EACH_HAND if top_up else arena.TopUp.NEVER,
        session=session,
        faults=how.faults,
    )
    with how.begun(how.log), progress() as notify:
        result = arena.play_ring(ring, log=how.log, workers=how.workers, on=how.on, progress=notify)
    faults = [(name, result.faults(player)) for player, name in enumerate(ring.names)]
    if how.as_json:
        print_json(result.as_json(how.log))
        tell_faults(faults, result.hands, strict=how.strict)
        return
    print_table(_table(result))
    tell_faults(faults, result.hands, strict=how.strict)


def _rebuys(text: str) -> arena.Rebuys:
    """Who buys in again, and how often at most."""
    who, comma, most = text.replace(" ", "").partition(",most=")
    if comma and not re.fullmatch(r"[0-9]{1,9}", most):
        raise BadInput(f"--rebuy {text!r}; allowed: such as always,most=3")
    return arena.parse_rebuys(who or "always", int(most) if comma else None)


def _posts(text: str) -> tuple[int, int, int]:
    """The small blind, the big blind and the ante."""
    match = re.fullmatch(r"(\d{1,9})[,/](\d{1,9})(?:[,/](\d{1,9}))?", text)
    if match is None:
        raise BadInput(f"blinds {text!r}; allowed: SMALL,BIG or SMALL,BIG,ANTE, as in 1,2")
    small, big, ante = (int(part or 0) for part in match.groups())
    return small, big, ante


def _bets(text: str) -> tuple[int, int]:
    """The smallest and the largest bet of spread limit."""
    match = re.fullmatch(r"(\d{1,9})[,/](\d{1,9})", text)
    if match is None:
        raise BadInput(
            f"--game spreadlimit,bets={text}; allowed: SMALLEST/LARGEST, as in bets=2/10"
        )
    return int(match[1]), int(match[2])


def _table(result: arena.RingResult) -> Table:
    """Winnings and buy-ins of all players, the largest winner first."""
    ring = result.ring
    sessions = "one session" if ring.sessions == 1 else f"{ring.sessions:,} sessions"
    unit = "sb" if ring.variant.has_bring_in else "bb"  # in stud nobody posts a big blind
    raked = ""
    if ring.rake is not None:
        raked = f"; the house took {result.raked / ring.blinds[1]:,.1f} {unit}"
    game = game_words(ring.betting, ring.variant)
    played = f"{counted(result.hands)} of {game} in {sessions}"
    title = f"{played}, {result.hands_per_s:,.0f} a second{raked}"
    heads = ("player", f"{unit} a hand", "95 % interval", "per 100", "hands", "bought", "re-buys")
    money = [(result.money(player), player) for player in range(len(ring.players))]
    rows = [
        (
            ring.names[player],
            *shown(won),
            signed(100 * won.value, 1),
            f"{result.dealt[:, player].sum():,}",
            f"{result.bought[:, player].sum() / ring.blinds[1]:,.0f}",
            f"{result.rebuys[:, player].sum():,}",
        )
        for won, player in sorted(money, key=lambda row: -row[0].value)
    ]
    return Table(heads, rows, title=title)
