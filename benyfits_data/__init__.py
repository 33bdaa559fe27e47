"""Build, prove, run and maintain BeNYfits, a benchmark of benefit eligibility dialogs.

    import benyfits_data as bd

    rules = bd.load(2026)
    home = bd.Household.complete(members=[{"age": 30}, {"relation": "child", "age": 5}])
    rules["FairFaresNYC"](home)

What stands in `__all__` is public; it is loaded when it is first used, so the import is quick.
"""

import importlib
import os

if os.name != "posix":
    raise ImportError(
        "benyfits-data is built and tested on Linux and macOS alone. "
        "On Windows, install it in the Windows Subsystem for Linux."
    )

from pathlib import Path
from typing import TYPE_CHECKING, Any

from benyfits_data.version import __version__ as __version__

_PROCESSORS = Path("/proc/cpuinfo")
if _PROCESSORS.exists() and " avx2 " in _PROCESSORS.read_text(encoding="utf-8"):
    # Each kind of processor has matrix products of its own in OpenBLAS, which round otherwise, and
    # a rounding that tips one household of the city makes another sample. All use those of one
    # kind; OpenBLAS reads this when NumPy is first imported.
    os.environ.setdefault("OPENBLAS_CORETYPE", "Haswell")

if TYPE_CHECKING:
    from benyfits_data.dataset import Audit, Dataset
    from benyfits_data.editions import Edition, Program
    from benyfits_data.errors import BenyfitsError
    from benyfits_data.evaluation.results.comparison import Evaluation
    from benyfits_data.household.columns import Households
    from benyfits_data.household.model import Household, Member
    from benyfits_data.library import (
        audit,
        evaluate,
        explain,
        judge,
        label,
        label_told,
        load,
        read,
        results,
        sample,
        synthesize,
        trace,
    )

__all__ = [
    "Audit",
    "BenyfitsError",
    "Dataset",
    "Edition",
    "Evaluation",
    "Household",
    "Households",
    "Member",
    "Program",
    "audit",
    "evaluate",
    "explain",
    "judge",
    "label",
    "label_told",
    "load",
    "read",
    "results",
    "sample",
    "synthesize",
    "trace",
]

_CLASSES = {
    "Audit": "dataset",
    "BenyfitsError": "errors",
    "Dataset": "dataset",
    "Edition": "editions",
    "Evaluation": "evaluation.results.comparison",
    "Household": "household.model",
    "Households": "household.columns",
    "Member": "household.model",
    "Program": "editions",
}


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = importlib.import_module(f"{__name__}.{_CLASSES.get(name, 'library')}")
    globals()[name] = value = getattr(module, name)
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
