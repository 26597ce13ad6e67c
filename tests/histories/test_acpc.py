"""STATE lines of batches are those of single hands."""

from __future__ import annotations

import dataclasses
import io
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.random_hands import chips, random_rules
from railbird.cards import format_cards, format_holding
from railbird.errors import BadInput
from railbird.game import (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    Action,
    OddChips,
    Raise,
    Rules,
    acpc_rules,
    limit_holdem,
    no_limit_holdem,
)
from railbird.game.rules import Betting, ShortAllIn
from railbird.histories import (
    STANDARD_GAMES,
    HandRecord,
    Skipped,
    SkipReason,
    Source,
    WriteOptions,
    format_named,
    read,
    state_line,
    write,
)
from railbird.histories.acpc.columns import state_lines
from railbird.histories.acpc.gamedef import (
    betting_named,
    format_game,
    game_spec,
    parse_game,
    resolve_game,
)
from railbird.histories.columns import batch_of
from railbird.units import Chips
from twins.slow_histories import random_record

LIMIT = "holdem.limit.2p.reverse_blinds.game"
HEAD = f"# name/game/hands/seed test {LIMIT} 3 1\n"
SHOWDOWN = "STATE:0:crrrc/rc/rc/crc:7d3d|2hAc/5sKs7s/9s/6h:90|-90:Alice|Bob\n"
FOLD = "STATE:1:rrrf:Ad3s|8d5d:-30|30:Bob|Alice\n"
SCORE = "SCORE:120|-120:Alice|Bob\n"


def acpc_chips(*amounts: int | Fraction) -> tuple[Fraction, ...]:
    return tuple(map(Fraction, amounts))


def size_of(action: Action) -> int | None:
    return action.to if isinstance(action, Raise) else None


def hands(text: str, **options: str) -> list[HandRecord | Skipped]:
    return list(read(io.BytesIO(text.encode()), format_name="acpc", **options))  # type: ignore[arg-type]


def only(text: str, **options: str) -> HandRecord:
    (hand,) = hands(text, **options)
    assert isinstance(hand, HandRecord), hand
    return hand


def skipped(text: str, **options: str) -> Skipped:
    (hand,) = hands(text, **options)
    assert isinstance(hand, Skipped), hand
    return hand


def test_a_limit_hand() -> None:
    """The first hand of a match that the ACPC's own dealer played with seed 42."""
    hand = only(HEAD + SHOWDOWN)
    assert hand.rules == STANDARD_GAMES[LIMIT]
    assert hand.players == ("Alice", "Bob")
    assert [format_holding(hole) for hole in hand.holes if hole is not None] == ["7d3d", "Ac2h"]
    assert format_cards(hand.board) == "5sKs7s9s6h"
    assert [size_of(action) for action in hand.actions] == [
        *(None, 20, 30, 40, None),
        *(10, None),
        *(20, None),
        *(None, 20, None),
    ]
    assert hand.payoffs == acpc_chips(90, -90)
    assert hand.number == 0
    assert hand.source == Source("", 2)
    assert hand.low_first == 0b10


def test_a_raise_counts_the_whole_hand_in_the_log_and_the_street_in_the_record() -> None:
    """The first no-limit hand of the same dealer and seed."""
    line = "STATE:0:r5255c/cr7276c/r16565r20000c/:7d3d|2hAc/5sKs7s/9s/6h:20000|-20000:Alice|Bob\n"
    hand = only(line, game="holdem.nolimit.2p.reverse_blinds.game")
    sizes = [size_of(action) for action in hand.actions if isinstance(action, Raise)]
    assert sizes == [5255, 7276 - 5255, 16565 - 7276, 20000 - 7276]
    assert state_line(hand, 0) == line


