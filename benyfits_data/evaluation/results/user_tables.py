"""What the user did to the scores: how faithful it was, and whose the wrong verdicts are.

What free text says, a reader says: beside every column that hangs on one stand its name and its
measured figures.
"""

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benyfits_data.evaluation.record import CANONICAL, Dialog
from benyfits_data.evaluation.results import metrics
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.evaluation.results.table import UNDEFINED, Table, figure, tabulate
from benyfits_data.understanding.reading import figures_of

KINDS = tomllib.loads((Path(__file__).parent / "kinds.toml").read_text(encoding="utf-8"))
ERRORS: Mapping[str, str] = KINDS["errors"]
"""Where a wrong verdict comes from, in the words of the tables."""
MOST_DIALOGS = 10
"""Dialogs of a run that are listed one by one."""
USER_COLUMNS = ("unfaithful %", "over-claims %", "no answer %", "errors of the user %", "read by")
"""What stands beside the scores: shares of turns, and of wrong verdicts, and who read them."""


def describe_user(dialogs: Sequence[Dialog]) -> list[str]:
    """Return what stands under `USER_COLUMNS` for some dialogs."""
    if not any(dialog.turns for dialog in dialogs):
        return [UNDEFINED] * len(USER_COLUMNS)
    told = metrics.measure_faithfulness(dialogs)
    shares = [told[f"{kind}_share"] for kind in ("unfaithful", "over_claim", "no_answer")]
    shares.append(metrics.measure_acquittals(dialogs)["share"])
    return [*map(figure, shares), describe_reader(dialogs)]


def describe_reader(dialogs: Iterable[Dialog]) -> str:
    """Return who read some dialogs, and how good that reader is known to be."""
    counts = Counter(turn.reader for dialog in dialogs for turn in dialog.turns)
    told = []
    for name, count in counts.most_common():
        share = "" if len(counts) == 1 else f"{100 * count / counts.total():.0f}% "
        if name == CANONICAL:
            told.append(f"{share}our own words (exact)")
        elif name:
            told.append(f"{share}{name} ({figures_of(name) or 'unmeasured'})")
        else:
            told.append(f"{share}not read")
    return "; ".join(told) or UNDEFINED


def list_errors(runs: Sequence[Run]) -> Table:
    """Return where wrong verdicts come from."""

    def describe(run: Run) -> Iterable[Iterable[Any]]:
        counts = Counter(kind for dialog in run.dialogs for kind in dialog.errors.values())
        pairs = sum(len(dialog.labels) for dialog in run.dialogs)
        for kind, meaning in ERRORS.items():
            if count := counts[kind]:
                wrong = counts.total()
                share = f"{100 * count / wrong:.0f}"
                yield meaning, count, share, wrong, pairs, describe_reader(run.dialogs)

    header = "wrong verdicts; count; % of wrong; wrong in all; n pairs; read by"
    return tabulate("Error analysis", header, runs, describe)


def list_wrong_dialogs(runs: Sequence[Run]) -> Table:
    """Return the dialogs with most wrong verdicts, whose these are, and where they come from."""

    def describe(run: Run) -> Iterable[Iterable[Any]]:
        wrong = [dialog for dialog in run.dialogs if dialog.errors and dialog.roles]
        for dialog in sorted(wrong, key=lambda it: -len(it.errors))[:MOST_DIALOGS]:
            whose = Counter(dialog.blame().values())
            counts = [whose[name] for name in ("agent", "user", "unknown")]
            kinds = Counter(ERRORS[kind] for kind in dialog.errors.values()).most_common()
            causes = ", ".join(f"{count} {kind}" for kind, count in kinds)
            yield dialog.household, dialog.trial, len(dialog.errors), *counts, causes

    header = "dialog; trial; wrong; of the agent; of the user; unknown; where they come from"
    table = tabulate("Dialogs with most wrong verdicts", header, runs, describe)
    return replace(table, note=f"At most {MOST_DIALOGS} dialogs a run; `inspect view` has all.")


def list_faithfulness(runs: Sequence[Run]) -> Table:
    """Return how the users' answers held against the households."""

    def describe(run: Run) -> Iterable[Iterable[Any]]:
        if any(dialog.turns for dialog in run.dialogs):
            told = metrics.measure_faithfulness(run.dialogs)
            shown = (figure(told[key]) if "share" in key else told[key] for key in told)
            yield *shown, describe_reader(run.dialogs)

    header = (
        "faithful; unfaithful; over-claims; no answer; not understood; not read; "
        "unfaithful %; over-claims %; no answer %; read by"
    )
    return tabulate("Faithfulness of the simulated user, in turns", header, runs, describe)


def list_proofs(runs: Sequence[Run]) -> Table:
    """Return how often a proven user was asked again, and how often our own sentence stood in."""

    def describe(run: Run) -> Iterable[Iterable[Any]]:
        told = metrics.measure_proofs(run.dialogs)
        if run.manifest["roles"].get("user", {}).get("is_proven") and told["turns"]:
            share = figure(100 * told["replaced"] / told["turns"])
            yield *told.values(), share, describe_reader(run.dialogs)

    header = "answers; asked again; replaced by our own words; replaced %; read by"
    return tabulate("What a proven user did not send", header, runs, describe)


def list_acquittals(runs: Sequence[Run]) -> Table:
    """Return how many wrong verdicts turn right on proven answers to the agent's own questions."""

    def describe(run: Run) -> Iterable[Iterable[Any]]:
        told = metrics.measure_acquittals(run.dialogs)
        if wrong := sum(len(dialog.errors) for dialog in run.dialogs):
            counts = [told[key] for key in ("acquitted", "not_acquitted", "unknown")]
            yield wrong, *counts, figure(told["share"]), describe_reader(run.dialogs)

    header = "wrong verdicts; turn right; stay wrong; unknown; errors of the user %; read by"
    return tabulate("Wrong verdicts decided again on proven answers", header, runs, describe)
