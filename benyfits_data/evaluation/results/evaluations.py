"""Runs as Python code and notebooks see them: scores, dialogs, frames."""

from collections.abc import Sequence
from typing import Literal, get_args

import pandas as pd

from benyfits_data.errors import ArgumentError
from benyfits_data.evaluation.record import Dialog
from benyfits_data.evaluation.results.frames import dialogs_of, turns_of
from benyfits_data.evaluation.results.runs import Run, stack
from benyfits_data.evaluation.results.tables import list_scores, rank_runs

Rows = Literal["runs", "dialogs", "pairs", "turns"]


class Evaluation:
    """Runs of agents and what they scored; printed, it is the first table of `results`.

    Attributes:
        runs: The runs, each with its manifest, its dialogs and the reasons of those unscored.
    """

    def __init__(self, runs: Sequence[Run]) -> None:
        self.runs = list(runs)

    @property
    def dialogs(self) -> list[Dialog]:
        """The scored dialogs of all runs."""
        return [dialog for run in self.runs for dialog in run.dialogs]

    def to_pandas(self, of: Rows = "runs") -> pd.DataFrame:
        """Return the evaluation as a `pandas.DataFrame`.

        Args:
            of: `runs`: a row each, with its scores. `dialogs`: a row each, with its number of turns
                and what went wrong. `pairs`: a row for each program of a dialog, its label and the
                agent's verdict. `turns`: a row for each question and its answer.

        Raises:
            ArgumentError: `of` is none of these.
        """
        if of not in get_args(Rows):
            raise ArgumentError(
                f"of is {of!r}, expected one of {', '.join(get_args(Rows))}.", of=of
            )
        if of == "runs":
            return rank_runs(self.runs, incomplete=True)
        if of == "turns":
            return stack(self.runs, turns_of)
        if of == "pairs":
            return stack(self.runs)
        wrong = [
            sum(label != dialog.verdicts[name] for name, label in dialog.labels.items())
            for dialog in self.dialogs
        ]
        dialogs = stack(self.runs, dialogs_of).rename(columns={"asked": "programs"})
        return dialogs.drop(columns=["n", "read_by"], errors="ignore").assign(wrong=wrong)

    def __repr__(self) -> str:
        return list_scores(self.runs, incomplete=True).to_text().rstrip()

    def _repr_html_(self) -> str:
        table = list_scores(self.runs, incomplete=True)
        html: str = pd.DataFrame(list(table.rows), columns=list(table.header)).to_html(index=False)
        return html
