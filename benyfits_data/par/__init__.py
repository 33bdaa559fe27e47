"""Par: the fewest questions that force all labels of a household, proven."""

from benyfits_data.par.certificate import FloorChecker
from benyfits_data.par.floors import Floor, floor, floors
from benyfits_data.par.refutations import Refutation
from benyfits_data.par.tracks import TRACKS, Track

__all__ = ["TRACKS", "Floor", "FloorChecker", "Refutation", "Track", "floor", "floors"]
