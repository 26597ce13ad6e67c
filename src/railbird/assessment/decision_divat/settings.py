"""Policies of the roll-outs, and the number of boards sampled before the flop."""

from __future__ import annotations

from dataclasses import dataclass, replace

from railbird.baseline import STANDARD, BaselineSettings, Opponent, PotConvention
from railbird.errors import BadInput
from railbird.game import Betting, Rules, Street

BOARDS = 128
"""Boards before the flop in a match: their noise is below one per cent of a hand's variance."""
BOARDS_OF_ONE_HAND = 10_000
"""Boards where one hand is shown to somebody, with its standard error."""
SAMPLES_OF_ONE_HAND = 50
"""Independent samples that these boards are drawn in; they differ by the standard error."""
POSITION_DEALS = 400_000
"""Random deals behind the value of a position: standard error 0.007 to 0.009 big blinds."""
CHANGING_STACKS_DEALS = 500
"""Random deals for one hand, where every hand has stacks of its own."""

_CONSERVATIVE = (0.70, 0.875, 0.945, 0.975)
_STREETS = tuple(STANDARD[street] for street in Street)


@dataclass(frozen=True, slots=True, kw_only=True)
class ValuePolicy:
    """The plain policy that finishes a hand in place of all players.

    A hand's strength against m - 1 opponents is rank ** (1 + gamma * (m - 2)), rank being the one
    against a single opponent. Facing a bet of b it is folded below fold_multiplier * b / pot +
    offset, the bet being in the pot; else it makes its next bet if strong enough and allowed.
    """

    name: str
    gamma: float = 0.0
    fraction: float = 0.0
    """No-limit: raises are by this share of the pot after a call."""
    commit: float = 0.75
    """No-limit: a raise by more than this share of the stack is all-in."""
    fold_multiplier: tuple[float, ...] = tuple(street.fold_multiplier for street in _STREETS)
    """By street; Kan (2007), 3.1.2."""
    offset: tuple[float, ...] = tuple(street.fold_offset for street in _STREETS)
    """By street."""
    make: tuple[tuple[float, ...], ...] = tuple(street.make for street in _STREETS)
    """Threshold of the next bet, by street and bets already in (the big blind is one)."""
    opponent: Opponent = Opponent.UNIFORM
    """Holdings that hands are ranked against after the flop."""
    calls_down: bool = False
    """Always check or call; nothing else counts then."""


CALL_DOWN = ValuePolicy(name="call-down", calls_down=True)
"""A: the value of a closed street is then the share of each pot that the cards win on average."""
LIMIT = ValuePolicy(name="limit", gamma=0.5)
"""B in limit: Kan's standard thresholds."""
NO_LIMIT = ValuePolicy(
    name="no-limit", gamma=1.0, fraction=0.15, make=(_CONSERVATIVE,) * len(Street)
)
"""B elsewhere: small raises and high thresholds; larger ones make the values swing."""


def baseline_for(rules: Rules, settings: BaselineSettings = STANDARD) -> ValuePolicy:
    """Choose the baseline for the betting structure, modified by ``settings``.

    Thresholds and offsets in which the settings differ from the standard ones replace those of the
    policy, street by street. Raises `BadInput` for settings that count the bet into the pot twice.

    >>> from railbird.baseline import parse_settings
    >>> from railbird.game import HEADS_UP_NO_LIMIT
    >>> baseline_for(HEADS_UP_NO_LIMIT, parse_settings("tight-low")).offset
    (0.0, 0.125, 0.15, 0.0)
    """
    policy = LIMIT if rules.betting is Betting.LIMIT else NO_LIMIT
    if settings == STANDARD:
        return policy
    if settings.pot is not STANDARD.pot:
        raise BadInput(
            f"settings {settings.name!r}: pot={PotConvention.FACING_BET.value} is for heads-up "
            "limit alone; by decisions the bet always counts into the pot"
        )
    changed = [(settings[street], STANDARD[street]) for street in Street]
    return replace(
        policy,
        name=settings.name,
        opponent=settings.opponent,
        fold_multiplier=tuple(settings[street].fold_multiplier for street in Street),
        offset=tuple(
            own if new.fold_offset == old.fold_offset else new.fold_offset
            for own, (new, old) in zip(policy.offset, changed, strict=True)
        ),
        make=tuple(
            own if new.make == old.make else new.make
            for own, (new, old) in zip(policy.make, changed, strict=True)
        ),
    )
