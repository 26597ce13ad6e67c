"""Hand histories of PokerStars: cash games and tournaments, hold'em in limit, pot and no limit.

A hand is a block of lines up to an empty one: the game, the table, stacks by seat number, posts,
what happened, and a summary with the pot and the rake. "raises $16 to $26" says both by how much
and to what of this street. Where seats of the table are empty or sitting out, the hand is one of
fewer players. Cards are known if they were shown, or are the hero's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, NamedTuple

from railbird.cards import Card
from railbird.errors import BadInput
from railbird.game import Call, Fold, Raise
from railbird.histories.betting import BettingReplay
from railbird.histories.card_text import UNKNOWN, Hole, after_showing, read_cards, read_hole
from railbird.histories.format import ReadOptions
from railbird.histories.pokerstars.header import HEADER, MONEY, TABLE, Head, chips_of, read_head
from railbird.histories.pokerstars.rules import Posts, site_rules
from railbird.histories.rake import settle_raked
from railbird.histories.record import BadHand, HandRecord, Skipped, SkipReason, Source, renamed
from railbird.histories.verify import Ending, ending_of
from railbird.units import Chips

_SEAT: Final = re.compile(rf"Seat ([0-9]{{1,3}}): (.+) \({MONEY} in chips(?:, [^()]*)?\)(.*)")
_POST: Final = re.compile(rf"posts (.+?) {MONEY}( and is all-in)?")
_DEED: Final = re.compile(
    rf"(folds|checks|calls|bets|raises)(?: {MONEY}(?: to {MONEY})?)?"
    r"( and is all-in| and has reached the \S+ cap)?(?: \[(\S\S) (\S\S)\])?"
)
_SHOW: Final = re.compile(r"shows \[(\S\S) (\S\S)\](?: .*)?")
_QUIET: Final = re.compile(
    r"mucks hand|doesn't show hand|shows \[\S\S\].*|sits out|is sitting out|has timed out.*"
    r"|is (?:dis)?connected.*|has returned|re-buys .*"
)
_AWAY: Final = ("sits out", "is sitting out")
_DEALT: Final = re.compile(r"Dealt to (.+) \[(\S\S) (\S\S)\]")
_STREET: Final = re.compile(r"\*\*\* (FLOP|TURN|RIVER) \*\*\*((?: \[[^]]*\])+)")
_STARS: Final = re.compile(r"\*\*\* (.+) \*\*\*.*")
_BOARD_SIZES: Final = {"FLOP": 3, "TURN": 4, "RIVER": 5}
_RETURNED: Final = re.compile(rf"Uncalled bet \({MONEY}\) returned to (.+)")
_COLLECTED: Final = re.compile(rf"(.+) collected {MONEY} from (?:main |side )?pot(?:-[0-9]+)?")
_TOTAL: Final = re.compile(rf"Total pot {MONEY}(?: .*)?\| Rake {MONEY}.*")
_RESULT: Final = re.compile(r"Seat ([0-9]{1,3}): (.*)")
_BUTTON: Final = " (button)"
_MUCKED: Final = re.compile(r".* (?:showed|mucked) \[(\S\S) (\S\S)\].*")
_WON: Final = re.compile(rf".* (?:collected|won) \({MONEY}\).*")
_LONGEST_HAND: Final = 1000
"""Lines; text without empty ones must not end up in memory."""


class _Block(NamedTuple):
    """The lines of one hand."""

    first: int
    lines: list[str]
    ended: bool
    """Whether something stands behind it."""


@dataclass(slots=True)
class _Player:
    seat: int
    """The table's own number of the seat."""
    stack: Chips
    takes_part: bool = False
    away: bool = False
    hole: Hole = UNKNOWN
    won: int = 0
    returned: int = 0
    """What nobody called."""
    said: Chips | None = None
    """What the summary says was won."""


class _Deed(NamedTuple):
    """What a player did; without a name, that a street was dealt."""

    name: str
    verb: str
    amount: Chips
    to: Chips


