"""What a run was: everything on which its scores may depend, and a digest of it.

Two dialogs belong to one row of a table only if these agree. What only makes a run faster or slower
(concurrency, timeouts, the log folder) is left out.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benyfits_data.evaluation import conversation, models
from benyfits_data.evaluation.agents import agent_source, needs_par, used_roles
from benyfits_data.evaluation.planned import PlannedDialog, describe_limit
from benyfits_data.evaluation.prompts import Prompts
from benyfits_data.evaluation.run_options import Options, read_factor
from benyfits_data.version import __version__

if TYPE_CHECKING:
    from inspect_ai.log import EvalLog
    from inspect_ai.model import GenerateConfig, Model

SCORING = 2
"""Raised when the same dialogs would score otherwise; 2: dialogs that break off are scored."""

PLAYERS = "players"
"""Where a sample's store keeps who played, how they were reached and asked."""
_SPEED = {
    *("max_connections", "adaptive_connections", "max_retries", "timeout", "attempt_timeout"),
    *("stream_idle_timeout", "batch", "cache", "cache_prompt", "max_tool_output"),
}
"""Settings of a model that make a run faster or slower and change no reply."""

PACKAGE = Path(__file__).parents[1]
HARMLESS = (
    *("cli", "site", "publishing", "upkeep", "lint", "adequacy", "fuzz"),
    *("evaluation/results", "evaluation/studies", "evaluation/rules"),
)
"""Parts of this package in which nothing decides what a dialog scores. What is recorded in `.xz`
is left out too: a manifest holds digests of the rows that were played."""

Manifest = Mapping[str, Any]


def describe_run(name: str, rows: Sequence[PlannedDialog], options: Options) -> dict[str, Any]:
    """Return the manifest of a run; its `roles` are open where inspect decides who plays one.

    Args:
        name: Name of the dataset.
        rows: The planned dialogs.
        options: How they are to be played.
    """
    agent, roles = options.agent, options.describe_roles()
    is_open = not options.roles.keys() >= {*models.ROLES}
    total = len(rows) if options.total is None else options.total
    is_par_used = needs_par(agent) or read_factor(options.max_turns) is not None
    return {
        "version": __version__,
        "scoring": SCORING,
        "agent": {"name": agent, "code": digest([digest_code(PACKAGE), agent_source(agent)])},
        "roles": None if is_open else {r: roles[r] for r in used_roles(agent) if r in roles},
        "prompts": digest(Prompts(options.prompts).texts()),
        "texts": "+".join(sorted({row.texts for row in rows})),
        "profiles": "+".join(sorted({row.profiles for row in rows})),
        "seed": options.seed,
        "trials": options.trials,
        "limits": {
            **describe_limit(rows, options.max_turns),
            "answer_letters": conversation.ANSWER_LETTERS,
            **({"par": digest([row.par for row in rows])} if is_par_used else {}),
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
            "contested": digest([list(row.contested) for row in rows]),
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
    roles = manifest["roles"]
    if roles is None:
        kept = (sample.store.get(PLAYERS) for sample in log.samples or [])
        roles = next(filter(None, kept), {})
    trials = log.eval.config.epochs or manifest["trials"]
    return {**manifest, "dataset": dataset, "roles": roles, "trials": trials}


def describe_players(
    names: Mapping[str, str], made: Mapping[str, "Model"]
) -> dict[str, dict[str, Any]]:
    """Return what a manifest says of the players that inspect decided on.

    Args:
        names: Who plays each role.
        made: The model of each role that has one.
    """
    described: dict[str, dict[str, Any]] = {role: {"model": name} for role, name in names.items()}
    for role in made.keys() & names.keys():
        model = made[role]
        described[role] |= {
            "address": model.api.base_url,
            "arguments": dict(model.model_args),
            **describe_config(model.config),
        }
    return described


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


@cache
def digest_code(package: Path) -> str:
    """Return a digest of all files of a package on which a score may depend, as they are now.

    All of it counts but what `HARMLESS` names: a checker, a text, a profile or a prompt that is
    edited makes another run.

    Args:
        package: The folder of this package, or of a copy.
    """
    harmless = {package / part for part in HARMLESS}
    contents = {
        path.relative_to(package).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(package.rglob("*"))
        if path.is_file()
        and path.suffix not in (".pyc", ".xz")
        and harmless.isdisjoint(path.parents)
    }
    return digest(contents)