def test_half_chips_and_comments_are_kept() -> None:
    """A hand of Pluribus against professionals (2019), in which three share an odd pot."""
    line = (
        "STATE:23:r200ffr725fcr2900r10000fc///:Qc4d|9d9c|KdAd|6sTs|7c6d|AcKh/Th5h8c/5d/Ks"
        ":-50.0|-725.0|387.5|0.0|0.0|387.5:Pluribus|MrWhite|Gogo|Budd|Eddie|Bill # session 32\n"
    )
    hand = only(line, game="holdem.nolimit.6p.game,stack=10000")
    assert hand.payoffs == acpc_chips(-50, -725, Fraction(775, 2), 0, 0, Fraction(775, 2))
    assert hand.comment == "session 32"
    assert state_line(hand, 23) == line.replace(".0", "")


def test_thirds_are_rounded_in_the_log_and_exact_in_the_record() -> None:
    line = (
        "STATE:0:rccc/cccc/cccc/cccc:2c3d|2d3c|2h3s|Kd9c/4s5d6h/Ad/9h"
        ":6.666667|6.666667|6.666667|-20:a|b|c|d\n"
    )
    hand = only(line, game="holdem.limit.4p.game")
    assert hand.payoffs == acpc_chips(Fraction(20, 3), Fraction(20, 3), Fraction(20, 3), -20)
    assert state_line(hand, 0) == line
    wrong = line.replace("6.666667|6.666667|6.666667", "6.666667|6.666666|6.666667")
    assert skipped(wrong, game="holdem.limit.4p.game").reason is SkipReason.WRONG_PAYOFF
    unseen = line.replace("2c3d|2d3c|2h3s|Kd9c", "|||")
    assert only(unseen, game="holdem.limit.4p.game").payoffs == hand.payoffs
    wrong = unseen.replace("6.666667|6.666667|6.666667", "6.7|6.6|6.6")
    assert skipped(wrong, game="holdem.limit.4p.game").reason is SkipReason.WRONG_PAYOFF


def test_cards_that_are_not_shown() -> None:
    hand = only(HEAD + "STATE:0:rf:|8d5d:-10|10:Alice|Bob\n")
    assert hand.holes[0] is None
    beaten = SHOWDOWN.replace("7d3d|2hAc", "7d3d|")
    assert only(HEAD + beaten).payoffs == acpc_chips(90, -90)
    winner = SHOWDOWN.replace("7d3d|2hAc", "|2hAc")
    assert only(HEAD + winner).payoffs == acpc_chips(90, -90)
    impossible = winner.replace("90|-90", "100|-100")
    assert skipped(HEAD + impossible).reason is SkipReason.WRONG_PAYOFF