@dataclass(slots=True)
class _Story:
    """A hand as its lines tell it."""

    head: Head
    table: str = ""
    button: int = 0
    players: dict[str, _Player] = field(default_factory=dict)
    posts: list[tuple[str, str, Chips, bool]] = field(default_factory=list)
    """Who, what, how much, and whether it was all there was."""
    deeds: list[_Deed] = field(default_factory=list)
    board: tuple[Card, ...] = ()
    total: Chips | None = None
    rake: Chips | None = None
    in_summary: bool = False


def read(lines: Iterable[str], options: ReadOptions) -> Iterator[HandRecord | Skipped]:
    """Read hand histories, hand by hand."""
    for block in _blocks(lines):
        try:
            yield _hand(block, options)
        except BadHand as error:
            cut = not block.ended and not any(map(_TOTAL.match, block.lines))
            told = error.reason is SkipReason.ANOTHER_GAME or not cut
            reason = error.reason if told else SkipReason.CUT
            yield Skipped(reason, block.first, error.detail)
        except BadInput as error:  # posts and stacks that no table has
            yield Skipped(SkipReason.ANOTHER_GAME, block.first, str(error))


def recognises(lines: Sequence[str]) -> bool:
    """Whether one of these lines begins a hand."""
    return any(HEADER.match(line.lstrip("\ufeff")) for line in lines)


def _blocks(lines: Iterable[str]) -> Iterator[_Block]:
    first, block = 1, list[str]()
    for number, line in enumerate(lines, 1):
        text = line.strip().lstrip("\ufeff")
        starts = text.startswith("PokerStars") and HEADER.match(text) is not None
        if block and (not text or starts or len(block) > _LONGEST_HAND):
            yield _Block(first, block, ended=True)
            block = []
        if text:
            first = first if block else number
            block.append(text)
    if block:
        yield _Block(first, block, ended=False)


def _story(lines: list[str]) -> _Story:
    """Read the lines, without asking whether what they tell can be. Raises `BadHand`."""
    first, *rest = lines
    story = _Story(read_head(first))
    for line in rest:
        if story.in_summary:
            _tell_result(story, line)
        else:
            _tell(story, line)
    if story.total is None:
        raise BadHand(SkipReason.CUT, "no total pot")
    return story


def _tell(story: _Story, line: str) -> None:
    """Take one line; what is neither play nor table, such as talk, is passed over."""
    name, colon, rest = line.partition(": ")
    if colon and name not in story.players and not line.startswith("Seat "):
        names = [known for known in story.players if line.startswith(f"{known}: ")]
        name = max(names, key=len, default=name)
        rest = line[len(name) + 2 :]
    rest = rest.strip()
    if colon and name in story.players:
        _tell_deed(story, name, rest)
    elif line.startswith("*** "):
        _tell_street(story, line)
    elif _RESULT.fullmatch(line):
        _tell_seat(story, line)
    elif match := TABLE.fullmatch(line):
        story.table, story.button = match[1], int(match[2] or 0)
    elif colon and (_DEED.fullmatch(rest) or _POST.fullmatch(rest)):
        raise _nobody(name)
    else:
        _tell_chips_and_cards(story, line)


def _tell_seat(story: _Story, line: str) -> None:
    match = _SEAT.fullmatch(line)
    if match is None:
        raise BadHand(SkipReason.UNREADABLE, repr(line[:60]))
    seat, name, stack, state = match.groups()
    player = _Player(int(seat), chips_of(stack, story.head.scale), away=bool(state.strip()))
    if name in story.players or any(p.seat == player.seat for p in story.players.values()):
        raise BadHand(SkipReason.SAME_NAME, f"seat {seat} or {name} twice")
    story.players[name] = player


