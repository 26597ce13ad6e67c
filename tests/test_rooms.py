"""The order of the house beyond what the import contracts can say."""

from __future__ import annotations

import re
from pathlib import Path

import railbird
import railbird_papers
from measure.__main__ import (
    climbing_strings,
    import_graph,
    modules_in_strings,
    private_imports,
    rooms,
)

SOURCES = Path(railbird.__file__).parent


def test_no_room_imports_a_private_module_of_another() -> None:
    assert private_imports(import_graph(), rooms()) == []


def test_no_string_names_a_module_of_a_higher_room() -> None:
    """An import by string would be seen by no contract."""
    assert ("railbird/cli/_verbs.py", "railbird.cli.") in modules_in_strings()
    # These two are compared with the frames of a traceback; nothing is imported by them.
    frames = [("railbird/errors.py", f"railbird.{name}") for name in ("arena", "players.registry")]
    assert climbing_strings() == frames


def test_papers_import_what_a_user_s_script_could() -> None:
    """Public modules of the library, and what compiles kernels."""
    graph = import_graph()
    private = {
        (importer, imported)
        for importer in sorted(graph.modules)
        if importer.startswith("railbird_papers")
        for imported in graph.find_modules_directly_imported_by(importer)
        if imported.startswith("railbird.") and "._" in imported and imported != "railbird._jit"
    }
    assert private == set()


def test_the_library_names_no_module_of_the_papers() -> None:
    """The library finds them by entry points, and imports nothing of them, not even in a string."""
    naming = [
        str(path.relative_to(SOURCES))
        for path in SOURCES.rglob("*.py")
        if re.search(r"railbird_papers\.\w", path.read_text(encoding="utf-8"))
    ]
    assert naming == []


# The engine's arrays are reached through what it offers.


def test_no_other_room_reads_the_private_vector_of_a_hand() -> None:
    readers = [
        str(path)
        for folder in (SOURCES, Path(railbird_papers.__path__[0]))
        for path in folder.rglob("*.py")
        if SOURCES / "game" not in path.parents and re.search(r"\._vector\b", path.read_text())
    ]
    assert readers == []
