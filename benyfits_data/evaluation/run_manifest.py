"""What a run was: everything on which its scores may depend, and a digest of it.

Two dialogs belong to one row of a table only if these agree. What only makes a run faster or slower
(concurrency, timeouts, the log folder) is left out.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benyfits_data.evaluation import conversation, hiding
from benyfits_data.evaluation.agents import agent_source, is_ours, is_outside, used_roles
from benyfits_data.evaluation.planned import PlannedDialog
from benyfits_data.evaluation.prompts import Prompts
from benyfits_data.evaluation.turn_limits import PAPER, describe_limit
from benyfits_data.version import __version__

SCORING = 2
"""Raised when the same dialogs would score otherwise; 2: dialogs that break off are scored."""

Manifest = Mapping[str, Any]


def describe_run(
    name: str,
    rows: Sequence[PlannedDialog],
    agent: str,
    roles: Mapping[str, Mapping[str, Any]],
    *,
    prompt_folder: Path | None = None,
    seed: int = 0,
    trials: int = 1,
    column: str | None = None,
    total: int | None = None,
    questions: str | None = None,
    max_turns: str = PAPER,
) -> dict[str, Any]:
    """Return the manifest of a run.

    Args:
        name: Name of the dataset.
        rows: The planned dialogs.
        agent: A bundled agent or `my_module:MyAgent`.
        roles: What is known of each role's player: model, address, temperature, ...
        prompt_folder: Folder of prompts that replace ours.
        seed: Seed of the run.
        trials: Repetitions of every dialog.
        column: Which of the benchmark's two sets this is, if it is one.
        total: Dialogs of the whole dataset, where only some are played.
        questions: What one question may ask, for agents that have such tracks.
        max_turns: How many questions a dialog may have: `paper` or `par:K`.
    """
    total = len(rows) if total is None else total
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
        "prompts": digest(Prompts(prompt_folder).texts()),
        "texts": "+".join(sorted({row.texts for row in rows})),
        "profiles": "+".join(sorted({row.profiles for row in rows})),
        "seed": seed,
        "trials": trials,
        "limits": {
            **describe_limit(rows, max_turns, questions),
            "answer_letters": conversation.ANSWER_LETTERS,
        },
        "dataset": {
            "name": name,
            "column": column if len(rows) == total else None,
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
