"""Puzzles whose answer was known from all cards only, or only another player's way, are retired."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_SOLVED = "equilibrium"


def upgrade() -> None:
    """Delete puzzles that no equilibrium answered."""
    puzzle = sa.table("puzzle", sa.column("id", sa.Integer), sa.column("puzzle", sa.Text))
    connection = op.get_bind()
    puzzles = connection.execute(sa.select(puzzle.c.id, puzzle.c.puzzle)).all()
    for number, text in puzzles:
        if json.loads(text).get("by") != _SOLVED:
            connection.execute(puzzle.delete().where(puzzle.c.id == number))


def downgrade() -> None:
    """Do nothing: what was deleted is gone."""
