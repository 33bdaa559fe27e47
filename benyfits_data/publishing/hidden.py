"""A hidden split: sets drawn with a secret seed, for scores that nobody could prepare for.

A release publishes a digest of the seed. A later one reveals the seed and the sets, and anybody can
check that they are those of the digest.
"""

import tempfile
from dataclasses import replace
from pathlib import Path

from benyfits_data.dataset.json_lines import parse_object
from benyfits_data.editions import EDITIONS, load_edition
from benyfits_data.errors import BenyfitsError
from benyfits_data.population.representative import (
    HOUSEHOLDS,
    PROGRAMS,
    build_representative,
    write_representative,
)
from benyfits_data.publishing.release import ReleasedSet, commit, hidden_seed, read_sets


def build_hidden(seed: str, folder: Path) -> list[ReleasedSet]:
    """Return the hidden sets of a seed, one an edition, as their names say.

    Args:
        seed: The secret.
        folder: The release that committed to it.

    Raises:
        BenyfitsError: The release committed to another seed, or to none.
    """
    path = folder / "hidden.json"
    if not path.exists():
        raise BenyfitsError(f"{path} does not exist: this release committed to no hidden split.")
    expected = parse_object(path.read_text(encoding="utf-8"), path, 1)["digest"]
    if commit(seed) != expected:
        raise BenyfitsError(f"{path} committed to another seed. Reveal the one it was made with.")
    hidden = []
    for year in EDITIONS:
        built = build_representative(
            load_edition(year),
            households=HOUSEHOLDS,
            programs=PROGRAMS,
            seed=hidden_seed(seed),
        )
        with tempfile.TemporaryDirectory() as place:
            write_representative(built, Path(place))
            [only] = read_sets([Path(place)])
        hidden.append(replace(only, name=f"hidden-{only.name}"))
    return hidden
