"""The library of Extended BASIC that comes with the package: `#include <FILE>`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import ti99tools
from ti99tools.base.errors import Place


@cache
def library_folder() -> Path:
    """The library's folder: `xbasic/lib` of a checkout, else its copy in the package."""
    package = Path(ti99tools.__file__).resolve().parent
    checkout = package.parent / "xbasic" / "lib"
    return checkout if checkout.is_dir() else package / "_xbasic" / "lib"


def in_library(place: Place) -> bool:
    """Tell whether something stands in a file of the library: `<keys.xb>`."""
    return (place.file or "").startswith("<")
