from __future__ import annotations

import dataclasses
import io
from fractions import Fraction
from pathlib import Path

import pytest

from railbird.cards import format_cards, format_holding
from railbird.errors import BadInput
from railbird.game import Action, OddChips, Raise
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

LIMIT = "holdem.limit.2p.reverse_blinds.game"
HEAD = f"# name/game/hands/seed test {LIMIT} 3 1\n"
SHOWDOWN = "STATE:0:crrrc/rc/rc/crc:7d3d|2hAc/5sKs7s/9s/6h:90|-90:Alice|Bob\n"
FOLD = "STATE:1:rrrf:Ad3s|8d5d:-30|30:Bob|Alice\n"
SCORE = "SCORE:120|-120:Alice|Bob\n"


def chips(*amounts: int | Fraction) -> tuple[Fraction, ...]:
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
    assert hand.payoffs == chips(90, -90)
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
    assert hand.payoffs == chips(-50, -725, Fraction(775, 2), 0, 0, Fraction(775, 2))
    assert hand.comment == "session 32"
    assert state_line(hand, 23) == line.replace(".0", "")


def test_thirds_are_rounded_in_the_log_and_exact_in_the_record() -> None:
    line = (
        "STATE:0:rccc/cccc/cccc/cccc:2c3d|2d3c|2h3s|Kd9c/4s5d6h/Ad/9h"
        ":6.666667|6.666667|6.666667|-20:a|b|c|d\n"
    )
    hand = only(line, game="holdem.limit.4p.game")
    assert hand.payoffs == chips(Fraction(20, 3), Fraction(20, 3), Fraction(20, 3), -20)
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
    assert only(HEAD + beaten).payoffs == chips(90, -90)
    winner = SHOWDOWN.replace("7d3d|2hAc", "|2hAc")
    assert only(HEAD + winner).payoffs == chips(90, -90)
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
        payoffs=chips(7, 7, 6, -20),
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