@pytest.mark.parametrize(
    ("line", "reason", "detail"),
    [
        (SHOWDOWN[:40] + "\n", SkipReason.CUT, "4 of 6 fields"),
        (SHOWDOWN[:20] + FOLD, SkipReason.UNREADABLE, "'rrrf' is no amount"),
        ("STATE:\n", SkipReason.CUT, "2 of 6 fields"),
        (SHOWDOWN.replace("Alice|Bob", "Alice|"), SkipReason.CUT, "without a name"),
        (SHOWDOWN.replace("Alice|Bob", "Alice"), SkipReason.WRONG_SEATS, "1 names, 2 holes"),
        (SHOWDOWN.replace("Alice|Bob", "Al|Al"), SkipReason.SAME_NAME, "Al|Al"),
        (SHOWDOWN.replace("STATE:0", "STATE:x"), SkipReason.UNREADABLE, "'x' is no hand number"),
        (SHOWDOWN.replace("STATE:0", f"STATE:{9**20}"), SkipReason.UNREADABLE, "hand number"),
        (SHOWDOWN.replace("crrrc/", "crrrrc/"), SkipReason.ILLEGAL_ACTION, "3 bets and raises"),
        (SHOWDOWN.replace("crrrc/", "crrxrc/"), SkipReason.UNREADABLE, "allowed: f, c, r and /"),
        (FOLD.replace("rrrf", "r200f"), SkipReason.ANOTHER_GAME, "limit game"),
        (SHOWDOWN.replace("/crc:", "/cr:"), SkipReason.UNFINISHED, "seat 0 is to act (river)"),
        (SHOWDOWN.replace("/crc:", "/crc/:"), SkipReason.UNREADABLE, "which ends on the river"),
        (SHOWDOWN.replace("/rc/crc", "rc/crc"), SkipReason.UNREADABLE, "which ends on the river"),
        (SHOWDOWN.replace("7d3d", "7d7d"), SkipReason.DUPLICATE_CARD, "7d comes twice"),
        (SHOWDOWN.replace("/6h", "/7d"), SkipReason.DUPLICATE_CARD, "7d comes twice"),
        (SHOWDOWN.replace("7d3d", "7d3x"), SkipReason.UNREADABLE, "not a suit"),
        (SHOWDOWN.replace("7d3d", "7d"), SkipReason.UNREADABLE, "1 cards instead of 2"),
        (SHOWDOWN.replace("/9s/6h", "/9s"), SkipReason.WRONG_BOARD, "cards"),
        (SHOWDOWN.replace("/9s/6h", "/9s6h"), SkipReason.WRONG_BOARD, "three cards, one and one"),
        (FOLD.replace("8d5d", "8d5d/5sKs7s"), SkipReason.WRONG_BOARD, "cards"),
        (SHOWDOWN.replace("90|-90", "80|-80"), SkipReason.WRONG_PAYOFF, "pay 90|-90"),
        (SHOWDOWN.replace("90|-90", "90|x"), SkipReason.UNREADABLE, "'x' is no amount"),
        (SHOWDOWN.replace("90|-90", "90"), SkipReason.WRONG_SEATS, "1 payoffs"),
        ("nonsense\n", SkipReason.UNREADABLE, "no line of a log"),
    ],
)
def test_what_is_no_good_is_skipped_with_its_reason(
    line: str, reason: SkipReason, detail: str
) -> None:
    before, bad, after = hands(HEAD + FOLD + line + SHOWDOWN)
    assert isinstance(before, HandRecord)
    assert isinstance(bad, Skipped)
    assert (bad.reason, bad.line) == (reason, 3)
    assert detail in bad.detail
    assert isinstance(after, HandRecord)


def test_a_damaged_hand_does_not_spoil_what_is_remembered_of_its_betting() -> None:
    damaged = SHOWDOWN.replace("/6h", "/7d")
    wrong = SHOWDOWN.replace("90|-90", "-90|90")
    kinds = [type(hand) for hand in hands(HEAD + damaged + wrong + SHOWDOWN + wrong)]
    assert kinds == [Skipped, Skipped, HandRecord, Skipped]


def test_a_name_cut_at_the_end_of_the_file_is_no_new_player() -> None:
    whole, cut = hands(HEAD + SHOWDOWN + FOLD[:-3])
    assert isinstance(whole, HandRecord)
    assert isinstance(cut, Skipped)
    assert cut.reason is SkipReason.CUT
    assert len(hands(HEAD + SHOWDOWN + FOLD[:-1])) == 2
    assert isinstance(hands(HEAD + SHOWDOWN + FOLD[:-1])[1], HandRecord)


def test_the_final_score_is_compared() -> None:
    assert len(hands(HEAD + SHOWDOWN + FOLD + SCORE)) == 2
    wrong = hands(HEAD + SHOWDOWN + FOLD + SCORE.replace("120", "110"))
    assert wrong[2] == Skipped(SkipReason.WRONG_SCORE, 4, "the log gives Alice 110, its hands 120")
    unreadable = hands(HEAD + SHOWDOWN + "SCORE:\n")[1]
    assert isinstance(unreadable, Skipped)
    assert unreadable.reason is SkipReason.WRONG_SCORE


