"""For packages that build on Railbird, such as `railbird_papers`: what the rooms themselves use.

Types of arrays, `checked` arguments, files that are written whole, the record of what made them,
folders, work on all cores, and results that show themselves in notebooks. Kernels are compiled by
`railbird._jit.kernel`, which is not here: to import it is to load Numba.
"""

from railbird._arguments import checked, choice
from railbird._arrays import Floats
from railbird._display import HasFigures
from railbird._files import replace_files
from railbird._paths import cache_folder
from railbird._provenance import Provenance, current_provenance
from railbird._threads import in_slices

__all__ = [
    "Floats",
    "HasFigures",
    "Provenance",
    "cache_folder",
    "checked",
    "choice",
    "current_provenance",
    "in_slices",
    "replace_files",
]
