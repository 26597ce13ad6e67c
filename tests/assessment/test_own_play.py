"""One person's play: decisions, their costs, what is left out, and what others would have done."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from railbird.arena import Match, play
from railbird.assessment.divat.any_game import NO_LIMIT
from railbird.assessment.graded_decisions import solved
from railbird.assessment.own_play import OwnPlay, assess_play, first_adviser, owner_of
from railbird.cards import parse_class, parse_holding
from railbird.errors import BadInput, NothingUsable
from railbird.game import (
    HEADS_UP_LIMIT,
    Action,
    Call,
    DealHoles,
    Fold,
    Raise,
    Rules,
    View,
    act,
    initial,
    no_limit_holdem,
    step,
)
from railbird.histories import HandRecord, read_hand
from railbird.histories.columns import UNKNOWN, HandBatch, records_of
from railbird.players.pushfold import charts
from railbird.report.html_page import page
from railbird.report.play_document import play_document
from railbird.solve import pushfold_ev
from railbird.units import Chips
from railbird_papers.any_holdem.tables import PolicyPlayer, play_policies

HERO, VILLAIN = "Hero", "Villain"
LIMIT_HAND = "Ts6s,Jd5d,Td5hTh/2d/2h SlCk/kBrC/bRrC/bC # {number}:Hero|Bob"


@pytest.fixture(scope="module")
def batch() -> HandBatch:
    rules = no_limit_holdem(3, blinds=(50, 100), stack=4_000)
    policy = replace(NO_LIMIT, sizes=(0.75,) * 4)
    names = (HERO, VILLAIN, "Third")
    players = [PolicyPlayer(name=name, policy=policy, deviation=0.3) for name in names]
    return play_policies(rules, players, 60, seed=5)


@pytest.fixture(scope="module")
def found(batch: HandBatch) -> OwnPlay:
    return assess_play([batch], HERO, adviser="baseline")


def from_one_side(batch: HandBatch) -> HandBatch:
    """Hide everybody's cards but Hero's in all hands but the first ten."""
    holding = np.array(batch.holding)
    others = batch.player != batch.names.index(HERO)
    others[:10] = False
    holding[others] = UNKNOWN
    return replace(batch, holding=holding)


@pytest.mark.slow
def test_decisions_add_up_to_own_decisions_of_every_hand(found: OwnPlay, batch: HandBatch) -> None:
    sums = found.decisions.group_by("row").agg(total=pl.col("own").sum())
    both = found.rows.join(sums, on="row", how="left").fill_null(0.0)
    assert np.allclose(both["own"], both["total"])
    seats = batch.player[batch.hand_of, batch.answers.seat]
    assert found.decisions.height == int((seats == batch.names.index(HERO)).sum())
    assert found.hindsight["own"].is_sorted()
    assert (found.hindsight["own"] < 0).all()


def test_rows_are_the_hands_of_the_person(found: OwnPlay) -> None:
    records = list(records_of(found.hands.rows(found.rows["row"].to_numpy())))
    assert len(records) == 60
    for record, row in zip(records, found.rows.iter_rows(named=True), strict=True):
        seat = record.players.index(HERO)
        assert row["money"] == pytest.approx(float(record.payoffs[seat]) / 100)
        assert row["last"] == max(0, len(record.board) - 2)
        assert row["position"] == ("small blind", "big blind", "button")[seat]


def test_sums_of_spots_are_those_of_their_decisions(found: OwnPlay) -> None:
    spot = found.spots.row(0, named=True)
    same = found.decisions.filter(
        (pl.col("street") == spot["street"])
        & (pl.col("facing") == spot["facing"])
        & (pl.col("action") == spot["action"])
    )
    assert spot["decisions"] == same.height >= 3
    assert spot["own"] == pytest.approx(same["own"].sum())
    assert spot["stderr"] == pytest.approx(same["own"].std() * same.height**0.5)


def test_hidden_cards_give_no_cost_and_no_sums(batch: HandBatch) -> None:
    found = assess_play([from_one_side(batch)], HERO, ask=False)
    judged = found.decisions.filter(pl.col("own").is_not_null())
    assert set(judged["row"]) <= set(range(10))
    assert found.evidence.decides in ("money", "allin")
    assert found.is_selected
    assert found.spots.is_empty()
    headings = [section.heading for section in play_document(found).sections]
    assert not any(heading.startswith(("Spots", "Own decisions")) for heading in headings)
    assert any(heading.startswith("Hands that lost most") for heading in headings)


def test_no_column_is_empty(found: OwnPlay, batch: HandBatch) -> None:
    """Such as the adviser's where nobody was asked, or boards of hands without a flop."""
    for each in (found, assess_play([from_one_side(batch)], HERO, ask=False)):
        for section in play_document(each).sections:
            if section.table is not None:
                for cells in zip(*section.table.rows, strict=True):
                    assert set(cells) - {"", "–"}, section.heading
                assert {len(row) for row in section.table.rows} <= {len(section.table.columns)}


