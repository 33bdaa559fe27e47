"""An agent that plays in a process of its own, as in `eval`; the person answers on the page."""

from contextlib import suppress
from dataclasses import replace
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from benyfits_data.chat.asked import DONT_KNOW, Asked, ShownVerdict, explained, recognise_question
from benyfits_data.editions import load_edition
from benyfits_data.errors import BenyfitsError
from benyfits_data.evaluation.models import HUMAN
from benyfits_data.evaluation.planned import PlannedDialog
from benyfits_data.evaluation.players.users import Terminal, use_terminal
from benyfits_data.evaluation.run_options import Options
from benyfits_data.household.model import Household

OWN = "own"
"""The id of a dialog in which a person speaks for their own household."""


class _Page(Terminal):
    """The page, at the other end of a pipe."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe

    def show(self, text: str) -> None:
        """Nothing: the page shows who the person speaks for."""

    def read(self, text: str) -> str:
        self._pipe.send(("asked", text))
        return str(self._pipe.recv())


def _play(pipe: Connection, name: str, row: PlannedDialog, options: Options) -> None:
    """Play one dialog; what happens is sent through the pipe."""
    from benyfits_data.evaluation.run import UnscoredError, play_run

    use_terminal(_Page(pipe))
    try:
        run = play_run(name, [row], options)
    except UnscoredError as error:
        pipe.send(("failed", next(iter(error.run.unscored.values()))))
    except BenyfitsError as error:
        pipe.send(("failed", str(error)))
    else:
        (dialog,) = run.dialogs
        broken = next(
            (failure.message for failure in dialog.failures if failure.kind == "agent_failed"), ""
        )
        facts = len({(turn.key, turn.member) for turn in dialog.turns if turn.key})
        pipe.send(("decided", (dict(dialog.verdicts), len(dialog.turns), facts, broken)))


class AgentTalk:
    """A person's dialog with an agent.

    Args:
        name: Name of the dataset, in the log.
        row: The household that the person speaks for; with id `OWN`, their own.
        options: Who plays the agent, and the folder of the log.

    Attributes:
        row: The same row.
        asked: The question that waits for an answer; `None` when the dialog has ended.
        said: Every question with its answer so far.
        note: Why the dialog failed; empty if it did not.
        decided: What the agent said of each program; empty before the end.
        turns: Questions that were asked, and of how many facts where the agent asks through facts.
    """

    def __init__(self, name: str, row: PlannedDialog, options: Options) -> None:
        self.row = row
        self.said: list[tuple[str, str]] = []
        self.note = ""
        self.turns = (0, 0)
        self.asked: Asked | None = None
        self.decided: dict[str, bool] = {}
        self._pipe, far = get_context("spawn").Pipe()
        options = replace(
            options,
            roles={**options.roles, "user": HUMAN, "reader": "none"},
            concurrency=1,
            keep_going=True,
        )
        self._process = get_context("spawn").Process(
            target=_play, args=(far, name, row, options), daemon=True
        )
        self._process.start()
        far.close()
        self._wait()

    @property
    def progress(self) -> str:
        """How many questions were answered."""
        return f"Question {len(self.said) + 1} about {len(self.row.programs)} programs."

    def answer(self, answer: str | None) -> None:
        """Send an answer to the agent, `None` where the person does not know, and wait."""
        assert self.asked is not None, "The dialog has ended."
        said = answer or DONT_KNOW
        self.said.append((self.asked.text, said))
        with suppress(OSError):  # Whoever waits hears that nobody is there.
            self._pipe.send(said)
        self._wait()

    def _wait(self) -> None:
        self.asked = None
        try:
            what, content = self._pipe.recv()
        except (EOFError, OSError):
            what, content = "failed", "its process ended"
        if what == "asked":
            self.asked = recognise_question(content)
        elif what == "decided":
            self.decided, *turns, self.note = content
            self.turns = (turns[0], turns[1])
        else:
            self.note = str(content)

    @property
    def verdicts(self) -> list[ShownVerdict]:
        """What the agent decided; with the labels where the household is made up."""
        if self.row.id.startswith(OWN):
            return [ShownVerdict(name, verdict) for name, verdict in self.decided.items()]
        household = Household.from_facts(self.row.household, constrained=False)
        return explained(load_edition(self.row.edition), self.decided, household, labels=True)


def row_of_a_person(programs: tuple[str, ...], edition: int, name: str = OWN) -> PlannedDialog:
    """Return the dialog of a person who speaks for their own household; nobody knows its labels."""
    rules = load_edition(edition)
    household: dict[str, Any] = Household.complete(members=[{}]).facts()
    return PlannedDialog(
        id=name,
        edition=edition,
        household=household,
        profile="A person speaks for their own household.",
        programs=tuple(sorted(programs)),
        labels={},
        requirements={name: rules.program(name).requirements() for name in programs},
    )
