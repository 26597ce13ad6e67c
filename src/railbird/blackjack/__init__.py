"""Blackjack, where every value is exact: rules, values, strategies, counting, skill and luck.

`hand_values` gives what each action is worth, `basic_strategy` and `optimal_strategy` the best play
by totals and by cards, and `game_value` what a strategy wins. `simulate` plays a table.
`assessment` divides the money of every round into skill and luck, as DIVAT does for poker; the
manual's page on blackjack derives it.

>>> from railbird.blackjack import Rules, hand_values, parse_ranks
>>> values = hand_values(parse_ranks("4,5"), *parse_ranks("7"), Rules())
>>> f"{values.best.word}, {values.hit - values.double:.4f} better than to double"
'hit, 0.0534 better than to double'
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
