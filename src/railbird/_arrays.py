"""Names for types of arrays that many rooms share."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
"""Numbers of any shape, in double precision."""