def test_amounts_are_in_the_unit_of_the_pots_beside_them(found: OwnPlay) -> None:
    raised = found.decisions.filter(pl.col("played").str.contains(r"\d"))
    assert raised.height > 10
    assert raised["played"].str.ends_with(f" {found.unit}").all()
    sized = found.decisions.filter(pl.col("played").str.starts_with("call "))
    told = sized["played"].str.extract(r"call ([\d.,]+) ").str.replace(",", "").cast(pl.Float64)
    assert np.allclose(told, sized["to_call"], atol=0.005)


def test_what_is_close_unknown_or_not_judged_is_listed(found: OwnPlay) -> None:
    sections = {section.heading: section for section in play_document(found).sections}
    left = found.decisions.filter(pl.col("grade").is_in(["close", "unknown"]))
    judged = left.filter(pl.col("by").is_not_null())
    listed = sections.get(f"Close or unknown, {found.unit}")
    assert (listed is None) is judged.is_empty()
    unjudged = sections[f"Not judged, {found.unit}"]
    assert unjudged.words.startswith(f"{left.height - judged.height:,} decision")
    assert len(unjudged.places) == min(15, left.height - judged.height)


def test_a_page_has_the_hands_that_its_lists_lead_to(found: OwnPlay) -> None:
    document = play_document(found, replays=True)
    written = page(document)
    rows = {row for section in document.sections for row, _ in section.places}
    assert len(rows) > 5
    for row in rows:
        assert f'href="#hand-{row}"' in written
        assert written.count(f'id="hand-{row}"') == 1
    assert "#hand-" not in page(play_document(found))


def test_results_by_starting_hand_need_ones_own_cards_always(batch: HandBatch) -> None:
    hidden = np.array(batch.holding)
    hidden[30:][batch.player[30:] == batch.names.index(HERO)] = UNKNOWN
    found = assess_play([replace(batch, holding=hidden)], HERO, ask=False)
    section = next(
        one for one in play_document(found).sections if one.heading == "By starting hand"
    )
    assert section.table is None
    assert "30 of 60 hands only" in section.words


@pytest.mark.slow
def test_hands_given_twice_other_peoples_and_other_bettings_are_left_out(batch: HandBatch) -> None:
    limit = read_hand(LIMIT_HAND.format(number=1))
    records = list(records_of(batch.rows(range(5))))
    others = replace(records[0], players=("A", "B", "C"), number=77)
    found = assess_play([*records, others, *records, limit], HERO, ask=False)
    assert len(found.hands) == 5
    assert found.assessment.skipped == {"not no-limit betting": 1}
    assert found.assessment.integrity.merged == 5
    assert found.rows["row"].to_list() == list(range(5))


def test_who_is_in_no_hand_is_refused_by_name(batch: HandBatch) -> None:
    with pytest.raises(NothingUsable, match="no player 'Hera' in these hands"):
        assess_play([batch], "Hera", ask=False)
    with pytest.raises(NothingUsable, match="no hand could be read"):
        assess_play([], HERO, ask=False)
    with pytest.raises(BadInput, match="no player 'tigt'"):
        assess_play([batch], HERO, adviser="tigt")


def test_the_owner_of_a_log_is_who_always_sees_cards(batch: HandBatch) -> None:
    assert owner_of([from_one_side(batch)])[0] == HERO
    name, names, hands = owner_of([batch])
    assert name is None
    assert names == dict.fromkeys((HERO, VILLAIN, "Third"), 60)
    (again,) = hands
    assert isinstance(again, HandBatch)
    assert [*records_of(again)] == [*records_of(batch)]
    name, names, hands = owner_of([])
    assert (name, names, [*hands]) == (None, {}, [])


