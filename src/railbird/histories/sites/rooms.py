"""Grammars of rooms that `railbird.histories.sites.room` reads, as tables.

Amounts of raises are totals of the street (`SiteVerb.RAISE_TO`) or chips put in
(`SiteVerb.PUT_IN`), as each room has it; the replay would refuse one taken for the other.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from railbird.game import Betting
from railbird.histories.record import BadHand, SkipReason
from railbird.histories.sites.money import (
    AMOUNT,
    Conventions,
    Uncalled,
    amount_as,
    signed_amount_as,
)
from railbird.histories.sites.replay import BOARD_SIZES, PostKind, SiteVerb
from railbird.histories.sites.room import (
    BETTINGS,
    Effect,
    Grammar,
    HandText,
    RoomText,
    acts,
    all_in,
    aside,
    attributes,
    blind,
    board,
    both_posts,
    call_to,
    card_links,
    deals_last,
    enters,
    gets_back,
    gives_button,
    late_post,
    one_card,
    passes,
    post,
    put_in,
    rake,
    seat,
    shows_cards,
    states_pot,
    suit_first,
    wins_each,
    wins_pot,
    wins_showing,
)
from railbird.histories.text_values import read_cards

_WHO: Final = "(?P<who>.{1,40}?)"
_N: Final = "(?P<n>[0-9]{1,3})"
_A: Final = amount_as("amount")
_STACK: Final = amount_as("stack")
_CARDS: Final = r"\[(?P<cards>[^\[\]]{1,60})\]"
_BOARD: Final = r"(?P<cards>\[.{2,40})"
_SMALL: Final = signed_amount_as("small")
_BIG: Final = signed_amount_as("big")
_WHEN: Final = r"(?P<when>[^\n]{1,60})"
_ACTS: Final = {
    "fold": acts(SiteVerb.FOLD_IF_ABLE),
    "check": acts(SiteVerb.CHECK),
    "call": acts(SiteVerb.CALL),
    "bet": acts(SiteVerb.BET),
    "raise": acts(SiteVerb.RAISE_TO),
    "cover": acts(SiteVerb.RAISE_TO, cover=True),
}
_EXCLUDED: Final = Conventions(uncalled=Uncalled.EXCLUDED)

_Lines = Sequence[tuple[str, Effect]]


# PokerTracker's exports, of iPoker, Merge, Everest and Microgaming.


_TRACKED: Final = (
    (rf"Seat {_N}: {_WHO} \({_STACK} in chips\)(?P<dealer> DEALER)?", seat),
    (rf"{_WHO}: (?:Post )?SB (?:Allin )?{_A}", post(PostKind.SMALL_BLIND)),
    (rf"{_WHO}: (?:Post )?BB (?:Allin )?{_A}", post(PostKind.BIG_BLIND)),
    (rf"{_WHO}: Post Ante {_A}", post(PostKind.ANTE)),
    (rf"{_WHO}: Post (?:Dead|DB) {_A}", late_post),
    (rf"{_WHO}: Post {_A}", late_post),
    (rf"{_WHO}: Fold", _ACTS["fold"]),
    (rf"{_WHO}: Check", _ACTS["check"]),
    (rf"{_WHO}: Call {_A}", _ACTS["call"]),
    (rf"{_WHO}: Bet {_A}", _ACTS["bet"]),
    (rf"{_WHO}: Raise (?:\(NF\)|to) {_A}", _ACTS["raise"]),
    (rf"{_WHO}: Raise {_A}", _ACTS["cover"]),
    (rf"{_WHO}: All-?[Ii]n {_A}", acts(SiteVerb.PUT_IN)),
    (rf"Dealt to {_WHO} {_CARDS}", shows_cards),
    (rf"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* {_BOARD}", board),
    (rf"{_WHO}: (?:Shows|Mucks) {_CARDS}.*", shows_cards),
    (rf"Total pot {_A} Rake {amount_as('rake')}", states_pot),
    (rf"{_WHO}: wins {_A} \(uncalled\)", gets_back),
    (rf"{_WHO}: wins {_A}", wins_pot),
)
_TRACKED_MUST: Final = r".+: (?:Post|SB|BB|Call|Bet|Raise|All-?[Ii]n|wins)\b.*[0-9]"
_TRACKED_HEAD: Final = (
    r" #(?P<number>[0-9-]{1,30}):?(?: \|)?(?: Version:\S{1,20})?(?: Uncalled:[YN])? +"
    r"(?P<game>[A-Za-z' -]{1,30}?) +(?P<limit>NL|PL|FL|L|Limit|) *"
    rf"(?:(?P<aside>(?P<tournament>Tournament))|\(?{_SMALL}/{_BIG}\)?)(?: \||-| )* {_WHEN}"
    r"\nTable (?P<table>[^\n]{1,60})?"
)
_MICROGAMING_POSTS: Final = (
    (
        rf"- {_WHO} sitting in seat {_N} with {_STACK}"
        rf"(?: at end {amount_as('after')})?(?: \[Sitting out\])?(?P<dealer> \[Dealer\])?",
        seat,
    ),
    (rf"{_WHO} posted the small blind - {_A}", post(PostKind.SMALL_BLIND)),
    (rf"{_WHO} posted the big blind - {_A}", post(PostKind.BIG_BLIND)),
    (rf"{_WHO} posted (?:the |an )?ante - {_A}", post(PostKind.ANTE)),
    (rf"{_WHO} posted (?:the )?dead(?: blind)? - {_A}", post(PostKind.DEAD_BLIND)),
    (rf"{_WHO} posted to play - {_A}", enters),
    (rf"{_WHO} folded", _ACTS["fold"]),
    (rf"{_WHO} checked", _ACTS["check"]),
    (rf"{_WHO} went all-in - {_A}", acts(SiteVerb.PUT_IN)),
    (rf"\*\* Dealing card to {_WHO}: (?P<cards>.{{4,60}})", shows_cards),
    (r"\*\* Dealing the (?:flop|turn|river): (?P<cards>.{1,60})", board),
    (rf"{_WHO} (?:shows|mucks): (?P<cards>.{{4,60}})", shows_cards),
    (rf"{_WHO} wins {_A} from .{{1,40}}", wins_pot),
)
_MICROGAMING_MUST: Final = r".+ (?:posted|called|bet|raised|went all-in|wins)\b.*[0-9]"
_MICROGAMING_HEAD: Final = (
    rf"\*\* Game ID (?P<number>[0-9]{{1,18}})(?: Version:[0-9]{{1,3}})? starting - {_WHEN}"
    r"\n\*\* (?P<table>.{0,60}?)\[(?:Multi Table )?(?P<game>[A-Za-z'& -]{1,40})\]"
    r" \((?P<small>[0-9.,]{1,12})\|(?P<big>[0-9.,]{1,12}) (?P<limit>NL|PL|FL|L)"
    r" - (?P<tournament>MTT|STT)?(?P<money>[^ A-Za-z0-9]?).*(?:Real Money|(?P<play>Play).*)"
)
POKER_TRACKER: Final = RoomText(
    Grammar(
        header=r"GAME #[0-9]",
        mark="GAME #",
        head=f"GAME{_TRACKED_HEAD}",
        lines=_TRACKED,
        must=_TRACKED_MUST,
        cards=suit_first,
        limits={**BETTINGS, "l": Betting.LIMIT},
    ),
    Grammar(
        header=r"(?:MERGE_GAME|Merge Game) #[0-9]",
        mark=" #",
        head=f"(?:MERGE_GAME|Merge Game){_TRACKED_HEAD}",
        lines=(
            # In tournaments stacks are told without what is posted.
            (rf"{_WHO}: (?:Post )?SB (?:Allin )?{_A}", aside(PostKind.SMALL_BLIND)),
            (rf"{_WHO}: (?:Post )?BB (?:Allin )?{_A}", aside(PostKind.BIG_BLIND)),
            (rf"{_WHO}: Post Ante {_A}", aside(PostKind.ANTE)),
            *_TRACKED,
        ),
        must=_TRACKED_MUST,
        limits={**BETTINGS, "l": Betting.LIMIT},
    ),
    Grammar(
        header=r"EverestPoker Game #[0-9]",
        mark="Game #",
        head=r"EverestPoker Game #(?P<number>[0-9]{1,18}): (?P<tournament>Tourney ID: [0-9]+, )?"
        rf"Table (?P<table>.{{1,60}}?) - {_SMALL}/{_BIG} - (?P<limit>(?:No|Pot|Fixed)? ?Limit) "
        rf"(?P<game>.{{1,20}}?) - {_WHEN}",
        lines=(
            (rf"Seat {_N}: {_WHO} \({_STACK}\)", seat),
            (rf"The button is in seat #{_N}", gives_button),
            (rf"{_WHO} posts the small blind of {_A}", post(PostKind.SMALL_BLIND)),
            (rf"{_WHO} posts the big blind of {_A}", post(PostKind.BIG_BLIND)),
            (rf"{_WHO} posts the ante of {_A}", post(PostKind.ANTE)),
            (rf"{_WHO} posts (?:a |the )?(?:dead|penalty).{{0,20}} of {_A}", late_post),
            (rf"{_WHO} posts {_A}", late_post),
            (rf"{_WHO} folds", _ACTS["fold"]),
            (rf"{_WHO} checks", _ACTS["check"]),
            (rf"{_WHO} calls {_A}(?:, and is all-in)?", _ACTS["call"]),
            (rf"{_WHO} bets {_A}(?:, and is all-in)?", _ACTS["bet"]),
            (rf"{_WHO} raises to {_A}(?:, and is all-in)?", _ACTS["raise"]),
            (rf"Uncalled bet of {_A} returned to {_WHO}", gets_back),
            (rf"Dealt to {_WHO} {_CARDS}", shows_cards),
            (rf"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* {_BOARD}", board),
            (rf"{_WHO} (?:shows|mucks) {_CARDS}", shows_cards),
            (rf"{_WHO} collects {_A}", wins_pot),
        ),
        must=r".+ (?:posts|calls|bets|raises|collects)\b.*[0-9]",
        conventions=_EXCLUDED,
    ),
    Grammar(
        header=r"\*\* Game ID [0-9]{1,18} Version:",
        mark="** Game ID",
        head=_MICROGAMING_HEAD,
        lines=(
            *_MICROGAMING_POSTS,
            (rf"{_WHO} called - {_A}", acts(SiteVerb.CALL)),
            (rf"{_WHO} (?:bet|raised) - {_A}", acts(SiteVerb.PUT_IN)),
        ),
        must=_MICROGAMING_MUST,
        last="End of game",
    ),
    Grammar(
        header=r"\*\* Game ID [0-9]{1,18} starting",
        mark="** Game ID",
        head=_MICROGAMING_HEAD,
        lines=(
            *_MICROGAMING_POSTS,
            (rf"{_WHO} called - {_A}", call_to),
            (rf"{_WHO} (?:bet|raised) - {_A}", _ACTS["raise"]),
        ),
        must=_MICROGAMING_MUST,
        last="End of game",
    ),
)


# OnGame, PKR, BetOnline and the rooms with its software.


_ALL_IN: Final = r"(?i:(?: \[all in\]| \(all-in\)|,? and is all[ -]in))?"
ONGAME: Final = RoomText(
    Grammar(
        header=r"\*{5} History for hand ",
        mark="***** History",
        last="***** End of hand",
        head=r"\*{5} History for hand (?P<number>[A-Z0-9-]{1,40})"
        r"(?P<tournament> \(TOURNAMENT.*\))? \*{5}"
        r"\nStart hand: (?P<when>.{1,60})\nTable: (?P<table>.{0,60}?) \[[0-9]+\] "
        rf"\((?P<limit>(?:NO_|POT_)?LIMIT) (?P<game>[A-Z0-9_]+) {_SMALL}/{_BIG}, "
        r"(?P<play>Play)?.*\)",
        lines=(
            (rf"Seat {_N}: {_WHO} \({_STACK}\)", seat),
            (rf"Button: seat {_N}", gives_button),
            (rf"{_WHO} posts small blind \({_A}\){_ALL_IN}", post(PostKind.SMALL_BLIND)),
            (rf"{_WHO} posts big blind \({_A}\){_ALL_IN}", post(PostKind.BIG_BLIND)),
            (rf"{_WHO} posts dead blind \({_A}\){_ALL_IN}", post(PostKind.DEAD_BLIND)),
            (rf"{_WHO} posts ante \(?{_A}\)?{_ALL_IN}", post(PostKind.ANTE)),
            (rf"{_WHO} folds", _ACTS["fold"]),
            (rf"{_WHO} checks", _ACTS["check"]),
            (rf"{_WHO} calls {_A}{_ALL_IN}", _ACTS["call"]),
            (rf"{_WHO} bets {_A}{_ALL_IN}", _ACTS["bet"]),
            (rf"{_WHO} raises .{{1,20}} to {_A}{_ALL_IN}", _ACTS["raise"]),
            (rf"Dealing to {_WHO}: {_CARDS}", shows_cards),
            (rf"--- Dealing (?:flop|turn|river) {_BOARD}", board),
            (
                r"(?:Main|Side) pot.{0,4}: .{1,20} won by (?P<winners>.{1,300})",
                wins_each(rf"(?:^|, )(.{{1,40}}?) \({AMOUNT}\)"),
            ),
            (rf"Rake taken: {_A}", rake),
            (rf"Seat [0-9]+: {_WHO} \(.{{1,20}}\), net: .{{1,20}}, {_CARDS}.*", shows_cards),
        ),
        must=r"(?!Seat ).+ (?:posts|calls|bets|raises)\b.*[0-9]|(?:Main|Side) pot",
    )
)
PKR: Final = RoomText(
    Grammar(
        header=r"Table #[0-9]+ - ",
        mark="Table #",
        head=r"Table #[0-9]+ - (?P<table>.*)\nStarting Hand #(?P<number>[0-9]{1,18})"
        r"\nStart time of hand: (?P<when>.*)\n(?:Last Hand .*\n)?Game Type: (?P<game>.*)"
        r"\nLimit Type: (?P<limit>.*)\nTable Type: (?:(?P<tournament>TOURNAMENT)|.*)"
        rf"\nMoney Type: (?:(?P<play>PLAY).*|.*)\nBlinds are now {_SMALL} ?/ ?{_BIG}",
        lines=(
            (rf"Seat {_N}: {_WHO}(?: \(bounty [^()]*\))? - {_STACK}(?: \(.*\))?", seat),
            (rf"(?:Button is at|Moving Button to) seat {_N}", gives_button),
            (rf"{_WHO} posts small blind \({_A}\){_ALL_IN}", post(PostKind.SMALL_BLIND)),
            (rf"{_WHO} posts big blind \({_A}\){_ALL_IN}", post(PostKind.BIG_BLIND)),
            (rf"{_WHO} posts ante of {_A}{_ALL_IN}", post(PostKind.ANTE)),
            (rf"{_WHO} posts {_A} dead{_ALL_IN}", post(PostKind.DEAD_BLIND)),
            (rf"{_WHO} posts {_A}{_ALL_IN}", late_post),
            (rf"{_WHO} folds(?: and shows .*)?", _ACTS["fold"]),
            (rf"{_WHO} checks", _ACTS["check"]),
            (rf"{_WHO} calls {_A}{_ALL_IN}", call_to),
            (rf"{_WHO} bets {_A}{_ALL_IN}", _ACTS["bet"]),
            (rf"{_WHO} raises to {_A}{_ALL_IN}", _ACTS["raise"]),
            (rf"Returning {_A} to {_WHO} uncalled", gets_back),
            (rf"Dealing (?P<cards>\[.*\]) to {_WHO}", shows_cards),
            (r"Dealing (?:Flop|Turn|River) (?P<cards>\[.*)", board),
            (rf"{_WHO} shows (?P<cards>\[.*\])", shows_cards),
            (rf"Taking Rake of {_A} from pot [0-9]+", rake),
            (rf"{_WHO} wins {_A}(?: from .*| with.*)?", wins_pot),
            (rf"{_WHO} ties.*?, and wins {_A}(?: with.*)?", wins_pot),
        ),
        must=r".+ (?:posts|calls|bets|raises|wins)\b.*[0-9]|Returning",
    )
)
_TWO_CARDS: Final = "[0-9TJQKA]{1,2}[CDHScdhs] [0-9TJQKA]{1,2}[CDHScdhs]"
BETONLINE: Final = RoomText(
    Grammar(
        header=r"(?:BetOnline Poker|PayNoRake|Gear ?Poker|ActionPoker\.com|TigerGaming)"
        " Game #[0-9]",
        mark=" Game #",
        head=r".{1,30}? Game #(?P<number>[0-9]{1,18}): (?P<tournament>Tournament #[0-9]+: )?"
        r"(?P<game>[A-Za-z' /-]+?)(?P<limit> (?:No|Pot|Fixed) Limit|)"
        rf"(?: \(?{_SMALL}/{_BIG}\)?)?"
        r" - (?P<when>.{1,60})\nTable '?(?P<table>.{1,40}?)'? (?:[0-9]+-Max, )?"
        r"(?P<play>\(Play Money\))?.*",
        lines=(
            (r"Table .*Seat #(?P<n>[0-9]{1,2}) is the button", gives_button),
            (
                rf"Seat {_N}: {_WHO} \({_STACK} in [Cc]hips\)"
                r"(?: - (?:(?P<dealer>The button)|.*))?",
                seat,
            ),
            (rf"{_WHO}: ante processed {_A}", post(PostKind.ANTE)),
            (rf"{_WHO}: [Pp]osts small blind {_A}{_ALL_IN}\.?", post(PostKind.SMALL_BLIND)),
            (rf"{_WHO}: [Pp]osts big blind {_A}{_ALL_IN}\.?", post(PostKind.BIG_BLIND)),
            (rf"{_WHO}: [Pp]osts? (?:the )?ante {_A}{_ALL_IN}\.?", post(PostKind.ANTE)),
            (rf"{_WHO}: [Pp]osts? dead {_A}\.?", enters),
            (rf"{_WHO}: [Ff]olds\.?", _ACTS["fold"]),
            (rf"{_WHO}: [Cc]hecks\.?", _ACTS["check"]),
            (rf"{_WHO}: [Cc]alls {_A}{_ALL_IN}\.?", _ACTS["call"]),
            (rf"{_WHO}: [Bb]ets {_A}{_ALL_IN}\.?", _ACTS["bet"]),
            (rf"{_WHO}: [Rr]aises .{{1,20}} to {_A}{_ALL_IN}\.?", _ACTS["raise"]),
            (rf"{_WHO}: [Rr]aises {_A}{_ALL_IN}\.?", _ACTS["raise"]),
            (rf"Uncalled bet \({_A}\) returned to {_WHO}", gets_back),
            (rf"Dealt [Tt]o {_WHO} {_CARDS}", shows_cards),
            (rf"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* {_BOARD}", board),
            (rf"Board {_CARDS}", board),
            (rf"{_WHO}:? (?:[Ss]hows|mucks) \[?(?P<cards>{_TWO_CARDS})\]?.*", shows_cards),
            (rf"Total pot {_A}(?: \| Rake {amount_as('rake')})?", states_pot),
            (rf"Seat [0-9]+: {_WHO} .*?(?:won|collected) \({_A}\).*", wins_pot),
            (rf"Seat [0-9]+: {_WHO} collected \({_A}\).*", wins_pot),
        ),
        must=r".+: (?:[Pp]osts|[Cc]alls|[Bb]ets|[Rr]aises)\b.*[0-9]|Uncalled"
        r"|Seat .*(?:won|collected)",
        limits={**BETTINGS, "": Betting.NO_LIMIT},
        conventions=_EXCLUDED,
    )
)


# Everleaf, Absolute Poker and UltimateBet, Poker Mavens, KingsClub, Entraction.


_DOWN: Final = rf"\[ ?{_A}.{{0,8}}?\]"
EVERLEAF: Final = RoomText(
    Grammar(
        header=r"\*{3,5} (?:Hand history for game #|Historique des Mains pour la partie )[0-9]",
        mark="*** H",
        head=r"\*{3,5} \D+(?P<number>[0-9]{1,18}) \*{3,5}\n(?:Tournament #.*\n)?"
        rf"(?:Blinds +)?{_SMALL}.{{0,6}}?/ *{_BIG}.{{0,6}}? "
        r"(?P<limit>NL|PL|FL|Fixed Limit|Limit|) ?(?P<game>[A-Za-z0-9'/ -]+?) -(?: [0-9]+ Max -)? "
        r"(?P<when>[0-9/]+ - [0-9:]+)\nTable (?P<table>.*)",
        money_is_signed=True,
        lines=(
            (rf"Seat {_N} is the button", gives_button),
            (rf"Seat {_N}: {_WHO} \( +{_STACK}.{{0,8}}? \)", seat),
            (rf"{_WHO}: posts small blind {_DOWN}", post(PostKind.SMALL_BLIND)),
            (rf"{_WHO}: posts big blind {_DOWN}", post(PostKind.BIG_BLIND)),
            (rf"{_WHO}: posts ante {_DOWN}", post(PostKind.ANTE)),
            (
                rf"{_WHO}: posts (?:both|small & big|big & small) blinds? {_DOWN}",
                post(PostKind.BOTH_BLINDS),
            ),
            (rf"{_WHO}: posts dead.* {_DOWN}", post(PostKind.DEAD_BLIND)),
            (rf"{_WHO}:? folds", _ACTS["fold"]),
            (rf"{_WHO}:? checks", _ACTS["check"]),
            (rf"{_WHO}:? calls {_DOWN}", _ACTS["call"]),
            (rf"{_WHO}:? (?:bets|raises) {_DOWN}", acts(SiteVerb.PUT_IN)),
            (r"\*\* Dealing (?:Flop|Turn|River) \*\* (?P<cards>\[.*\])", board),
            (rf"Dealt to {_WHO} {_CARDS}", shows_cards),
            (rf"{_WHO} (?:shows|mucks) {_CARDS}.*", shows_cards),
            (rf"{_WHO} wins +{_A}.{{0,8}}? from .*", wins_pot),
        ),
        must=r".+ (?:posts|calls|bets|raises|wins)\b.*[0-9]",
    )
)
_TIME_OUT: Final = r"(?: \(Timeout\))?"
ABSOLUTE: Final = RoomText(
    Grammar(
        header=r"Stage #[A-Z]?[0-9]+",
        mark="Stage #",
        head=r"Stage #(?P<number>[A-Z]?[0-9]{1,18}):? +(?P<tournament>Tourney ID [0-9]+ )?"
        r"(?P<game>[A-Za-z0-9-]+(?: H/L| Hi/Lo| Stud.*?)?) +(?:\(.*?\) +)?"
        r"(?:(?:Multi |Single )?(?:Normal )?Tournament +)?"
        rf"(?P<limit>No Limit|Pot Limit|Normal|NORMAL) +(?:{_SMALL}/)?{_BIG}"
        r"(?:, .*?)? +- (?P<when>.{1,60})\nTable: (?P<table>.*?) "
        r"\((?:Real Money|(?P<play>Play).*?)\).*",
        lines=(
            (r"Table: .* Seat #(?P<n>[0-9]{1,2}) is the dealer", gives_button),
            (rf"Seat {_N} - {_WHO} \({_STACK} in chips\)", seat),
            (rf"{_WHO} - Posts small blind {_A}{_TIME_OUT}", post(PostKind.SMALL_BLIND)),
            (rf"{_WHO} - Posts big blind {_A}{_TIME_OUT}", post(PostKind.BIG_BLIND)),
            (rf"{_WHO} - Posts {_A} dead {amount_as('dead')}", both_posts),
            (rf"{_WHO} - Posts dead {_A}", post(PostKind.DEAD_BLIND)),
            (rf"{_WHO} - Posts {_A}", late_post),
            (rf"{_WHO} - Ante {_A}", post(PostKind.ANTE)),
            (rf"{_WHO} - Folds{_TIME_OUT}", _ACTS["fold"]),
            (rf"{_WHO} - Checks{_TIME_OUT}", _ACTS["check"]),
            (rf"{_WHO} - Calls {_A}{_TIME_OUT}", _ACTS["call"]),
            (rf"{_WHO} - Bets {_A}{_TIME_OUT}", _ACTS["bet"]),
            (rf"{_WHO} - Raises .{{1,20}} to {_A}{_TIME_OUT}", _ACTS["raise"]),
            (rf"{_WHO} - All-In\(Raise\) .{{1,20}} to {_A}{_TIME_OUT}", _ACTS["cover"]),
            (rf"{_WHO} - All-In {_A}{_TIME_OUT}", acts(SiteVerb.PUT_IN)),
            (rf"{_WHO} - returned \({_A}\) : not called", gets_back),
            (rf"Dealt to {_WHO} {_CARDS}", shows_cards),
            (rf"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* {_BOARD}", board),
            (rf"{_WHO} - (?:Shows|Mucks) {_CARDS}.*", shows_cards),
            (rf"{_WHO} Collects {_A} from .*", wins_pot),
            (
                rf"Total Pot\({_A}\)(?: \| Rake \({amount_as('rake')}\))?"
                rf"(?: \| Jackpot Rake \({amount_as('fee')}\))?",
                states_pot,
            ),
        ),
        must=r"(?!Seat ).+ (?:- (?:Posts|Calls|Bets|Raises|All-In|returned)|Collects)\b.*[0-9]",
    )
)
POKER_MAVENS: Final = RoomText(
    Grammar(
        header=r"Hand #[0-9]+-[0-9]+ - [0-9]{4}-",
        mark="Hand #",
        head=r"Hand #(?P<number>[0-9-]{3,30}) - (?P<when>.{1,40})"
        r"\nGame: (?P<limit>NL|PL|Limit|FL) (?P<game>.*?)(?: \(.*?\))? - (?:Blinds|Stakes) "
        rf"{_SMALL}/{_BIG}\nSite: .*\nTable: (?P<table>.*)",
        lines=(
            (rf"Seat {_N}: {_WHO} \({_STACK}\).*", seat),
            (rf"{_WHO} has the dealer button", gives_button),
            (rf"{_WHO} posts small & big blind {_A}{_ALL_IN}", post(PostKind.BOTH_BLINDS)),
            (rf"{_WHO} posts small blind {_A}{_ALL_IN}", post(PostKind.SMALL_BLIND)),
            (rf"{_WHO} posts (?:the )?straddle {_A}{_ALL_IN}", post(PostKind.STRADDLE)),
            (rf"{_WHO} posts big blind {_A}{_ALL_IN}", post(PostKind.BIG_BLIND)),
            (rf"{_WHO} posts (?:the )?ante {_A}{_ALL_IN}", post(PostKind.ANTE)),
            (rf"{_WHO} antes {_A}{_ALL_IN}", post(PostKind.ANTE)),
            (rf"{_WHO} folds.*", _ACTS["fold"]),
            (rf"{_WHO} checks", _ACTS["check"]),
            (rf"{_WHO} calls {_A}{_ALL_IN}", _ACTS["call"]),
            (rf"{_WHO} bets {_A}{_ALL_IN}", _ACTS["bet"]),
            (rf"{_WHO} raises to {_A}{_ALL_IN}", _ACTS["raise"]),
            (rf"{_WHO} refunded {_A}", gets_back),
            (rf"Dealt to {_WHO} {_CARDS}", shows_cards),
            (rf"\*\* (?:Flop|Turn|River) \*\* {_BOARD}", board),
            (rf"{_WHO} (?:shows|mucks) {_CARDS}.*", shows_cards),
            (rf"{_WHO} (?:wins|splits).*? Pot.{{0,4}} ?\({_A}\).*", wins_pot),
            (rf"Rake \({_A}\).*", rake),
        ),
        must=r".+ (?:posts|antes|calls|bets|raises|wins|splits|refunded)\b.*[0-9]",
        conventions=_EXCLUDED,
    )
)
KINGSCLUB: Final = RoomText(
    Grammar(
        header=r"#[0-9]+: .{4,60} - [0-9.,]+/[0-9.,]+$",
        mark="#",
        head=r"#(?P<number>[0-9]{1,18}): (?P<limit>(?:No |Pot )?Limit) (?P<game>.{4,50}) - "
        rf"{_SMALL}/{_BIG}\n(?P<when>.*)\nTable '(?P<table>.*)' Seat (?P<button>[0-9]+) is .*",
        lines=(
            (rf"Seat {_N}: {_WHO} \({_STACK}\).*", seat),
            (rf"{_WHO}: posts the small blind {_A}{_ALL_IN}", post(PostKind.SMALL_BLIND)),
            (rf"{_WHO}: posts the big blind {_A}{_ALL_IN}", post(PostKind.BIG_BLIND)),
            (rf"{_WHO}: posts the ante {_A}{_ALL_IN}", post(PostKind.ANTE)),
            (rf"{_WHO}: posts .*?{_A}{_ALL_IN}", late_post),
            (rf"{_WHO} folds", _ACTS["fold"]),
            (rf"{_WHO} checks", _ACTS["check"]),
            (rf"{_WHO} calls {_A}{_ALL_IN}", call_to),
            (rf"{_WHO} bets {_A}{_ALL_IN}", _ACTS["bet"]),
            (rf"{_WHO} raises to {_A}{_ALL_IN}", _ACTS["raise"]),
            (rf"Dealt to {_WHO}: {_CARDS}", shows_cards),
            (rf"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* {_BOARD}", board),
            (rf"{_WHO} (?:shows|mucks) {_CARDS}.*", shows_cards),
            (rf"{_WHO} wins .*?pot.*? \({_A}\).*", wins_pot),
            (rf"Rake {_A}", rake),
        ),
        must=r".+:? (?:posts|calls|bets|raises|wins)\b.*[0-9]|.*BOARD 2",
    )
)
ENTRACTION: Final = RoomText(
    Grammar(
        header=r"Game # [0-9]+ - ",
        mark="Game # ",
        head=r"Game # (?P<number>[0-9]{1,18}) - (?P<game>.{4,30}?) "
        r"(?P<limit>(?:No|Pot|Fixed) Limit) "
        rf"{_SMALL}/{_BIG}(?: and .*? ante)? - "
        r'Table "(?P<table>.*)"',
        money_is_signed=True,
        ending="Game ended ",
        lines=(
            (rf"(?P<who>\S.{{0,40}}?) +\({_STACK} in seat {_N}\)", seat),
            (rf"Dealer: +{_WHO}", gives_button),
            (rf"Small Blind: +{_WHO} +\({_A}\)", post(PostKind.SMALL_BLIND)),
            (rf"Big Blind: +{_WHO} +\({_A}\)", post(PostKind.BIG_BLIND)),
            (rf"{_WHO} +Ante +\({_A}\)", post(PostKind.ANTE)),
            (rf"(?:Blind out of turn|Dead .*|Out of turn.*): +{_WHO} +\({_A}\)", late_post),
            (rf"{_WHO} +Fold", _ACTS["fold"]),
            (rf"{_WHO} +Check", _ACTS["check"]),
            (rf"{_WHO} +Call +\({_A}\)", _ACTS["call"]),
            (rf"{_WHO} +(?:Bet|Raise|All-[Ii]n) +\({_A}\)", acts(SiteVerb.PUT_IN)),
            (rf"{_WHO} +Payback +\({_A}\)", gets_back),
            (r"(?:Flop|Turn|River) +(?P<cards>[0-9TJQKA]{1,2}[cdhs].*)", board),
            (rf"{_WHO} was dealt: +(?P<cards>.*)", shows_cards),
            (rf"{_WHO} (?:shows|mucks|showed|mucked): +(?P<cards>.*)", shows_cards),
            (rf"{_WHO} wins: +{_A}.*", wins_pot),
            (rf"Rake: +{_A}", rake),
        ),
        must=r".+ (?:Ante|Call|Bet|Raise|All-[Ii]n|Payback) +\(|.+ wins:|.*[Bb]lind.*\([0-9]",
    )
)


# Cake Poker, Unibet, and hands of a television show.


_CONVERTED: Final = re.compile(
    r"\$[0-9][0-9.,\xa0 ]*?( in chips\)| with .*?|) *\(EUR ([0-9.,\xa0]+)\)"
)


def _in_euros(lines: Sequence[str]) -> list[str]:
    """Return a hand's lines with euros, in which it was played, where dollars stand before them."""
    if not any("(EUR " in line for line in lines):
        return list(lines)
    stakes = re.sub(r"(?<= -- )([0-9.,]+)/([0-9.,]+)(?= )", r"€\1/€\2", lines[0])
    return [stakes, *[_CONVERTED.sub(r"€\2\1", line) for line in lines[1:]]]


