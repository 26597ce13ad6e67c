"""The order of the house beyond what the import contracts can say."""

from __future__ import annotations

import re
from pathlib import Path

import railbird
from measure.__main__ import SOURCE, import_graph, private_imports


def test_no_room_imports_a_private_module_of_another() -> None:
    rooms = {path.name for path in SOURCE.iterdir() if (path / "__init__.py").exists()}
    assert private_imports(import_graph(), rooms) == []


def test_experiments_import_what_a_user_s_script_could() -> None:
    """Of what is private only the types of arrays, and what compiles and runs kernels."""
    allowed = {"_arrays", "_jit", "_threads"}
    graph = import_graph()
    private = {
        (importer, imported)
        for importer in sorted(graph.modules)
        if importer.startswith("railbird.experiments.") and ".framework" not in importer
        for imported in graph.find_modules_directly_imported_by(importer)
        if imported.startswith("railbird._") and imported.split(".")[1] not in allowed
    }
    assert private == set()


# The engine's arrays are reached through what it offers.


SOURCES = Path(railbird.__file__).parent


def test_no_other_room_reads_the_private_vector_of_a_hand() -> None:
    readers = [
        str(path.relative_to(SOURCES))
        for path in SOURCES.rglob("*.py")
        if SOURCES / "game" not in path.parents and re.search(r"\._vector\b", path.read_text())
    ]
    assert readers == []
