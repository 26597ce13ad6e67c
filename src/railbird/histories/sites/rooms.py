"""Grammars of rooms of text that `railbird.histories.sites.room` reads, as tables.

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
    amount_as,
)
from railbird.histories.sites.replay import BOARD_SIZES, PostKind, SiteVerb
from railbird.histories.sites.room import (
    ACTS,
    ALL_IN,
    BETTINGS,
    BIG,
    BOARD,
    CARDS,
    EXCLUDED,
    SMALL,
    STACK,
    WHEN,
    WHO,
    A,
    Grammar,
    HandText,
    N,
    RoomText,
    action_lines,
    acts,
    all_in,
    aside,
    board,
    both_posts,
    call_to,
    dealt_and_shown,
    enters,
    gets_back,
    gives_button,
    late_post,
    named_posts,
    passes,
    post,
    rake,
    seat,
    shows_cards,
    states_pot,
    suit_first,
    two_boards,
    wins_each,
    wins_pot,
)
from railbird.histories.text_values import read_cards

# PokerTracker's exports, of iPoker, Merge, Everest and Microgaming.


_TRACKED: Final = (
    (rf"Seat {N}: {WHO} \({STACK} in chips\)(?P<dealer> DEALER)?", seat),
    (rf"{WHO}: (?:Post )?SB (?:Allin )?{A}", post(PostKind.SMALL_BLIND)),
    (rf"{WHO}: (?:Post )?BB (?:Allin )?{A}", post(PostKind.BIG_BLIND)),
    (rf"{WHO}: Post Ante {A}", post(PostKind.ANTE)),
    (rf"{WHO}: Post (?:Dead|DB) {A}", late_post),
    (rf"{WHO}: Post {A}", late_post),
    (rf"{WHO}: Fold", ACTS["fold"]),
    (rf"{WHO}: Check", ACTS["check"]),
    (rf"{WHO}: Call {A}", ACTS["call"]),
    (rf"{WHO}: Bet {A}", ACTS["bet"]),
    (rf"{WHO}: Raise (?:\(NF\)|to) {A}", ACTS["raise"]),
    (rf"{WHO}: Raise {A}", ACTS["cover"]),
    (rf"{WHO}: All-?[Ii]n {A}", acts(SiteVerb.PUT_IN)),
    (rf"Dealt to {WHO} {CARDS}", shows_cards),
    (rf"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* {BOARD}", board),
    (rf"{WHO}: (?:Shows|Mucks) {CARDS}.*", shows_cards),
    (rf"Total pot {A} Rake {amount_as('rake')}", states_pot),
    (rf"{WHO}: wins {A} \(uncalled\)", gets_back),
    (rf"{WHO}: wins {A}", wins_pot),
)
_TRACKED_MUST: Final = r".+: (?:Post|SB|BB|Call|Bet|Raise|All-?[Ii]n|wins)\b.*[0-9]"
_TRACKED_HEAD: Final = (
    r" #(?P<number>[0-9-]{1,30}):?(?: \|)?(?: Version:\S{1,20})?(?: Uncalled:[YN])? +"
    r"(?P<game>[A-Za-z' -]{1,30}?) +(?P<limit>NL|PL|FL|L|Limit|) *"
    rf"(?:(?P<aside>(?P<tournament>Tournament))|\(?{SMALL}/{BIG}\)?)(?: \||-| )* {WHEN}"
    r"\nTable (?P<table>[^\n]{1,60})?"
)
_MICROGAMING_POSTS: Final = (
    (
        rf"- {WHO} sitting in seat {N} with {STACK}"
        rf"(?: at end {amount_as('after')})?(?: \[Sitting out\])?(?P<dealer> \[Dealer\])?",
        seat,
    ),
    (rf"{WHO} posted the small blind - {A}", post(PostKind.SMALL_BLIND)),
    (rf"{WHO} posted the big blind - {A}", post(PostKind.BIG_BLIND)),
    (rf"{WHO} posted (?:the |an )?ante - {A}", post(PostKind.ANTE)),
    (rf"{WHO} posted (?:the )?dead(?: blind)? - {A}", post(PostKind.DEAD_BLIND)),
    (rf"{WHO} posted to play - {A}", enters),
    (rf"{WHO} folded", ACTS["fold"]),
    (rf"{WHO} checked", ACTS["check"]),
    (rf"{WHO} went all-in - {A}", acts(SiteVerb.PUT_IN)),
    (rf"\*\* Dealing card to {WHO}: (?P<cards>.{{4,60}})", shows_cards),
    (r"\*\* Dealing the (?:flop|turn|river): (?P<cards>.{1,60})", board),
    (rf"{WHO} (?:shows|mucks): (?P<cards>.{{4,60}})", shows_cards),
    (rf"{WHO} wins {A} from .{{1,40}}", wins_pot),
)
_MICROGAMING_MUST: Final = r".+ (?:posted|called|bet|raised|went all-in|wins)\b.*[0-9]"
_MICROGAMING_HEAD: Final = (
    rf"\*\* Game ID (?P<number>[0-9]{{1,18}})(?: Version:[0-9]{{1,3}})? starting - {WHEN}"
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
            (rf"{WHO}: (?:Post )?SB (?:Allin )?{A}", aside(PostKind.SMALL_BLIND)),
            (rf"{WHO}: (?:Post )?BB (?:Allin )?{A}", aside(PostKind.BIG_BLIND)),
            (rf"{WHO}: Post Ante {A}", aside(PostKind.ANTE)),
            *_TRACKED,
        ),
        must=_TRACKED_MUST,
        limits={**BETTINGS, "l": Betting.LIMIT},
    ),
    Grammar(
        header=r"EverestPoker Game #[0-9]",
        mark="Game #",
        head=r"EverestPoker Game #(?P<number>[0-9]{1,18}): (?P<tournament>Tourney ID: [0-9]+, )?"
        rf"Table (?P<table>.{{1,60}}?) - {SMALL}/{BIG} - (?P<limit>(?:No|Pot|Fixed)? ?Limit) "
        rf"(?P<game>.{{1,20}}?) - {WHEN}",
        lines=(
            (rf"Seat {N}: {WHO} \({STACK}\)", seat),
            (rf"The button is in seat #{N}", gives_button),
            *named_posts(rf"{WHO} posts the @ of {A}"),
            (rf"{WHO} posts (?:a |the )?(?:dead|penalty).{{0,20}} of {A}", late_post),
            (rf"{WHO} posts {A}", late_post),
            *action_lines(rf"{WHO} ", ALL_IN),
            (rf"Uncalled bet of {A} returned to {WHO}", gets_back),
            *dealt_and_shown(" "),
            (rf"{WHO} collects {A}", wins_pot),
        ),
        must=r".+ (?:posts|calls|bets|raises|collects)\b.*[0-9]",
        conventions=EXCLUDED,
    ),
    Grammar(
        header=r"\*\* Game ID [0-9]{1,18} Version:",
        mark="** Game ID",
        head=_MICROGAMING_HEAD,
        lines=(
            *_MICROGAMING_POSTS,
            (rf"{WHO} called - {A}", acts(SiteVerb.CALL)),
            (rf"{WHO} (?:bet|raised) - {A}", acts(SiteVerb.PUT_IN)),
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
            (rf"{WHO} called - {A}", call_to),
            (rf"{WHO} (?:bet|raised) - {A}", ACTS["raise"]),
        ),
        must=_MICROGAMING_MUST,
        last="End of game",
    ),
)


# Rooms with texts of their own.


ONGAME: Final = RoomText(
    Grammar(
        header=r"\*{5} History for hand ",
        mark="***** History",
        last="***** End of hand",
        head=r"\*{5} History for hand (?P<number>[A-Z0-9-]{1,40})"
        r"(?P<tournament> \(TOURNAMENT.*\))? \*{5}"
        r"\nStart hand: (?P<when>.{1,60})\nTable: (?P<table>.{0,60}?) \[[0-9]+\] "
        rf"\((?P<limit>(?:NO_|POT_)?LIMIT) (?P<game>[A-Z0-9_]+) {SMALL}/{BIG}, "
        r"(?P<play>Play)?.*\)",
        lines=(
            (rf"Seat {N}: {WHO} \({STACK}\)", seat),
            (rf"Button: seat {N}", gives_button),
            *named_posts(rf"{WHO} posts @ \(?{A}\)?{ALL_IN}"),
            (rf"{WHO} posts dead blind \({A}\){ALL_IN}", post(PostKind.DEAD_BLIND)),
            *action_lines(rf"{WHO} ", ALL_IN, by=r".{1,20} "),
            (rf"Dealing to {WHO}: {CARDS}", shows_cards),
            (rf"--- Dealing (?:flop|turn|river) {BOARD}", board),
            (
                r"(?:Main|Side) pot.{0,4}: .{1,20} won by (?P<winners>.{1,300})",
                wins_each(rf"(?:^|, )(.{{1,40}}?) \({AMOUNT}\)"),
            ),
            (rf"Rake taken: {A}", rake),
            (rf"Seat [0-9]+: {WHO} \(.{{1,20}}\), net: .{{1,20}}, {CARDS}.*", shows_cards),
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
        rf"\nMoney Type: (?:(?P<play>PLAY).*|.*)\nBlinds are now {SMALL} ?/ ?{BIG}",
        lines=(
            (rf"Seat {N}: {WHO}(?: \(bounty [^()]*\))? - {STACK}(?: \(.*\))?", seat),
            (rf"(?:Button is at|Moving Button to) seat {N}", gives_button),
            *named_posts(rf"{WHO} posts @(?: of)? \(?{A}\)?{ALL_IN}"),
            (rf"{WHO} posts {A} dead{ALL_IN}", post(PostKind.DEAD_BLIND)),
            (rf"{WHO} posts {A}{ALL_IN}", late_post),
            (rf"{WHO} folds(?: and shows .*)?", ACTS["fold"]),
            *action_lines(rf"{WHO} ", ALL_IN, call=call_to),
            (rf"Returning {A} to {WHO} uncalled", gets_back),
            (rf"Dealing (?P<cards>\[.*\]) to {WHO}", shows_cards),
            (r"Dealing (?:Flop|Turn|River) (?P<cards>\[.*)", board),
            (rf"{WHO} shows (?P<cards>\[.*\])", shows_cards),
            (rf"Taking Rake of {A} from pot [0-9]+", rake),
            (rf"{WHO} wins {A}(?: from .*| with.*)?", wins_pot),
            (rf"{WHO} ties.*?, and wins {A}(?: with.*)?", wins_pot),
            (rf"{WHO} ties {A} with low hand: .*", wins_pot),
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
        rf"(?: \(?{SMALL}/{BIG}\)?)?"
        r" - (?P<when>.{1,60})\nTable '?(?P<table>.{1,40}?)'? (?:[0-9]+-Max, )?"
        r"(?P<play>\(Play Money\))?.*",
        lines=(
            (r"Table .*Seat #(?P<n>[0-9]{1,2}) is the button", gives_button),
            (
                rf"Seat {N}: {WHO} \({STACK} in [Cc]hips\)"
                r"(?: - (?:(?P<dealer>The button)|.*))?",
                seat,
            ),
            (rf"{WHO}: ante processed {A}", post(PostKind.ANTE)),
            *named_posts(rf"{WHO}: [Pp]osts? (?:the )?@ {A}{ALL_IN}\.?"),
            (rf"{WHO}: [Pp]osts? dead {A}\.?", enters),
            *action_lines(rf"{WHO}: ", rf"{ALL_IN}\.?", by=r".{1,20} "),
            (rf"{WHO}: [Rr]aises {A}{ALL_IN}\.?", ACTS["raise"]),
            (rf"Uncalled bet \({A}\) returned to {WHO}", gets_back),
            (rf"Dealt [Tt]o {WHO} {CARDS}", shows_cards),
            (rf"\*\*\* (?:FLOP|TURN|RIVER) \*\*\* {BOARD}", board),
            (rf"Board {CARDS}", board),
            (rf"{WHO}:? (?:[Ss]hows|mucks) \[?(?P<cards>{_TWO_CARDS})\]?.*", shows_cards),
            (rf"Total pot {A}(?: \| Rake {amount_as('rake')})?", states_pot),
            (rf"Seat [0-9]+: {WHO} .*?(?:won|collected) \({A}\).*", wins_pot),
            (rf"Seat [0-9]+: {WHO} collected \({A}\).*", wins_pot),
        ),
        must=r".+: (?:[Pp]osts|[Cc]alls|[Bb]ets|[Rr]aises)\b.*[0-9]|Uncalled"
        r"|Seat .*(?:won|collected)",
        limits={**BETTINGS, "": Betting.NO_LIMIT},
        conventions=EXCLUDED,
    )
)
_DOWN: Final = rf"\[ ?{A}.{{0,8}}?\]"
EVERLEAF: Final = RoomText(
    Grammar(
        header=r"\*{3,5} (?:Hand history for game #|Historique des Mains pour la partie )[0-9]",
        mark="*** H",
        head=r"\*{3,5} \D+(?P<number>[0-9]{1,18}) \*{3,5}\n(?:Tournament #.*\n)?"
        rf"(?:Blinds +)?{SMALL}.{{0,6}}?/ *{BIG}.{{0,6}}? "
        r"(?P<limit>NL|PL|FL|Fixed Limit|Limit|) ?(?P<game>[A-Za-z0-9'/ -]+?) -(?: [0-9]+ Max -)? "
        r"(?P<when>[0-9/]+ - [0-9:]+)\nTable (?P<table>.*)",
        money_is_signed=True,
        lines=(
            (rf"Seat {N} is the button", gives_button),
            (rf"Seat {N}: {WHO} \( +{STACK}.{{0,8}}? \)", seat),
            *named_posts(rf"{WHO}: posts @ {_DOWN}"),
            (
                rf"{WHO}: posts (?:both|small & big|big & small) blinds? {_DOWN}",
                post(PostKind.BOTH_BLINDS),
            ),
            (rf"{WHO}: posts dead.* {_DOWN}", post(PostKind.DEAD_BLIND)),
            (rf"{WHO}:? folds", ACTS["fold"]),
            (rf"{WHO}:? checks", ACTS["check"]),
            (rf"{WHO}:? calls {_DOWN}", ACTS["call"]),
            (rf"{WHO}:? (?:bets|raises) {_DOWN}", acts(SiteVerb.PUT_IN)),
            (r"\*\* Dealing (?:Flop|Turn|River) \*\* (?P<cards>\[.*\])", board),
            (rf"Dealt to {WHO} {CARDS}", shows_cards),
            (rf"{WHO} (?:shows|mucks) {CARDS}.*", shows_cards),
            (rf"{WHO} wins +(?:(?:high|low) \( ?)?{A}.{{0,8}}? from .*", wins_pot),
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
        rf"(?P<limit>No Limit|Pot Limit|Normal|NORMAL) +(?:{SMALL}/)?{BIG}"
        r"(?:, .*?)? +- (?P<when>.{1,60})\nTable: (?P<table>.*?) "
        r"\((?:Real Money|(?P<play>Play).*?)\).*",
        lines=(
            (r"Table: .* Seat #(?P<n>[0-9]{1,2}) is the dealer", gives_button),
            (rf"Seat {N} - {WHO} \({STACK} in chips\)", seat),
            *named_posts(rf"{WHO} - Posts @ {A}{_TIME_OUT}"),
            (rf"{WHO} - Posts {A} dead {amount_as('dead')}", both_posts),
            (rf"{WHO} - Posts dead {A}", post(PostKind.DEAD_BLIND)),
            (rf"{WHO} - Posts {A}", late_post),
            (rf"{WHO} - Ante {A}", post(PostKind.ANTE)),
            *action_lines(rf"{WHO} - ", _TIME_OUT, by=r".{1,20} "),
            (rf"{WHO} - All-In\(Raise\) .{{1,20}} to {A}{_TIME_OUT}", ACTS["cover"]),
            (rf"{WHO} - All-In {A}{_TIME_OUT}", acts(SiteVerb.PUT_IN)),
            (rf"{WHO} - returned \({A}\) : not called", gets_back),
            *dealt_and_shown(" - "),
            (rf"{WHO} Collects {A} from .*", wins_pot),
            (
                rf"Total Pot\({A}\)(?: \| Rake \({amount_as('rake')}\))?"
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
        rf"{SMALL}/{BIG}\nSite: .*\nTable: (?P<table>.*)",
        lines=(
            (rf"Seat {N}: {WHO} \({STACK}\).*", seat),
            (rf"{WHO} has the dealer button", gives_button),
            (rf"{WHO} posts small & big blind {A}{ALL_IN}", post(PostKind.BOTH_BLINDS)),
            (rf"{WHO} posts (?:the )?straddle {A}{ALL_IN}", post(PostKind.STRADDLE)),
            *named_posts(rf"{WHO} posts (?:the )?@ {A}{ALL_IN}"),
            (rf"{WHO} antes {A}{ALL_IN}", post(PostKind.ANTE)),
            (rf"{WHO} folds.*", ACTS["fold"]),
            *action_lines(rf"{WHO} ", ALL_IN),
            (rf"{WHO} refunded {A}", gets_back),
            *dealt_and_shown(" "),
            (rf"{WHO} (?:wins|splits).*? Pot.{{0,4}} ?\({A}\).*", wins_pot),
            (rf"Rake \({A}\).*", rake),
        ),
        must=r".+ (?:posts|antes|calls|bets|raises|wins|splits|refunded)\b.*[0-9]",
        conventions=EXCLUDED,
    )
)
KINGSCLUB: Final = RoomText(
    Grammar(
        header=r"#[0-9]+: .{4,60} - [0-9.,]+/[0-9.,]+$",
        mark="#",
        head=r"#(?P<number>[0-9]{1,18}): (?P<limit>(?:No |Pot )?Limit) (?P<game>.{4,50}) - "
        rf"{SMALL}/{BIG}\n(?P<when>.*)\nTable '(?P<table>.*)'"
        r"(?: Seat (?P<button>[0-9]+) is .*)?",
        lines=(
            (rf"Seat {N}: {WHO} \({STACK}\).*", seat),
            *named_posts(rf"{WHO}: posts the @ {A}{ALL_IN}"),
            (rf"{WHO}: posts .*?{A}{ALL_IN}", late_post),
            *action_lines(rf"{WHO} ", ALL_IN, call=call_to),
            *dealt_and_shown(" "),
            (r".*BOARD 2.*", two_boards),
            (rf"{WHO} wins .*?pot.*? \({A}\).*", wins_pot),
            (rf"Rake {A}", rake),
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
        rf"{SMALL}/{BIG}(?: and .*? ante)? - "
        r'Table "(?P<table>.*)"',
        money_is_signed=True,
        ending="Game ended ",
        lines=(
            (rf"(?P<who>\S.{{0,40}}?) +\({STACK} in seat {N}\)", seat),
            (rf"Dealer: +{WHO}", gives_button),
            (rf"Small Blind: +{WHO} +\({A}\)", post(PostKind.SMALL_BLIND)),
            (rf"Big Blind: +{WHO} +\({A}\)", post(PostKind.BIG_BLIND)),
            (rf"{WHO} +Ante +\({A}\)", post(PostKind.ANTE)),
            (rf"(?:Blind out of turn|Dead .*|Out of turn.*): +{WHO} +\({A}\)", late_post),
            (rf"{WHO} +Fold", ACTS["fold"]),
            (rf"{WHO} +Check", ACTS["check"]),
            (rf"{WHO} +Call +\({A}\)", ACTS["call"]),
            (rf"{WHO} +(?:Bet|Raise|All-[Ii]n) +\({A}\)", acts(SiteVerb.PUT_IN)),
            (rf"{WHO} +Payback +\({A}\)", gets_back),
            (r"(?:Flop|Turn|River) +(?P<cards>[0-9TJQKA]{1,2}[cdhs].*)", board),
            (rf"{WHO} was dealt: +(?P<cards>.*)", shows_cards),
            (rf"{WHO} (?:shows|mucks|showed|mucked): +(?P<cards>.*)", shows_cards),
            (rf"{WHO} wins: +{A}.*", wins_pot),
            (rf"Rake: +{A}", rake),
        ),
        must=r".+ (?:Ante|Call|Bet|Raise|All-[Ii]n|Payback) +\(|.+ wins:|.*[Bb]lind.*\([0-9]",
    )
)


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
        rf"(?:-?[0-9.,]+/(?=[0-9]+/))?{SMALL}/{BIG} (?P<limit>NL|PL|FL) (?P<game>.{{1,30}}?)"
        rf" -- {WHEN}",
        lines=(
            (rf"Dealer: Seat {N}", gives_button),
            (rf"Seat {N}: {WHO} \({STACK} in chips\)(?P<dealer> DEALER)?\s*", seat),
            *named_posts(rf"{WHO}: posts (?:the )?@ (?:of )?{A}"),
            *action_lines(rf"{WHO}: "),
            (rf"{WHO}: is all in {A}", acts(SiteVerb.PUT_IN)),
            (rf"{WHO}: returns uncalled bet {A}", gets_back),
            *dealt_and_shown(": "),
            (rf"(?!Tournament: ){WHO} wins {A}(?: with .*| +)?", wins_pot),
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
        rf"{SMALL}/{BIG} - (?P<limit>(?:No|Pot|Fixed) Limit) (?P<game>Hold'em|.*?)(?: Banzai)?"
        r" - (?P<when>.{1,40})",
        lines=(
            (rf"Seat {N}: {WHO} \({STACK}\)", seat),
            (rf"{WHO} has the button", gives_button),
            *named_posts(rf"{WHO} posts @ {A}"),
            *action_lines(rf"{WHO} ", ALL_IN, by=r".{1,20} "),
            *dealt_and_shown(" "),
            (rf"{WHO} wins {A}.*", wins_pot),
            (rf"Total pot {A} Rake {amount_as('rake')}", states_pot),
        ),
        must=r"(?!Seat ).+ (?:posts|calls|bets|raises|wins)\b.*[0-9]",
    )
)


# Hands of a television show, objects of JavaScript.


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


_BY: Final = rf",value:{A}"
BIG_GAME: Final = RoomText(
    Grammar(
        header=r"LoadHand\(",
        mark="LoadHand(",
        laid_out=_objects,
        head=r"LoadHand\((?P<game>.*?)\)\n\{Hand:\n"
        r'\{Title:"(?P<number>[^"]{1,20})",NumberOfSeats:[0-9]+,PotSize:0,'
        rf"BigBlind:{BIG},SmallBlind:{SMALL},Ante:{amount_as('ante')}"
        r",CurrentBet:0,Dealer:(?P<button>[0-9]),.*",
        cards=_suit_first_small,
        lines=(
            (r'\{Name:"",.*|\{Cards:[1-9]:\[\].*', passes),
            (rf'\{{Name:"(?P<who>[^"]{{1,40}})",Seat:(?P<key>{N}),Stack:{STACK}', seat),
            (r"\{Cards:(?P<who>[1-9]):\[(?P<cards>.*?)\].*", shows_cards),
            (r"Plays:\[", _posts_unsaid),
            (_does("Straddles", _BY), post(PostKind.STRADDLE)),
            (_does("Folds"), ACTS["fold"]),
            (_does("Checks"), ACTS["check"]),
            (_does("Calls"), ACTS["call"]),
            (_does("Bets", _BY), ACTS["bet"]),
            (_does("Raises To", _BY), ACTS["raise"]),
            (_does("All-In"), all_in),
            (_does("Takes Back", _BY), gets_back),
            (r'\{Seat:0,Action:"Deal",value:\[(?P<cards>.*?)\]\}.*', _deals_street),
            (_does("Wins", _BY), wins_pot),
        ),
        must=r"\{(?:Name|Seat|Cards)",
    )
)