def test_the_final_score_is_not_compared_when_hands_are_missing() -> None:
    lines = hands(HEAD + SHOWDOWN + FOLD.replace("rrrf", "rrrx") + SCORE)
    reasons = [hand.reason for hand in lines if isinstance(hand, Skipped)]
    assert reasons == [SkipReason.UNREADABLE]


def test_logs_one_after_the_other() -> None:
    no_limit = "holdem.nolimit.2p.reverse_blinds.game"
    second = (
        HEAD.replace(LIMIT, no_limit)
        + "STATE:0:r300f:Ad3s|8d5d:-100|100:Bob|Alice\nSCORE:-100|100:Bob|Alice\n"
    )
    first, last = hands(HEAD + SHOWDOWN + "SCORE:90|-90:Alice|Bob\n" + second)
    assert isinstance(first, HandRecord)
    assert first.rules == STANDARD_GAMES[LIMIT]
    assert isinstance(last, HandRecord)
    assert last.rules == STANDARD_GAMES[no_limit]


def test_a_log_that_does_not_name_its_game_asks_for_it() -> None:
    for text in (SHOWDOWN, "# a comment\n" + SHOWDOWN, HEAD.replace("2p", "2q") + SHOWDOWN):
        with pytest.raises(BadInput, match="--game FILE or NAME") as caught:
            hands(text)
        assert "\n" not in str(caught.value)
        assert isinstance(hands(text, game=LIMIT)[0], HandRecord)


def test_the_game_that_is_asked_for_wins_over_the_one_that_is_named() -> None:
    text = HEAD.replace("limit.2p", "nolimit.2p") + SHOWDOWN
    assert isinstance(hands(text, game=LIMIT)[0], HandRecord)


def test_a_later_unknown_game_does_not_end_the_reading() -> None:
    text = HEAD + SHOWDOWN + HEAD.replace("2p", "2q") + FOLD + FOLD + HEAD + SHOWDOWN
    good, unknown, unknown_too, good_too = hands(text)
    assert isinstance(good, HandRecord)
    assert isinstance(unknown, Skipped)
    assert unknown.reason is SkipReason.ANOTHER_GAME
    assert isinstance(unknown_too, Skipped)
    assert isinstance(good_too, HandRecord)


def test_a_game_file_beside_the_log_is_found(tmp_path: Path) -> None:
    (tmp_path / "ours.game").write_text(
        "GAMEDEF\nlimit\nnumPlayers = 2\nnumRounds = 4\nblind = 2 1\nraiseSize = 2 2 4 4\n"
        "firstPlayer = 2 1 1 1\nmaxRaises = 3 4 4 4\nnumSuits = 4\nnumRanks = 13\n"
        "numHoleCards = 2\nnumBoardCards = 0 3 1 1\nEND GAMEDEF\n"
    )
    log = tmp_path / "match.log"
    log.write_text(HEAD.replace(LIMIT, "ours.game") + FOLD.replace("-30|30", "-6|6"))
    (hand,) = read(log)
    assert isinstance(hand, HandRecord)
    assert hand.rules.blinds == (2, 1)


def test_another_game_than_the_one_that_is_asked_for() -> None:
    assert skipped(SHOWDOWN, game="holdem.limit.3p.game").reason is SkipReason.WRONG_SEATS
    no_limit = skipped(SHOWDOWN, game="holdem.nolimit.2p.reverse_blinds.game")
    assert no_limit.reason is SkipReason.ANOTHER_GAME


def test_a_change_of_rules_begins_another_log() -> None:
    limit = only(HEAD + SHOWDOWN)
    small = dataclasses.replace(
        only(HEAD.replace(LIMIT, f"{LIMIT},blind=2/1,raiseSize=2/2/4/4") + FOLD.replace("30", "6"))
    )
    text = "".join(map(str, write_all([limit, small])))
    assert text.count("SCORE:") == 2
    assert f"{LIMIT},blind=2/1,raiseSize=2/2/4/4 - -" in text
    assert hands(text) == [limit, small]


