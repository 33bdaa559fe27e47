"""Agents of one's own, for tests."""


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
