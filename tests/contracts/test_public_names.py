"""The names that each door of the library offers, in a file: whoever changes them says so in it.

``PYTHONPATH=tests python tests/contracts/test_public_names.py`` writes the file anew.
"""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path
from typing import Final

import railbird

FILE: Final = Path(__file__).parent / "public_names.txt"
PAPERS: Final = "railbird_papers"


def public_names() -> list[str]:
    """Return ``module.name`` for everything that a door has in its ``__all__``."""
    packages = pkgutil.walk_packages(railbird.__path__, "railbird.")
    modules = ["railbird", *(module.name for module in packages if module.ispkg), PAPERS]
    return sorted(
        f"{module}.{name}"
        for module in modules
        for name in getattr(importlib.import_module(module), "__all__", ())
    )


def test_public_names_are_those_of_the_file() -> None:
    assert public_names() == FILE.read_text(encoding="utf-8").splitlines()


def test_every_public_name_is_there() -> None:
    for path in FILE.read_text(encoding="utf-8").splitlines():
        module, _, name = path.rpartition(".")
        assert hasattr(importlib.import_module(module), name), path


if __name__ == "__main__":
    FILE.write_text("\n".join(public_names()) + "\n", encoding="utf-8")
