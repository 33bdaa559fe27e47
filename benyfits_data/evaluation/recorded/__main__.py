"""`python -m benyfits_data.evaluation.recorded OUTPUT`: pack the built sets into the package."""

import sys
from pathlib import Path

from benyfits_data.evaluation.recorded import pack

pack(Path(sys.argv[1]))
