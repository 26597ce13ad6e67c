"""A workspace for tests of what an experiment makes of its hands, however few they are."""

from __future__ import annotations

from railbird_papers import Workspace

FEWEST = 40


class FewHands(Workspace):
    """Plays fewer hands than experiments ask for at least, where its scale says so."""

    def hands(self, published: int, *, least: int = FEWEST) -> int:
        return super().hands(published, least=min(least, FEWEST))
