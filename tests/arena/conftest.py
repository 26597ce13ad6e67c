"""Players that do what no player should, in a module that specs can name."""

from __future__ import annotations

from pathlib import Path

import pytest

BAD_PLAYERS = '''
import os
import signal
import time

from railbird.game import Call, Fold, Raise


class Scripted:
    """Answers with what the option says."""

    def __init__(self, answer="call", at_hand="-1"):
        self.answer, self.at_hand, self.hands = answer, int(at_hand), -1

    def reset(self, rng):
        if self.answer == "bad-reset":
            raise RuntimeError("cannot forget")

    def begin(self, view):
        self.hands += 1

    def observe(self, view, event):
        if self.answer == "bad-observe":
            raise ValueError("cannot look\\nat that")

    def end(self, view):
        pass

    def act(self, view):
        if self.at_hand not in (-1, self.hands):
            return Call()
        match self.answer:
            case "raises":
                raise ZeroDivisionError("by nothing")
            case "none":
                return None
            case "word":
                return "call"
            case "huge":
                return Raise(10**30)
            case "tiny":
                return Raise(1)
            case "negative":
                return Raise(-5)
            case "half":
                return Raise(17.5)
            case "fold":
                return Fold()
            case "slow":
                time.sleep(0.02)
                return Raise(view.legal.min_raise_to) if view.legal.min_raise_to else Call()
            case "kill":
                os.kill(os.getpid(), signal.SIGKILL)
            case "kill-once":
                if not os.path.exists("killed"):
                    open("killed", "w").close()
                    os.kill(os.getpid(), signal.SIGKILL)
            case "interrupt":
                raise KeyboardInterrupt
        return Call()


class Numpy:
    """Answers with sizes of NumPy's integers."""

    def reset(self, rng):
        pass

    def act(self, view):
        import numpy as np
        to = view.legal.min_raise_to
        return Call() if to is None else Raise(np.int64(to))


class Witness:
    """Writes down everything that it is told."""

    told = []

    def reset(self, rng):
        self.told.append(("reset", int(rng.integers(1 << 40))))

    def begin(self, view):
        self.told.append(("begin", view))

    def observe(self, view, event):
        self.told.append(("observe", view, event))

    def end(self, view):
        self.told.append(("end", view))

    def act(self, view):
        self.told.append(("act", view))
        return Call()
'''


@pytest.fixture
def bad_players(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A prefix of specs; the module lies in the current folder, where workers find it too."""
    (tmp_path / "bad_players_of_test.py").write_text(BAD_PLAYERS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    return "python:bad_players_of_test"
