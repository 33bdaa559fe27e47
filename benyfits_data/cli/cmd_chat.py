"""`benyfits-data chat`: one page on which a person talks with an agent."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from benyfits_data.cli import options
from benyfits_data.cli.cmd_study import model_options, model_run
from benyfits_data.cli.frame import option, say, verb
from benyfits_data.errors import EvaluationError


@verb(
    "chat",
    "chat --agent proada --model openai/gpt-4o --user diverse-2026-01",
    "chat --study study --agents proada,react --model openai/gpt-4o",
    "chat --study study --forget 7",
)
@options.edition
@option("--agent", default="planner", help="Who asks the person of --user.")
@option("--user", "household", help="Speak for this made-up household: the id of a row.")
@option("--study", type=options.FOLDER, help="Hold a study of people, kept in this folder.")
@option("--agents", default="proada,react", help="The agents of a study.")
@option("--points", type=click.Choice(["5", "21"]), default="5", help="Points of a scale.")
@option("--forget", help="Delete what a participant of the study typed and rated; a number.")
@option("--model", default="reference", help="Who plays the agents' dialog and code roles.")
@option("--port", type=int, default=7860, help="The page is http://127.0.0.1:PORT.")
@model_options
def chat(
    edition: int,
    agent: str,
    household: str | None,
    study: Path | None,
    agents: str,
    points: str,
    forget: str | None,
    model: str,
    port: int,
    **given: Any,
) -> None:
    """Open a page on which a person talks with an agent, on this machine alone.

    The planner asks about your own household; nothing is written. With --user you speak for a
    made-up household whose labels are known. With --study participants speak for their own or for
    made-up ones, and rate each dialog; `benyfits-data results FOLDER` compares the agents.
    """
    from benyfits_data.chat import study as studies

    if forget is not None:
        if study is None:
            raise EvaluationError("--forget needs the folder of the study: --study FOLDER.")
        say(f"{studies.forget(study, forget)} dialogs of participant {forget} were deleted.")
        return
    from benyfits_data.chat.page import Desk, serve

    desk = Desk(edition, points=int(points))
    if household or study:
        from benyfits_data.evaluation.agents import check_players
        from benyfits_data.evaluation.planned import load_rows
        from benyfits_data.recorded import find_dataset

        run = model_run({"dialog": model, "code": model}, given, agent)
        names = agents.split(",") if study else [agent]
        for name in names:
            check_players(name, run.roles)
        path = find_dataset("representative" if study else _dataset_of(household))
        rows = load_rows(path)
        chosen = rows if study else [row for row in rows if row.id == household]
        if not chosen:
            raise EvaluationError(
                f"{path} has no household {household!r}; it begins with {rows[0].id}."
            )
        desk = Desk(
            edition,
            replace(run, total=len(rows)),
            path.stem,
            chosen,
            studies.Study(study, names) if study else None,
            int(points),
        )
    say(f"http://127.0.0.1:{port} - stop with Ctrl-C.")
    serve(desk, port)


def _dataset_of(household: str | None) -> str:
    from benyfits_data.recorded import NAMES

    return next((name for name in reversed(NAMES) if str(household).startswith(name)), NAMES[0])
