"""Who is established in a ladder."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the column; whoever has met anybody stays as much worth as before."""
    op.add_column(
        "rating_pair",
        sa.Column("established", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.execute(sa.text("UPDATE rating_pair SET established = true WHERE one_id = other_id"))


def downgrade() -> None:
    """Drop the column."""
    op.drop_column("rating_pair", "established")