CAKE: Final = RoomText(
    Grammar(
        header="(?:ï»¿)?Hand#[0-9A-F]{10,20} - ",
        mark="Hand#",
        spelt=_in_euros,
        head=r"(?:ï»¿)?Hand#(?P<number>[0-9A-F]{10,20}) - (?P<table>.{1,60}?)"
        r"(?: (?P<tournament>T[0-9]{5,12}) --.*?)? -- "
        rf"(?:-?[0-9.,]+/(?=[0-9]+/))?{_SMALL}/{_BIG} (?P<limit>NL|PL|FL) (?P<game>.{{1,30}}?)"
        rf" -- {_WHEN}",
        lines=(
            (rf"Dealer: Seat {_N}", gives_button),
            (rf"Seat {_N}: {_WHO} \({_STACK} in chips\)(?P<dealer> DEALER)?\s*", seat),
            (rf"{_WHO}: posts small blind {_A}", post(PostKind.SMALL_BLIND)),
            (rf"{_WHO}: posts big blind {_A}", post(PostKind.BIG_BLIND)),
            (rf"{_WHO}: posts (?:the )?ante (?:of )?{_A}", post(PostKind.ANTE)),
            (rf"{_WHO}: folds", _ACTS["fold"]),
            (rf"{_WHO}: checks", _ACTS["check"]),
            (rf"{_WHO}: calls {_A}", _ACTS["call"]),
            (rf"{_WHO}: bets {_A}", _ACTS["bet"]),
            (rf"{_WHO}: raises to {_A}", _ACTS["raise"]),
            (rf"{_WHO}: is all in {_A}", acts(SiteVerb.PUT_IN)),
            (rf"{_WHO}: returns uncalled bet {_A}", gets_back),
            (rf"Dealt to {_WHO} {_CARDS}", shows_cards),
            (rf"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* {_BOARD}", board),
            (rf"{_WHO}: (?:shows|mucks) {_CARDS}.*", shows_cards),
            (rf"(?!Tournament: ){_WHO} wins {_A}(?: with .*| +)?", wins_pot),
        ),
        must=r".+: ?(?:posts|calls|bets|raises|is all in|returns)\b.*[0-9]"
        r"|(?!Tournament: ).+ wins .*[0-9]",
    )
)
UNIBET: Final = RoomText(
    Grammar(
        header=r"Game #[0-9]+: Table .* - [0-9.,]+/[0-9.,]+ - ",
        mark="Game #",
        head=r"Game #(?P<number>[0-9]{1,18}): Table (?P<table>(?P<money>[^\w\s]?).{1,60}?) - "
        rf"{_SMALL}/{_BIG} - (?P<limit>(?:No|Pot|Fixed) Limit) (?P<game>Hold'em|.*?)(?: Banzai)?"
        r" - (?P<when>.{1,40})",
        lines=(
            (rf"Seat {_N}: {_WHO} \({_STACK}\)", seat),
            (rf"{_WHO} has the button", gives_button),
            (rf"{_WHO} posts small blind {_A}", post(PostKind.SMALL_BLIND)),
            (rf"{_WHO} posts big blind {_A}", post(PostKind.BIG_BLIND)),
            (rf"{_WHO} posts ante {_A}", post(PostKind.ANTE)),
            (rf"{_WHO} folds", _ACTS["fold"]),
            (rf"{_WHO} checks", _ACTS["check"]),
            (rf"{_WHO} calls {_A}{_ALL_IN}", _ACTS["call"]),
            (rf"{_WHO} bets {_A}{_ALL_IN}", _ACTS["bet"]),
            (rf"{_WHO} raises .{{1,20}} to {_A}{_ALL_IN}", _ACTS["raise"]),
            (rf"Dealt to {_WHO} {_CARDS}", shows_cards),
            (rf"\*\*\* (?:Flop|Turn|River) \*\*\* {_BOARD}", board),
            (rf"{_WHO} (?:shows|mucks) {_CARDS}.*", shows_cards),
            (rf"{_WHO} wins {_A}.*", wins_pot),
            (rf"Total pot {_A} Rake {amount_as('rake')}", states_pot),
        ),
        must=r"(?!Seat ).+ (?:posts|calls|bets|raises|wins)\b.*[0-9]",
    )
)


