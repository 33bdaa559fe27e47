"""What a run was: everything on which its scores may depend, and a digest of it.

Two dialogs belong to one row of a table only if these agree. What only makes a run faster or slower
(concurrency, timeouts, the log folder) is left out.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benyfits_data.evaluation import conversation, hiding, models
from benyfits_data.evaluation.agents import agent_source, is_ours, is_outside, used_roles
from benyfits_data.evaluation.planned import PlannedDialog, describe_limit
from benyfits_data.evaluation.prompts import Prompts
from benyfits_data.evaluation.run_options import Options
from benyfits_data.version import __version__

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog
    from inspect_ai.model import GenerateConfig

SCORING = 2
"""Raised when the same dialogs would score otherwise; 2: dialogs that break off are scored."""

SET_BY_INSPECT = "set by inspect"
"""Stands in the manifest of a task that inspect starts for what its log alone says."""
_SPEED = {
    *("max_connections", "adaptive_connections", "max_retries", "timeout", "attempt_timeout"),
    *("stream_idle_timeout", "batch", "cache", "cache_prompt", "max_tool_output"),
}
"""Settings of a model that make a run faster or slower and change no reply."""

_MANNERS = ("is_proven", "style")

Manifest = Mapping[str, Any]


def describe_run(
    name: str,
    rows: Sequence[PlannedDialog],
    options: Options,
    roles: Mapping[str, Mapping[str, Any]] | None = None,
) -> dict[str, Any]:
    """Return the manifest of a run.

    Args:
        name: Name of the dataset.
        rows: The planned dialogs.
        options: How they are to be played.
        roles: What is known of each role's player, where `options` do not tell.
    """
    agent, questions = options.agent, options.questions
    roles = options.describe_roles() if roles is None else roles
    total = len(rows) if options.total is None else options.total
    # What an agent of somebody else's could have seen, its scores may depend on.
    apart = hiding.describe() if is_outside(agent) else "nothing"
    more = {} if is_ours(agent) else {"kept_apart_by": apart}
    if questions:
        more["questions"] = questions
    return {
        "version": __version__,
        "scoring": SCORING,
        "agent": {"name": agent, "code": digest(_source(agent)), **more},
        "roles": {role: dict(roles[role]) for role in used_roles(agent) if role in roles},
        "prompts": digest(Prompts(options.prompts).texts()),
        "texts": "+".join(sorted({row.texts for row in rows})),
        "profiles": "+".join(sorted({row.profiles for row in rows})),
        "seed": options.seed,
        "trials": options.trials,
        "limits": {
            **describe_limit(rows, options.max_turns, questions),
            "answer_letters": conversation.ANSWER_LETTERS,
            **({"seconds": options.max_seconds} if options.max_seconds else {}),
        },
        "dataset": {
            "name": name,
            "column": options.column if len(rows) == total else None,
            "editions": sorted({row.edition for row in rows}),
            "dialogs": len(rows),
            "of": total,
            "households": digest([[row.id, row.household, row.profile] for row in rows]),
            "labels": digest([dict(row.labels) for row in rows]),
            "texts": digest([dict(row.requirements) for row in rows]),
            "weights": digest([dict(row.weights) for row in rows]),
            "readings": digest([[list(row.contested), dict(row.flips)] for row in rows]),
        },
    }


def manifest_of(log: "EvalLog") -> dict[str, Any]:
    """Return the manifest of a log: with the rows, trials, models and settings that inspect chose.

    Args:
        log: A log of ours.
    """
    manifest: dict[str, Any] = dict((log.eval.metadata or {})["manifest"])
    dataset = dict(manifest["dataset"])
    ids = log.eval.dataset.sample_ids
    if ids is not None and len(ids) != dataset["dialogs"]:
        chosen = digest([dataset["households"], sorted(map(str, ids))])
        dataset |= {"dialogs": len(ids), "column": None, "households": chosen}
    roles: dict[str, Any] = {}
    for role, described in manifest["roles"].items():
        roles[role] = (
            described
            if SET_BY_INSPECT not in described.values()
            else _describe_player(log, role, described, roles)
        )
    roles = {
        role: described
        for role, described in roles.items()
        if described["model"] != models.NO_READER
    }
    trials = log.eval.config.epochs or manifest["trials"]
    return {**manifest, "dataset": dataset, "roles": roles, "trials": trials}


def _describe_player(
    log: "EvalLog", role: str, described: Manifest, earlier: Mapping[str, Manifest]
) -> Manifest:
    """Return who played a role of a task that inspect started, and how it was reached and asked."""
    chosen, models_given = log.eval, log.eval.model_roles or {}
    named = None if described["model"] == SET_BY_INSPECT else described["model"]
    more = {name: value for name, value in described.items() if value != SET_BY_INSPECT}
    evaluated = _describe_model(
        chosen.model, chosen.model_base_url, chosen.model_args, chosen.model_generate_config
    )
    given = None
    if role in models_given:
        model: Any = models_given[role]
        model = model[0] if isinstance(model, list) else model
        given = _describe_model(model.model, model.base_url, model.args, model.config)
    user = {key: value for key, value in earlier.get("user", {}).items() if key not in _MANNERS}
    is_read = bool(user) and models.is_model("user", user["model"])
    player = models.cast_role(
        role,
        named,
        given,
        None if chosen.model.startswith("none") else evaluated,
        user if is_read else models.REFERENCE,
    )
    if isinstance(player, str):
        # A model that the task names is asked as the evaluated one.
        settings = evaluated if models.is_model(role, player) else {}
        return {**more, **settings, "model": player}
    return {**more, **player}


def _describe_model(
    name: str, address: str | None, arguments: Manifest, config: "GenerateConfig"
) -> dict[str, Any]:
    return {
        "model": name,
        "address": address,
        "arguments": dict(arguments),
        **describe_config(config),
    }


def describe_config(config: "GenerateConfig") -> dict[str, Any]:
    """Return the settings of a model that may change its replies."""
    return config.model_dump(mode="json", exclude_none=True, exclude=_SPEED)


def digest(content: Any) -> str:
    """Return the first 16 digits of the SHA-256 of plain data."""
    text = json.dumps(content, sort_keys=True, default=dict, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def list_settings(manifest: Manifest, prefix: str = "") -> dict[str, Any]:
    """Return a manifest as one value per name, such as `roles.dialog.temperature`."""
    flat: dict[str, Any] = {}
    for key, value in manifest.items():
        if isinstance(value, Mapping):
            flat |= list_settings(value, f"{prefix}{key}.")
        else:
            flat[prefix + key] = value
    return flat


def compare_manifests(first: Manifest, second: Manifest) -> dict[str, tuple[Any, Any]]:
    """Return what differs between two runs: both values by name; `None` where one has none."""
    ours, theirs = list_settings(first), list_settings(second)
    return {
        name: (ours.get(name), theirs.get(name))
        for name in sorted({*ours, *theirs})
        if ours.get(name) != theirs.get(name)
    }


def _source(agent: str) -> dict[str, str]:
    """The text of an agent's file, and of the package that plays it: edited, they are others."""
    folder = Path(__file__).parent
    ours = [path for path in sorted(folder.rglob("*.py")) if folder / "results" not in path.parents]
    paths = {path.relative_to(folder).as_posix(): path for path in ours}
    texts = {name: path.read_text(encoding="utf-8") for name, path in paths.items()}
    return {**texts, "agent": agent_source(agent)}
