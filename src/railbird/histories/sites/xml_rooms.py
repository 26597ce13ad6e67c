"""Grammars of Merge, Everest, Boss and Microgaming, rooms of XML, as tables; `rooms` has texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from railbird.histories.sites import room
from railbird.histories.sites.money import amount_as
from railbird.histories.sites.replay import PostKind, SiteVerb


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


_EVENT_AMOUNT: Final = rf' amount="{room.A}"'
MERGE: Final = room.RoomText(
    room.Grammar(
        header=r"<game id=",
        mark="<game id=",
        head=r'<game id="(?P<number>[^"]{1,40})" starttime="(?P<when>[^"]{8,30})"'
        r'(?:.* data="[^|"]*\|(?P<table>[^|"]*)\|)?.*\n'
        r'<description type="(?P<game>[^" ]*)(?P<tournament> Tournament)?[^"]*" '
        r'stakes="(?P<limit>(?:No |Pot |Fixed )?Limit)?(?P<aside>"/>)?[^"0-9$€£(]*'
        r"(?:Level [0-9]+ Blinds )?\(?"
        rf"(?:{room.SMALL}/{room.BIG})?.*",
        sticky="<description ",
        spelt=_community_first,
        lines=(
            (r'<event [^>]*type="CHAT".*', room.passes),
            (rf'<players dealer="{room.N}".*', room.gives_button),
            (
                rf'<player seat="(?P<key>{room.N})" nickname="(?P<who>[^"]{{1,60}})" '
                rf'balance="{room.STACK}".*',
                room.seat,
            ),
            (_event("SMALL_BLIND", _EVENT_AMOUNT), room.aside(PostKind.SMALL_BLIND)),
            (_event("BIG_BLIND", _EVENT_AMOUNT), room.aside(PostKind.BIG_BLIND)),
            (_event("(?:INITIAL|RETURN)_BLIND", _EVENT_AMOUNT), room.late_post),
            (_event("ANTE", _EVENT_AMOUNT), room.aside(PostKind.ANTE)),
            (_event("FOLD"), room.ACTS["fold"]),
            (_event("CHECK"), room.ACTS["check"]),
            (_event("CALL", _EVENT_AMOUNT), room.ACTS["call"]),
            (_event("CALL"), room.ACTS["call"]),
            (_event("BET", _EVENT_AMOUNT), room.ACTS["bet"]),
            # Until 2008, when events had no time, what was put in; later the total.
            (r"(?!.* timestamp=)" + _event("RAISE", _EVENT_AMOUNT), room.acts(SiteVerb.PUT_IN)),
            (_event("RAISE", _EVENT_AMOUNT), room.ACTS["raise"]),
            (_event("ALL_IN"), room.all_in),
            (_event("[A-Z_]+"), room.passes),
            (r'<cards type="COMMUNITY" cards="(?P<cards>[^"]*)".*', room.board),
            (
                r'<cards type="[A-Z]+" cards="(?P<cards>[^"]*)" player="(?P<who>[0-9]+)".*',
                room.shows_cards,
            ),
            (
                rf'<winner amount="{room.A}" uncalled="true".* player="(?P<who>[0-9]+)".*',
                room.gets_back,
            ),
            (rf'<winner amount="{room.A}".* player="(?P<who>[0-9]+)".*', room.wins_pot),
        ),
        must="<(?:event|winner|cards|player) ",
    )
)
_POSITION: Final = 'position="(?P<who>[0-9]+)"'
EVEREST: Final = room.RoomText(
    room.Grammar(
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
                rf'<SEAT position="(?P<key>{room.N})" name="(?P<who>[^"]{{1,60}})" '
                rf'balance="{room.STACK}"/>',
                room.seat,
            ),
            (rf'<DEALER position="{room.N}"/>', room.gives_button),
            (rf'<BLIND {_POSITION} amount="{room.A}" penalty="0"/>', room.blind),
            (rf'<ANTE {_POSITION} amount="{room.A}".*/>', room.post(PostKind.ANTE)),
            (rf"<HOLE {_POSITION}>(?P<cards>.*)</HOLE>", room.one_card),
            (rf"<FOLD {_POSITION}/>", room.ACTS["fold"]),
            (rf'<BET {_POSITION} amount="{room.A}".*/>', room.put_in),
            (r"<COMMUNITY>(?P<cards>.*)</COMMUNITY>", room.board),
            (rf'<SWEEP rake="{room.A}".*', room.rake),
            (rf'<PUSH {_POSITION} amount="{room.A}"/>', room.gets_back),
            (rf"<X?SHOW {_POSITION}>(?P<cards>.*)</X?SHOW>", room.shows_cards),
            (rf'<WIN {_POSITION} amount="{room.A}".*/>', room.wins_pot),
        ),
        must="<(?:SEAT|BLIND|ANTE|HOLE|FOLD|BET|COMMUNITY|PUSH|WIN)",
    )
)
_NAMED: Final = 'PLAYER="(?P<who>[^"]*)'
_PLAYER: Final = f'{_NAMED}"'
_BLIND: Final = rf'<ACTION TYPE="HAND_BLINDS" {_PLAYER} KIND="HAND'
_VALUE: Final = rf'" VALUE="{room.A}".*'
BOSS: Final = room.RoomText(
    room.Grammar(
        header="<HISTORY ID=",
        mark="<HISTORY ID=",
        spelt=_with_children,
        head=r'<HISTORY ID="(?P<number>[0-9]+)" .*TABLE="(?P<table>[^"]*)" GAME="(?P<game>[^"]*)" '
        r'GAMETYPE="(?:GAMETYPE_REAL|(?P<play>[^"]*))" '
        r'(?:GAMEKIND="(?:GAMEKIND_CASH|(?P<tournament>[^"]*))" )?'
        r'(?:TABLECURRENCY="(?P<money>[^"]*)" )?LIMIT="(?P<limit>[^"]*)" '
        r'STAKES="(?P<small>[^"/]+)/(?P<big>[^"]+)".* DATE="(?P<when>[0-9]+)".*',
        cards=room.card_links,
        lines=(
            (
                rf'<PLAYER NAME="(?P<who>[^"]{{1,60}})" SEAT="{room.N}" AMOUNT="{room.STACK}"'
                r'(?: STATE="[^"]*")?(?: DEALER="(?:(?P<dealer>Y)|N)")?.*',
                room.seat,
            ),
            (rf"{_BLIND}_SB{_VALUE}", room.post(PostKind.SMALL_BLIND)),
            (rf"{_BLIND}_BB{_VALUE}", room.post(PostKind.BIG_BLIND)),
            (rf"{_BLIND}_AB{_VALUE}", room.late_post),
            (rf'<ACTION TYPE="HAND_ANTE" {_NAMED}{_VALUE}', room.post(PostKind.ANTE)),
            (rf'<ACTION TYPE="HAND_DEAL" {_PLAYER}[^>]*>(?P<cards>.*)', room.deals_last),
            (rf'<ACTION TYPE="ACTION_FOLD" {_PLAYER}.*', room.ACTS["fold"]),
            (rf'<ACTION TYPE="ACTION_CHECK" {_PLAYER}.*', room.ACTS["check"]),
            (rf'<ACTION TYPE="ACTION_CALL" {_PLAYER}.*', room.ACTS["call"]),
            (rf'<ACTION TYPE="ACTION_BET" {_NAMED}{_VALUE}', room.ACTS["bet"]),
            (rf'<ACTION TYPE="ACTION_RAISE" {_NAMED}{_VALUE}', room.ACTS["cover"]),
            (rf'<ACTION TYPE="ACTION_ALLIN" {_PLAYER}.*', room.all_in),
            (r'<ACTION TYPE="HAND_BOARD"[^>]*>(?P<cards>.*)', room.board),
            (rf'<SHOWDOWN [^>]*RAKE="{room.A}".*', room.rake),
            (
                rf'<RESULT (?:WINTYPE="[^"]*" )?{_PLAYER} WIN="{room.A}"[^>]*>(?P<cards>.*)',
                room.wins_showing,
            ),
        ),
        must="<(?:PLAYER|ACTION|RESULT)",
    )
)
_SEAT: Final = 'seat="(?P<who>[0-9]+)"'
_PAYS: Final = rf'{_SEAT} value="{room.A}"/>'
MICROGAMING: Final = room.RoomText(
    room.Grammar(
        header="<Game (?:hhversion|id)=",
        mark="<Game ",
        spelt=_with_children,
        head=r'<Game .*id="(?P<number>[0-9]+)" date="(?P<when>[^"]*)".*'
        r' tablename="(?P<table>[^"]*)" stakes="(?P<small>[^"|]+)\|(?P<big>[^"]+)"'
        r' betlimit="(?P<limit>[^"]*)".* '
        r'gametype="(?:Multi Table )?(?P<game>[^"]*)" (?:realmoney="(?:true|(?P<play>[^"]*))")?'
        r'(?:.*currencysymbol="(?P<symbol>[^"]*)")?'
        r'(?:.*istournament="(?:0|(?P<tournament>[^"]*))")?.*',
        cards=room.attributes,
        lines=(
            (
                rf'<Seat num="(?P<key>{room.N})" alias="(?P<who>[^"]{{1,60}})".*'
                rf' balance="{room.STACK}" endbalance="{amount_as("after")}"'
                r'(?: sittingout="[^"]*")?(?P<dealer> dealer="true")?.*/>',
                room.seat,
            ),
            (rf'<Action .*type="SmallBlind" {_PAYS}', room.post(PostKind.SMALL_BLIND)),
            (rf'<Action .*type="BigBlind" {_PAYS}', room.post(PostKind.BIG_BLIND)),
            (rf'<Action .*type="Ante" {_PAYS}', room.post(PostKind.ANTE)),
            (rf'<Action .*type="PostedToPlay" {_PAYS}', room.enters),
            (
                rf'<Action .*type="(?:DealCards|ShowCards|MuckCards)" {_SEAT}.*?>(?P<cards>.*)',
                room.shows_cards,
            ),
            (rf'<Action .*type="Fold" {_SEAT}.*', room.ACTS["fold"]),
            (rf'<Action .*type="Check" {_SEAT}.*', room.ACTS["check"]),
            (rf'<Action .*type="Call" {_PAYS}', room.ACTS["call"]),
            (rf'<Action .*type="(?:Bet|Raise)" {_PAYS}', room.acts(SiteVerb.PUT_IN)),
            (rf'<Action .*type="AllIn" {_PAYS}', room.all_in),
            (rf'<Action .*type="MoneyReturned" {_PAYS}', room.gets_back),
            (r'<Action .*type="Deal(?:Flop|Turn|River)"[^>]*>(?P<cards>.*)', room.board),
            (
                r'<Action .*type="Win"[^>]*>(?P<winners>.*)',
                room.wins_each(r'num="([0-9]+)" amount="([0-9.,]+)"'),
            ),
        ),
        must="<(?:Seat|Action) ",
    )
)