def _objects(line: str) -> list[str]:
    """Return the objects of a hand in JavaScript, one a line, and a player's cards on their own."""
    text = re.sub(r'([:,\[{]) +(?=["\w\[{])', r"\1", line)
    text = re.sub(r"\b(\w+Blind|Ante|Stack|value):(?=[0-9])", r"\1:$", text)
    text = re.sub(r"(Seat:([0-9]),[^{}]*?),Cards:", r"\1\n{Cards:\2:", text)
    text = text.replace("LoadHand(", "LoadHand(Hold'em)", 1).replace("Plays:[", "\nPlays:[")
    return text.replace("{", "\n{").replace("\n\n", "\n").splitlines()


def _suit_first_small(text: str) -> list[tuple[str, str]]:
    """Return the cards in a text such as ``["da","ct"]``."""
    return suit_first(text.upper())


def _deals_street(reading: HandText, line: re.Match[str]) -> None:
    """Deal a street, of the second run where the board is full; none once a pot is won.

    Those that nobody plays for were shown to the audience.
    """
    hand = reading.hand
    if any(player.won for player in hand.players.values()):
        return
    if len(hand.board) < BOARD_SIZES["RIVER"]:
        board(reading, line)
        return
    if hand.more_boards:
        raise BadHand(SkipReason.ANOTHER_GAME, "a board after the second run")
    cards = reading.hole(line["cards"])
    run = read_cards("".join(cards), len(cards))
    hand.more_boards = ((*hand.board[: -len(run)], *run),)


