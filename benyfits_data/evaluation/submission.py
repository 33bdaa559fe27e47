"""Finished runs bundled for others to check: logs, figures, and the digests of both.

A check trusts nothing but the logs, and needs no model: from what a reader read of each turn it
derives every verdict, acquittal and figure again; it labels every household again and runs every
generated program again with the values that the transcript gives.
"""

import hashlib
import io
import json
import math
import tempfile
import zipfile
from collections import Counter
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

from benyfits_data.dataset import write_atomically
from benyfits_data.editions import load_edition
from benyfits_data.errors import BenyfitsError, EvaluationError
from benyfits_data.evaluation.codegen.sandbox import Finished, Missing, Sandbox, build_program
from benyfits_data.evaluation.error_analysis import derive
from benyfits_data.evaluation.keys import UNKNOWN, Key, Value, compared_words
from benyfits_data.evaluation.record import Dialog
from benyfits_data.evaluation.results.paper_table import PUBLISHED
from benyfits_data.evaluation.results.result_tables import all_tables
from benyfits_data.evaluation.results.runs import (
    complete_runs,
    dialog_of,
    find_logs,
    open_log,
    read_runs,
)
from benyfits_data.household.model import Household

CONTENTS = "submission.json"
FIGURES = "figures"
LARGEST_FILE = 2_000_000_000
"""Bytes a bundled file may unpack to."""


@dataclass
class Verification:
    """What a check found the same, counted, and what is not as submitted, in sentences."""

    counts: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


def bundle(places: Sequence[Path], path: Path) -> list[str]:
    """Write a submission and return the names of its files.

    Args:
        places: Log files or folders of finished runs.
        path: The ZIP file to write.

    Raises:
        EvaluationError: A run is not finished.
    """
    logs = find_logs(places)
    for run in read_runs(logs):
        if run.unscored:
            raise EvaluationError(
                f"{run.title} on {run.name} has {len(run.unscored)} unscored dialogs. Finish the "
                "run: give its command again."
            )
    files = {f"logs/{number:03}-{log.name}": log.read_bytes() for number, log in enumerate(logs)}
    files |= {name: text.encode() for name, text in _figures(logs).items()}
    digests = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    files[CONTENTS] = json.dumps({"files": digests}, indent=2, sort_keys=True).encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(files.items()):
            # A date would make two bundles of the same run differ.
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), content)
    write_atomically(path, buffer.getvalue())
    return sorted(files)


def verify(path: Path) -> Verification:
    """Return what a check of a submission found.

    Args:
        path: A ZIP file written by `bundle`.

    Raises:
        EvaluationError: The file is no submission.
    """
    verification = Verification()
    with tempfile.TemporaryDirectory() as scratch:
        names = _unpack(path, Path(scratch), verification)
        logs = [Path(scratch) / name for name in names if name.startswith("logs/")]
        if not logs:
            raise EvaluationError(
                f"{path} holds no logs. Bundle runs with `benyfits-data runs bundle`."
            )
        _check_figures(Path(scratch), logs, verification)
        with Sandbox() as sandbox:
            for log in map(open_log, logs):
                column = str((log.eval.metadata or {})["manifest"]["dataset"]["column"])
                for sample in log.samples or []:
                    dialog = None if sample.error else dialog_of(sample)
                    if dialog is not None and _check_labels(
                        dialog, sample.metadata, column, verification
                    ):
                        _check_derived(dialog, sample.metadata["household"], verification)
                        _replay(dialog, sandbox, verification)
    return verification


def _unpack(path: Path, folder: Path, verification: Verification) -> list[str]:
    try:
        with zipfile.ZipFile(path) as archive:
            listed: dict[str, str] = json.loads(archive.read(CONTENTS))["files"]
            for name, expected in listed.items():
                if archive.getinfo(name).file_size > LARGEST_FILE:
                    raise EvaluationError(f"{path}: {name} is larger than {LARGEST_FILE} bytes.")
                content = archive.read(name)
                if hashlib.sha256(content).hexdigest() != expected:
                    verification.faults.append(
                        f"{name} was changed after the submission was bundled"
                    )
                target = (folder / name).resolve()
                if not target.is_relative_to(folder.resolve()):
                    raise EvaluationError(f"{path}: {name} leads out of the submission.")
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
    except (OSError, zipfile.BadZipFile, KeyError, ValueError, TypeError, AttributeError) as error:
        raise EvaluationError(
            f"{path} is no submission ({error}). Bundle runs with `benyfits-data runs bundle`."
        ) from error
    return list(listed)


