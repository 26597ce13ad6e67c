"""Exports of other solvers: read back to the same gap, and what is no export refused in a line."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from railbird.cards import HOLDINGS, TEXT_OF_CARD, Card, Holding, format_holding
from railbird.errors import BadInput
from railbird.solve.spot import BetSizes, Spot, SpotSolution, rows_as_csv, same_sizes, solve_spot
from railbird.solve.spot.exports import compare_export, exported_strategy, read_export
from railbird.solve.spot.solution import SpotPoint
from railbird.solve.spot.tree import ActKind, Ends

TURN = Spot.of(
    "Td9d6hQc",
    "QQ,99,AKs,KJs,87s,A5s:0.5",
    "TT,66,KQs,J8s,AJs,76s:0.25",
    pot=20,
    stack=60,
    sizes=same_sizes(BetSizes.parse("50%", "3x")),
)


@pytest.fixture(scope="module")
def solved() -> SpotSolution:
    return solve_spot(TURN, gap_percent=0.5, threads=1)


def texas(solution: SpotSolution, point: SpotPoint, paid: tuple[int, int] = (0, 0)) -> Any:
    """Write a solution as TexasSolver's ``dump_result`` does."""
    node = point.node
    if node.kind is Ends.LATER:
        cards = [card for card in range(52) if card not in point.cards]
        after = {
            TEXT_OF_CARD[card]: texas(solution, solution.after_card(point, Card(card)))
            for card in cards
        }
        return {"node_type": "chance_node", "dealcards": after, "deal_number": len(cards)}
    if node.kind is not Ends.DECISION:
        return {"node_type": "terminal"}
    names = []
    for action in node.actions:
        added = action.amount - paid[node.player]
        match action.act:
            case ActKind.FOLD | ActKind.CHECK | ActKind.CALL:
                names.append(action.act.name)
            case _:
                word = "RAISE" if node.actions[0].act is ActKind.FOLD else "BET"
                names.append(f"{word} {added:.6f}")
    children = {}
    for number, (name, action) in enumerate(zip(names, node.actions, strict=True)):
        after_paid = list(paid)
        if action.amount:
            after_paid[node.player] = action.amount
        children[name] = texas(solution, point.after(number), (after_paid[0], after_paid[1]))
    mix = solution.strategy(point)
    hands = {
        format_holding(Holding(holding)): mix[holding].tolist()
        for holding in np.flatnonzero(np.isfinite(mix[:, 0])).tolist()
    }
    return {
        "node_type": "action_node",
        "player": 1 - node.player,
        "actions": names,
        "childrens": children,
        "strategy": {"actions": names, "strategy": hands},
    }


def upi(solution: SpotSolution, point: SpotPoint, name: str = "r:0") -> Iterator[str]:
    """Write a session of UPI that asks for every decision."""
    node = point.node
    if node.kind is Ends.LATER:
        for card in range(52):
            if card not in point.cards:
                after = solution.after_card(point, Card(card))
                yield from upi(solution, after, f"{name}:{TEXT_OF_CARD[card]}")
        return
    if node.kind is not Ends.DECISION:
        return
    words = []
    for action, child in zip(node.actions, node.children, strict=True):
        passive = "f" if action.act is ActKind.FOLD else "c"
        words.append(f"b{child.paid[node.player]}" if action.amount else passive)
    yield f"show_children {name}"
    for number, word in enumerate(words):
        yield f"child {number}:"
        yield f"{name}:{word}"
        yield "SPLIT_NODE"
    yield "END"
    yield f"show_strategy {name}"
    for row in np.nan_to_num(solution.strategy(point)).T.tolist():
        yield " ".join(f"{chance:.7g}" for chance in row)
    yield "END"
    for number, word in enumerate(words):
        yield from upi(solution, point.after(number), f"{name}:{word}")


@pytest.mark.slow
def test_a_dump_read_back_has_its_own_gap_to_five_digits(
    solved: SpotSolution, tmp_path: Path
) -> None:
    forms = {
        "TexasSolver": json.dumps(texas(solved, solved.start())),
        "UPI": "\n".join(upi(solved, solved.start())),
    }
    for form, text in forms.items():
        file = tmp_path / form
        file.write_text(text)
        strategy = read_export(file, solution=solved)
        assert strategy.form == form
        placed, partings = compare_export(strategy, solved)
        assert placed.gap_percent_of_pot == pytest.approx(solved.gap_percent_of_pot, abs=1e-5)
        assert placed.ev == pytest.approx(solved.values(), abs=1e-4)
        assert (placed.moved, placed.unknown) == (0, 0)
        assert max(parting.difference for parting in partings) < 1e-5
        assert {parting.line.count("*") for parting in partings} == {0, 1}


