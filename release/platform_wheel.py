"""Build a wheel that has the machine code of all kernels: ``make wheel``.

From such a wheel nothing is compiled at first use. It is for one Python, platform and baseline
processor: on one that is less, the kernels are compiled as from any other wheel. What it
has is valid for the Numba with which it was made, so it asks for just that one.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import distribution, version
from pathlib import Path
from typing import Final

# The names and features are LLVM's. x86-64-v3 is Haswell, Excavator and later (x86-64 psABI).
_V3: Final = (
    "avx,avx2,bmi,bmi2,cx16,f16c,fma,fxsr,lzcnt,movbe,popcnt,sahf,sse,sse2,sse3,sse4.1,sse4.2,"
    "ssse3,xsave"
)
BASELINES: Final = {
    "x86_64": ("x86-64-v3", _V3),
    "aarch64": ("generic", "fp-armv8,neon"),
    "arm64": ("apple-m1", "fp-armv8,neon"),
}


def build(out: Path) -> Path:
    """Write the wheel into a folder, and return its path. Takes minutes of two cores."""
    root = Path(__file__).parents[1]
    with tempfile.TemporaryDirectory() as scratch:
        plain, unpacked, packed = (Path(scratch) / name for name in ("plain", "files", "packed"))
        _run("pip", "wheel", "-q", "--no-deps", "--no-build-isolation", "-w", plain, root)
        (wheel,) = plain.iterdir()
        _run("wheel", "unpack", wheel, "-d", unpacked)
        (files,) = unpacked.iterdir()
        _compile(files, Path(scratch) / "cache")
        _pin(files)
        packed.mkdir()
        _run("wheel", "pack", files, "-d", packed)
        (wheel,) = packed.iterdir()
        _run("wheel", "tags", "--remove", *_tags(), wheel)
        (wheel,) = packed.iterdir()
        out.mkdir(parents=True, exist_ok=True)
        target = out / wheel.name
        target.write_bytes(wheel.read_bytes())
    return target


def _compile(files: Path, cache: Path) -> None:
    processor, features = BASELINES[platform.machine()]
    variables = {
        "NUMBA_CPU_NAME": processor,
        "NUMBA_CPU_FEATURES": ",".join(f"+{each}" for each in features.split(",")),
        "RAILBIRD_CACHE": str(cache),
        "PYTHONPATH": str(files),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    _run("railbird", "machine", "warm", "--shared", **variables)


def _tags() -> Iterator[str]:
    """Yield the options for the tags of llvmlite's wheel: where it runs, so does its code."""
    kind = distribution("llvmlite").read_text("WHEEL") or ""
    tags = [line.split("-") for line in re.findall(r"^Tag: (\S+)$", kind, re.MULTILINE)]
    for part, values in zip(("python", "abi", "platform"), zip(*tags, strict=True), strict=True):
        yield f"--{part}-tag={'.'.join(dict.fromkeys(values))}"


def _pin(files: Path) -> None:
    (metadata,) = files.glob("*.dist-info/METADATA")
    text = metadata.read_text(encoding="utf-8")
    pins = "".join(f"Requires-Dist: {each}=={version(each)}\n" for each in ("llvmlite", "numba"))
    text, count = re.subn(r"^Requires-Dist: numba\b.*\n", pins, text, flags=re.MULTILINE)
    assert count == 1
    metadata.write_text(text, encoding="utf-8")
    (kind,) = files.glob("*.dist-info/WHEEL")
    kind.write_text(kind.read_text().replace("Root-Is-Purelib: true", "Root-Is-Purelib: false"))


def _run(module: str, *arguments: str | Path, **variables: str) -> None:
    command = [sys.executable, "-P", "-m", module, *map(str, arguments)]
    subprocess.run(command, check=True, env={**os.environ, **variables})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("out", type=Path, nargs="?", default=Path("dist"))
    sys.stdout.write(f"{build(parser.parse_args().out)}\n")
