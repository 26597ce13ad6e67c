"""``railbird odds``: rank, strength, potential and odds of a hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from railbird import cards, odds
from railbird.cli import _odds_reflection
from railbird.cli._completion import OUTPUT_FILE, Whole, Within, Words
from railbird.cli._console import json_option, output, print_json, print_table, progress
from railbird.cli._hand_files import check_ending, check_output, force_option
from railbird.cli._keyed_options import Setting, set_option, show_option
from railbird.cli._verbs import GROUPS, VerbWithMembers
from railbird.errors import BadInput, did_you_mean, unknown_name
from railbird.report.document import Table

_ROWS = {
    "ihr": "immediate hand rank (IHR)",
    "hr7": "seven-card hand rank (7cHR)",
    "ehr": "effective hand rank (EHR)",
    "hs": "hand strength, ahead of all now",
    "ppot1": "positive potential, next card",
    "ppot2": "positive potential, two cards",
    "npot1": "negative potential, next card",
    "npot2": "negative potential, two cards",
    "raw_odds": "best at showdown (raw odds)",
    "pot_odds": "a call needs (pot odds)",
    "implied_odds": "with the bets to come (implied odds)",
    "own_raise_odds": "with a raise of your own that all call (implied odds)",
    "raised_odds": "a first bet that is raised and called needs",
    "effective_odds": "with a call on every street (effective odds)",
    "draw_value": "calling as a draw while it pays wins, chips",
    "hs_field": "hand strength by the field array",
    "ehs": "effective hand strength (EHS)",
    "optimistic_ehs": "without negative potential (EHS')",
    "reflective_odds": "best at showdown against what is left (reflective odds)",
    "kept": "share of the hands that is left",
    "nuts": "no hand of theirs can win",
    "reflective_nuts": "no hand that is left can win",
    "raise_odds": "a raise needs of itself (raise odds)",
    "play": "straight play",
}

_FLOP = 3
"""Cards on it."""


@click.command(name="odds", cls=VerbWithMembers)
@click.argument("hole", default="", type=Words("hole", lambda: GROUPS["odds"]))
@click.argument("board", default="")
@click.option(
    "--count",
    "opponents",
    type=Whole(1, 22),
    help="Number of opponents, by default 1, or one for each model.",
)
@click.option(
    "--against",
    "models",
    metavar="RANGE",
    multiple=True,
    help="Range of an opponent; repeat it for each opponent.",
)
@click.option(
    "--action",
    "actions",
    metavar="TEXT",
    multiple=True,
    help="What an opponent did, such as 'preflop:raise flop:bet,call loose=2'; repeat it for "
    "each opponent.",
)
@click.option("--pot", type=Within(), help="Chips in the pot, including the bet to call.")
@click.option("--to-call", type=Within(), help="Chips needed to call.")
@show_option(
    spectrum="the final hands, yours and theirs, as bars",
    by_opponents="the odds against one to nine opponents, as bars",
    outs="the cards that put you ahead, on the flop and the turn",
    potentials="how often you are ahead, tied or behind, and how often this changes, on the "
    "flop and the turn",
    groups="the group of starting hands of HOLE, such as K9s, or a chart of all groups if HOLE "
    "is `all`",
    outs_table="how often one of a number of outs comes, without HOLE",
)
@set_option(
    future_bets=Setting("10", "chips that you expect to put in later", Within(), 0.0),
    future_winnings=Setting("10", "chips that you expect others to add later", Within(), 0.0),
    if_raised=Setting(
        "20",
        "chips that a first bet costs you if it is raised and you call; with --to-call 0, a "
        "draw is then bet only if it pays for them",
        Within(min=0),
    ),
    own_raise=Setting(
        "20",
        "chips that you raise on top of the call; adds what this raise needs if everybody calls it",
        Within(min=0),
    ),
    softness=Setting(
        "0.1",
        "width of the filter by actions as a share of all hands, where 0 is all or nothing",
        Within(0, 1),
        0.0,
    ),
    make1=Setting("0.58", "threshold Make1 of EHR", Within(0, 1), 0.58),
)
@click.option(
    "-o",
    "--out",
    "image",
    type=OUTPUT_FILE,
    help="Draw spectra and odds by opponents, or only the kind that is shown, as .png or .svg.",
)
@force_option
@json_option
def command(
    *,
    hole: str,
    board: str,
    opponents: int | None,
    models: Sequence[str],
    make1: float,
    actions: Sequence[str],
    softness: float,
    pot: float | None,
    to_call: float | None,
    future_bets: float,
    future_winnings: float,
    if_raised: float | None,
    own_raise: float | None,
    spectrum: bool,
    by_opponents: bool,
    outs: bool,
    groups: bool,
    outs_table: bool,
    potentials: bool,
    image: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Compute rank, strength, potential and odds of the hand HOLE on BOARD.

    With a range for each opponent, by `--against`, strength (HS), potential (PPot, NPot) and
    effective strength (EHS) are against these ranges; the ranks and the raw odds are always against
    any hand. With an `--action` for each opponent, the reflective odds are against the hands that
    are worth these actions.

    With `--show outs`, `--pot` and `--to-call` you also get the effective odds, for calling on
    every street. The call on the turn is `--set future-bets`, or else twice this call.

    \b
    Examples:
      railbird odds AcKc Kd9s2h
      railbird odds AdQc 3h4cJh --count 5 --pot 40 --to-call 10
      railbird odds AdQc 3h4cJh --against "QQ+, AKs" --against random
      railbird odds AsTh Tc8d2c --action "preflop:call flop:bet" --show spectrum
      railbird odds As5s Ks9s2d --against KQ --show outs --pot 50 --to-call 10
      railbird odds K9s --show groups
    """
    if groups or outs_table:
        _check_alone(board, [*models, *actions, opponents, pot, to_call, image])
        _odds_reflection.tell_tables(hole, groups=groups, outs=outs_table, as_json=as_json)
        return
    _check(hole, pot, to_call, if_raised, own_raise, image, force=force)

    spot = _odds_reflection.ReflectedSpot(
        holding=cards.parse_holding(hole),
        board=cards.parse_cards(board),
        opponents=_odds_reflection.opponents_from(opponents, models, actions),
        softness=softness,
    )
    with progress() as notify:
        spot.check()
        known_outs = spot.outs() if outs else None
        changes = spot.potentials() if potentials else None
        against = spot.by_opponents() if by_opponents else None
        computed = odds.hand_odds(
            spot.holding,
            spot.board,
            opponents=len(spot.opponents),
            make1=make1,
            # With a flop, to enumerate takes milliseconds and to build the tables seconds.
            tables=None if spot.board else odds.open_tables(progress=notify),
            progress=notify,
        )
        values: dict[str, Any] = asdict(computed)
        if models:
            values |= spot.strength()
        reflected = spot.reflected() if actions or spectrum or image is not None else None
        if models or actions:
            values["reflective_odds"] = spot.showdown_share(notify)
    if actions and reflected is not None:
        values |= _odds_reflection.rows_of(reflected)
    if pot is not None and to_call is not None:
        values |= _pot_values(
            spot, values, pot, to_call, future_bets, future_winnings, if_raised, own_raise
        )
        if known_outs is not None and to_call:
            values |= _odds_reflection.draw(
                known_outs,
                on_flop=len(spot.board) == _FLOP,
                pot=pot,
                to_call=to_call,
                later=future_bets,
                paid=future_winnings,
            )
    if image is not None and reflected is not None:
        spot.draw(image, reflected, spectra=spectrum, by_opponents=by_opponents)
    more = _odds_reflection.More(
        outs=known_outs,
        potentials=changes,
        by_opponents=against,
        spectra=reflected if spectrum else None,
    )
    if as_json:
        named = {"models": list(models), "actions": list(actions), "image": image and str(image)}
        given = {key: value for key, value in named.items() if value}
        print_json({**values, **given, **_odds_reflection.as_json(more)})
        return
    _print_values(values)
    _odds_reflection.print_more(more, spot.board)
    if image is not None:
        output.print(str(image), soft_wrap=True)


