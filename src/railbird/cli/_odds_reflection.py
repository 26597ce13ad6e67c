"""What `railbird odds` says of opponents who have acted: odds, spectra, outs, a decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from railbird import cards, odds, players, report
from railbird._files import replace_files
from railbird.cli._console import output, print_json, print_table
from railbird.errors import BadInput
from railbird.report.document import Table
from railbird.report.number_format import percent

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from railbird.progress import Progress

ENDINGS = (".png", ".svg")
_BINS = 100
_EXACT = 2
"""Opponents up to whom reflective odds are exact in milliseconds."""


def opponents_from(
    number: int | None, models: Sequence[str], actions: Sequence[str]
) -> tuple[odds.Opponent, ...]:
    """Return the opponents; those without a model or an action have any hand.

    Raises `BadInput` if their numbers do not fit together.
    """
    if models and number not in (None, len(models)):
        raise BadInput(f"{number} opponents and {len(models)} models; allowed: one model each")
    count = number or max(1, len(models), len(actions))
    if len(actions) > count or (models and count > len(models)):
        allowed = f"up to one action for each of {len(models) or count}"
        raise BadInput(f"{len(actions)} actions of {count} opponents; allowed: {allowed}")
    texts = [*actions, *[""] * (count - len(actions))]
    ranges = [*models, *["random"] * (count - len(models))]
    return tuple(
        odds.Opponent.parse(text, dealt=dealt) for text, dealt in zip(texts, ranges, strict=True)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReflectedSpot:
    """A hand, a board, and the opponents."""

    holding: cards.Holding
    board: tuple[cards.Card, ...]
    opponents: tuple[odds.Opponent, ...]
    softness: float

    def weights(self) -> list[npt.NDArray[np.float64]]:
        """Return what each opponent's actions leave of his range."""
        return [
            odds.reflected_weights(opponent, self.board, softness=self.softness)
            for opponent in self.opponents
        ]

    def check(self) -> None:
        """Refuse cards and actions that cannot be, before anything takes long."""
        left = self.weights()  # first: `_compile_ahead` knows reflection by the kernel of this
        free = odds.holdings_without(self.holding, self.board)
        for opponent, weights in zip(self.opponents, left, strict=True):
            if not weights[free].any():
                raise BadInput(f"the known cards leave nothing of the range {opponent.range}")

    def strength(self) -> dict[str, float | None]:
        """Return strength and potential against the ranges, in place of those against any hand."""
        values: dict[str, float | None] = {field.name: None for field in fields(odds.ModelOdds)}
        if self.board:
            ranges = [cards.range_from(opponent.range) for opponent in self.opponents]
            values |= asdict(odds.model_odds(self.holding, self.board, ranges))
        return values

    def reflected(self) -> odds.ReflectiveOdds:
        """Return odds and spectra before and after reflection."""
        return odds.reflective_odds(
            self.holding, self.board, self.opponents, softness=self.softness
        )

    def showdown_share(self, notify: Progress) -> float:
        """Return the odds against what the opponents' actions leave.

        Exact against one or two; against more all-in equity deals at random where it must.
        """
        import numpy as np

        weights = self.weights()
        if len(weights) == 1 or (self.board and len(weights) <= _EXACT):
            return odds.showdown_odds(self.holding, self.board, weights).joint
        hands: list[str | cards.Range] = [cards.format_holding(self.holding)]
        hands += [cards.Range(range_weights) for range_weights in weights]
        shares = odds.equity(
            hands, cards.format_cards(self.board), rng=np.random.default_rng(0), progress=notify
        )
        return shares.players[0].equity

    def outs(self) -> odds.Outs:
        """Look at the next cards, against the average of the opponents."""
        return odds.outs(self.holding, self.board, self._average(), opponents=len(self.opponents))

    def potentials(self) -> tuple[odds.Potential, ...]:
        """Return the changes by one further card, and by two, against the opponents' average."""
        weights = self._average()
        cards = range(1, max(5 - len(self.board), 1) + 1)
        return tuple(
            odds.potential(self.holding, self.board, to_come=to_come, weights=weights)
            for to_come in cards
        )

    def by_opponents(self) -> tuple[odds.ShowdownOdds, ...]:
        """Return the odds against one to nine opponents who are all like their average."""
        return odds.odds_by_opponents(self.holding, self.board, self._average())

    def _average(self) -> npt.NDArray[np.float64]:
        return odds.average_weights(self.holding, self.board, self.weights())

    def draw(
        self, image: Path, reflected: odds.ReflectiveOdds, *, spectra: bool, by_opponents: bool
    ) -> None:
        """Draw what is asked for of spectra and the odds by number of opponents, else both.

        Where the opponents did something there is a spectrum before and one after reflection on it.
        """
        on = f"on {cards.format_cards(self.board)}" if self.board else "before the flop"
        charts = []
        if spectra or not by_opponents:
            spectrum_title = "Final hands"
            if any(opponent.acts for opponent in self.opponents):
                spectrum_title = "Final hands before reflection"
                charts.append(
                    report.odds.spectrum_chart(
                        reflected.after, title="Final hands after reflection on what was done"
                    )
                )
            charts.insert(0, report.odds.spectrum_chart(reflected.before, title=spectrum_title))
        if by_opponents or not spectra:
            charts.append(
                report.odds.opponents_chart(
                    odds.odds_by_opponents(self.holding, self.board),
                    title="Odds against any hands, by opponents",
                )
            )
        kind, title = (
            report.Image(image.suffix.lower()[1:]),
            f"{cards.format_holding(self.holding)} {on}",
        )
        replace_files({image: report.picture(charts, kind, title=title, columns=1)})


