"""A cache beside the package, for everybody who uses this installation: machine code and tables.

To compile all kernels takes minutes, so a wheel for a platform brings them compiled, for a baseline
that nearly every processor of its kind can run; and `railbird machine warm --shared` puts what was
compiled for this machine there once, for all of its users. What a user's own cache has goes before
it: that is for the very processor.

``kernels`` has the files of Numba's cache, as `railbird._jit` names them, compressed by zlib to a
quarter, and ``code.json``:

    {"target": [triple, processor, features], "files": {PATH: SHA-256, ...}}

Code is used if the processor has all features, and a file if it is what it was when it was written.
Otherwise kernels are compiled, as they are without the folder: whatever is damaged, half copied or
for another machine costs time and nothing else. ``tables`` has files of `railbird.odds`, which
carry their own digests.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

import llvmlite.binding

from railbird._files import atomic_write

FOLDER: Final = Path(__file__).parent / "_cache"
KERNELS, TABLES = "kernels", "tables"

Target = tuple[str, str, str]
"""What LLVM compiles for: the triple, the processor's name, its features by comma (``+avx2``)."""

_NAME = "code.json"
_SUFFIXES = {".nbi", ".nbc"}


@dataclass(frozen=True, slots=True)
class SharedCode:
    """A folder of compiled code that this machine can run."""

    folder: Path
    target: Target
    files: Mapping[str, str]

    def read(self, path: Path) -> bytes | None:
        """Return what a file of the code had when it was written; None if it has changed."""
        digest = self.files.get(path.as_posix())
        try:
            packed = (self.folder / path).read_bytes() if digest else b""
        except OSError:
            return None
        return zlib.decompress(packed) if hashlib.sha256(packed).hexdigest() == digest else None


@lru_cache
def shared_code(folder: Path) -> SharedCode | None:
    """Open a folder of compiled code; None if there is none that this machine can run."""
    try:
        header = json.loads((folder / _NAME).read_text(encoding="utf-8"))
        triple, processor, features = map(str, header["target"])
        files = {str(path): str(digest) for path, digest in header["files"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    host = llvmlite.binding.get_host_cpu_features()
    needed = [feature[1:] for feature in features.split(",") if feature.startswith("+")]
    if triple != llvmlite.binding.get_process_triple() or not all(map(host.get, needed)):
        return None
    return SharedCode(folder, (triple, processor, features), files)


def share(caches: Iterable[Path], target: Target, folder: Path) -> SharedCode:
    """Copy folders of compiled code to where all users find it. Raises `OSError`.

    Until the end there is no ``code.json``, so that half of the files are not used.
    """
    with suppress(FileNotFoundError):
        (folder / _NAME).unlink()
    files = {}
    for cache in caches:
        shutil.rmtree(folder / cache.name, ignore_errors=True)
        for source in sorted(cache.rglob("*")):
            if source.suffix not in _SUFFIXES:
                continue
            path = cache.name / source.relative_to(cache)
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            packed = zlib.compress(source.read_bytes(), 9)
            (folder / path).write_bytes(packed)
            files[path.as_posix()] = hashlib.sha256(packed).hexdigest()
    for stale in folder.iterdir():
        if stale.is_dir() and not any(path.startswith(f"{stale.name}/") for path in files):
            shutil.rmtree(stale, ignore_errors=True)
    with atomic_write(folder / _NAME) as part:
        part.write_text(json.dumps({"target": target, "files": files}), encoding="utf-8")
    shared_code.cache_clear()
    return SharedCode(folder, target, files)
