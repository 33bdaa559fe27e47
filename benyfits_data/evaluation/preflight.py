"""A call of each role before a run, as long as its longest: what servers do, what it will cost."""

import errno
import math
import os
import socket
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import anyio

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.agents import used_roles
from benyfits_data.evaluation.codegen.coding import TYPE
from benyfits_data.evaluation.conversation import (
    CODE_TOKENS,
    REPLY_TOKENS,
    Completion,
    Conversation,
    InfrastructureError,
    Models,
)
from benyfits_data.evaluation.fact_answers import question_of
from benyfits_data.evaluation.models import GROUNDED
from benyfits_data.evaluation.planned import PlannedDialog, limit_of
from benyfits_data.evaluation.players.users import HumanUser, ModelUser
from benyfits_data.evaluation.prompts import Prompts
from benyfits_data.evaluation.record import Turn, Usage
from benyfits_data.evaluation.replies import read_property
from benyfits_data.evaluation.run_options import Options, make_models
from benyfits_data.evaluation.turn_reading import TurnReader, make_reader
from benyfits_data.household.model import Household
from benyfits_data.rng import stream

LIKELY_TURNS = 20
"""Turns of a dialog where nothing is known: what the paper reports of ProADA, 20.4 (Table 1)."""
LETTERS_A_TOKEN = 4
TURN_TOKENS = 60
"""A question and its answer, as a prompt repeats them."""
USER_TOKENS = 200
"""What the user is told besides the profile."""
REPLY_LENGTH = 30
READER_TOKENS = 4_800
"""What a reader is told: nearly all of it, the facts, is the same in every call."""
READ_LENGTH = 150
"""Queries or claims of one turn, as JSON."""
PROGRAM_LENGTH = 800
CALLS_A_TURN = {"react": 3}
"""Calls of the dialog model for each question, two if not named: it asks, and is ready or reads."""
KEYS_A_PROGRAM = 10
"""Keys of a generated program, each typed by two calls of the code model."""


@dataclass(frozen=True)
class ModelCheck:
    """What the first call to a role's model showed.

    Attributes:
        line: A line for people.
        served: The model that replied, as its server names it.
    """

    role: str
    line: str
    served: str


def check_models(rows: Sequence[PlannedDialog], options: Options) -> list[ModelCheck]:
    """Return what a call to the model of each role told, as long as the longest of the run.

    Args:
        rows: The planned dialogs.
        options: How they are to be played.

    Raises:
        EvaluationError: A model does not answer, or has no room for the run's longest prompt.
    """
    served = {
        role: model
        for role, model in make_models(options).items()
        if role in used_roles(options.agent) and not options.roles[role].startswith("embedded/")
    }

    async def check_all() -> list[ModelCheck]:
        return [await _check(role, model, rows, options) for role, model in served.items()]

    return anyio.run(check_all)


async def _check(
    role: str, model: Any, rows: Sequence[PlannedDialog], options: Options
) -> ModelCheck:
    from benyfits_data.evaluation.model_calls import InspectModels, ServerState

    address = getattr(model.api, "base_url", None)
    name = _name(options.roles[role], address)
    _check_port(name, address, role)
    state = ServerState.of(options.describe_roles())
    models = InspectModels({role: model}, state, options.seed, cached_roles=frozenset())
    prompts = Prompts(options.prompts)
    row = max(rows, key=lambda row: len(row.profile) + len("".join(row.requirements.values())))
    nobody = HumanUser("")
    talk = Conversation(
        row.programs, row.requirements, nobody, models, prompts, stream(0, "preflight"), row.edition
    )
    talk.turns = [Turn(question_of("age", 0), "I am 34.")] * LIKELY_TURNS
    started = time.monotonic()
    try:
        is_understood = await _call(role, talk, row, models)
    except InfrastructureError as error:
        raise EvaluationError(
            f"{name} does not answer. {error} Nothing was played.", role=role
        ) from error
    kinds = {failure.kind for failure in talk.failures}
    if kinds & {"context_full", "prompt_cut"}:
        raise EvaluationError(
            f"{name} has no room for the longest prompt of this run and {REPLY_TOKENS} tokens of "
            "reply. Start its server with a longer context (vLLM: max_model_len, llama.cpp: -c, "
            "Ollama: num_ctx), or shorten replies with --max-tokens. Nothing was played.",
            role=role,
        )
    schema = {"user": "not used"}.get(role, "honoured" if is_understood else "not honoured")
    if "reply_cut" in kinds:
        schema = "not honoured: the reply had no end (white space, or long thoughts)"
    if "schema_refused" in kinds:
        schema = "refused: replies are read as text"
    if "reply_empty" in kinds:
        schema += "; the reply is empty"
    if "tokens_unknown" in kinds:
        schema += "; the server does not say how many tokens it reads and writes"
    left_out = ", ".join(sorted(state.left_out[role] - {"response_schema"}))
    chosen = f"; without {left_out}" if left_out else ""
    if role in state.most_tokens:
        chosen += f"; replies of {state.most_tokens[role]} tokens"
    usage = models.usage.get(role, Usage())
    seconds = time.monotonic() - started
    line = f"{role:<7}{name} answers in {seconds:.1f} s; schema {schema}{chosen}"
    return ModelCheck(role, line, "+".join(usage.served))


