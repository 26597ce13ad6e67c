from .contract import BrokenContract, Contract
from .estimator_contract import ESTIMATOR_CONTRACTS, check_estimator
from .format_contract import FORMAT_CONTRACTS, check_format
from .player_contract import PLAYER_CONTRACTS, check_player
from .tools import (
    Floats,
    HasFigures,
    Provenance,
    cache_folder,
    checked,
    choice,
    current_provenance,
    in_slices,
    replace_files,
)

__all__ = [
    "ESTIMATOR_CONTRACTS",
    "FORMAT_CONTRACTS",
    "PLAYER_CONTRACTS",
    "BrokenContract",
    "Contract",
    "Floats",
    "HasFigures",
    "Provenance",
    "cache_folder",
    "check_estimator",
    "check_format",
    "check_player",
    "checked",
    "choice",
    "current_provenance",
    "in_slices",
    "replace_files",
]
