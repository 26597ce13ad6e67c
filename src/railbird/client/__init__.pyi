from . import connection, table_model, templates
from .check_bot import check_bot
from .connection import ServerConnection, password_log_in, signing_up, token_log_in
from .join import join, queue_or_table
from .local_game import LocalGame
from .plain_table import PlainTable
from .server_link import ServerLink
from .slumbot import visit_slumbot
from .table_model import HandLog, TableModel, open_hand_log

__all__ = [
    "HandLog",
    "LocalGame",
    "PlainTable",
    "ServerConnection",
    "ServerLink",
    "TableModel",
    "check_bot",
    "connection",
    "join",
    "open_hand_log",
    "password_log_in",
    "queue_or_table",
    "signing_up",
    "table_model",
    "templates",
    "token_log_in",
    "visit_slumbot",
]
