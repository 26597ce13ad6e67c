"""What `railbird odds` says of opponents who have acted: odds, spectra, outs, a decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from railbird.cli._console import output, print_json, print_table
from railbird.errors import BadInput
from railbird.report.document import Table

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from railbird.cards import Card, Holding
    from railbird.odds import Opponent, Outs, Potential, ReflectiveOdds, ShowdownOdds
    from railbird.progress import Progress

ENDINGS = (".png", ".svg")
_BINS = 100
_EXACT = 2
"""Opponents up to whom reflective odds are exact in milliseconds."""


def opponents_from(
    number: int | None, models: Sequence[str], actions: Sequence[str]
) -> tuple[Opponent, ...]:
    """Return the opponents; those without a model or an action have any hand.

    Raises `BadInput` if their numbers do not fit together.
    """
    from railbird.odds import Opponent

    if models and number not in (None, len(models)):
        raise BadInput(f"{number} opponents and {len(models)} models; allowed: one model each")
    count = number or max(1, len(models), len(actions))
    if len(actions) > count or (models and count > len(models)):
        allowed = f"up to one action for each of {len(models) or count}"
        raise BadInput(f"{len(actions)} actions of {count} opponents; allowed: {allowed}")
    texts = [*actions, *[""] * (count - len(actions))]
    ranges = [*models, *["random"] * (count - len(models))]
    return tuple(
        Opponent.parse(text, dealt=dealt) for text, dealt in zip(texts, ranges, strict=True)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReflectedSpot:
    """A hand, a board, and the opponents."""

    holding: Holding
    board: tuple[Card, ...]
    opponents: tuple[Opponent, ...]
    softness: float

    def weights(self) -> list[npt.NDArray[np.float64]]:
        """Return what each opponent's actions leave of his range."""
        from railbird.odds import reflected_weights

        return [
            reflected_weights(each, self.board, softness=self.softness) for each in self.opponents
        ]

    def check(self) -> None:
        """Refuse cards and actions that cannot be, before anything takes long."""
        from railbird.odds.spectra import holdings_without

        left = self.weights()  # first: `_compile_ahead` knows reflection by the kernel of this
        free = holdings_without(self.holding, self.board)
        for each, weights in zip(self.opponents, left, strict=True):
            if not weights[free].any():
                raise BadInput(f"the known cards leave nothing of the range {each.range}")

    def strength(self) -> dict[str, float | None]:
        """Return strength and potential against the ranges, in place of those against any hand."""
        from railbird.cards import range_from
        from railbird.odds import ModelOdds, model_odds

        values: dict[str, float | None] = {field.name: None for field in fields(ModelOdds)}
        if self.board:
            ranges = [range_from(each.range) for each in self.opponents]
            values |= asdict(model_odds(self.holding, self.board, ranges))
        return values

    def reflected(self) -> ReflectiveOdds:
        """Return odds and spectra before and after reflection."""
        from railbird.odds import reflective_odds

        return reflective_odds(self.holding, self.board, self.opponents, softness=self.softness)

    def showdown_share(self, report: Progress) -> float:
        """Return the odds against what the opponents' actions leave.

        Exact against one or two; against more all-in equity deals at random where it must.
        """
        import numpy as np

        from railbird.cards import Range, format_cards, format_holding
        from railbird.odds import equity, showdown_odds

        weights = self.weights()
        if len(weights) == 1 or (self.board and len(weights) <= _EXACT):
            return showdown_odds(self.holding, self.board, weights).joint
        hands: list[str | Range] = [format_holding(self.holding)]
        hands += [Range(each) for each in weights]
        shares = equity(
            hands, format_cards(self.board), rng=np.random.default_rng(0), progress=report
        )
        return shares.players[0].equity

    def outs(self) -> Outs:
        """Look at the next cards, against the average of the opponents."""
        from railbird.odds import outs

        return outs(self.holding, self.board, self._average(), opponents=len(self.opponents))

    def potentials(self) -> tuple[Potential, ...]:
        """Return the changes by one further card, and by two, against the opponents' average."""
        from railbird.odds import potential

        weights = self._average()
        cards = range(1, max(5 - len(self.board), 1) + 1)
        return tuple(
            potential(self.holding, self.board, to_come=to_come, weights=weights)
            for to_come in cards
        )

    def by_opponents(self) -> tuple[ShowdownOdds, ...]:
        """Return the odds against one to nine opponents who are all like their average."""
        from railbird.odds import odds_by_opponents

        return odds_by_opponents(self.holding, self.board, self._average())

    def _average(self) -> npt.NDArray[np.float64]:
        from railbird.odds.spectra import average_weights

        return average_weights(self.holding, self.board, self.weights())

    def draw(self, image: Path, reflected: ReflectiveOdds) -> None:
        """Draw spectra, before and after reflection, and the odds by number of opponents."""
        from railbird._files import replace_files
        from railbird.cards import format_cards, format_holding
        from railbird.odds import odds_by_opponents
        from railbird.report.html_page import Image, picture
        from railbird.report.odds import opponents_chart, spectrum_chart

        on = f"on {format_cards(self.board)}" if self.board else "before the flop"
        charts = (
            spectrum_chart(reflected.before, title="Final hands before reflection"),
            spectrum_chart(reflected.after, title="Final hands after reflection on what was done"),
            opponents_chart(
                odds_by_opponents(self.holding, self.board),
                title="Odds against any hands, by opponents",
            ),
        )
        kind, title = Image(image.suffix.lower()[1:]), f"{format_holding(self.holding)} {on}"
        replace_files({image: picture(charts, kind, title=title, columns=1)})