def _posts_unsaid(reading: HandText, _: re.Match[str]) -> None:
    """Take the posts of a table with nobody absent: the blinds, and the ante of the button.

    The house took no rake.
    """
    hand = reading.hand
    hand.rake = 0
    seats = sorted(hand.by_number, key=lambda number: (number <= hand.button, number))
    if len(seats) < 2:
        raise BadHand(SkipReason.UNREADABLE, f"players whose seats can be read: {len(seats)}")
    posts = [
        (seats[-1], PostKind.ANTE, reading.facts["ante"]),
        (seats[0], PostKind.SMALL_BLIND, reading.facts["small"]),
        (seats[1], PostKind.BIG_BLIND, reading.facts["big"]),
    ]
    for number, kind, text in posts:
        amount = reading.chips(text or "0")
        hand.post(hand.by_number[number], kind, amount)
        if kind is not PostKind.ANTE:
            reading.put_in(hand.by_number[number], amount)
        else:
            reading.spent[hand.by_number[number]] = amount


def _does(action: str, amount: str = "") -> str:
    return rf'\{{Seat:(?P<who>[1-9]),Action:"{action}"{amount}\}}.*'


_BY: Final = rf",value:{_A}"
BIG_GAME: Final = RoomText(
    Grammar(
        header=r"LoadHand\(",
        mark="LoadHand(",
        laid_out=_objects,
        head=r"LoadHand\((?P<game>.*?)\)\n\{Hand:\n"
        r'\{Title:"(?P<number>[^"]{1,20})",NumberOfSeats:[0-9]+,PotSize:0,'
        rf"BigBlind:{_BIG},SmallBlind:{_SMALL},Ante:{amount_as('ante')}"
        r",CurrentBet:0,Dealer:(?P<button>[0-9]),.*",
        cards=_suit_first_small,
        lines=(
            (r'\{Name:"",.*|\{Cards:[1-9]:\[\].*', passes),
            (rf'\{{Name:"(?P<who>[^"]{{1,40}})",Seat:(?P<key>{_N}),Stack:{_STACK}', seat),
            (r"\{Cards:(?P<who>[1-9]):\[(?P<cards>.*?)\].*", shows_cards),
            (r"Plays:\[", _posts_unsaid),
            (_does("Straddles", _BY), post(PostKind.STRADDLE)),
            (_does("Folds"), _ACTS["fold"]),
            (_does("Checks"), _ACTS["check"]),
            (_does("Calls"), _ACTS["call"]),
            (_does("Bets", _BY), _ACTS["bet"]),
            (_does("Raises To", _BY), _ACTS["raise"]),
            (_does("All-In"), all_in),
            (_does("Takes Back", _BY), gets_back),
            (r'\{Seat:0,Action:"Deal",value:\[(?P<cards>.*?)\]\}.*', _deals_street),
            (_does("Wins", _BY), wins_pot),
        ),
        must=r"\{(?:Name|Seat|Cards)",
    )
)


