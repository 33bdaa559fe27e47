"""Named random streams: adding a step or a feature never shifts another's draws."""

import hashlib

import numpy as np


def stream(seed: int, *names: str | int) -> np.random.Generator:
    """Return the random generator of one named step.

    Args:
        seed: The seed of the whole build.
        names: The step and what it draws for, such as `("fuzz", "age")`.
    """
    key = "\x1f".join(str(name) for name in (seed, *names)).encode()
    digest = hashlib.sha256(key).digest()
    return np.random.Generator(np.random.Philox(int.from_bytes(digest[:16], "little")))