def _figures(logs: Sequence[Path]) -> dict[str, str]:
    runs = read_runs(logs)
    complete_runs(runs)
    tables = all_tables(runs, [], incomplete=True)
    return {f"{FIGURES}/{number:02}.csv": table.to_csv() for number, table in enumerate(tables)}


def _check_figures(folder: Path, logs: Sequence[Path], verification: Verification) -> None:
    derived = _figures(logs)
    submitted = {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8", errors="replace")
        for path in sorted((folder / FIGURES).glob("*.csv"))
    }
    for name in sorted({*derived, *submitted}):
        texts = (derived.get(name, "").splitlines(), submitted.get(name, "").splitlines())
        lines = list(zip_longest(*texts, fillvalue="(nothing)"))
        differing = [(ours, theirs) for ours, theirs in lines if ours != theirs]
        verification.counts["lines of figures"] += len(lines) - len(differing)
        if differing:
            ours, theirs = differing[0]
            verification.faults.append(f"{name}: the logs give {ours!r}, the submission {theirs!r}")


def _check_labels(
    dialog: Dialog, row: Mapping[str, Any], column: str, verification: Verification
) -> bool:
    """Label a household again; return whether it is one."""
    try:
        household = Household.from_facts(row["household"], constrained=False)
        programs = load_edition(row["edition"]).programs
        labels = {name: programs[name].is_eligible(household) for name in dialog.labels}
    except (BenyfitsError, KeyError, TypeError) as error:
        verification.faults.append(f"{dialog.household} cannot be labelled: {error}")
        return False
    for name, label in labels.items():
        if label == dialog.labels[name]:
            verification.counts["labels"] += 1
        elif column.startswith(PUBLISHED):
            verification.counts["labels of the published files that are not ours"] += 1
        else:
            verification.faults.append(
                f"{dialog.household}: {name} is labelled {dialog.labels[name]}"
            )
    return True


def _check_derived(
    dialog: Dialog, household: Mapping[str, Any], verification: Verification
) -> None:
    """Derive again what follows from queries and claims: verdicts on turns, regret, acquittals."""
    again = deepcopy(dialog)
    derive(again, Household.from_facts(household, constrained=False))
    for place, (ours, theirs) in enumerate(zip(again.turns, dialog.turns, strict=True), 1):
        if (ours.faithfulness, ours.use) == (theirs.faithfulness, theirs.use):
            verification.counts["turns held against the household"] += 1
        else:
            derived = f"turn {place} is {ours.faithfulness} and {ours.use}"
            given = f"{theirs.faithfulness} and {theirs.use}"
            verification.faults.append(f"{dialog.household}: {derived}, the log says {given}")
    for name in ("proven", "errors", "acquitted"):
        if getattr(again, name) != getattr(dialog, name):
            verification.faults.append(f"{dialog.household}: {name} are not what the turns give")


def _replay(dialog: Dialog, sandbox: Sandbox, verification: Verification) -> None:
    """Run each generated program again with the values of the transcript."""
    failed = {item.program for item in dialog.failures}
    is_broken = any(item.kind == "agent_failed" for item in dialog.failures)
    for name, verdict in dialog.verdicts.items():
        if is_broken and verdict:
            verification.faults.append(
                f"{dialog.household}: {name} is eligible, but the dialog broke off"
            )
        source = dialog.code.get(name)
        if source is None or name in failed or name not in dialog.traces:
            verification.counts["verdicts by a model, not replayed"] += 1
            continue
        program = build_program(source)
        known: dict[Key, Value] = {(0, "relation"): "self"}
        for turn in dialog.turns:
            if turn.key is not None and turn.value is not None:
                known[turn.member, turn.key] = _read_value(turn.value, source, turn.key)
        step = sandbox.start(program, known)
        if isinstance(step, Missing):
            fault = f"asks for {step.key[1]}, which no turn told"
            verification.faults.append(f"{dialog.household}: the program of {name} {fault}")
        elif isinstance(step, Finished) and step.verdict == verdict:
            verification.counts["verdicts replayed"] += 1
        else:
            got = step.verdict if isinstance(step, Finished) else step.message
            verification.faults.append(
                f"{dialog.household}: {name} replays to {got}, not {verdict}"
            )


def _read_value(text: str, source: str, key: str) -> Value:
    """The value that a turn's text stands for, as the program compares it."""
    words = compared_words(source, key)
    if text == "None":
        return None
    if text == UNKNOWN and not words:
        return math.nan
    if text in words:
        return text
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number.is_integer() and "." not in text else number