def _tell_chips_and_cards(story: _Story, line: str) -> None:
    """Take a line of who got what, which does not begin with a name and a colon."""
    if (match := _COLLECTED.fullmatch(line)) and match[1] in story.players:
        story.players[match[1]].won += chips_of(match[2], story.head.scale)
    elif match := _RETURNED.fullmatch(line):
        _player(story, match[2]).returned += chips_of(match[1], story.head.scale)
    elif match := _DEALT.fullmatch(line):
        _show(_player(story, match[1]), match[2] + match[3])


def _tell_street(story: _Story, line: str) -> None:
    match = _STREET.fullmatch(line)
    if match is None:
        name = _STARS.fullmatch(line)
        story.in_summary = name is not None and name[1] == "SUMMARY"
        if name is None or name[1] not in ("HOLE CARDS", "SHOW DOWN", "SUMMARY"):
            raise BadHand(SkipReason.ANOTHER_GAME, f"{line[:60]!r}")
        return
    seen = len(story.board)
    cards = match[2].replace("[", "").replace("]", "").replace(" ", "")
    board = read_cards(cards, _BOARD_SIZES[match[1]])
    if board[:seen] != story.board:
        raise BadHand(SkipReason.WRONG_BOARD, f"{line!r} does not continue the board")
    story.board = board
    story.deeds.append(_Deed("", "", Chips(0), Chips(0)))


def _tell_deed(story: _Story, name: str, text: str) -> None:
    player, scale = story.players[name], story.head.scale
    if match := _DEED.fullmatch(text):
        verb, amount, to, _, *cards = match.groups()
        player.takes_part = True
        paid = chips_of(amount or "0", scale)
        story.deeds.append(_Deed(name, verb, paid, chips_of(to, scale) if to else paid))
        if cards[0]:
            _show(player, "".join(cards))
    elif match := _POST.fullmatch(text):
        player.takes_part = True
        story.posts.append((name, match[1], chips_of(match[2], scale), bool(match[3])))
    elif match := _SHOW.fullmatch(text):
        _show(player, match[1] + match[2])
    elif _QUIET.fullmatch(text) is None:
        raise BadHand(SkipReason.UNREADABLE, repr(f"{name}: {text}"[:60]))
    elif text in _AWAY:
        player.away = True


def _tell_result(story: _Story, line: str) -> None:
    """Take a line of the summary."""
    if match := _TOTAL.fullmatch(line):
        story.total = chips_of(match[1], story.head.scale)
        story.rake = chips_of(match[2], story.head.scale)
    elif match := _RESULT.fullmatch(line):
        seated = [name for name, player in story.players.items() if player.seat == int(match[1])]
        if not seated or not match[2].startswith(seated[0]):
            raise BadHand(SkipReason.UNREADABLE, f"{line[:60]!r}: somebody else sits there")
        player, result = story.players[seated[0]], match[2].removeprefix(seated[0])
        if result.startswith(_BUTTON) and player.seat != story.button:
            raise BadHand(
                SkipReason.UNREADABLE, f"the button in seats {story.button} and {player.seat}"
            )
        if cards := _MUCKED.fullmatch(result):
            _show(player, cards[1] + cards[2])
        if won := _WON.fullmatch(result):
            player.said = chips_of(won[1], story.head.scale)


def _player(story: _Story, name: str) -> _Player:
    if name not in story.players:
        raise _nobody(name)
    return story.players[name]


def _nobody(name: str) -> BadHand:
    return BadHand(SkipReason.UNREADABLE, f"{name[:40]!r} sits nowhere")


def _show(player: _Player, cards: str) -> None:
    player.hole = after_showing(player.hole, read_hole(cards), f"seat {player.seat}")