def draw(
    outs: odds.Outs, *, on_flop: bool, pot: float, to_call: float, later: float, paid: float
) -> dict[str, float]:
    """Return what calling with a draw to the end needs, and wins while it pays (Papp 1998, 3.4).

    On the flop the call on the turn is ``later``, or as in limit twice this one; one opponent bets
    as much, and pays ``paid`` more where an out comes.
    """
    calls = [to_call, later or 2 * to_call] if on_flop else [to_call]
    final = pot + sum(calls[1:]) + paid
    return {
        "effective_odds": odds.pot_odds(sum(calls), final),
        "draw_value": odds.draw_value(
            len(outs.outs), len(outs.cards), pot=pot, calls=calls, paid=[paid] * len(calls)
        ),
    }


def decision(
    chance: float,
    *,
    implied: float,
    raised: float | None,
    opponents: int,
    to_call: float,
    made: bool,
) -> dict[str, Any]:
    """Return what straight play does with this chance to win, and what a raise needs.

    ``implied`` and ``raised``, of a first bet that is raised and called, are probabilities.
    """
    raising = odds.raise_ratio(opponents)
    play = odds.straight_play(
        chance,
        implied=_ratio(implied),
        raising=raising,
        facing_bet=to_call > 0,
        if_raised=None if raised is None else _ratio(raised),
        is_made=made,
    )
    return {"raise_odds": odds.required_equity(raising), "play": play.value}


def _ratio(probability: float) -> float:
    return probability / (1 - probability) if probability < 1 else float("inf")


@dataclass(frozen=True, slots=True, kw_only=True)
class More:
    """What was asked for beside the values; None is what was not."""

    outs: odds.Outs | None
    potentials: Sequence[odds.Potential] | None
    by_opponents: Sequence[odds.ShowdownOdds] | None
    spectra: odds.ReflectiveOdds | None


