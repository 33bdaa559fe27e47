"""Agents of others, for tests: loaded in a process that has no datasets and no checkers."""

import gc
import os
import subprocess
import sys
from pathlib import Path

import benyfits_data

PACKAGE = Path(benyfits_data.__file__).parent
RECORDED = PACKAGE / "evaluation" / "recorded" / "2024" / "diverse.jsonl.xz"


class Fair:
    roles = ("user",)

    async def run(self, conversation):
        sys.stdout.write("what an agent prints goes to the terminal\n")
        answer = await conversation.ask("Where does the household live?")
        conversation.fail("reply_not_parsed", f"{len(conversation.turns)} turn")
        lives_here = "New York City" in answer
        return dict.fromkeys(conversation.programs, lives_here)


class AsksFacts:
    """A planner of somebody else's: facts in, values out, no English."""

    roles = ("user",)

    async def run(self, conversation):
        size = await conversation.ask_fact("number_of_members")
        roster = await conversation.ask_roster()
        income = await conversation.ask_fact("annual_work_income", member=0)
        students = await conversation.ask_everybody("disabled")
        is_right = size.value == len(roster.value) == len(students.value)
        if not is_right or type(income.value) is not int or len(conversation.turns) != 4:
            raise ValueError(f"{size}, {roster}, {income}, {students}")
        return dict.fromkeys(conversation.programs, True)


class Peeks:
    roles = ()

    def run(self, conversation):
        from benyfits_data.household.model import Household

        user = getattr(conversation, "_user", None)
        reached = [item for item in gc.get_objects() if isinstance(item, Household)]
        return dict.fromkeys(conversation.programs, user is not None or bool(reached))


class Endless:
    def ask(self, conversation):
        return "And now?"

    def ready(self, conversation):
        return False

    def predict(self, conversation):
        return dict.fromkeys(conversation.programs, conversation.questions_left == 0)


class Dies:
    def run(self, conversation):
        os._exit(3)


class Rambles:
    def run(self, conversation):
        sys.__stdout__.write("x" * 100 + "\n")
        sys.__stdout__.flush()
        return {}


class Broken:
    roles = ()

    def run(self, conversation):
        raise ZeroDivisionError("a bug in somebody's agent")


class AsksModel:
    roles = ("dialog", "user")

    async def run(self, conversation):
        return await conversation.predict()


class AsksUnsaid:
    async def run(self, conversation):
        return await conversation.predict()


class Reads:
    """Says eligible where any way leads to a dataset or a checker."""

    roles = ()

    def run(self, conversation):
        found = any(self.reaches(way) for way in (self.opens, self.imports, self.lists))
        return dict.fromkeys(conversation.programs, found)

    @staticmethod
    def reaches(way):
        try:
            return bool(way())
        except (OSError, ImportError):
            return False

    @staticmethod
    def opens():
        return RECORDED.read_bytes()

    @staticmethod
    def imports():
        from benyfits_data.checkers import types

        return types

    @staticmethod
    def lists():
        return os.listdir(RECORDED.parent)


class Digs(Reads):
    """Says eligible where a child, a mount or the other process leads to a dataset."""

    def run(self, conversation):
        subprocess.run(["umount", RECORDED.parent], check=False, capture_output=True)
        subprocess.run(["umount", "-l", RECORDED.parent], check=False, capture_output=True)
        parents = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdigit()]
        places = [RECORDED, *(Path(f"/proc/{number}/root{RECORDED}") for number in parents)]
        said = [subprocess.run(["cat", place], capture_output=True).stdout for place in places]
        return dict.fromkeys(conversation.programs, any(said))
