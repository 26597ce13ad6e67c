"""The push/fold game's players in a table of its own name: the server is to have others."""

from __future__ import annotations

from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

# PostgreSQL keeps the old names of what belongs to a table, which another `player` would need.
_BELONGINGS = (
    ("SEQUENCE", "player_id_seq", "pushfold_player_id_seq"),
    ("INDEX", "player_pkey", "pushfold_player_pkey"),
    ("INDEX", "player_token_key", "pushfold_player_token_key"),
)


def upgrade() -> None:
    """Rename the table of players; references to it follow."""
    op.rename_table("player", "pushfold_player")
    if op.get_bind().dialect.name == "postgresql":
        for kind, old, new in _BELONGINGS:
            op.execute(f"ALTER {kind} {old} RENAME TO {new}")


def downgrade() -> None:
    """Give it back its old name."""
    op.rename_table("pushfold_player", "player")
    if op.get_bind().dialect.name == "postgresql":
        for kind, old, new in _BELONGINGS:
            op.execute(f"ALTER {kind} {new} RENAME TO {old}")