def test_a_hand_that_the_dealer_would_settle_differently_is_not_written() -> None:
    split = only(
        "STATE:0:rccc/cccc/cccc/cccc:2c3d|2d3c|2h3s|Kd9c/4s5d6h/Ad/9h"
        ":6.666667|6.666667|6.666667|-20:a|b|c|d\n",
        game="holdem.limit.4p.game",
    )
    indivisible = dataclasses.replace(
        split,
        rules=dataclasses.replace(split.rules, odd_chips=OddChips.FIRST_LEFT),
        payoffs=acpc_chips(7, 7, 6, -20),
    )
    with pytest.raises(BadInput, match="wrong payoff"):
        state_line(indivisible, 0)


def write_all(records: list[HandRecord]) -> list[str | Skipped]:
    writer = format_named("acpc").write
    assert writer is not None
    return list(writer(records, WriteOptions()))


def test_nothing_to_write_is_no_file_and_leaves_an_older_one(tmp_path: Path) -> None:
    assert write([], tmp_path / "empty.log").hands == 0
    assert not list(tmp_path.iterdir())
    (tmp_path / "old.log").write_text("old")
    assert write([], tmp_path / "old.log").hands == 0
    assert (tmp_path / "old.log").read_text() == "old"


def test_a_name_of_a_match_has_no_blanks(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="without blanks"):
        write([], tmp_path / "x.log", options=WriteOptions(match="two words"))


GAMES = (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    acpc_rules(limit_holdem(3)),
    acpc_rules(no_limit_holdem(6, blinds=(50, 100), stack=[700, 20_000, 3000, 90, 5000, 100])),
    acpc_rules(no_limit_holdem(3, blinds=(5, 10), stack=400, ante=3)),
    acpc_rules(no_limit_holdem(2, blinds=(5, 10), stack=[3, 10])),
)


def lines_of(hands: list[HandRecord]) -> bytes:
    return "".join(state_line(hand, hand.number or 0) for hand in hands).encode()


@pytest.mark.parametrize("rules", GAMES)
def test_lines_of_a_game(rules: Rules) -> None:
    rng = np.random.default_rng(3)
    hands = [random_record(rng, rules, number=3 * i**3) for i in range(150)]
    assert state_lines(batch_of(hands)) == lines_of(hands)


@pytest.mark.slow
@given(st.integers(0, 2**32 - 1))
def test_lines_of_any_games(seed: int) -> None:
    """Tables of different sizes beside each other, cards that are not shown, comments."""
    rng = np.random.default_rng(seed)
    hands = []
    for i in range(6):
        rules = replace(acpc_rules(random_rules(rng)), rake=None)
        hand = random_record(rng, rules, number=i)
        if i % 2:
            hidden = (None, *hand.holes[1:])
            hand = replace(hand, holes=hidden, low_first=hand.low_first & ~1)
        hands.append(replace(hand, comment=["", "a note", "Zoë"][i % 3]))
    assert state_lines(batch_of(hands)) == lines_of(hands)


def test_no_hands() -> None:
    assert state_lines(batch_of([])) == b""


def _named(hand: HandRecord) -> HandRecord:
    return replace(hand, players=("A|B", "C"))


def _commented(hand: HandRecord) -> HandRecord:
    return replace(hand, comment="two\nlines")


def _by_other_rules(hand: HandRecord) -> HandRecord:
    return replace(hand, rules=limit_holdem())


def _empty_byte(hand: HandRecord) -> HandRecord:
    return replace(hand, comment="a\0b")


@pytest.mark.parametrize("spoilt", [_empty_byte, _named, _commented, _by_other_rules])
def test_what_would_not_read_back_is_refused(spoilt: Callable[[HandRecord], HandRecord]) -> None:
    hand = random_record(np.random.default_rng(1), HEADS_UP_LIMIT, number=1)
    with pytest.raises(BadInput):
        state_lines(batch_of([hand, spoilt(hand)]))