@pytest.mark.slow
def test_a_player_agrees_with_itself_in_every_decision() -> None:
    result = play(
        Match(players=("baseline", "always-raise"), rules=HEADS_UP_LIMIT, deals=30, seed=4),
        keep=True,
    )
    found = assess_play(result, "baseline", adviser="baseline")
    assert found.decisions["agrees"].all()
    assert found.decisions["agrees"].null_count() == 0
    assert found.otherwise.is_empty()


class _Picky:
    def reset(self, rng: np.random.Generator) -> None: ...

    def act(self, view: View) -> Action:
        return Call()

    def supports(self, rules: Rules) -> str | None:
        return "it has antes" if rules.antes else None


def test_the_adviser_fits_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    assert first_adviser(HEADS_UP_LIMIT) == "loki:som"
    assert first_adviser(no_limit_holdem(6, blinds=(1, 2), stack=200)) == "tight:nolimit"
    picky = "railbird.players.advice.make_player"
    monkeypatch.setattr(picky, lambda *_args, **_options: _Picky())
    assert first_adviser(SHORT, "picky") == "picky"
    with pytest.raises(BadInput, match="picky cannot play this game: it has antes"):
        first_adviser(replace(SHORT, antes=(Chips(10), Chips(10))), "picky")


SHORT = no_limit_holdem(2, blinds=(50, 100), stack=1_000)


def judged(cards: str, action: Action, *before: Action, rules=SHORT):  # type: ignore[no-untyped-def]
    holding = parse_holding(cards)
    state = step(initial(rules), DealHoles((None,) * rules.seats))
    for one in before:
        state = act(state, one)
    return solved(state, holding, action)


def test_short_stacks_are_judged_by_the_equilibrium() -> None:
    push, call = charts(10.0)
    values = pushfold_ev(push, call, stack=10.0)
    aces, worst = parse_class("AA"), parse_class("72o")
    shove = Raise(Chips(1_000))
    assert judged("AsAh", shove) == ("all-in", pytest.approx(1.0), 0.0)
    folded = judged("AsAh", Fold())
    assert folded.best == "all-in"
    assert folded.cost == pytest.approx(values.push_ev[aces] - values.fold_ev_sb)
    assert judged("7s2h", shove).cost == pytest.approx(values.fold_ev_sb - values.push_ev[worst])
    assert judged("7s2h", Fold()) == ("fold", pytest.approx(0.0, abs=1e-4), 0.0)
    called = judged("7s2h", Call(), shove)
    assert called.best == "fold"
    assert called.cost == pytest.approx(values.fold_ev_bb - values.call_ev[worst])


def test_the_equilibrium_has_no_answer_to_other_decisions() -> None:
    shove = Raise(Chips(1_000))
    assert judged("AsAh", Raise(Chips(300))) is None
    assert judged("AsAh", Call()) is None
    assert judged("AsAh", Call(), Raise(Chips(300))) is None
    assert judged("AsAh", shove, rules=no_limit_holdem(3, blinds=(50, 100), stack=1_000)) is None
    deep = no_limit_holdem(2, blinds=(50, 100), stack=1_100)
    assert judged("AsAh", Fold(), rules=deep) is None
    assert judged("AsAh", Fold(), rules=replace(SHORT, antes=(Chips(10), Chips(10)))) is None


@pytest.mark.slow
def test_what_equilibrium_play_gives_up_is_in_the_report() -> None:
    result = play(
        Match(players=("always-fold", "pushfold"), rules=SHORT, deals=25, seed=2), keep=True
    )
    found = assess_play(result, "always-fold", adviser="pushfold")
    lost = found.given_up
    assert lost.height > 3
    assert lost["given_up"].is_sorted(descending=True)
    section = next(
        one for one in play_document(found).sections if one.heading.startswith("All-in or fold")
    )
    assert section.table is not None
    assert len(section.table.rows) == len(section.places) == min(15, lost.height)
    row, action = section.places[0]
    (record,) = records_of(found.hands.rows([row]))
    assert isinstance(record, HandRecord)
    assert isinstance(record.actions[action or 0], Fold)
