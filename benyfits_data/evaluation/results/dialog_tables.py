"""Tables of what happened in dialogs: turns, answers, wrong verdicts, failures, calls.

What free text says, a reader says: beside every column that hangs on one stand its name and its
measured figures.
"""

import math
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benyfits_data.evaluation.record import CANONICAL, Dialog
from benyfits_data.evaluation.results import metrics
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.evaluation.results.table import UNDEFINED, Rows, figure, per_run

KINDS = tomllib.loads((Path(__file__).parent / "kinds.toml").read_text(encoding="utf-8"))
ERRORS: Mapping[str, str] = KINDS["errors"]
"""Where a wrong verdict comes from, in the words of the tables."""
FAILURES: Mapping[str, str] = KINDS["failures"]
"""What each kind of failure means."""
MOST_DIALOGS = 10
"""Dialogs of a run that are listed one by one."""
WORST = 3
"""Dialogs a note names."""
PAR_NOTE = (
    "Par: the fewest questions whose answers force the labels, on the agent's track, exact "
    "(docs/benchmark.md). "
    "A dialog that asks for several facts at once, or guesses, may lie below."
)
USER_COLUMNS = ("unfaithful %", "over-claims %", "no answer %", "errors of the user %", "read by")
"""What stands beside the scores: shares of turns, and of wrong verdicts, and who read them."""


def describe_user(dialogs: Sequence[Dialog]) -> list[str]:
    """Return what stands under `USER_COLUMNS` for some dialogs."""
    if not any(dialog.turns for dialog in dialogs):
        return [UNDEFINED] * len(USER_COLUMNS)
    answers = metrics.measure_faithfulness(dialogs)
    shares = [answers[f"{kind}_share"] for kind in ("unfaithful", "over_claim", "no_answer")]
    shares.append(metrics.measure_acquittals(dialogs)["share"])
    return [*map(figure, shares), describe_reader(dialogs)]


def describe_reader(dialogs: Iterable[Dialog]) -> str:
    """Return who read some dialogs: our own words are read exactly, others by a model."""
    counts = Counter(turn.reader for dialog in dialogs for turn in dialog.turns)
    readers = []
    for name, count in counts.most_common():
        share = "" if len(counts) == 1 else f"{100 * count / counts.total():.0f}% "
        how = "our own words (exact)" if name == CANONICAL else name or "not read"
        readers.append(share + how)
    return "; ".join(readers) or UNDEFINED


def _known_par(run: Run) -> list[tuple[Dialog, int]]:
    return [(dialog, dialog.par) for dialog in run.dialogs if dialog.par is not None]


def _farthest_over_par(run: Run) -> str:
    known = _known_par(run)
    farthest = sorted(known, key=lambda pair: (pair[1] - len(pair[0].turns), pair[0].household))
    named = [f"{it.household} ({len(it.turns)}, par {par})" for it, par in farthest[:WORST]]
    return f"{run.title} on {run.name}, farthest over par: {', '.join(named)}." if named else ""


@per_run(
    "Turns over par",
    "track; with par; no par; mean par; turns; median; p90; max; over par; median over; p90 over; "
    "max over; turns a par question",
    PAR_NOTE,
    _farthest_over_par,
)
def list_par(run: Run) -> Rows:
    """Return how many turns dialogs took, and how many more than their par."""
    known = _known_par(run)
    counts = run.track, len(known), len(run.dialogs) - len(known)
    if not known:
        if run.dialogs:
            yield *counts, *[UNDEFINED] * 10
        return
    turns = np.array([len(dialog.turns) for dialog, _ in known])
    par = np.array([par for _, par in known])
    ratio = figure(turns.sum() / par.sum(), 2) if par.sum() else UNDEFINED
    yield *counts, figure(par.mean()), *_spread(turns), *_spread(turns - par), ratio


def _spread(values: Any) -> tuple[str, ...]:
    return (*map(figure, (values.mean(), *np.percentile(values, [50, 90]))), str(values.max()))


@per_run(
    "Questions without need",
    "dialogs; questions; repeated; could change nothing; not mapped to facts; verdicts; proven %; "
    "lucky; unproven and wrong; not known; read by",
)
def list_waste(run: Run) -> Rows:
    """Return the questions without need, and the verdicts that the answers did not prove."""
    measured = [dialog for dialog in run.dialogs if dialog.proven]
    uses = Counter(turn.use for dialog in measured for turn in dialog.turns)
    proofs = Counter(
        (proof, dialog.verdicts[name] == dialog.labels[name])
        for dialog in measured
        for name, proof in dialog.proven.items()
    )
    if measured:
        proven = 100 * (proofs[True, True] + proofs[True, False]) / proofs.total()
        unknown = proofs[None, True] + proofs[None, False]
        yield (
            *(len(measured), uses.total()),
            *(uses["repeated"], uses["irrelevant"], uses["unmapped"]),
            *(proofs.total(), figure(proven), proofs[False, True], proofs[False, False]),
            *(unknown, describe_reader(run.dialogs)),
        )