async def _call(role: str, talk: Conversation, row: PlannedDialog, models: Models) -> bool:
    """Make one call of a role as in a dialog, and return whether its reply could be read."""
    if role == "user":
        user = ModelUser(row.profile, _Recorded(models, talk), talk.prompts)
        await user.answer(question_of("age", 0), talk.turns)
    elif role == "code":
        program = max(row.requirements, key=lambda name: len(row.requirements[name]))
        reply = await talk.complete(
            "get_type",
            role="code",
            with_dialog=False,
            schema=TYPE,
            max_tokens=CODE_TOKENS,
            eligibility_requirements=talk.rules_of([program]),
            code='def check_eligibility(hh):\n    return hh[0]["age"] > 17\n',
            key="age",
        )
        return read_property(reply, "type") is not None
    elif role == "reader":
        household = Household.from_facts(row.household, constrained=False)
        reading = TurnReader(household, make_reader("reader", _Recorded(models, talk)))
        return await reading.read_question("And how old is everybody at home?", []) is not None
    else:
        await talk.predict()
    return not any(failure.kind == "verdict_not_parsed" for failure in talk.failures)


class _Recorded:
    """Records what is wrong with the replies of models."""

    def __init__(self, models: Models, talk: Conversation) -> None:
        self._models, self._talk = models, talk

    async def complete(self, role: str, *asked: Any) -> Completion:
        reply = await self._models.complete(role, *asked)
        self._talk.record(reply, role)
        return reply


def check_ports(options: Options) -> None:
    """Refuse servers that nobody has started, where no call is made before a run.

    Raises:
        EvaluationError: Nobody listens at the address of a role's model.
    """
    for role, described in options.describe_roles().items():
        if role in used_roles(options.agent) and role in options.described_models():
            service = described["model"].removeprefix("openai-api/").partition("/")[0]
            variable = f"{service.upper().replace('-', '_')}_BASE_URL"
            address = described["address"] or os.environ.get(variable)
            _check_port(_name(described["model"], address), address, role)


def _name(model: str, address: str | None) -> str:
    return model + (f" at {address}" if address else "")


def _check_port(name: str, address: str | None, role: str) -> None:
    """Refuse an address where nobody listens, without the patience that retries have."""
    place = urlsplit(address or "")
    is_elsewhere = place.scheme in getproxies() and not proxy_bypass(place.hostname or "")
    if place.hostname is None or is_elsewhere:
        return
    port = place.port or (443 if place.scheme == "https" else 80)
    try:
        socket.create_connection((place.hostname, port), timeout=5).close()
    except (ConnectionRefusedError, socket.gaierror) as error:
        what = "nobody listens there" if error.errno == errno.ECONNREFUSED else "no such host"
        raise EvaluationError(
            f"{name}: {what}. Start the server, or mend --base-url. Nothing was played.",
            role=role,
        ) from error
    except OSError:
        return  # The call itself tells what is wrong.


def describe_cost(
    rows: Sequence[PlannedDialog],
    options: Options,
    prices: Mapping[str, tuple[float, float, float]] | None = None,
) -> list[str]:
    """Return about what a run will take of each role's model, a line each.

    Args:
        rows: The planned dialogs.
        options: How they are to be played.
        prices: Dollars for a million tokens read, written and read from a cache, by model.
    """
    lines = []
    for role, (calls, read, written) in _estimate(rows, options).items():
        if role not in options.described_models() or role not in used_roles(options.agent):
            continue
        price = (prices or {}).get(options.roles[role], (math.nan,) * 3)
        dollars = (read * price[0] + written * price[1]) / 1e6
        money = "" if math.isnan(dollars) else f", about ${dollars:,.2f}"
        lines.append(
            f"{role:<7}about {calls:,} calls, {read:,.0f} tokens read, {written:,} written{money}"
        )
    if lines and "user" in used_roles(options.agent):
        limits = (limit_of(row, options.max_turns, options.questions) for row in rows)
        most = options.trials * sum(limits)
        lines.append(f"for {LIKELY_TURNS} questions a dialog; at most {most:,} questions in all")
    return lines


def _estimate(rows: Sequence[PlannedDialog], options: Options) -> dict[str, tuple[int, float, int]]:
    """Calls, tokens read and tokens written by role, if dialogs are as long as the paper's."""
    texts = {name: text for row in rows for name, text in row.requirements.items()}
    rules = fmean(len("".join(row.requirements.values())) for row in rows) / LETTERS_A_TOKEN
    profile = fmean(len(row.profile) for row in rows) / LETTERS_A_TOKEN
    text = fmean(map(len, texts.values())) / LETTERS_A_TOKEN
    turns = len(rows) * options.trials * LIKELY_TURNS
    asked = turns * CALLS_A_TURN.get(options.agent, 2)
    if "user" not in used_roles(options.agent):
        asked = len(rows) * options.trials
    # ProADA's prompts hold the text of one program, those of the others all.
    prompt = TURN_TOKENS * LIKELY_TURNS / 2 + rules / (
        4 if options.agent.startswith("proada") else 1
    )
    # Reading one turn: a question, if it is not canonical, and an answer, if it is not our own.
    read = turns * (2 - (options.roles["user"] == GROUNDED)) if "reader" in options.roles else 0
    # A prompt for a program holds the keys of those before it, so that no kept reply serves twice.
    wrote = sum(len(row.programs) for row in rows) * options.trials
    coded = wrote * (1 + 2 * KEYS_A_PROGRAM)
    return {
        "dialog": (asked, asked * prompt, asked * REPLY_LENGTH),
        "user": (turns, turns * (profile + USER_TOKENS), turns * REPLY_LENGTH),
        "reader": (read, read * READER_TOKENS, read * READ_LENGTH),
        "code": (
            coded,
            coded * (text + PROGRAM_LENGTH),
            wrote * PROGRAM_LENGTH + coded * REPLY_LENGTH,
        ),
    }