def _hand(block: _Block, options: ReadOptions) -> HandRecord:
    story = _story(block.lines)
    names = _seated(story)
    players = [story.players[name] for name in names]
    rules = options.rules or site_rules(
        story.head.betting,
        story.head.stakes,
        _posts(story, names),
        stacks=tuple([min(player.stack, story.head.cap or player.stack) for player in players]),
    )
    if rules.seats != len(names):
        raise BadHand(
            SkipReason.WRONG_SEATS, f"{len(names)} players in a game of {rules.seats} seats"
        )
    walk = BettingReplay(rules)
    for deed in story.deeds:
        _do(walk, deed, names)
    holes = tuple([player.hole.holding for player in players])
    ending = ending_of(rules, walk.actions, holes, story.board)
    return HandRecord(
        rules=rules,
        players=renamed(names, options.rename),
        holes=holes,
        board=story.board,
        actions=ending.actions,
        payoffs=_payoffs(story, players, ending),
        number=story.head.number,
        table=story.table,
        played_at=story.head.played_at,
        denomination=Fraction(1, story.head.scale),
        currency=story.head.currency,
        low_first=sum([player.hole.low_first << seat for seat, player in enumerate(players)]),
        source=Source(options.file, block.first),
    )


def _seated(story: _Story) -> tuple[str, ...]:
    """The names of those who were dealt in, from the left of the button on."""
    for name, player in story.players.items():
        if not player.takes_part and not player.away:
            raise BadHand(SkipReason.UNREADABLE, f"{name} neither acts nor sits out")
    seated = [name for name, player in story.players.items() if player.takes_part]
    if len(seated) < 2:
        raise BadHand(SkipReason.WRONG_SEATS, f"{len(seated)} players")
    if story.button == 0:
        raise BadHand(SkipReason.UNREADABLE, "no line tells the button")
    places = {name: story.players[name].seat for name in seated}
    return tuple(sorted(seated, key=lambda name: (places[name] <= story.button, places[name])))


def _posts(story: _Story, names: tuple[str, ...]) -> Posts:
    posts = Posts.none(len(names))
    for name, what, amount, all_in in story.posts:
        posts = posts.add(
            names.index(name), what, amount, all_in=all_in, full=story.head.full_blinds
        )
    return posts


def _do(walk: BettingReplay, deed: _Deed, names: tuple[str, ...]) -> None:
    """Let a player do in the engine what the text tells. Raises `BadHand`."""
    if not deed.name:
        walk.deal()
        return
    state = walk.state
    if not walk.betting_is_open or names[state.actor or 0] != deed.name:
        raise BadHand(SkipReason.ILLEGAL_ACTION, f"{deed.name} {deed.verb} out of turn")
    match deed.verb:
        case "folds":
            walk.act(Fold())
        case "checks" | "calls":
            if deed.amount != state.to_call:
                raise BadHand(
                    SkipReason.ILLEGAL_ACTION,
                    f"{deed.name} {deed.verb} {deed.amount} where {state.to_call} is due",
                )
            walk.act(Call())
        case _:
            if deed.to != state.bet + deed.amount:
                raise BadHand(
                    SkipReason.ILLEGAL_ACTION,
                    f"{deed.name} {deed.verb} by {deed.amount} from {state.bet} to {deed.to}",
                )
            walk.act(Raise(deed.to))


def _payoffs(story: _Story, players: list[_Player], ending: Ending) -> tuple[Fraction, ...]:
    """What everyone won, after comparing all that the text says of it. Raises `BadHand`."""
    spent = ending.state.spent
    won = sum(player.won for player in players)
    total = sum(spent) - sum(player.returned for player in players)
    if (story.total, story.rake) != (total, total - won):
        raise BadHand(
            SkipReason.WRONG_PAYOFF,
            f"total pot {story.total} and rake {story.rake}; {total} were put in and {won} won",
        )
    for player in players:
        if player.said is not None and player.said != player.won:
            raise BadHand(
                SkipReason.WRONG_PAYOFF,
                f"seat {player.seat} wins {player.won}, in the summary {player.said}",
            )
    logged = [
        Fraction(player.won + player.returned - chips)
        for player, chips in zip(players, spent, strict=True)
    ]
    return settle_raked(ending, tuple(logged))