GOLDEN = Path(__file__).parents[1] / "golden" / "histories"
TEXT = (GOLDEN / "transcript.txt").read_text()


def test_a_transcript_has_the_hands_of_its_log() -> None:
    messages = list(
        read(GOLDEN / "transcript.txt", rename={"player 1": "Annie", "player 2": "Bill"})
    )
    log = list(read(GOLDEN / "limit.log"))
    assert messages == log[: len(messages)]
    assert len(messages) == 4


def test_a_hand_without_its_end() -> None:
    cut = TEXT[: TEXT.rindex("TO 1")]
    cut = cut[: cut.rindex("TO 1")]
    *hands, last = read(io.BytesIO(cut.encode()))
    assert len(hands) == 3
    assert isinstance(last, Skipped)
    assert last.reason is SkipReason.CUT


def test_one_player_alone_sees_folded_cards_of_nobody_else() -> None:
    seen = "".join(line for line in TEXT.splitlines(keepends=True) if "TO 2" not in line)
    found = list(read(io.BytesIO(seen.encode())))
    assert [type(hand) for hand in found] == [Skipped] * 4
    assert {hand.reason for hand in found if isinstance(hand, Skipped)} == {SkipReason.CUT}


def test_a_transcript_whose_game_nobody_says() -> None:
    text = TEXT.split("\n", 1)[1]
    with pytest.raises(BadInput, match="--game"):
        list(read(io.BytesIO(text.encode())))
    source = io.BytesIO(text.encode())
    hands = list(read(source, game="holdem.limit.2p.reverse_blinds.game"))
    assert all(isinstance(hand, HandRecord) for hand in hands)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("rc/rc/rc/rc:", "rc/rc/rc/c:"),
        ("/Ah/Qs", "/Ad/Qs"),
        ("2c6c/", "2c6d/"),
        ("TO 2", "TO 7"),
    ],
)
def test_a_message_that_goes_back_on_another_costs_the_hand(old: str, new: str) -> None:
    """A transcript states no payoffs, so what is told twice is all there is to compare."""
    lines = TEXT.splitlines(keepends=True)
    last = next(number for number, line in enumerate(lines) if "Seconds" in line) - 1
    assert old in lines[last]
    lines[last] = lines[last].replace(old, new)
    bad, *others = read(io.BytesIO("".join(lines).encode()))
    assert isinstance(bad, Skipped)
    assert bad.reason is SkipReason.UNREADABLE
    assert others == list(read(io.BytesIO(TEXT.encode())))[1:]


TEST_GAMEDEF_HEADS_UP_LIMIT = """\
GAMEDEF
limit
numPlayers = 2
numRounds = 4
blind = 10 5
raiseSize = 10 10 20 20
firstPlayer = 2 1 1 1
maxRaises = 3 4 4 4
numSuits = 4
numRanks = 13
numHoleCards = 2
numBoardCards = 0 3 1 1
END GAMEDEF
"""

KUHN = """\
GAMEDEF
limit
numPlayers = 3
numRounds = 1
blind = 1 1 1
raiseSize = 1
firstPlayer = 1
maxRaises = 1
numSuits = 1
numRanks = 4
numHoleCards = 1
numBoardCards = 0
stack = 2 2 2
END GAMEDEF
"""


def test_a_limit_definition_becomes_rules() -> None:
    rules = parse_game(TEST_GAMEDEF_HEADS_UP_LIMIT)
    assert rules.betting is Betting.LIMIT
    assert rules.blinds == (10, 5)
    assert rules.stacks is None
    assert rules.bet_sizes == (10, 10, 20, 20)
    assert rules.max_raises == (3, 4, 4, 4)
    assert rules.first_to_act == (1, 0, 0, 0)
    assert rules.odd_chips is OddChips.FRACTION
    assert rules.short_all_in is ShortAllIn.REOPENS
    assert format_game(rules) == TEST_GAMEDEF_HEADS_UP_LIMIT


