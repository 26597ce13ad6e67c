"""Measure the structure of the source: `make measure`.

What is counted is what makes a code base heavy to carry: how many files and folders there are, what
share of the lines is imports, how many imports stand inside functions, how many class names mean
several things, how many imports reach into another room's private module, and which files import
each other in a circle. A *room* is a folder of `src/railbird/`, or `railbird_papers` as a whole; a
module or folder is private if its name begins with an underscore. All figures are of both packages,
whose sizes are given apart too.

Imports are those that grimp finds, which includes imports inside functions and under
`TYPE_CHECKING`: a circle that only a type checker sees still has to be read in a circle.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import statistics
import sys
import tokenize
import tomllib
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

import grimp
import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests"))

from measure import names, options  # noqa: E402

SOURCE = ROOT / "src" / "railbird"
PAPERS = ROOT / "papers" / "src" / "railbird_papers"

# Rooms in which the redesign allows no circle at all; elsewhere three files may form one.
WITHOUT_CIRCLES = ("assessment", "report", "protocol", "client")


@dataclass(frozen=True)
class File:
    """One source file, parsed."""

    path: Path
    lines: int
    tree: ast.Module
    comments: int

    @classmethod
    def read(cls, path: Path) -> File:
        text = path.read_text(encoding="utf-8")
        return cls(path, text.count("\n"), ast.parse(text), _comment_lines(text))


def _comment_lines(text: str) -> int:
    """The number of lines that are a comment for readers, without directives to tools."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return sum(
        token.type == tokenize.COMMENT
        and token.line.lstrip().startswith("#")
        and not token.string.lstrip("# ").startswith(("noqa", "type: ignore", "pragma:"))
        for token in tokens
    )


def _import_lines(tree: ast.Module) -> int:
    return sum(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
    )