def test_a_table_of_one_decision_is_placed_where_it_is(solved: SpotSolution) -> None:
    for line in ("", "check bet 10", "check check 2c"):
        node = solved.node(line)
        table = rows_as_csv(
            [row for row in node.rows() if row["player"] == ("oop", "ip")[node.player]]
        )
        placed, partings = compare_export(
            exported_strategy(table, solution=solved, line=line), solved
        )
        assert len(partings) == 1
        assert partings[0].difference < 1e-5
        assert placed.ev == pytest.approx(solved.values(), abs=1e-4)
    with pytest.raises(BadInput, match="'Check' where somebody has bet; --line"):
        exported_strategy("hand,Check\nQsQh,1", solution=solved, line="check bet 10")
    words = "hand;Check;Bet 50%\nQsQh;25%;75%\n9s9h;100;0\n"
    strategy = exported_strategy(words, solution=solved)
    ((key, decision),) = strategy.decisions.items()
    assert (key, decision.actions) == ((), ("c", "b10"))
    known = np.isfinite(decision.mix[:, 0])
    assert decision.mix[known].tolist() == [[1, 0], [0.25, 0.75]]
    (parting,) = compare_export(strategy, solved)[1]
    assert parting.line == ""


def test_another_strategy_parts_where_it_does(solved: SpotSolution) -> None:
    dump = texas(solved, solved.start())
    (bet,) = [name for name in dump["strategy"]["actions"] if name.startswith("BET")]
    for mix in dump["strategy"]["strategy"].values():
        mix[:] = [float(name == bet) for name in dump["strategy"]["actions"]]
    placed, partings = compare_export(exported_strategy(json.dumps(dump), solution=solved), solved)
    assert placed.gap_percent_of_pot > 1
    assert partings[0].line == ""
    assert partings[0].first == pytest.approx((0, 1))


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        pytest.param("", "no column", id="empty"),
        pytest.param("{", "cut short", id="cut"),
        pytest.param('{"a": 1}', "no decision", id="other"),
        pytest.param("[" * 100_000, "no column", id="deep"),
        pytest.param('{"strategy": {"actions": ["CHECK"]}, "player": 7}', "player", id="player"),
        pytest.param('{"dealcards": {"Zz": {}}}', "no card", id="card"),
        pytest.param("show_strategy r:0\n" + "0.5 " * 9, "no decision", id="short"),
        pytest.param("show_strategy r:0\n" + "1 " * HOLDINGS, "show_children 0", id="children"),
        pytest.param("hand,Bet x\nAA,1", "no column", id="columns"),
        pytest.param("hand,check\nZZ,1", "no hand", id="hand"),
        pytest.param("hand,fold,call\nAsAh,0,1", "'fold' where nobody has bet; --line", id="place"),
        pytest.param("\x89PNG\rhand,check\n", "neither a table nor an export", id="bytes"),
        pytest.param("hand,check\nAsAh,nan", "no decision", id="nan"),
        pytest.param("hand,check,bet 10\nAsAh,one,2", "no number", id="number"),
    ],
)
def test_what_is_no_export_is_refused(solved: SpotSolution, text: str, refused: str) -> None:
    with pytest.raises(BadInput, match=refused):
        compare_export(exported_strategy(text, solution=solved), solved)


@given(st.text(max_size=200) | st.binary(max_size=200).map(lambda raw: raw.decode("latin-1")))
def test_no_text_raises_anything_else(solved: SpotSolution, text: str) -> None:
    for beginning in ("", "{", "show_strategy r:0\n", "hand,check\n"):
        with contextlib.suppress(BadInput):
            exported_strategy(beginning + text, solution=solved)


def test_a_solution_for_prizes_has_no_export_beside_it() -> None:
    """Its values are prizes, in which the chips of another program mean nothing."""
    spot = Spot.parse(
        "board = 2c7d9hTsKc\noop = AA,QQ\nip = KK,JJ\npot = 10\nstack = 20\n"
        "payouts = 60, 40\nother_stacks = 30"
    )
    solution = solve_spot(spot, iterations=5)
    with pytest.raises(BadInput, match="a solution for prizes"):
        compare_export(exported_strategy("hand,check\nAsAh,1", solution=solution), solution)
