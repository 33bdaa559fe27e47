import asyncio

import pytest

from benyfits_data.evaluation import precedence
from benyfits_data.evaluation.precedence import Line, away


@pytest.fixture(autouse=True)
def no_grace(monkeypatch):
    """Nobody makes room because time passes, unless a test is about that."""
    monkeypatch.setattr(precedence, "GRACE_SECONDS", 60)


def play(*dialogs):
    """Play dialogs, each a function of the line, at the same time."""

    async def all_of_them():
        line = Line()
        await asyncio.wait_for(asyncio.gather(*(dialog(line) for dialog in dialogs)), 20)

    asyncio.run(all_of_them())


def assert_another_dialog_follows(dialog):
    ended = asyncio.Event()

    async def other(line):
        async with line.dialog(1):
            ended.set()

    play(dialog, other)
    assert ended.is_set()


def test_the_longest_dialog_starts_first(monkeypatch):
    monkeypatch.setattr(precedence, "HEAD_START_SECONDS", 60)
    started = []

    def dialog_of(length):
        async def dialog(line):
            async with line.dialog(length):
                started.append(length)

        return dialog

    play(*map(dialog_of, (1, 3, 2, 3)))
    assert started == [3, 3, 2, 1]


@pytest.mark.parametrize(
    ("head_start", "expected"),
    [(60, [4, 4, 3, 3, 2, 2, 1, 1]), (0, [1, 1, 2, 2, 3, 3, 4, 4])],
)
def test_of_dialogs_whose_replies_are_there_the_longest_goes_on(monkeypatch, head_start, expected):
    went_on = []
    replies = {length: asyncio.Event() for length in (1, 2, 3, 4)}
    waiting = []

    async def server(line):
        while len(waiting) < len(replies):
            await asyncio.sleep(0)
        # The shortest dialog's reply comes first.
        for reply in replies.values():
            reply.set()

    def dialog_of(length):
        async def dialog(line):
            async with line.dialog(length):
                async with away():
                    waiting.append(length)
                    await replies[length].wait()
                went_on.append(length)
                await asyncio.sleep(0)
                went_on.append(length)

        return dialog

    monkeypatch.setattr(precedence, "HEAD_START_SECONDS", head_start)
    play(*map(dialog_of, (1, 4, 2, 3)), server)
    assert went_on == expected


def test_who_waits_for_something_else_makes_room(monkeypatch):
    monkeypatch.setattr(precedence, "GRACE_SECONDS", 0.01)
    typed = asyncio.Event()

    async def person(line):
        async with line.dialog(2):
            await typed.wait()

    async def other(line):
        async with line.dialog(1), away():
            typed.set()

    play(person, other)
    assert typed.is_set()


def test_an_error_is_met_at_once_whoever_goes_on():
    met = asyncio.Event()

    async def call():
        async with away():
            await asyncio.sleep(0.01)
            raise ConnectionError

    async def unlucky(line):
        async with line.dialog(2):
            with pytest.raises(ConnectionError):
                await call()
            met.set()

    async def other(line):
        async with line.dialog(1):
            await met.wait()

    play(unlucky, other)
    assert met.is_set()


def test_a_dialog_that_is_cancelled_leaves_the_line():
    async def first(line):
        async with line.dialog(3):
            cancelled = asyncio.create_task(second(line))
            await asyncio.sleep(0.01)
            cancelled.cancel()
            with pytest.raises(asyncio.CancelledError):
                await cancelled

    async def second(line):
        async with line.dialog(2):
            raise AssertionError

    assert_another_dialog_follows(first)


def test_a_dialog_that_fails_makes_room():
    async def failing(line):
        with pytest.raises(ValueError, match="a bug"):
            async with line.dialog(2):
                raise ValueError("a bug")

    assert_another_dialog_follows(failing)


def test_without_asyncio_nobody_queues():
    async def dialog():
        async with Line().dialog(1), away():
            return "reply"

    with pytest.raises(StopIteration, match="reply"):
        dialog().send(None)


def test_outside_a_dialog_nobody_queues():
    async def call():
        async with away():
            return "reply"

    assert asyncio.run(call()) == "reply"