def _imports_inside_functions(tree: ast.Module) -> int:
    """The number of import statements in functions and methods, each counted once."""
    inside = {
        node
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    return len(inside)


def _assertions(tests: Path) -> dict[str, int]:
    """The assertions of the tests: `assert` statements, `raises` and `warns`, doctest examples."""
    counts: Counter[str] = Counter()
    for path in tests.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            counts["assert statements"] += isinstance(node, ast.Assert)
            if isinstance(node, ast.Call):
                name = ast.unparse(node.func)
                counts["pytest.raises and warns"] += name in {"pytest.raises", "pytest.warns"}
                counts["numpy.testing"] += ".assert_" in name or name.startswith("assert_")
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                counts["test functions"] += node.name.startswith("test_")
    return dict(sorted(counts.items()))


def _room(module: str) -> str:
    parts = module.split(".")
    if parts[0] == PAPERS.name:
        return PAPERS.name
    return parts[1] if len(parts) > 1 else ""


def private_imports(graph: grimp.ImportGraph, rooms: set[str]) -> list[tuple[str, str]]:
    """Pairs (importer, imported) of another room's module that its path calls private."""
    return [
        (importer, imported)
        for importer in sorted(graph.modules)
        for imported in sorted(graph.find_modules_directly_imported_by(importer))
        if _room(imported) in rooms
        and _room(importer) != _room(imported)
        and any(part.startswith("_") for part in imported.split(".")[2:])
    ]


def import_graph() -> grimp.ImportGraph:
    """Who imports whom, with what a package offers lazily by its stub (`lazy_loader`)."""
    graph = grimp.build_graph(SOURCE.name, PAPERS.name)
    stubs = [(stub, top) for top in (SOURCE, PAPERS) for stub in top.rglob("__init__.pyi")]
    for stub, top in stubs:
        package = ".".join(stub.parent.relative_to(top.parent).parts)
        for node in ast.walk(ast.parse(stub.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level == 1:
                graph.add_import(importer=package, imported=f"{package}.{node.module}")
    return graph


def rooms() -> set[str]:
    """The names of all rooms, the papers' package among them."""
    own = {path.name for path in SOURCE.iterdir() if (path / "__init__.py").exists()}
    return own | {PAPERS.name}


def modules_in_strings() -> list[tuple[str, str]]:
    """Pairs (file, module) of strings in code that name a module of ours, as some imports do.

    Docstrings do not count. Of a string that is put together, what stands in it counts.
    """
    name_of_module = re.compile(rf"({SOURCE.name}|{PAPERS.name})\.\w[\w.]*")
    pairs = set()
    for top in (SOURCE, PAPERS):
        for path in top.rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            if not re.search(rf"""["'{{}}]({SOURCE.name}|{PAPERS.name})\.\w""", text):
                continue
            docstrings = set[int]()
            for node in ast.walk(ast.parse(text)):  # a statement comes before what is in it
                if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                    docstrings.add(id(node.value))
                elif (
                    isinstance(node, ast.Constant)
                    and isinstance(node.value, str)
                    and id(node) not in docstrings
                    and (name := name_of_module.match(node.value))
                ):
                    pairs.add((path.relative_to(top.parent).as_posix(), name[0]))
    return sorted(pairs)


def climbing_strings() -> list[tuple[str, str]]:
    """Those of `modules_in_strings` by which a room reaches for one that may import it."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    layers = next(one["layers"] for one in contracts["contracts"] if one["type"] == "layers")
    level = {
        room.strip(): height
        for height, rooms in enumerate(reversed(layers))
        for room in rooms.split("|")
    }
    level |= {"": len(layers), "__init__": len(layers), "__main__": len(layers)}
    return [
        (file, module)
        for file, module in modules_in_strings()
        if file.startswith(f"{SOURCE.name}/")
        and level.get(module.split(".")[1], 0) >= level[file.split("/")[1].removesuffix(".py")]
        and module.split(".")[1] != file.split("/")[1].removesuffix(".py")
    ]


def _circles(graph: grimp.ImportGraph) -> list[list[str]]:
    """The sets of modules that all reach each other by imports, largest first."""
    modules = sorted(graph.modules)
    place = {module: at for at, module in enumerate(modules)}
    edges = np.array(
        [
            (place[module], place[other])
            for module in modules
            for other in graph.find_modules_directly_imported_by(module)
        ]
    )
    matrix = coo_array((np.ones(len(edges)), edges.T), shape=(len(modules),) * 2)
    _, of = connected_components(matrix, connection="strong")
    sets = defaultdict(list)
    for module, component in zip(modules, of, strict=True):
        sets[component].append(module)
    return sorted((s for s in sets.values() if len(s) > 1), key=len, reverse=True)


def _size(files: list[File]) -> dict[str, int]:
    folders = {file.path.parent for file in files}
    lines = sum(file.lines for file in files)
    return {"files": len(files), "folders": len(folders), "lines": lines}


def measure() -> dict[str, object]:
    of = {top: [File.read(path) for path in sorted(top.rglob("*.py"))] for top in (SOURCE, PAPERS)}
    files = of[SOURCE] + of[PAPERS]
    size = _size(files)
    graph = import_graph()
    imports = sum(_import_lines(file.tree) for file in files)
    modules = [(str(file.path.relative_to(ROOT)), file.tree) for file in files]
    private = private_imports(graph, rooms())
    circles = _circles(graph)
    depth = Counter(
        len(folder.relative_to(top).parts)
        for top, own in of.items()
        for folder in {file.path.parent for file in own}
    )
    return {
        "of_the_library": _size(of[SOURCE]),
        "of_the_papers": _size(of[PAPERS]),
        "files": size["files"],
        "folders": size["folders"],
        "folders_deeper_than_two_under_a_room": sum(n for d, n in depth.items() if d > 3),
        "lines": size["lines"],
        "lines_a_file_median": statistics.median(file.lines for file in files),
        "import_lines_percent": round(100 * imports / size["lines"], 2),
        "imports_inside_functions": sum(_imports_inside_functions(file.tree) for file in files),
        "names_of_options": list(options.option_names()),
        "class_names_in_several_files": names.in_several_files(modules, ast.ClassDef),
        "public_functions_in_several_files": names.in_several_files(
            modules, ast.FunctionDef, ast.AsyncFunctionDef
        ),
        "stores_of_particles": [
            f"{path}:{store}" for path, tree in modules for store in names.particles(tree)
        ],
        "vague_names_that_live_long": [
            f"{path}:{use}" for path, tree in modules for use in names.long_lived(tree)
        ],
        "private_imports_of_other_rooms": private,
        "modules_named_in_strings": modules_in_strings(),
        "strings_that_climb_the_order": climbing_strings(),
        "comment_lines": sum(file.comments for file in files),
        "circles": circles,
        "circles_not_allowed": [
            circle
            for circle in circles
            if len(circle) > 3 or any(_room(module) in WITHOUT_CIRCLES for module in circle)
        ],
        "tests": {
            "files": sum(1 for _ in (ROOT / "tests").rglob("*.py")),
            **_assertions(ROOT / "tests"),
        },
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the structure of the source.")
    parser.add_argument("--json", action="store_true", help="every name and place, as JSON")
    figures = measure()
    if parser.parse_args().json:
        print(json.dumps(figures, indent=1))
        return
    for name, value in figures.items():
        counted = len(value) if isinstance(value, list) else value
        if name.endswith("_in_several_files"):
            assert isinstance(value, dict)
            counted = len(value)
        if name == "circles":
            assert isinstance(value, list)
            counted = f"{len(value)} of {[len(circle) for circle in value]} files"
        if isinstance(counted, dict):
            counted = ", ".join(f"{number:,} {what}" for what, number in counted.items())
        print(f"{name.replace('_', ' '):45} {counted}")


if __name__ == "__main__":
    main()
