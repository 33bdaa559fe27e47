"""Agents of one's own, for tests."""


class AsksFacts:
    """A planner of somebody else's: facts in, values out, no English."""

    roles = ("user",)

    async def run(self, conversation):
        size = await conversation.ask_fact("number_of_members")
        income = await conversation.ask_fact("annual_work_income", member=0)
        if {type(size.value), type(income.value)} != {int} or len(conversation.turns) != 2:
            raise ValueError(f"{size}, {income}")
        return dict.fromkeys(conversation.programs, True)


class Endless:
    def ask(self, conversation):
        return "And now?"

    def ready(self, conversation):
        return False

    def predict(self, conversation):
        return dict.fromkeys(conversation.programs, conversation.questions_left == 0)


class Broken:
    roles = ()

    def run(self, conversation):
        raise ZeroDivisionError("a bug in somebody's agent")


class AsksUnsaid:
    async def run(self, conversation):
        return await conversation.predict()