# Merge, Everest, Boss and Microgaming, in XML.


def _community_first(lines: Sequence[str]) -> list[str]:
    """Return a hand's lines with the board of a round before what is done in it."""
    spelt, since = list[str](), 0
    for line in lines:
        if line.startswith("<round "):
            since = len(spelt)
        if 'type="COMMUNITY"' in line:
            spelt.insert(since, line)
        else:
            spelt.append(line)
    return spelt


def _with_children(lines: Sequence[str]) -> list[str]:
    """Return a hand's lines with cards, and shares of a pot, on the line of their element."""
    spelt = list[str]()
    for line in lines:
        if (
            spelt
            and line.startswith(("<Card ", "<CARD ", "</ACTION", "</RESULT", "<Seat num"))
            and (not line.startswith("<Seat num") or 'type="Win"' in spelt[-1])
        ):
            spelt[-1] += f" {line}"
        else:
            spelt.append(line)
    return spelt


def _event(kinds: str, amount: str = "") -> str:
    return rf'<event [^>]*type="{kinds}"[^>]* player="(?P<who>-?[0-9]+)"{amount}[^>]*>'


_EVENT_AMOUNT: Final = rf' amount="{_A}"'
MERGE: Final = RoomText(
    Grammar(
        header=r"<game id=",
        mark="<game id=",
        head=r'<game id="(?P<number>[^"]{1,40})" starttime="(?P<when>[^"]{8,30})"'
        r'(?:.* data="[^|"]*\|(?P<table>[^|"]*)\|)?.*\n'
        r'<description type="(?P<game>[^" ]*)(?P<tournament> Tournament)?[^"]*" '
        r'stakes="(?P<limit>(?:No |Pot |Fixed )?Limit)?(?P<aside>"/>)?[^"0-9$€£(]*'
        r"(?:Level [0-9]+ Blinds )?\(?"
        rf"(?:{_SMALL}/{_BIG})?.*",
        sticky="<description ",
        spelt=_community_first,
        lines=(
            (r'<event [^>]*type="CHAT".*', passes),
            (rf'<players dealer="{_N}".*', gives_button),
            (
                rf'<player seat="(?P<key>{_N})" nickname="(?P<who>[^"]{{1,60}})" '
                rf'balance="{_STACK}".*',
                seat,
            ),
            (_event("SMALL_BLIND", _EVENT_AMOUNT), aside(PostKind.SMALL_BLIND)),
            (_event("BIG_BLIND", _EVENT_AMOUNT), aside(PostKind.BIG_BLIND)),
            (_event("(?:INITIAL|RETURN)_BLIND", _EVENT_AMOUNT), late_post),
            (_event("ANTE", _EVENT_AMOUNT), aside(PostKind.ANTE)),
            (_event("FOLD"), _ACTS["fold"]),
            (_event("CHECK"), _ACTS["check"]),
            (_event("CALL", _EVENT_AMOUNT), _ACTS["call"]),
            (_event("CALL"), _ACTS["call"]),
            (_event("BET", _EVENT_AMOUNT), _ACTS["bet"]),
            # Until 2008, when events had no time, what was put in; later the total.
            (r"(?!.* timestamp=)" + _event("RAISE", _EVENT_AMOUNT), acts(SiteVerb.PUT_IN)),
            (_event("RAISE", _EVENT_AMOUNT), _ACTS["raise"]),
            (_event("ALL_IN"), all_in),
            (_event("[A-Z_]+"), passes),
            (r'<cards type="COMMUNITY" cards="(?P<cards>[^"]*)".*', board),
            (
                r'<cards type="[A-Z]+" cards="(?P<cards>[^"]*)" player="(?P<who>[0-9]+)".*',
                shows_cards,
            ),
            (rf'<winner amount="{_A}" uncalled="true".* player="(?P<who>[0-9]+)".*', gets_back),
            (rf'<winner amount="{_A}".* player="(?P<who>[0-9]+)".*', wins_pot),
        ),
        must="<(?:event|winner|cards|player) ",
    )
)
_POSITION: Final = 'position="(?P<who>[0-9]+)"'
EVEREST: Final = RoomText(
    Grammar(
        header="<HAND ",
        mark="<HAND ",
        head=r'<HAND time="(?P<when>[0-9]+)" id="(?P<number>[0-9]+)".* '
        r'stakes="(?P<small>[^"/]+)/(?P<big>[^"]+)".*\n<SESSION .*tableName="(?P<table>[^"]*)" .*'
        r'type="(?:(?P<tournament>tournament)|[^"]*)" money="(?P<money>[^"]*)".* '
        r'game="(?P<game>[^"]*)" gametype="(?P<limit>[^"]*)".*',
        sticky="<SESSION ",
        coin=100,
        lines=(
            (
                rf'<SEAT position="(?P<key>{_N})" name="(?P<who>[^"]{{1,60}})" '
                rf'balance="{_STACK}"/>',
                seat,
            ),
            (rf'<DEALER position="{_N}"/>', gives_button),
            (rf'<BLIND {_POSITION} amount="{_A}" penalty="0"/>', blind),
            (rf'<ANTE {_POSITION} amount="{_A}".*/>', post(PostKind.ANTE)),
            (rf"<HOLE {_POSITION}>(?P<cards>.*)</HOLE>", one_card),
            (rf"<FOLD {_POSITION}/>", _ACTS["fold"]),
            (rf'<BET {_POSITION} amount="{_A}".*/>', put_in),
            (r"<COMMUNITY>(?P<cards>.*)</COMMUNITY>", board),
            (rf'<SWEEP rake="{_A}".*', rake),
            (rf'<PUSH {_POSITION} amount="{_A}"/>', gets_back),
            (rf"<X?SHOW {_POSITION}>(?P<cards>.*)</X?SHOW>", shows_cards),
            (rf'<WIN {_POSITION} amount="{_A}".*/>', wins_pot),
        ),
        must="<(?:SEAT|BLIND|ANTE|HOLE|FOLD|BET|COMMUNITY|PUSH|WIN)",
    )
)
_PLAYER: Final = 'PLAYER="(?P<who>[^"]*)"'
_VALUE: Final = rf'VALUE="{_A}"'
BOSS: Final = RoomText(
    Grammar(
        header="<HISTORY ID=",
        mark="<HISTORY ID=",
        spelt=_with_children,
        head=r'<HISTORY ID="(?P<number>[0-9]+)" .*TABLE="(?P<table>[^"]*)" GAME="(?P<game>[^"]*)" '
        r'GAMETYPE="(?:GAMETYPE_REAL|(?P<play>[^"]*))" '
        r'(?:GAMEKIND="(?:GAMEKIND_CASH|(?P<tournament>[^"]*))" )?'
        r'(?:TABLECURRENCY="(?P<money>[^"]*)" )?LIMIT="(?P<limit>[^"]*)" '
        r'STAKES="(?P<small>[^"/]+)/(?P<big>[^"]+)".* DATE="(?P<when>[0-9]+)".*',
        cards=card_links,
        lines=(
            (
                rf'<PLAYER NAME="(?P<who>[^"]{{1,60}})" SEAT="{_N}" AMOUNT="{_STACK}"'
                r'(?: STATE="[^"]*")?(?: DEALER="(?:(?P<dealer>Y)|N)")?.*',
                seat,
            ),
            (
                rf'<ACTION TYPE="HAND_BLINDS" {_PLAYER} KIND="HAND_SB" {_VALUE}.*',
                post(PostKind.SMALL_BLIND),
            ),
            (
                rf'<ACTION TYPE="HAND_BLINDS" {_PLAYER} KIND="HAND_BB" {_VALUE}.*',
                post(PostKind.BIG_BLIND),
            ),
            (rf'<ACTION TYPE="HAND_BLINDS" {_PLAYER} KIND="HAND_AB" {_VALUE}.*', late_post),
            (rf'<ACTION TYPE="HAND_ANTE" {_PLAYER} {_VALUE}.*', post(PostKind.ANTE)),
            (rf'<ACTION TYPE="HAND_DEAL" {_PLAYER}[^>]*>(?P<cards>.*)', deals_last),
            (rf'<ACTION TYPE="ACTION_FOLD" {_PLAYER}.*', _ACTS["fold"]),
            (rf'<ACTION TYPE="ACTION_CHECK" {_PLAYER}.*', _ACTS["check"]),
            (rf'<ACTION TYPE="ACTION_CALL" {_PLAYER}.*', _ACTS["call"]),
            (rf'<ACTION TYPE="ACTION_BET" {_PLAYER} {_VALUE}.*', _ACTS["bet"]),
            (rf'<ACTION TYPE="ACTION_RAISE" {_PLAYER} {_VALUE}.*', _ACTS["cover"]),
            (rf'<ACTION TYPE="ACTION_ALLIN" {_PLAYER}.*', all_in),
            (r'<ACTION TYPE="HAND_BOARD"[^>]*>(?P<cards>.*)', board),
            (rf'<SHOWDOWN [^>]*RAKE="{_A}".*', rake),
            (
                rf'<RESULT (?:WINTYPE="[^"]*" )?{_PLAYER} WIN="{_A}"[^>]*>(?P<cards>.*)',
                wins_showing,
            ),
        ),
        must="<(?:PLAYER|ACTION|RESULT)",
    )
)
_SEAT: Final = 'seat="(?P<who>[0-9]+)"'
MICROGAMING: Final = RoomText(
    Grammar(
        header="<Game (?:hhversion|id)=",
        mark="<Game ",
        spelt=_with_children,
        head=r'<Game .*id="(?P<number>[0-9]+)" date="(?P<when>[^"]*)".*'
        r' tablename="(?P<table>[^"]*)" stakes="(?P<small>[^"|]+)\|(?P<big>[^"]+)"'
        r' betlimit="(?P<limit>[^"]*)".* '
        r'gametype="(?:Multi Table )?(?P<game>[^"]*)" (?:realmoney="(?:true|(?P<play>[^"]*))")?'
        r'(?:.*currencysymbol="(?P<symbol>[^"]*)")?'
        r'(?:.*istournament="(?:0|(?P<tournament>[^"]*))")?.*',
        cards=attributes,
        lines=(
            (
                rf'<Seat num="(?P<key>{_N})" alias="(?P<who>[^"]{{1,60}})".* balance="{_STACK}"'
                rf' endbalance="{amount_as("after")}"'
                r'(?: sittingout="[^"]*")?(?P<dealer> dealer="true")?.*/>',
                seat,
            ),
            (rf'<Action .*type="SmallBlind" {_SEAT} value="{_A}"/>', post(PostKind.SMALL_BLIND)),
            (rf'<Action .*type="BigBlind" {_SEAT} value="{_A}"/>', post(PostKind.BIG_BLIND)),
            (rf'<Action .*type="Ante" {_SEAT} value="{_A}"/>', post(PostKind.ANTE)),
            (rf'<Action .*type="PostedToPlay" {_SEAT} value="{_A}"/>', enters),
            (
                rf'<Action .*type="(?:DealCards|ShowCards|MuckCards)" {_SEAT}.*?>(?P<cards>.*)',
                shows_cards,
            ),
            (rf'<Action .*type="Fold" {_SEAT}.*', _ACTS["fold"]),
            (rf'<Action .*type="Check" {_SEAT}.*', _ACTS["check"]),
            (rf'<Action .*type="Call" {_SEAT} value="{_A}"/>', _ACTS["call"]),
            (rf'<Action .*type="(?:Bet|Raise)" {_SEAT} value="{_A}"/>', acts(SiteVerb.PUT_IN)),
            (rf'<Action .*type="AllIn" {_SEAT} value="{_A}"/>', all_in),
            (rf'<Action .*type="MoneyReturned" {_SEAT} value="{_A}"/>', gets_back),
            (r'<Action .*type="Deal(?:Flop|Turn|River)"[^>]*>(?P<cards>.*)', board),
            (
                r'<Action .*type="Win"[^>]*>(?P<winners>.*)',
                wins_each(r'num="([0-9]+)" amount="([0-9.,]+)"'),
            ),
        ),
        must="<(?:Seat|Action) ",
    )
)