def draw(
    found: Outs, *, on_flop: bool, pot: float, to_call: float, later: float, paid: float
) -> dict[str, float]:
    """Return what calling with a draw to the end needs, and wins while it pays (Papp 1998, 3.4).

    On the flop the call on the turn is ``later``, or as in limit twice this one; one opponent bets
    as much, and pays ``paid`` more where an out comes.
    """
    from railbird.odds import draw_value, pot_odds

    calls = [to_call, later or 2 * to_call] if on_flop else [to_call]
    final = pot + sum(calls[1:]) + paid
    return {
        "effective_odds": pot_odds(sum(calls), final),
        "draw_value": draw_value(
            len(found.outs), len(found.cards), pot=pot, calls=calls, paid=[paid] * len(calls)
        ),
    }


def decision(
    odds: float,
    *,
    implied: float,
    opponents: int,
    to_call: float,
    made: bool,
) -> dict[str, Any]:
    """Return what straight play does at these odds, and what a raise needs."""
    from railbird.odds import raise_ratio, required_equity, straight_play

    raising = raise_ratio(opponents)
    ratio = implied / (1 - implied) if implied < 1 else float("inf")
    play = straight_play(odds, implied=ratio, raising=raising, facing_bet=to_call > 0, is_made=made)
    return {"raise_odds": required_equity(raising), "play": play.value}


@dataclass(frozen=True, slots=True, kw_only=True)
class More:
    """What was asked for beside the values; None is what was not."""

    outs: Outs | None
    potentials: Sequence[Potential] | None
    by_opponents: Sequence[ShowdownOdds] | None
    spectra: ReflectiveOdds | None


def as_json(more: More) -> dict[str, object]:
    """Return the objects of the spectra, the outs, and the odds by number of opponents."""
    from railbird.cards import format_card

    values: dict[str, object] = {}
    reflected, found = more.spectra, more.outs
    if more.by_opponents is not None:
        values["by_opponents"] = [
            {"opponents": number, "odds": odds.joint, "power": odds.power, "stderr": odds.stderr}
            for number, odds in enumerate(more.by_opponents, start=1)
        ]
    if reflected is not None:
        after = reflected.after.by_category()
        values["spectrum"] = {
            "yours": reflected.before.bins(_BINS)[0].tolist(),
            "theirs_before": reflected.before.bins(_BINS)[1].tolist(),
            "theirs": reflected.after.bins(_BINS)[1].tolist(),
            "categories": {
                category.name.lower(): {
                    "yours": share[0],
                    "theirs_before": share[1],
                    "theirs": after[category][1],
                }
                for category, share in reflected.before.by_category().items()
            },
        }
    if more.potentials is not None:
        values["potentials"] = [_shares(each) for each in more.potentials]
    if found is not None:
        values["outs"] = {
            "ahead": found.ahead,
            "cards": [format_card(each.card) for each in found.outs],
            "dangers": [format_card(each.card) for each in found.dangers],
            "next_card": found.chance(1),
        }
    return values


def print_more(more: More, board: Sequence[Card]) -> None:
    """Print the outs, the odds by number of opponents and the spectra, as far as there are any."""
    if more.outs is not None:
        _print_outs(more.outs, board)
    for to_come, each in enumerate(more.potentials or (), start=1):
        output.print()
        print_table(_potential_table(each, "next card" if to_come == 1 else "two cards"))
    if more.by_opponents is not None:
        from railbird.report.odds import opponents_table

        output.print()
        print_table(opponents_table(more.by_opponents))
    if more.spectra is not None:
        _print_spectrum(more.spectra)


_STANDINGS: Final = ("ahead", "tied", "behind")


def _shares(each: Potential) -> list[list[float]]:
    """Return the table of changes as shares of all."""
    whole = sum(map(sum, each.table)) or 1
    return [[count / whole for count in row] for row in each.table]


def _potential_table(each: Potential, after: str) -> Table:
    from railbird.report.number_format import percent

    shares = _shares(each)
    return Table(
        (f"now, then after the {after}", *_STANDINGS, "all"),
        [
            (name, *(percent(share, 2) for share in row), percent(sum(row), 2))
            for name, row in zip(_STANDINGS, shares, strict=True)
        ],
    )