@pytest.mark.parametrize("name", STANDARD_GAMES)
def test_standard_games_are_written_and_read_back(name: str) -> None:
    rules = STANDARD_GAMES[name]
    assert parse_game(format_game(rules)) == rules
    assert game_spec(rules) == name
    assert resolve_game(name) == rules
    assert resolve_game(f"some/folder/{name}") == rules


def test_standard_games_are_those_that_the_dealer_comes_with(shared_data: Path) -> None:
    """Oracle: the definitions of project_acpc_server, byte for byte."""
    files = sorted((shared_data / "gamedefs").glob("holdem.*.game"))
    assert len(files) == 5
    for file in files:
        assert format_game(STANDARD_GAMES[file.name]) == file.read_text()
        assert resolve_game(str(file)) == STANDARD_GAMES[file.name]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("GAMEDEF\nlimit", "# our game\n\nGameDef\n  LIMIT"),
        ("blind = 10 5", "blind 10 5"),
        ("numRounds = 4", "NUMROUNDS=4   "),
    ],
)
def test_layout_is_forgiven(old: str, new: str) -> None:
    assert parse_game(TEST_GAMEDEF_HEADS_UP_LIMIT.replace(old, new)) == parse_game(
        TEST_GAMEDEF_HEADS_UP_LIMIT
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no line GAMEDEF"),
        (KUHN, "not hold'em: numRounds is 1, hold'em has 4"),
        (
            TEST_GAMEDEF_HEADS_UP_LIMIT.replace("numHoleCards = 2", "numHoleCards = 4"),
            "numHoleCards is 4",
        ),
        (TEST_GAMEDEF_HEADS_UP_LIMIT.replace("numSuits = 4\n", ""), "numSuits is missing"),
        (TEST_GAMEDEF_HEADS_UP_LIMIT.replace("limit\n", ""), "neither"),
        (
            TEST_GAMEDEF_HEADS_UP_LIMIT.replace("numPlayers = 2\n", ""),
            "numPlayers must be one number",
        ),
        (
            TEST_GAMEDEF_HEADS_UP_LIMIT.replace("blind = 10 5", "blind = 10"),
            "blind must be 2 numbers, not 1",
        ),
        (TEST_GAMEDEF_HEADS_UP_LIMIT.replace("blind = 10 5", "blind = 10 x"), "line 5"),
        (TEST_GAMEDEF_HEADS_UP_LIMIT.replace("numRanks = 13", "speed = 13"), "line 10"),
        (
            TEST_GAMEDEF_HEADS_UP_LIMIT.replace("raiseSize = 10 10 20 20\n", ""),
            "raiseSize must be 4",
        ),
    ],
)
def test_other_text_is_refused_in_one_line(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=f"^my.game.*{message}") as caught:
        parse_game(text, name="my.game")
    assert "\n" not in str(caught.value)


def test_changes_to_a_standard_game() -> None:
    spec = "holdem.nolimit.6p.game,stack=10000"
    rules = resolve_game(spec)
    assert rules.stacks == (10_000,) * 6
    assert rules.blinds == (50, 100, 0, 0, 0, 0)
    assert game_spec(rules) == spec


def test_changed_blinds_change_the_smallest_bet() -> None:
    rules = resolve_game("holdem.nolimit.2p.reverse_blinds.game,blind=2/1,stack=400/300")
    assert rules.bet_sizes == (2, 2, 2, 2)
    assert rules.stacks == (400, 300)


