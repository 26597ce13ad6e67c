"""Accounts with their secrets, tournaments with their entries, ratings, offences and bans."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_MOMENT = sa.DateTime(timezone=True)


def _account(ondelete: str = "CASCADE") -> sa.ForeignKey:
    return sa.ForeignKey("account.id", ondelete=ondelete)


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "account",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("key", sa.String(64), nullable=False, unique=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("owner_id", sa.Integer, _account()),
        sa.Column("password_hash", sa.String(255)),
        sa.Column("created_at", _MOMENT, nullable=False),
    )
    op.create_index("ix_account_owner_id", "account", ["owner_id"])
    op.create_table(
        "account_token",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("account_id", sa.Integer, _account(), nullable=False),
        sa.Column("label", sa.String(64), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False, unique=True),
        sa.Column("created_at", _MOMENT, nullable=False),
    )
    op.create_index("ix_account_token_account_id", "account_token", ["account_id"])
    op.create_table(
        "account_session",
        sa.Column("hash", sa.String(64), primary_key=True),
        sa.Column("account_id", sa.Integer, _account(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("ends_at", _MOMENT, nullable=False),
    )
    op.create_index("ix_account_session_account_id", "account_session", ["account_id"])
    op.create_table(
        "account_offence",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("account_id", sa.Integer, _account(), nullable=False),
        sa.Column("code", sa.String(32), nullable=False),
        sa.Column("detail", sa.String(200), nullable=False),
        sa.Column("at", _MOMENT, nullable=False),
    )
    op.create_index("ix_account_offence", "account_offence", ["account_id", "at"])
    op.create_table(
        "account_ban",
        sa.Column("account_id", sa.Integer, _account(), primary_key=True, autoincrement=False),
        sa.Column("reason", sa.String(200), nullable=False),
        sa.Column("banned_at", _MOMENT, nullable=False),
        sa.Column("ends_at", _MOMENT),
    )
    op.create_table(
        "tournament",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("ladder", sa.String(32), nullable=False),
        sa.Column("rated", sa.Boolean, nullable=False),
        sa.Column("void_reason", sa.String(200)),
        sa.Column("details", sa.Text, nullable=False),
        sa.Column("started_at", _MOMENT, nullable=False),
        sa.Column("finished_at", _MOMENT, nullable=False),
        sa.Column("recorded_at", _MOMENT, nullable=False),
    )
    op.create_index("ix_tournament_finished_at", "tournament", ["finished_at"])
    op.create_table(
        "tournament_entry",
        sa.Column(
            "tournament_id",
            sa.String(64),
            sa.ForeignKey("tournament.id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("account_id", sa.Integer, _account("SET NULL")),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("place", sa.Integer),
        sa.Column("prize", sa.Float, nullable=False),
        sa.Column("fee", sa.Float, nullable=False),
        sa.Column("hands", sa.Integer, nullable=False),
        sa.Column("service", sa.Text, nullable=False),
        sa.Column("mean_after", sa.Float),
        sa.Column("deviation_after", sa.Float),
    )
    op.create_index("ix_tournament_entry_account", "tournament_entry", ["account_id"])
    op.create_table(
        "rating",
        sa.Column("ladder", sa.String(32), primary_key=True),
        sa.Column("account_id", sa.Integer, _account(), primary_key=True, autoincrement=False),
        sa.Column("version", sa.String(64), primary_key=True),
        sa.Column("mean", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("tournaments", sa.Integer, nullable=False),
        sa.Column("rated_at", _MOMENT, nullable=False),
    )


def downgrade() -> None:
    """Drop the tables."""
    for table in (
        *("rating", "tournament_entry", "tournament"),
        *("account_ban", "account_offence", "account_session", "account_token", "account"),
    ):
        op.drop_table(table)
