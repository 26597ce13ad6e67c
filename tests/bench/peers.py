"""What the benchmarks let the peers do."""

from __future__ import annotations


def rlcard_limit(hands: int) -> None:
    """Play hands of limit hold'em in RLCard, the raiser in one seat and then in the other."""
    from rlcard.games.limitholdem import Game

    for hand in range(hands):
        game = Game()
        _, player = game.init_game()
        while not game.is_over():
            legal = game.get_legal_actions()
            wish = "raise" if player == hand % 2 else "call"
            action = next(name for name in (wish, "call", "check") if name in legal)
            _, player = game.step(action)


def gymnasium_blackjack(rounds: int) -> None:
    """Play rounds of Gymnasium's blackjack, which has neither doubles nor splits, to 17."""
    import gymnasium

    game = gymnasium.make("Blackjack-v1", natural=True)
    for seed in range(rounds):
        (total, _, _), _ = game.reset(seed=seed if seed == 0 else None)
        over = False
        while not over:
            (total, _, _), _, over, _, _ = game.step(int(total < 17))