def test_changes_to_a_file(tmp_path: Path) -> None:
    path = tmp_path / "ours.game"
    path.write_text(TEST_GAMEDEF_HEADS_UP_LIMIT)
    assert resolve_game(f"{path},maxRaises=1").max_raises == (1, 1, 1, 1)
    assert resolve_game("ours.game", beside=tmp_path) == parse_game(TEST_GAMEDEF_HEADS_UP_LIMIT)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("holdem.limit.11p.game", "no game 'holdem.limit.11p.game'"),
        ("", "no game ''"),
        ("holdem.limit.3p.game,ante=1", "'ante=1' is no change"),
        ("holdem.limit.3p.game,stack", "'stack' is no change"),
        ("holdem.limit.3p.game,numPlayers=4", "'numPlayers=4' is no change"),
        ("holdem.nolimit.3p.game,stack=1/2", "stack must be 3 numbers, not 2"),
    ],
)
def test_a_spec_that_cannot_be_used(spec: str, message: str) -> None:
    with pytest.raises(BadInput, match=message) as caught:
        resolve_game(spec)
    assert "\n" not in str(caught.value)


def test_what_a_definition_cannot_say() -> None:
    rules = STANDARD_GAMES["holdem.nolimit.2p.reverse_blinds.game"]
    foreign: list[Rules] = [
        dataclasses.replace(rules, betting=Betting.POT_LIMIT),
        dataclasses.replace(rules, antes=chips([1, 1])),
        dataclasses.replace(rules, bet_sizes=(Chips(50),) * 4),
    ]
    for other in foreign:
        with pytest.raises(BadInput, match="cannot say"):
            format_game(other)


def test_settlement_is_the_dealers_own_when_read_back() -> None:
    ours = dataclasses.replace(
        STANDARD_GAMES["holdem.limit.3p.game"],
        odd_chips=OddChips.FIRST_LEFT,
        short_all_in=ShortAllIn.CLOSED,
    )
    assert parse_game(format_game(ours)) == acpc_rules(ours) != ours


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("limit", "holdem.limit.2p.reverse_blinds.game"),
        ("Fixed Limit", "holdem.limit.2p.reverse_blinds.game"),
        ("holdem.limit", "holdem.limit.2p.reverse_blinds.game"),
        ("nolimit", "holdem.nolimit.2p.reverse_blinds.game"),
        ("no-limit", "holdem.nolimit.2p.reverse_blinds.game"),
        ("No_Limit.6p", "holdem.nolimit.6p.game"),
        ("holdem-no-limit-3p", "holdem.nolimit.3p.game"),
        ("Hold'em NL", "holdem.nolimit.2p.reverse_blinds.game"),
        ("holdem.no-limit.2p.reverse_blinds.game", "holdem.nolimit.2p.reverse_blinds.game"),
        ("some/folder/HOLDEM.LIMIT.3P.GAME", "holdem.limit.3p.game"),
    ],
)
def test_a_game_may_be_spelt_in_any_way(spec: str, name: str) -> None:
    assert resolve_game(spec) == STANDARD_GAMES[name]
    stacks = resolve_game(f"{spec},stack=900").stacks
    assert stacks == (900,) * STANDARD_GAMES[name].seats


def test_seats_are_those_of_the_name_or_the_given_ones() -> None:
    assert resolve_game("nolimit", seats=5) == STANDARD_GAMES["holdem.nolimit.5p.game"]
    assert resolve_game("nolimit.3p", seats=5) == STANDARD_GAMES["holdem.nolimit.3p.game"]


@pytest.mark.parametrize(
    "spec",
    [
        "holdem.limit.2p.game",
        "holdem.limit.3p.reverse_blinds.game",
        "potlimit",
        "holdem",
        "limit.99p",
    ],
)
def test_games_that_the_acpc_does_not_have(spec: str) -> None:
    with pytest.raises(BadInput, match="no game"):
        resolve_game(spec)


@pytest.mark.parametrize(
    ("text", "betting"),
    [
        ("limit", Betting.LIMIT),
        ("Fixed Limit", Betting.LIMIT),
        ("NL", Betting.NO_LIMIT),
        ("pot_limit", Betting.POT_LIMIT),
        ("spread limit", Betting.SPREAD_LIMIT),
        ("", None),
    ],
)
def test_words_for_the_betting(text: str, betting: Betting | None) -> None:
    assert betting_named(text) is betting
