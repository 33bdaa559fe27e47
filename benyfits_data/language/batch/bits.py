"""Truth values of many households as bits: 64 households a word, and bit sets a household."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

WORD = 64
_BYTE = 8

Bits = NDArray[np.uint64]

# Steps of an 8 x 8 bit transposition of a 64-bit word: exchange blocks of 1, 2 and 4 bits
# (Warren, Hacker's Delight, section 7-3).
_EXCHANGES = (
    (np.uint64(7), np.uint64(0x00AA00AA00AA00AA)),
    (np.uint64(14), np.uint64(0x0000CCCC0000CCCC)),
    (np.uint64(28), np.uint64(0x00000000F0F0F0F0)),
)


def n_words(n: int) -> int:
    """Return how many words hold `n` bits."""
    return -(-n // WORD)


def pack(flags: NDArray[np.bool_], out: Bits) -> None:
    """Write rows of truth values `(rows, n)` as bits into `out (rows, words)`.

    Bits after the last of its octet stay as they were: nobody reads beyond `n`.
    """
    if flags.strides[-1] != flags.itemsize:
        flags = np.ascontiguousarray(flags)
    packed = np.packbits(flags, axis=-1, bitorder="little")
    out.view(np.uint8)[..., : packed.shape[-1]] = packed


def unpack(bits: Bits, n: int) -> NDArray[np.bool_]:
    """Return the first `n` bits of each row as truth values."""
    octets = bits.view(np.uint8)
    return np.unpackbits(octets, axis=-1, count=n, bitorder="little").view(np.bool_)


def ones(bits: Bits, n: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return rows and columns of the bits that are set, looking into few words.

    Args:
        bits: Shape `(rows, words)`.
        n: How many bits of each row count.
    """
    rows, words = np.nonzero(bits[:, : n_words(n)])
    if not len(rows):
        return rows, words
    octets = bits[rows, words].view(np.uint8)
    places = np.flatnonzero(np.unpackbits(octets, bitorder="little"))
    columns = words[places // WORD] * WORD + places % WORD
    is_counted = columns < n
    return rows[places // WORD][is_counted], columns[is_counted]


def bit_sets(masks: Sequence[Bits], out: Bits) -> None:
    """Write for each household the set of masks that hold for it.

    Args:
        masks: One bit per household each.
        out: Shape `(n, words)`: bit `i % 64` of word `i // 64` is to be the household's bit in
            `masks[i]`; spare bits are 0.
    """
    n_groups = -(-len(masks) // _BYTE)
    n_octets = len(masks[0]) * _BYTE
    stacked = np.empty((n_groups * _BYTE, n_octets), np.uint8)
    for row, mask in enumerate(masks):
        stacked[row] = mask.view(np.uint8)
    stacked[len(masks) :] = 0
    # Each word now holds 8 masks (bytes) of 8 households (bits); exchange the two.
    blocks = np.ascontiguousarray(
        stacked.reshape(n_groups, _BYTE, n_octets).transpose(0, 2, 1)
    ).view(np.uint64)[..., 0]
    swap = np.empty_like(blocks)
    for shift, kept in _EXCHANGES:
        np.right_shift(blocks, shift, out=swap)
        np.bitwise_xor(swap, blocks, out=swap)
        np.bitwise_and(swap, kept, out=swap)
        np.bitwise_xor(blocks, swap, out=blocks)
        np.left_shift(swap, shift, out=swap)
        np.bitwise_xor(blocks, swap, out=blocks)
    sets = out.view(np.uint8)
    sets[:, :n_groups] = blocks.view(np.uint8)[:, : len(out)].T
    sets[:, n_groups:] = 0
