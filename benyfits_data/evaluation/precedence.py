"""Which dialog goes on first when several could: the one that is likely to last longest.

Dialogs of one process share its processor, and in the end everybody waits for the longest of them.
So it is served first wherever dialogs would queue: at the start, when all have programs to write,
and whenever replies come faster than they can be worked on.
"""

import asyncio
import heapq
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from itertools import count

HEAD_START_SECONDS = 0.02
"""For each question more that it is likely to have, a dialog goes on before another whose reply
came so much earlier. No more: a reply that waits too long would count as late."""
GRACE_SECONDS = 0.05
"""Who takes so long waits for something else, such as a person, and has to make room."""


@dataclass(frozen=True, eq=False)
class _Place:
    """A dialog's place in a line."""

    line: "Line"
    length: float


_own: ContextVar[_Place | None] = ContextVar("place", default=None)


class Line:
    """The dialogs of a run, of which one at a time goes on."""

    def __init__(self) -> None:
        self._waiting: list[tuple[float, int, _Place, asyncio.Future[None]]] = []
        self._arrivals = count()
        self._now: _Place | None = None
        self._grace: asyncio.TimerHandle | None = None

    @asynccontextmanager
    async def dialog(self, length: float) -> AsyncIterator[None]:
        """Play a dialog within, from its turn on.

        Without a line where no event loop of asyncio runs: inspect can play on trio.

        Args:
            length: How many questions it is likely to have, roughly.
        """
        if not _runs_asyncio():
            yield
            return
        place = _Place(self, length)
        before = _own.set(place)
        try:
            await self.queue(place)
            yield
        finally:
            self.make_room(place)
            _own.reset(before)

    async def queue(self, place: _Place) -> None:
        """Return when it is the dialog's turn."""
        loop = asyncio.get_running_loop()
        turn = loop.create_future()
        due = loop.time() - HEAD_START_SECONDS * place.length
        heapq.heappush(self._waiting, (due, next(self._arrivals), place, turn))
        # Soon, not now: whoever is ready in this moment queues first.
        loop.call_soon(self._admit)
        await turn

    def _admit(self) -> None:
        while self._waiting and self._now is None:
            _, _, place, turn = heapq.heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                self._now = place
                loop = asyncio.get_running_loop()
                self._grace = loop.call_later(GRACE_SECONDS, self.make_room, place)

    def make_room(self, place: _Place) -> None:
        """Let the next one go on, if it was this dialog's turn."""
        if self._now is place:
            self._now = None
            if self._grace is not None:
                self._grace.cancel()
            asyncio.get_running_loop().call_soon(self._admit)


def _runs_asyncio() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


@asynccontextmanager
async def away() -> AsyncIterator[None]:
    """Wait for a server within: others go on, and afterwards the dialog queues.

    Not after an error, for who tries again would wait in the line for nothing.
    """
    place = _own.get()
    if place is None:
        yield
        return
    place.line.make_room(place)
    yield
    await place.line.queue(place)
