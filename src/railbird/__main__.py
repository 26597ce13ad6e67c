"""The program ``railbird``, also as ``python -m railbird`` where the script is not on the path."""

from __future__ import annotations

import os
import signal
from types import FrameType


def _stop(number: int, frame: FrameType | None) -> None:
    """End without Python's traceback, until `railbird.cli` can end verbs in order."""
    os.write(2, b"railbird: interrupted\n")
    os._exit(130)


def main() -> None:
    """Run the command line and exit."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _stop)
    from railbird._threads import BLAS_THREADS

    os.environ.setdefault(BLAS_THREADS, "1")
    from railbird.cli import main

    main()


if __name__ == "__main__":
    main()