def _print_outs(found: Outs, board: Sequence[Card]) -> None:
    from railbird.cards import format_card
    from railbird.report.number_format import percent
    from railbird.report.odds import card_list

    outs = [format_card(each.card) for each in found.outs]
    dangers = [format_card(each.card) for each in found.dangers]
    output.print(f"\nouts ({len(outs)}): {card_list(outs)}", soft_wrap=True)
    output.print(
        f"cards that put you behind ({len(dangers)}): {card_list(dangers)}", soft_wrap=True
    )
    chances = [f"an out comes next: {percent(found.chance(1), 2)}"]
    if len(board) == 3:
        chances.append(f"by the river: {percent(found.chance(2), 2)}")
    output.print(", ".join(chances))


def _print_spectrum(reflected: ReflectiveOdds) -> None:
    from railbird.report.odds import spectrum_table

    acted = any(share < 1 for share in reflected.kept)
    output.print()
    print_table(spectrum_table(reflected.before, reflected.after if acted else None))


def rows_of(reflected: ReflectiveOdds) -> Mapping[str, object]:
    """Return the short results of reflection, by key."""
    return {
        "kept": list(reflected.kept),
        "nuts": reflected.nuts,
        "reflective_nuts": reflected.reflective_nuts,
    }


# Tables that need no cards on the board: groups of starting hands, and how often outs come.


_BOOKS: Final = {
    "limit": "Sklansky and Malmuth, Hold'em Poker for Advanced Players (1988), for limit",
    "revised": "a revision for no-limit, printed by Booker (2004)",
}
_OUTS: Final = range(1, 22)
_UNSEEN: Final = 47
"""Cards that are not seen on the flop."""


def tell_tables(hand: str, *, groups: bool, outs: bool, as_json: bool) -> None:
    """Print one of the tables. Raises `BadInput` for both, or for a hand where none is asked."""
    if groups is outs or bool(hand) is not groups:
        raise BadInput("allowed: odds HAND --groups, odds all --groups, or odds --outs-table")
    if groups:
        tell_groups(hand, as_json=as_json)
    else:
        tell_outs_table(as_json=as_json)


def tell_groups(hand: str, *, as_json: bool) -> None:
    """Print the groups of a hand and what is played of them by position, or a chart of them all."""
    from railbird.cards import CLASS_NAMES, class_name, parse_class
    from railbird.cards.ranges import StartingGroups, starting_groups
    from railbird.players.killer import PLAYED_GROUPS

    numbers = {each: starting_groups(each) for each in StartingGroups}
    if hand.lower() == "all":
        if as_json:
            print_json(
                {
                    each.value: dict(zip(CLASS_NAMES, of.tolist(), strict=True))
                    for each, of in numbers.items()
                }
            )
            return
        for each, of in numbers.items():
            cells = [str(number) if number < each.rest else "·" for number in of.tolist()]
            rows = [cells[13 * row : 13 * row + 13] for row in range(13)]
            names = [CLASS_NAMES[14 * row][0] for row in range(13)]
            table = [(name, *row) for name, row in zip(names, rows, strict=True)]
            output.print(f"{each.value}: {_BOOKS[each.value]}", soft_wrap=True)
            print_table(Table(("", *names), table))
            output.print()
    else:
        hand_class = parse_class(hand)
        found = {each: int(of[hand_class]) for each, of in numbers.items()}
        if as_json:
            groups = {each.value: of if of < each.rest else None for each, of in found.items()}
            print_json({"hand": class_name(hand_class), "groups": groups})
            return
        shown = [
            (each.value, "none" if of == each.rest else str(of), _BOOKS[each.value])
            for each, of in found.items()
        ]
        print_table(Table(("groups", "group", "book"), shown, title=class_name(hand_class)))
        output.print()
    played = [
        (where.value, *(f"1 to {last}" if last > 1 else "1" for last in asdict(play).values()))
        for where, play in PLAYED_GROUPS.items()
    ]
    heads = ("position", "raised first in", "called", "raised with callers", "raise called")
    title = "what killer:groups plays of the groups for limit"
    print_table(Table((*heads, "raised again"), played, title=title))


def tell_outs_table(*, as_json: bool) -> None:
    """Print how often at least one of so many outs comes, on the turn or the river and on one."""
    from railbird.report.number_format import percent

    rows = [
        (
            outs,
            1 - (left := _UNSEEN - outs) * (left - 1) / (_UNSEEN * (_UNSEEN - 1)),
            outs / (_UNSEEN - 1),
        )
        for outs in _OUTS
    ]
    if as_json:
        keys = ("outs", "turn_or_river", "river")
        print_json({"outs": [dict(zip(keys, row, strict=True)) for row in rows]})
        return
    shown = [(str(outs), percent(two, 1), percent(one, 1)) for outs, two, one in rows]
    print_table(Table(("outs", "turn or river", "river alone"), shown))
