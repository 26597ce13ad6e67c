"""Hand histories of PokerStars: cash games and tournaments of hold'em, Omaha, stud and draw.

"raises $16 to $26" gives both the increase and the street's total. Cards are known if they were
shown or are the hero's; in stud up cards are known of everybody.

In a draw game the text says how many cards others exchanged. It deals to each as he draws, the
rules to all after the last has: as a seat's cards depend on those before it alone, that is the
same. If a stud game's deck ran out, six cards are shown, and the summary has the last one, for all,
as a board.

Texts from before 2009, and of other programs, have no "Uncalled bet" lines: the uncalled part of a
bet is then missing from the pot. The archive that the site sends by e-mail has a numbered line of
stars above each hand and may indent all lines; some copies have an empty line after every line.

Run It Once, PokerBros and PokerMaster write the same words under a first line of their own. From
June 2019 on Run It Once prints the cards of everybody; PokerMaster calls a straddle a big blind.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from railbird.histories.record import BadHand, SkipReason
from railbird.histories.sites.money import AMOUNT, ANY_AMOUNT, Conventions, LargerBigBlind
from railbird.histories.sites.pokerstars_head import (
    HEADER,
    NO_TABLE,
    PLAY_MONEY,
    read_head,
    read_time,
    site_in,
)
from railbird.histories.sites.replay import PostKind, SiteHand, SitePlayer, SiteVerb
from railbird.histories.sites.text import (
    CALLS,
    CHECKS,
    RAISES_BY_TO,
    STREETS,
    Acts,
    LineTable,
    SiteText,
    brings_in,
    dealt,
    drops,
    exchanges_cards,
    folds_showing,
    from_house,
    posts,
    quiet,
    returned,
    run_times,
    shows,
    stands_pat,
    wins,
)
from railbird.units import Chips

_ROOM_OF_EARLY_RAISES: Final = "Run It Once"


def _begin(lines: Sequence[str]) -> SiteHand:
    line = lines[0]
    number, game, played_at = read_head(line)
    return SiteHand(
        number,
        game.betting,
        game.currency,
        game.notation,
        game.stakes,
        game.cap,
        game.tournament,
        game.variant,
        played_at=played_at,
        early=line.startswith(_ROOM_OF_EARLY_RAISES),
        site="" if line.startswith("PokerStars") else site_in(line),
    )


def _table(hand: SiteHand, name: str, text: str, number: int | None) -> None:
    hand.table = "" if name == NO_TABLE else name
    hand.button = number or 0
    hand.play_money = PLAY_MONEY.lower() in text.lower()


def _sits_out(hand: SiteHand, player: SitePlayer) -> None:
    player.sits_out = True


def _collects(hand: SiteHand, name: str, amount: Chips) -> None:
    """Take winnings; nobody at the table collects in chat."""
    if name in hand.players:
        wins(hand, hand.players[name], amount)


def _pot(hand: SiteHand, total: Chips, pots: str, rake: Chips) -> None:
    """Take the pot, which is the sum of its parts, with the rake or without. Raises `BadHand`."""
    if hand.total is not None and (hand.total, hand.rake) != (total, rake):
        raise BadHand(SkipReason.WRONG_PAYOFF, f"two total pots: {hand.total} and {total}")
    hand.total, hand.rake = total, rake
    parts = sum(map(hand.amount, _ONE_POT.findall(pots))) if pots else 0
    with_drop = parts + hand.dropped
    if parts and not {parts, with_drop} & {total, total - rake}:
        raise BadHand(SkipReason.WRONG_PAYOFF, f"pots of {parts} in a total pot of {total}")


def _another_section(hand: SiteHand, text: str) -> None:
    line = f"*** {text}"
    reason = SkipReason.ANOTHER_GAME if " ***" in text else SkipReason.UNREADABLE
    raise BadHand(reason, repr(line[:60]))


def _cashes_out(hand: SiteHand, name: str, amount: Chips) -> None:
    """Take what a player sold the hand for, the fee deducted."""
    from_house(hand, hand.player(name), amount)


def _finish(hand: SiteHand) -> None:
    """Give the pots that the house has bought to their winners, by whom they are paid to it."""
    if hand.total is None:
        reason = SkipReason.UNREADABLE if hand.in_summary else SkipReason.CUT
        raise BadHand(reason, "no total pot")
    for player in hand.players.values() if hand.sold else ():
        if player.sells and player.said_to_win:
            bought = player.said_to_win - player.won
            player.won += bought
            player.house = (player.house or 0) - bought


_OTHER_STREETS: Final = (
    *(f"*** {number} STREET ***" for number in ("3rd", "4th", "5th", "6th")),
    "*** DEALING HANDS ***",
    *(f"*** {number} DRAW ***" for number in ("FIRST", "SECOND", "THIRD")),
)
"""Headings of stud and draw, which deal to players and not to a board."""
_ONE_POT: Final = re.compile(rf"(?:Main|Side) pot(?:-[0-9]+)?:? {AMOUNT}(?:\.(?![0-9])| \|)")
_TOTAL: Final = re.compile(rf"Total pot:? {AMOUNT}(?: .*)?\| Rake:? {AMOUNT}.*")


def _is_whole(lines: Sequence[str]) -> bool:
    return any(map(_TOTAL.fullmatch, lines))


SITE: Final = SiteText(
    header=HEADER,
    marks=tuple(
        spelt for mark in ("Hand #", "Game #") for spelt in (mark, mark.upper(), mark.lower())
    ),
    begin=_begin,
    blank_lines_end=True,
    after_name=(": ",),
    chat=' said, "',
    players=LineTable(
        {
            "posts {the} {amount}{is all-in}": posts(PostKind.ANTE),
            "posts small blind {amount}{is all-in}": posts(PostKind.SMALL_BLIND),
            "posts big blind {amount}{is all-in}": posts(PostKind.BIG_BLIND),
            "posts small & big blinds {amount}{is all-in}": posts(PostKind.BOTH_BLINDS),
            "posts dead {small}blind {amount}{is all-in}": posts(PostKind.DEAD_BLIND),
            "posts straddle {amount}{is all-in}": posts(PostKind.STRADDLE),
            "brings{-}in{low} for {amount}{all-in}": brings_in,
            "completes {it }to {amount}{all-in}": Acts(SiteVerb.RAISE_TO),
            "discards {number} card{s}{thrown}": exchanges_cards,
            "stands pat{...}": stands_pat,
            "folds": Acts(SiteVerb.FOLD_IF_ABLE),
            "folds {cards}": folds_showing(SiteVerb.FOLD_IF_ABLE),
            "checks": CHECKS,
            "calls {amount}{all-in}": CALLS,
            "bets {amount}{all-in}": Acts(SiteVerb.BET),
            "raises {amount} to {amount}{all-in}": RAISES_BY_TO,
            "raises to {amount}{all-in}": Acts(SiteVerb.RAISE_TO),
            "shows {cards}{...}": shows,
            "mucks hand": quiet,
            "doesn't show hand": quiet,
            "sits out": _sits_out,
            "is sitting out": _sits_out,
            "is {dis}connected{...}": quiet,
            "has timed out{...}": quiet,
            "has returned": quiet,
            "re-buys {...}": quiet,
            "Table deposit {...}": quiet,
        },
        **{
            "the": "(?:the ante|an ante of)",
            "is all-in": "( and is all-in)?",
            "all-in": r"(?: and is all-in| and has reached the \S+ cap)?",
            "small": "(?:small )?",
            "-": "[ -]",
            "low": "(?: low)?",
            "it ": "(?:it )?",
            "s": "s?",
            "thrown": r"(?: \[([^]]*)\])?",
            "dis": "(?:dis)?",
        },
    ),
    unread=re.compile(": |Uncalled bet | collected "),
    others=LineTable(
        {
            "Table {ID}'{table}'{kind}{number?}": _table,
            "Dealt to {name} {cards}": dealt,
            "Uncalled bet ({amount}) returned to {name}": returned,
            "{name} collected {amount} from {pot}": _collects,
            "{name} cashed out the hand for {amount} | Cash Out Fee {fee}": _cashes_out,
            "STP added{:} {amount}": drops,
            "*** {text}": _another_section,
        },
        **{
            "ID": "(?:ID )?",
            "table": "(.*)",
            "kind": "([^']*?)",
            "text": "(.*)",
            "number?": "(?: Seat #([0-9]{1,3}) is the button)?",
            "pot": "(?:main |side )?pot(?:[- ][0-9]+)?",
            "fee": ANY_AMOUNT,
        },
    ),
    streets={"*** PRE-FLOP ***": 1} | STREETS | dict.fromkeys(_OTHER_STREETS, 0),
    stack=LineTable(
        {"{amount} in {c}hips{bounty}){absence}": quiet},
        c="[Cc]",
        bounty=r"(?:, [^()]*)?",
        absence="(.*)",
    ),
    summary=LineTable(
        {
            "Total pot{:} {amount}{pots}| Rake{:} {amount}{...}": _pot,
            "Hand was run {times}": run_times,
        },
        pots="( .*)?",
        times="(.*)",
    ),
    finish=_finish,
    is_whole=_is_whole,
    time_in=read_time,
    conventions=Conventions(
        site="PokerStars", larger_big_blind=LargerBigBlind.STRADDLE, stakes_bind=True, complete=True
    ),
)