def _check_alone(board: str, others: Sequence[object]) -> None:
    if board or any(option is not None for option in others):
        raise BadInput("--show groups and --show outs-table go with HOLE and --json alone")


def _check(
    hole: str,
    pot: float | None,
    to_call: float | None,
    if_raised: float | None,
    own_raise: float | None,
    image: Path | None,
    *,
    force: bool,
) -> None:
    if not hole:
        raise click.MissingParameter(param_hint="'HOLE'", param_type="argument")
    if hole.isalpha() and did_you_mean(hole, GROUPS["odds"]):
        raise click.UsageError(str(unknown_name("hand or command", hole, GROUPS["odds"])))
    if (pot is None) is not (to_call is None):
        raise BadInput("pot odds need both --pot and --to-call")
    if pot is not None and to_call is not None and pot < to_call:
        raise BadInput(f"--pot {pot:g} and --to-call {to_call:g}; the pot includes the bet to call")
    if own_raise is not None and pot is None:
        raise BadInput("--set own-raise goes with --pot and --to-call")
    if if_raised is not None and to_call != 0:
        raise BadInput("--set if-raised is of a first bet: it goes with --pot and --to-call 0")
    if image is not None:
        check_ending(image, _odds_reflection.ENDINGS)
        check_output(image, force=force)


def _pot_values(
    spot: _odds_reflection.ReflectedSpot,
    values: Mapping[str, Any],
    pot: float,
    to_call: float,
    future_bets: float,
    future_winnings: float,
    if_raised: float | None,
    own_raise: float | None,
) -> dict[str, Any]:
    """Return pot, implied and raise odds, and what straight play does."""
    implied = odds.implied_odds(
        to_call, pot, future_bets=future_bets, future_winnings=future_winnings
    )
    # Who raised has put in as much as the bet costs with the call.
    raised = (
        None
        if if_raised is None
        else odds.implied_odds(
            if_raised,
            pot + if_raised,
            future_bets=future_bets,
            future_winnings=future_winnings,
        )
    )
    own = (
        None
        if own_raise is None
        else odds.implied_odds(
            to_call,
            pot,
            future_bets=future_bets,
            future_winnings=future_winnings,
            own_raise=own_raise,
            callers=len(spot.opponents),
        )
    )
    return {
        "pot_odds": odds.pot_odds(to_call, pot),
        "implied_odds": implied,
        **({} if own is None else {"own_raise_odds": own}),
        **({} if raised is None else {"raised_odds": raised}),
        **_odds_reflection.decision(
            values.get("reflective_odds", values["raw_odds"]),
            implied=implied,
            raised=raised,
            opponents=len(spot.opponents),
            to_call=to_call,
            made=(values["hs"] or 0.0) > 0.5,
        ),
    }


def _print_values(values: Mapping[str, Any]) -> None:
    rows = [(_ROWS[key], _shown(value)) for key, value in values.items()]
    print_table(Table(("", ""), rows))


def _shown(value: object) -> str:
    match value:
        case None:
            return "–"
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.6f}"
        case list():
            return ", ".join(f"{figure:.3f}" for figure in value)
        case _:
            return str(value)