@per_run("Error analysis", "wrong verdicts; count; % of wrong; wrong in all; n pairs; read by")
def list_errors(run: Run) -> Rows:
    """Return where wrong verdicts come from."""
    counts = Counter(kind for dialog in run.dialogs for kind in dialog.errors.values())
    n_pairs, wrong = sum(len(dialog.labels) for dialog in run.dialogs), counts.total()
    for kind, meaning in ERRORS.items():
        if count := counts[kind]:
            share = f"{100 * count / wrong:.0f}"
            yield meaning, count, share, wrong, n_pairs, describe_reader(run.dialogs)


@per_run(
    "Dialogs with most wrong verdicts",
    "dialog; trial; wrong; of the agent; of the user; unknown; where they come from",
    f"At most {MOST_DIALOGS} dialogs a run; `inspect view` has all.",
)
def list_wrong_dialogs(run: Run) -> Rows:
    """Return the dialogs with most wrong verdicts, whose these are, and where they come from."""
    wrong = [dialog for dialog in run.dialogs if dialog.errors and dialog.roles]
    for dialog in sorted(wrong, key=lambda it: -len(it.errors))[:MOST_DIALOGS]:
        whose = Counter(dialog.blame().values())
        counts = [whose[name] for name in ("agent", "user", "unknown")]
        kinds = Counter(ERRORS[kind] for kind in dialog.errors.values()).most_common()
        causes = ", ".join(f"{count} {kind}" for kind, count in kinds)
        yield dialog.household, dialog.trial, len(dialog.errors), *counts, causes


@per_run(
    "Faithfulness of the simulated user, in turns",
    "faithful; unfaithful; over-claims; no answer; not understood; not read; "
    "unfaithful %; over-claims %; no answer %; read by",
)
def list_faithfulness(run: Run) -> Rows:
    """Return how the users' answers held against the households."""
    if any(dialog.turns for dialog in run.dialogs):
        answers = metrics.measure_faithfulness(run.dialogs)
        shown = (figure(it) if "share" in key else it for key, it in answers.items())
        yield *shown, describe_reader(run.dialogs)


@per_run(
    "What a proven user did not send",
    "answers; asked again; replaced by our own words; replaced %; read by",
)
def list_proofs(run: Run) -> Rows:
    """Return how often a proven user was asked again, and how often our own sentence stood in."""
    turns = [turn for dialog in run.dialogs for turn in dialog.turns]
    if run.manifest["roles"].get("user", {}).get("is_proven") and turns:
        again, replaced = (
            sum(map(bool, each))
            for each in zip(*((it.unsent, it.is_replaced) for it in turns), strict=True)
        )
        share = figure(100 * replaced / len(turns))
        yield len(turns), again, replaced, share, describe_reader(run.dialogs)


@per_run(
    "Wrong verdicts decided again on proven answers",
    "wrong verdicts; turn right; stay wrong; unknown; errors of the user %; read by",
)
def list_acquittals(run: Run) -> Rows:
    """Return how many wrong verdicts turn right on proven answers to the agent's own questions."""
    *counts, share = metrics.measure_acquittals(run.dialogs).values()
    if wrong := sum(len(dialog.errors) for dialog in run.dialogs):
        yield wrong, *counts, figure(share), describe_reader(run.dialogs)


@per_run("Failures", "kind; count")
def list_failures(run: Run) -> Rows:
    """Return how often each kind of failure was recorded."""
    counts = Counter(failure.kind for dialog in run.dialogs for failure in dialog.failures)
    return [(FAILURES.get(kind, kind), count) for kind, count in sorted(counts.items())]


@per_run(
    "Calls, tokens, money",
    "role; calls; kept replies; tokens read; of them cached; tokens written; tokens a dialog; "
    "dollars a dialog; dollars; n",
)
def list_usage(run: Run, prices: Mapping[str, tuple[float, float, float]] | None = None) -> Rows:
    """Return calls, tokens and money by role, kept replies and tokens cached by servers apart.

    Prices are dollars for a million tokens by model: read, written, read from the server's cache.
    """
    n = len(run.dialogs)
    for role in sorted({role for dialog in run.dialogs for role in dialog.usage}):
        used = [dialog.usage[role] for dialog in run.dialogs if role in dialog.usage]
        names = ("calls", "cached_calls", "input_tokens", "cached_tokens", "output_tokens")
        sums = [sum(getattr(each, name) for each in used) for name in names]
        _, _, read, cached, written = sums
        price = (prices or {}).get(run.roles.get(role, ""), (math.nan,) * 3)
        cost = float(np.dot((read - cached, written, cached), price)) / 1e6
        yield role, *sums, f"{(read + written) / n:.0f}", figure(cost / n, 4), figure(cost, 4), n
