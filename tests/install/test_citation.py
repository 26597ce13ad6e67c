"""How to cite: a file that its own tool reads, of this version."""

from __future__ import annotations

import shutil
import subprocess
import sysconfig

import pytest

import railbird
from install.conftest import ROOT

CITATION = ROOT / "CITATION.cff"


def test_the_version_is_this_one() -> None:
    lines = CITATION.read_text(encoding="utf-8").splitlines()
    assert f"version: {railbird.__version__}" in lines


@pytest.mark.slow
def test_the_format_is_right() -> None:
    """The format's own checker wants an older jsonschema than ours: an environment for itself."""
    uv = shutil.which("uv", path=sysconfig.get_path("scripts"))
    assert uv
    check = [uv, "tool", "run", "--from", "cffconvert==2.0.0", "cffconvert", "--validate"]
    done = subprocess.run(check, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
