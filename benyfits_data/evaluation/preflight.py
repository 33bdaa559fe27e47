"""One call per model before a run: whether it answers, follows a schema, what a run will cost."""

import math
import time
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

import anyio

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.agents import used_roles
from benyfits_data.evaluation.conversation import REPLY_TOKENS, InfrastructureError
from benyfits_data.evaluation.models import GROUNDED
from benyfits_data.evaluation.planned import PlannedDialog
from benyfits_data.evaluation.replies import one_property, read_json
from benyfits_data.evaluation.run_options import Options, make_models
from benyfits_data.evaluation.turn_limits import limit_of

PROMPT = 'This is a test. Reply with the JSON object {"ready": true} and nothing else.'
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


def check_models(options: Options) -> list[str]:
    """Return what one call to each served model told, a line each.

    Args:
        options: How the run is to be played.

    Raises:
        EvaluationError: A model does not answer; the message names role, address and reason.
    """
    served = {
        role: model
        for role, model in make_models(options).items()
        if role in used_roles(options.agent) and not options.roles[role].startswith("embedded/")
    }

    async def check_all() -> list[str]:
        return [await _check(role, model, options) for role, model in served.items()]

    return anyio.run(check_all)


async def _check(role: str, model: Any, options: Options) -> str:
    from benyfits_data.evaluation.model_calls import InspectModels, ServerState

    completer = InspectModels({role: model}, ServerState(), options.seed, cached_roles=frozenset())
    address = getattr(model.api, "base_url", None)
    name = options.roles[role] + (f" at {address}" if address else "")
    schema = one_property("ready", {"type": "boolean"})
    started = time.monotonic()
    try:
        reply = await completer.complete(role, "", PROMPT, schema, REPLY_TOKENS)
    except InfrastructureError as error:
        raise EvaluationError(
            f"{name} does not answer. {error}. Nothing was played.", role=role
        ) from error
    found = read_json(reply.text)
    followed = isinstance(found, dict) and isinstance(found.get("ready"), bool)
    told = "honoured" if followed else f"not honoured ({reply.text[:40]!r})"
    if reply.is_schema_refused:
        told = "refused: replies are read as text"
    return f"{role:<7}{name} answers in {time.monotonic() - started:.1f} s; schema {told}"


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
    if lines:
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
    # ProADA's prompts hold the text of one program, those of the others all.
    prompt = TURN_TOKENS * LIKELY_TURNS / 2 + rules / (
        4 if options.agent.startswith("proada") else 1
    )
    # Reading one turn: a question, if it is not canonical, and an answer, if it is not our own.
    read = turns * (2 - (options.roles["user"] == GROUNDED)) if "reader" in options.roles else 0
    # Replies of the code model are kept, so that each program is written once a trial.
    wrote = len(texts) * options.trials
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
