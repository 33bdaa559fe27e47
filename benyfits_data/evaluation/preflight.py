"""One call per model before a run: whether it answers, follows a schema, what a run will cost."""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import anyio

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.agents import used_roles
from benyfits_data.evaluation.conversation import (
    QUESTIONS,
    QUESTIONS_PER_PROGRAM,
    REPLY_TOKENS,
    InfrastructureError,
)
from benyfits_data.evaluation.models import InspectModels
from benyfits_data.evaluation.planned import PlannedDialog
from benyfits_data.evaluation.replies import one_property, read_json
from benyfits_data.evaluation.run_options import Options, make_models

PROMPT = 'This is a test. Reply with the JSON object {"ready": true} and nothing else.'
LIKELY_TURNS = 20
"""Turns of a dialog where nothing is known: what the paper reports of ProADA, 20.4 (Table 1)."""
LETTERS_A_TOKEN = 4
TURN_TOKENS = 60
"""A question and its answer, as a prompt repeats them."""
REPLY_LENGTH = 30
PROGRAM_LENGTH = 800
CALLS_A_TURN = {"direct": 2, "react": 3, "proada": 2, "proada-without-clarity": 2}
"""Calls of the dialog model for each question: it asks, and is ready or reads the answer."""
KEYS_A_PROGRAM = 10
"""Keys of a generated program, each typed by two calls of the code model."""


@dataclass(frozen=True)
class Check:
    """What one call to a role's model told.

    Attributes:
        role: The role.
        model: Its model.
        address: Where it was called; empty where the provider decides.
        schema: Whether its reply followed the schema: honoured, not honoured, or refused.
        seconds: How long it took.
    """

    role: str
    model: str
    address: str
    schema: str
    seconds: float

    def __str__(self) -> str:
        where = f" at {self.address}" if self.address else ""
        return (
            f"{self.role:<7}{self.model}{where} answers in {self.seconds:.1f} s; "
            f"schema {self.schema}"
        )


@dataclass(frozen=True)
class Estimate:
    """What a run will take of one role's model, roughly: calls, tokens read and written."""

    calls: int
    read: int
    written: int


def check_models(options: Options) -> list[Check]:
    """Return what one call to each served model told.

    Args:
        options: How the run is to be played.

    Raises:
        EvaluationError: A model does not answer; the message names role, address and reason.
    """
    models = {
        role: model
        for role, model in make_models(options).items()
        if role in used_roles(options.agent) and not options.roles[role].startswith("embedded/")
    }
    return anyio.run(_check_all, models, options) if models else []


async def _check_all(models: Mapping[str, Any], options: Options) -> list[Check]:
    return [await _check(role, model, options) for role, model in models.items()]


async def _check(role: str, model: Any, options: Options) -> Check:
    completer = InspectModels({role: model}, {}, options.seed, cached_roles=frozenset())
    name, address = options.roles[role], getattr(model.api, "base_url", None) or ""
    schema = one_property("ready", {"type": "boolean"})
    started = time.monotonic()
    try:
        reply = await completer.complete(role, "", PROMPT, schema, REPLY_TOKENS)
    except InfrastructureError as error:
        where = f" at {address}" if address else ""
        raise EvaluationError(
            f"{name}{where} does not answer. {error}. Nothing was played.", role=role
        ) from error
    found = read_json(reply.text)
    followed = isinstance(found, dict) and isinstance(found.get("ready"), bool)
    told = "honoured" if followed else f"not honoured ({reply.text[:40]!r})"
    if reply.is_schema_refused:
        told = "refused: replies are read as text"
    return Check(role, name, address, told, time.monotonic() - started)


def estimate(rows: Sequence[PlannedDialog], options: Options) -> dict[str, Estimate]:
    """Return what a run will take of each role's model, if dialogs are as long as the paper's.

    Args:
        rows: The planned dialogs.
        options: How they are to be played.
    """
    dialogs = len(rows) * options.trials
    turns = dialogs * LIKELY_TURNS
    rules = sum(len(text) for row in rows for text in row.requirements.values())
    rules_tokens = rules / LETTERS_A_TOKEN / max(1, len(rows))
    profile_tokens = sum(len(row.profile) for row in rows) / LETTERS_A_TOKEN / max(1, len(rows))
    is_proada = options.agent.startswith("proada")
    prompt = TURN_TOKENS * LIKELY_TURNS / 2 + rules_tokens / (4 if is_proada else 1)
    asked = turns * CALLS_A_TURN.get(options.agent, 2)
    programs = {name: text for row in rows for name, text in row.requirements.items()}
    # Replies of the code model are kept, so that each program is written once a trial.
    wrote = len(programs) * options.trials
    coded = wrote * (1 + 2 * KEYS_A_PROGRAM)
    text_tokens = sum(map(len, programs.values())) / LETTERS_A_TOKEN / max(1, len(programs))
    code = coded * (text_tokens + PROGRAM_LENGTH)
    every = {
        "dialog": Estimate(asked, round(asked * prompt), asked * REPLY_LENGTH),
        "user": Estimate(turns, round(turns * (profile_tokens + 200)), turns * REPLY_LENGTH),
        "code": Estimate(coded, round(code), wrote * PROGRAM_LENGTH + coded * REPLY_LENGTH),
    }
    served = used_roles(options.agent)
    return {role: each for role, each in every.items() if role in served}


def most_questions(rows: Sequence[PlannedDialog], options: Options) -> int:
    """Return how many questions a run may have at most."""
    limits = (min(QUESTIONS, QUESTIONS_PER_PROGRAM * len(row.programs)) for row in rows)
    return options.trials * sum(limits)


def describe_cost(
    rows: Sequence[PlannedDialog],
    options: Options,
    prices: Mapping[str, tuple[float, float]] | None = None,
) -> list[str]:
    """Return what a run will cost, a line for each role with a model.

    Args:
        rows: The planned dialogs.
        options: How they are to be played.
        prices: Dollars for a million tokens read and written, by model.
    """
    lines = []
    for role, each in estimate(rows, options).items():
        if role not in options.described_models():
            continue
        read, written = (prices or {}).get(options.roles[role], (math.nan, math.nan))
        dollars = (each.read * read + each.written * written) / 1e6
        money = "" if math.isnan(dollars) else f", about ${dollars:,.2f}"
        lines.append(
            f"{role:<7}about {each.calls:,} calls, {each.read:,} tokens read, "
            f"{each.written:,} written{money}"
        )
    if lines:
        lines.append(
            f"for {LIKELY_TURNS} questions a dialog; at most "
            f"{most_questions(rows, options):,} questions in all"
        )
    return lines
