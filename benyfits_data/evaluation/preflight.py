"""One short call to the model of each role before a run: does its server answer, and who does?"""

from collections.abc import Callable
from typing import Any

import anyio

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.agents import used_roles
from benyfits_data.evaluation.conversation import InfrastructureError
from benyfits_data.evaluation.replies import is_under, one_property
from benyfits_data.evaluation.run_options import Options, make_models

FIRST_RETRIES, FIRST_TOKENS = 1, 32
"""Of the short call before a run: where nobody listens, it says so within seconds."""
READY = one_property("ready", {"type": "boolean"})
"""It asks for another reply than the prompt: only a server that decodes under it gives that."""


def check_models(options: Options, warn: Callable[[str], object]) -> dict[str, str]:
    """Return the model that replied to one short call, by role, as its server names it.

    Args:
        options: How the run will be played.
        warn: Is told, in a sentence, of a server that does not hold replies to a schema.

    Raises:
        EvaluationError: A model does not answer.
    """

    async def check_all() -> dict[str, str]:
        return {
            role: await _check_model(role, model, options, warn)
            for role, model in make_models(options, retries=FIRST_RETRIES).items()
            if role in used_roles(options.agent)
        }

    return anyio.run(check_all)


async def _check_model(
    role: str, model: Any, options: Options, warn: Callable[[str], object]
) -> str:
    from benyfits_data.evaluation.model_calls import InspectModels, ServerState

    address = getattr(model.api, "base_url", None)
    name = options.roles[role] + (f" at {address}" if address else "")
    state = ServerState.of(options.describe_roles())
    models = InspectModels({role: model}, state, options.seed, cached_roles=frozenset())
    schema = None if role == "user" else READY
    try:
        reply = await models.complete(role, "", "Reply with OK.", schema, FIRST_TOKENS)
    except InfrastructureError as error:
        raise EvaluationError(
            f"{name} does not answer. {error} Nothing was played.", role=role
        ) from error
    if schema and reply.stop == "stop" and not is_under(reply.text, schema):
        warn(
            f"{role}: {name} does not hold replies to a JSON schema. A reply in another form "
            "counts as a failure."
        )
    return "+".join(models.usage[role].served)
