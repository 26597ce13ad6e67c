"""Wrong passwords of a name, counted by all servers on a database together."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "guess",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("full_at", sa.Float, nullable=False),
    )
    op.create_index("ix_guess_full_at", "guess", ["full_at"])


def downgrade() -> None:
    """Drop the table."""
    op.drop_table("guess")