def as_json(more: More) -> dict[str, object]:
    """Return the objects of the spectra, the outs, and the odds by number of opponents."""
    values: dict[str, object] = {}
    reflected, outs = more.spectra, more.outs
    if more.by_opponents is not None:
        values["by_opponents"] = [
            {
                "opponents": number,
                "odds": opponent_odds.joint,
                "power": opponent_odds.power,
                "stderr": opponent_odds.stderr,
            }
            for number, opponent_odds in enumerate(more.by_opponents, start=1)
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
        values["potentials"] = [_shares(potential) for potential in more.potentials]
    if outs is not None:
        values["outs"] = {
            "ahead": outs.ahead,
            "cards": [cards.format_card(out.card) for out in outs.outs],
            "dangers": [cards.format_card(danger.card) for danger in outs.dangers],
            "next_card": outs.chance(1),
        }
    return values


def print_more(more: More, board: Sequence[cards.Card]) -> None:
    """Print the outs, the odds by number of opponents and the spectra, as far as there are any."""
    if more.outs is not None:
        _print_outs(more.outs, board)
    for to_come, potential in enumerate(more.potentials or (), start=1):
        output.print()
        print_table(_potential_table(potential, "next card" if to_come == 1 else "two cards"))
    if more.by_opponents is not None:
        output.print()
        print_table(report.odds.opponents_table(more.by_opponents))
    if more.spectra is not None:
        _print_spectrum(more.spectra)


_STANDINGS: Final = ("ahead", "tied", "behind")


def _shares(potential: odds.Potential) -> list[list[float]]:
    """Return the table of changes as shares of all."""
    total = sum(map(sum, potential.table)) or 1
    return [[count / total for count in row] for row in potential.table]


def _potential_table(potential: odds.Potential, after: str) -> Table:
    shares = _shares(potential)
    return Table(
        (f"now, then after the {after}", *_STANDINGS, "all"),
        [
            (name, *(percent(share, 2) for share in row), percent(sum(row), 2))
            for name, row in zip(_STANDINGS, shares, strict=True)
        ],
    )


def _print_outs(outs: odds.Outs, board: Sequence[cards.Card]) -> None:
    out_cards = [cards.format_card(out.card) for out in outs.outs]
    danger_cards = [cards.format_card(danger.card) for danger in outs.dangers]
    output.print(f"\nouts ({len(out_cards)}): {report.odds.card_list(out_cards)}", soft_wrap=True)
    output.print(
        f"cards that put you behind ({len(danger_cards)}): {report.odds.card_list(danger_cards)}",
        soft_wrap=True,
    )
    chances = [f"an out comes next: {percent(outs.chance(1), 2)}"]
    if len(board) == 3:
        chances.append(f"by the river: {percent(outs.chance(2), 2)}")
    output.print(", ".join(chances))


def _print_spectrum(reflected: odds.ReflectiveOdds) -> None:
    acted = any(share < 1 for share in reflected.kept)
    output.print()
    print_table(report.odds.spectrum_table(reflected.before, reflected.after if acted else None))


def rows_of(reflected: odds.ReflectiveOdds) -> Mapping[str, object]:
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
        raise BadInput(
            "allowed: odds HAND --show groups, odds all --show groups, or odds --show outs-table"
        )
    if groups:
        tell_groups(hand, as_json=as_json)
    else:
        tell_outs_table(as_json=as_json)


def tell_groups(hand: str, *, as_json: bool) -> None:
    """Print the groups of a hand and what is played of them by position, or a chart of them all."""
    numbers = {scheme: cards.starting_groups(scheme) for scheme in cards.StartingGroups}
    if hand.lower() == "all":
        if as_json:
            print_json(
                {
                    scheme.value: dict(zip(cards.CLASS_NAMES, of.tolist(), strict=True))
                    for scheme, of in numbers.items()
                }
            )
            return
        for scheme, of in numbers.items():
            cells = [str(number) if number < scheme.rest else "·" for number in of.tolist()]
            rows = [cells[13 * row : 13 * row + 13] for row in range(13)]
            names = [cards.CLASS_NAMES[14 * row][0] for row in range(13)]
            table = [(name, *row) for name, row in zip(names, rows, strict=True)]
            output.print(f"{scheme.value}: {_BOOKS[scheme.value]}", soft_wrap=True)
            print_table(Table(("", *names), table))
            output.print()
    else:
        hand_class = cards.parse_class(hand)
        group_numbers = {scheme: int(of[hand_class]) for scheme, of in numbers.items()}
        if as_json:
            groups = {
                scheme.value: of if of < scheme.rest else None
                for scheme, of in group_numbers.items()
            }
            print_json({"hand": cards.class_name(hand_class), "groups": groups})
            return
        table_rows = [
            (scheme.value, "none" if of == scheme.rest else str(of), _BOOKS[scheme.value])
            for scheme, of in group_numbers.items()
        ]
        print_table(
            Table(("groups", "group", "book"), table_rows, title=cards.class_name(hand_class))
        )
        output.print()
    played = [
        (where.value, *(f"1 to {last}" if last > 1 else "1" for last in asdict(play).values()))
        for where, play in players.PLAYED_GROUPS.items()
    ]
    heads = ("position", "raised first in", "called", "raised with callers", "raise called")
    title = "what killer:groups plays of the groups for limit"
    print_table(Table((*heads, "raised again"), played, title=title))


def tell_outs_table(*, as_json: bool) -> None:
    """Print how often at least one of so many outs comes, on the turn or the river and on one."""
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
    table_rows = [
        (str(outs), percent(turn_or_river, 1), percent(river, 1))
        for outs, turn_or_river, river in rows
    ]
    print_table(Table(("outs", "turn or river", "river alone"), table_rows))
