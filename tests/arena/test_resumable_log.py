"""The log of a match: readable by others, resumed from anywhere, refused if another's."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from railbird.arena import FaultPolicy, Match, MatchResult, Remedy, Seating, play
from railbird.errors import BadInput, DamagedFile
from railbird.game import (
    HEADS_UP_LIMIT,
    HEADS_UP_NO_LIMIT,
    Rules,
    acpc_rules,
    limit_holdem,
    no_limit_holdem,
    pot_limit_holdem,
)
from railbird.histories import HandRecord, read

MATCH = Match(
    players=("random", "always-call"),
    rules=HEADS_UP_LIMIT,
    deals=45,
    seed=7,
    seating=Seating.DUPLICATE,
    chunk=10,
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, MatchResult]:
    """The log of `MATCH`, and its result."""
    path = tmp_path_factory.mktemp("whole") / "match.log"
    result = play(MATCH, log=path)
    return path.read_bytes(), result


@pytest.mark.parametrize(
    "rules",
    [
        HEADS_UP_LIMIT,
        HEADS_UP_NO_LIMIT,
        acpc_rules(limit_holdem(6)),
        acpc_rules(no_limit_holdem(5, blinds=(1, 2), stack=[9, 50, 4, 200, 31])),
    ],
)
def test_readers_of_acpc_logs_read_every_hand(tmp_path: Path, rules: Rules) -> None:
    path = tmp_path / "match.log"
    match = Match(players=("random",) * rules.seats, rules=rules, deals=60, seed=3)
    result = play(match, log=path)
    hands = [hand for hand in read(path) if isinstance(hand, HandRecord)]
    assert [hand.number for hand in hands] == list(range(60))
    assert {hand.rules for hand in hands} == {rules}
    assert set(hands[0].players) == set(match.names)
    for player, name in enumerate(match.names):
        won = [float(hand.payoffs[hand.players.index(name)]) for hand in hands]
        assert np.allclose(result.payoffs[0, :, player], won, atol=1e-6)


def test_a_duplicate_log_has_each_deal_from_both_sides(tmp_path: Path) -> None:
    path = tmp_path / "match.log"
    play(MATCH, log=path)
    hands = [hand for hand in read(path) if isinstance(hand, HandRecord)]
    assert len(hands) == MATCH.hands
    for number in range(MATCH.deals):
        first, second = (hand for hand in hands if hand.number == number)
        assert first.holes == second.holes
        assert first.players == second.players[::-1]


@pytest.mark.slow
def test_a_match_goes_on_from_wherever_it_was_cut(
    tmp_path: Path, whole: tuple[bytes, MatchResult]
) -> None:
    text, result = whole
    path = tmp_path / "match.log"
    ends = [i + 1 for i, byte in enumerate(text) if byte == ord("\n")]
    footers = [i for i in ends if text[:i].splitlines()[-1].startswith(b"# railbird chunk")]
    cuts = {0, 1, 30, ends[5], ends[6] + 20}
    cuts |= {end + step for end in [*ends[:2], *footers] for step in (-1, 0, 1)}
    for cut in cuts & set(range(len(text) + 1)):
        path.write_bytes(text[:cut])
        again = play(MATCH, log=path)
        assert path.read_bytes() == text
        assert again.resumed == sum(end <= cut for end in footers[:4]) * 20 + 10 * (
            cut == len(text)
        )
        assert np.array_equal(again.payoffs, result.payoffs)


def test_a_finished_match_is_not_played_again(tmp_path: Path) -> None:
    path = tmp_path / "match.log"
    play(MATCH, log=path)
    before = path.stat().st_mtime_ns, path.read_bytes()
    again = play(MATCH, log=path)
    assert again.resumed == MATCH.hands
    assert again.hands_per_s == 0
    assert path.read_bytes() == before[1]


def test_a_match_can_be_made_longer_from_whole_chunks(tmp_path: Path) -> None:
    path, other = tmp_path / "match.log", tmp_path / "other.log"
    play(replace(MATCH, deals=20), log=path)
    play(MATCH, log=path)
    play(MATCH, log=other)
    assert path.read_bytes() == other.read_bytes()
    with pytest.raises(BadInput, match="ends with deal 44, within a chunk"):
        play(replace(MATCH, deals=50), log=path)
    with pytest.raises(BadInput, match="has deals 30 to 39, beyond a match of 30"):
        play(replace(MATCH, deals=30), log=path)


@pytest.mark.parametrize(
    ("other", "what"),
    [
        (replace(MATCH, seed=8), "seed"),
        (replace(MATCH, players=("always-call", "random")), "players"),
        (replace(MATCH, seating=Seating.SINGLE), "seating"),
        (replace(MATCH, rules=acpc_rules(limit_holdem(2, small_bet=20))), "rules"),
        (replace(MATCH, chunk=9), "chunk"),
        (replace(MATCH, faults=FaultPolicy(illegal=Remedy.FOLD)), "faults"),
    ],
)
def test_the_log_of_another_match_is_not_touched(
    tmp_path: Path, whole: tuple[bytes, MatchResult], other: Match, what: str
) -> None:
    path = tmp_path / "match.log"
    path.write_bytes(whole[0])
    with pytest.raises(BadInput, match=f"another match: it differs in {what};"):
        play(other, log=path)
    assert path.read_bytes() == whole[0]


@pytest.mark.parametrize(
    "text", [b"hello\n", b"hello", b"# railbird match nonsense\n", b"# railbird match []\nx\n"]
)
def test_what_is_no_log_is_not_touched(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "letter.txt"
    path.write_bytes(text)
    with pytest.raises(BadInput, match="not the log of a match"):
        play(MATCH, log=path)
    assert path.read_bytes() == text


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b"STATE:3:", b"STATE:4:", "chunk 0 was changed"),
        (b'"chunk": 1', b'"chunk": 2', "chunk 1 was changed"),
        (b'"crc32": "', b'"crc32": 1, "x": "', "chunk 0 was changed"),
        (b'"deals": [0', b'"dealt": [0', "chunk 0: unreadable footer"),
        (b'"faults": {}', b'"faults": {', "chunk 0: unreadable footer"),
        pytest.param(
            b'"faults": {}', b'"faults": ' + b"[" * 200_000, "chunk 0: unreadable footer", id="deep"
        ),
    ],
)
def test_a_changed_log_is_refused_and_not_touched(
    tmp_path: Path, whole: tuple[bytes, MatchResult], old: bytes, new: bytes, words: str
) -> None:
    path = tmp_path / "match.log"
    # The header, which has these words too, is left alone.
    head, body = whole[0][:700], whole[0][700:]
    changed = head + body.replace(old, new, 1)
    path.write_bytes(changed)
    with pytest.raises(DamagedFile, match=words):
        play(MATCH, log=path)
    assert path.read_bytes() == changed


def test_faults_are_kept_in_the_log(tmp_path: Path, bad_players: str) -> None:
    path = tmp_path / "match.log"
    spec = f"{bad_players}:Scripted,answer=none"
    match = replace(MATCH, players=(spec, "always-call"), deals=30)
    result = play(match, log=path)
    assert result.faults[0].counts
    again = play(match, log=path)
    assert again.resumed == match.hands
    assert again.faults == result.faults


def test_thirds_of_chips_come_to_the_same_when_resumed(tmp_path: Path) -> None:
    path = tmp_path / "match.log"
    players = ("always-call", "always-call", "always-call", "always-fold")
    rules = acpc_rules(limit_holdem(4, small_bet=2))
    match = Match(players=players, rules=rules, deals=1000, seed=2)
    result = play(match, log=path)
    # A blind that folded makes the pot of three winners no multiple of three.
    assert (result.payoffs % 0.5 != 0).any()
    assert np.array_equal(play(match, log=path).payoffs, result.payoffs)


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (limit_holdem(3), "odd chips split"),
        (acpc_rules(pot_limit_holdem(2, blinds=(1, 2), stack=100)), "pot-limit"),
        (acpc_rules(limit_holdem(11)), "10 seats"),
    ],
)
def test_games_that_an_acpc_log_cannot_say(tmp_path: Path, rules: Rules, words: str) -> None:
    match = Match(players=("always-call",) * rules.seats, rules=rules, deals=1, seed=1)
    path = tmp_path / "match.log"
    with pytest.raises(BadInput, match=words):
        play(match, log=path)
    assert not path.exists()
    play(match)


def test_one_log_is_written_by_one_process(tmp_path: Path, bad_players: str) -> None:
    path = tmp_path / "match.log"
    seen: list[str] = []

    def meanwhile(_done: int, _total: int, _what: str) -> None:
        with pytest.raises(BadInput, match="another process is writing it") as refused:
            play(MATCH, log=path)
        seen.append(str(refused.value))

    play(MATCH, log=path, progress=meanwhile)
    assert seen
