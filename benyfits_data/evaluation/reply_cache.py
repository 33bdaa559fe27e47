"""Replies of models kept on disk between runs, by everything that was asked; complete ones only."""

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from inspect_ai.model import Model, cache_path

from benyfits_data.evaluation.run_manifest import describe_config
from benyfits_data.staged_writes import write_atomically

STARTED_BY_INSPECT = ("vllm/", "sglang/")
"""Models whose server may be one that inspect starts, at another port each time."""


@dataclass(frozen=True)
class KeptReply:
    """What a model said, and how its server names it."""

    text: str
    model: str


def reply_path(model: Model, asked: Any) -> Path:
    """Return where the reply to a call is kept.

    Args:
        model: Who is asked.
        asked: What, as plain data.
    """
    name = str(model)
    address = model.explicit_base_url
    if address is None and not name.startswith(STARTED_BY_INSPECT):
        address = model.api.base_url
    who = (name, address, describe_config(model.config), model.model_args)
    text = json.dumps((who, asked), sort_keys=True, default=str)
    return cache_path() / "benyfits" / f"{hashlib.sha256(text.encode()).hexdigest()}.json"


def kept_reply(path: Path) -> KeptReply | None:
    """Return the reply that is kept at a path, or `None`."""
    try:
        return KeptReply(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def keep_reply(path: Path, reply: KeptReply) -> None:
    """Keep a reply."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, json.dumps(asdict(reply)))
