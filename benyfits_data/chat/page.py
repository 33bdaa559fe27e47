"""The page: one person at a time sees one of four stages; many may use it at once.

A browser keeps a random name in its own storage; what it stands for is in this process, so a
reload goes on where it stopped.
"""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from time import monotonic
from typing import Any

import gradio as gr
from markdown_it import MarkdownIt

from benyfits_data.chat.agent import OWN, AgentTalk, row_of_a_person
from benyfits_data.chat.asked import Asked, ShownVerdict, grouped, typed_number
from benyfits_data.chat.resident import ResidentTalk
from benyfits_data.chat.study import ACCURACY, PROGRAMS, SCALES, Study, StudyDialog
from benyfits_data.editions import load_edition
from benyfits_data.errors import BenyfitsError, EvaluationError
from benyfits_data.evaluation.planned import PlannedDialog
from benyfits_data.evaluation.run_options import Options

OFFICIAL = "https://access.nyc.gov/programs/"
NO_ADVICE = (
    "This is no legal advice and no official decision. It follows published rules as this project "
    "reads them; only the agency that runs a program decides. Official texts: "
    f"[{OFFICIAL}]({OFFICIAL})"
)
STAYS_HERE = "What you type stays on this machine and in its memory; nothing is written."
CSS = """
.gradio-container {max-width: 46rem !important; margin: auto}
details {border-top: 1px solid #8884; padding: .5rem 0} summary {cursor: pointer}
.points label {padding: .4rem .5rem !important} .points .wrap {gap: .3rem; flex-wrap: nowrap}
.yes {color: #17633a} .no {color: #8c2f2f} .dark .yes {color: #7fd6a4} .dark .no {color: #f0a3a3}
"""
SHORT_SCALE = 5
"""Points that fit in one row of a phone."""
_THEME = gr.themes.Default(font=["system-ui", "sans-serif"], font_mono=["monospace"])


@dataclass
class Visit:
    """What one browser is at.

    Attributes:
        stage: `start`, `talk`, `verdicts`, `ratings` or `end`.
        talk: The dialog.
        note: What was wrong with what the person last sent.
        participant: The number of a participant of a study.
        began: When the dialog began, in seconds.
        held: The dialog of a study whose verdicts are shown, before it is rated.
    """

    stage: str = "start"
    talk: ResidentTalk | AgentTalk | None = None
    note: str = ""
    participant: str = ""
    began: float = 0.0
    held: StudyDialog | None = None


@dataclass
class Desk:
    """What the page offers, and who is at it.

    Attributes:
        edition: Year of the rules.
        options: Who plays the agents; `None` for a resident, who talks with the planner.
        name: Name of the dataset that made-up households are of.
        rows: Made-up households; a demonstration has one.
        study: The study; `None` outside one.
        points: Points of each scale of a study.
        visits: Who is at the page, by the name that the browser keeps.
    """

    edition: int
    options: Options | None = None
    name: str = OWN
    rows: Sequence[PlannedDialog] = ()
    study: Study | None = None
    points: int = 5
    visits: dict[str, Visit] = field(default_factory=dict)

    def begin_resident(self, visit: Visit, topics: Sequence[str], chosen: Sequence[str]) -> None:
        """Begin a resident's dialog about programs, those of topics, or all."""
        groups = grouped(load_edition(self.edition).programs, self.edition)
        of_topics = [name for topic in topics for _, name in groups[topic]]
        everything = [name for programs in groups.values() for _, name in programs]
        programs = sorted({*of_topics, *chosen}) or everything
        visit.talk, visit.stage = ResidentTalk(self.edition, programs), "talk"

    def begin_demonstration(self, visit: Visit) -> None:
        """Begin a dialog in which somebody speaks for a made-up household."""
        assert self.options is not None
        visit.talk = AgentTalk(self.name, self.rows[0], self.options)
        visit.stage = "talk"

    def begin_study(
        self, visit: Visit, participant: str, agrees: bool, of_self: bool, chosen: Sequence[str]
    ) -> None:
        """Begin a participant's next dialog.

        Raises:
            EvaluationError: Consent, a number or programs are missing.
        """
        study, options = self.study, self.options
        assert study is not None
        assert options is not None
        if not agrees:
            raise EvaluationError("Please agree first; without it nobody can take part.")
        order, position = study.order(participant), study.held(participant) + 1
        if of_self and len(chosen) != PROGRAMS:
            raise EvaluationError(f"Please choose {PROGRAMS} programs; {len(chosen)} are chosen.")
        agent = order[(position - 1) % len(order)]
        if of_self:
            row = row_of_a_person(tuple(chosen), self.edition, f"{OWN}-{participant}-{position}")
        else:
            row = self.rows[study.household(participant, position, len(self.rows))]
        # Dialogs that were broken off leave a folder of their own.
        logs = Path("logs") / f"{participant}-{position}-{secrets.token_hex(2)}"
        visit.talk = AgentTalk(
            self.name, row, replace(options, agent=agent, log_dir=study.folder / logs)
        )
        visit.participant, visit.began, visit.stage = participant, monotonic(), "talk"
        visit.held = StudyDialog(
            participant, position, ">".join(order), agent, OWN if of_self else row.id, row.programs,
            {}, 0, 0, 0, points=self.points, logs=str(logs),
        )  # fmt: skip

    def go_on(self, visit: Visit) -> None:
        """Show the verdicts where no question is left."""
        talk = visit.talk
        assert talk is not None
        visit.note = talk.note
        if talk.asked is not None:
            return
        visit.stage = "verdicts"
        if isinstance(talk, AgentTalk) and not talk.decided:
            # The agent's model is down: nothing was decided, and the dialog can be held again.
            visit.stage, visit.talk = "start", None
            visit.note = f"The agent could not go on: {talk.note} Nothing is lost; begin again."
        elif isinstance(talk, AgentTalk) and visit.held is not None:
            turns, facts = talk.turns
            seconds = round(monotonic() - visit.began)
            visit.held = replace(
                visit.held, verdicts=talk.decided, turns=turns, facts_asked=facts, seconds=seconds
            )

    def rate(self, visit: Visit, accuracy: Any, scales: Sequence[Any], remarks: str) -> None:
        """Keep a rated dialog.

        Raises:
            EvaluationError: A scale is not rated.
        """
        assert self.study is not None
        assert visit.held is not None
        if accuracy is None or None in scales:
            raise EvaluationError("Please rate all seven scales.")
        rated = dict(zip(SCALES, map(int, scales), strict=True))
        self.study.add(
            replace(visit.held, accuracy=int(accuracy), workload=rated, remarks=remarks or "")
        )
        left = len(self.study.agents) - self.study.held(visit.participant)
        visit.stage, visit.talk, visit.held = "start" if left > 0 else "end", None, None
        visit.note = "That was all. Thank you very much."
        if left > 0:
            visit.note = f"Thank you. {left} more to go: begin the next one when you like."


def show_verdicts(verdicts: Sequence[ShownVerdict], edition: int) -> str:
    """Return verdicts as HTML: each program with yes or no; opened, why."""
    rules, pieces = load_edition(edition), []
    order = {True: 0, None: 1, False: 2}
    for shown in sorted(verdicts, key=lambda verdict: order[verdict.eligible]):
        program = rules.program(shown.program)
        says, kind = {True: ("Yes", "yes"), False: ("No", "no"), None: ("Open", "")}[shown.eligible]
        right = ""
        if shown.label is not None:
            right = " (right)" if shown.label == shown.eligible else " (wrong)"
        lines = [f"<p>Run by: {escape(program.agency)}.</p>"]
        if shown.eligible is None:
            lines.append("<p>Your answers do not settle it; only the agency can.</p>")
        for clauses, text, facts in shown.grounds:
            lines.append(f"<p>Clause {escape(clauses)}: {escape(text)}</p>")
            lines.append(f"<ul>{''.join(f'<li>{escape(fact)}</li>' for fact in facts)}</ul>")
        if shown.because:
            said = "".join(f"<li>{escape(fact)}</li>" for fact in shown.because)
            what = "It follows from these answers alone:"
            if shown.eligible is None:
                what = "You could not answer:"
            lines.append(f"<p>{what}</p><ul>{said}</ul>")
        if (source := program.sources) is not None:
            number = f", program {source.program_id}" if source.program_id else ""
            lines.append(f"<p>Source: {escape(source.list)}{number}.</p>")
        text = (
            MarkdownIt("commonmark", {"html": False}).enable("table").render(program.requirements())
        )
        lines.append(f"<details><summary>The text of the rules</summary>{text}</details>")
        title = f'<b class="{kind}">{says}</b>{right} {escape(program.title)}'
        pieces.append(f"<details><summary>{title}</summary>{''.join(lines)}</details>")
    return "".join(pieces)


def build_page(desk: Desk) -> Any:
    """Return the page of a desk."""
    groups = grouped(load_edition(desk.edition).programs, desk.edition)
    titles = [(title, name) for programs in groups.values() for title, name in programs]
    is_resident = desk.options is None
    points = list(range(1, desk.points + 1))
    scales = {"accuracy": ACCURACY, **SCALES}
    with gr.Blocks(analytics_enabled=False, title="Who may claim what") as page:
        token = gr.BrowserState("", storage_key="benyfits-chat")
        gr.Markdown("# Which benefits may a household claim?")
        note = gr.Markdown(elem_id="note")
        with gr.Column(visible=False) as start:
            welcome = gr.Markdown()
            participant = gr.Textbox(label="Your number", visible=desk.study is not None)
            agrees = gr.Checkbox(label="I agree", visible=desk.study is not None)
            about = gr.Radio(
                [("Speak for my own household", True), ("Speak for a made-up one", False)],
                value=True,
                label="About whom do you want to talk?",
                visible=desk.study is not None and bool(desk.rows),
            )
            topics = gr.CheckboxGroup(
                list(groups), label="Topics; all if you choose none", visible=is_resident
            )
            chosen = gr.Dropdown(
                titles,
                value=[],
                multiselect=True,
                max_choices=PROGRAMS if desk.study else None,
                label=f"Choose {PROGRAMS} programs" if desk.study else "Or single programs",
                visible=is_resident or desk.study is not None,
            )
            begin = gr.Button("Begin", variant="primary")
        with gr.Column(visible=False) as talk:
            progress = gr.Markdown(elem_id="progress")
            dialog = gr.Markdown()
            choice = gr.Radio([], visible=False, elem_id="choice")
            listed = gr.Dropdown([], visible=False, elem_id="listed")
            number = gr.Number(visible=False, elem_id="number")
            text = gr.Textbox(visible=False, elem_id="text", lines=2)
            with gr.Row():
                answer = gr.Button("Answer", variant="primary")
                skip = gr.Button("I don't know")
                back = gr.Button("Back", visible=is_resident)
                stop = gr.Button("Show what is decided", visible=is_resident)
            with gr.Accordion("Who you speak for", open=True) as who:
                profile = gr.Markdown()
        with gr.Column(visible=False) as verdicts:
            decided = gr.HTML()
            go_rate = gr.Button(
                "Rate the dialog", variant="primary", visible=desk.study is not None
            )
            again = gr.Button("Begin anew", visible=desk.study is None)
        with gr.Column(visible=False) as ratings:
            rated = [
                gr.Radio(
                    points,
                    label=asked,
                    info=f"1: {low}, {desk.points}: {high}",
                    elem_classes="points" if desk.points <= SHORT_SCALE else "",
                )
                for asked, low, high in scales.values()
            ]
            remarks = gr.Textbox(label="Anything else that you noticed?", lines=2)
            keep = gr.Button("Keep these ratings", variant="primary")
        gr.Markdown(f"{STAYS_HERE} {NO_ADVICE}" if is_resident else NO_ADVICE)

        shown = [
            token, note, start, welcome, talk, who, profile, progress, dialog, choice, listed,
            number, text, verdicts, decided, ratings,
        ]  # fmt: skip

        def view(name: str, visit: Visit) -> list[Any]:
            held = visit.talk
            asked = (held.asked if held and visit.stage == "talk" else None) or Asked("")
            agent = held if isinstance(held, AgentTalk) else None
            spoken = agent.row.profile if agent and not agent.row.id.startswith(OWN) else ""
            said = [f"**{q}**\n\n{a}" for q, a in agent.said[-4:]] if agent else []
            html = ""
            if held and visit.stage == "verdicts":
                html = show_verdicts(held.verdicts, desk.edition)
            is_choice, is_number = asked.kind == "choice", asked.kind == "number"
            return [
                name,
                gr.Markdown(visit.note, visible=bool(visit.note)),
                gr.Column(visible=visit.stage == "start"),
                _welcome(desk),
                gr.Column(visible=visit.stage == "talk"),
                gr.Accordion(visible=bool(spoken)),
                spoken,
                held.progress if held and visit.stage == "talk" else "",
                "\n\n".join(said),
                _choices(gr.Radio, asked, is_choice and asked.is_short),
                _choices(gr.Dropdown, asked, is_choice and not asked.is_short),
                gr.Number(None, label=asked.text, info=asked.hint, visible=is_number),
                gr.Textbox("", label=asked.text, visible=asked.kind == "text"),
                gr.Column(visible=visit.stage == "verdicts"),
                html,
                gr.Column(visible=visit.stage == "ratings"),
            ]

        def handler(act: Callable[..., None]) -> Callable[..., list[Any]]:
            """Let an action change a visit, and show it; what was wrong is said on the page."""

            def handle(name: str, *values: Any) -> list[Any]:
                name = name if name in desk.visits else secrets.token_urlsafe(16)
                visit = desk.visits.setdefault(name, Visit())
                visit.note = ""
                try:
                    act(visit, *values)
                except BenyfitsError as error:
                    visit.note = f"{error}"
                return view(name, visit)

            return handle

        def opened(visit: Visit) -> None:
            pass

        def begun(
            visit: Visit,
            number_: str,
            agreed: bool,
            of_self: bool,
            kinds: list[str],
            names: list[str],
        ) -> None:
            if visit.stage != "start":
                return
            if desk.study is not None:
                desk.begin_study(visit, number_.strip(), agreed, of_self, names)
            elif is_resident:
                desk.begin_resident(visit, kinds, names)
            else:
                desk.begin_demonstration(visit)
            desk.go_on(visit)

        def answered(visit: Visit, *values: Any) -> None:
            if visit.stage != "talk" or visit.talk is None or visit.talk.asked is None:
                return
            kind = visit.talk.asked.kind
            value = {
                "choice": values[0] if visit.talk.asked.is_short else values[1],
                "number": values[2],
                "text": values[3],
            }[kind]
            if value is None or value == "":
                visit.note = "Please answer, or say that you don't know."
                return
            visit.talk.answer(typed_number(value) if kind == "number" else str(value))
            desk.go_on(visit)

        def skipped(visit: Visit) -> None:
            if visit.stage == "talk" and visit.talk is not None:
                visit.talk.answer(None)
                desk.go_on(visit)

        def went_back(visit: Visit) -> None:
            if isinstance(visit.talk, ResidentTalk):
                visit.talk, visit.stage = visit.talk.back(), "talk"

        def stopped(visit: Visit) -> None:
            visit.stage = "verdicts" if visit.stage == "talk" else visit.stage

        def to_ratings(visit: Visit) -> None:
            visit.stage = "ratings" if visit.held is not None else visit.stage

        def restarted(visit: Visit) -> None:
            visit.stage, visit.talk = "start", None

        def was_rated(visit: Visit, *values: Any) -> None:
            if visit.stage == "ratings":
                desk.rate(visit, values[0], values[1:-1], values[-1])

        fields = [choice, listed, number, text]
        actions: list[tuple[Any, Callable[..., None], list[Any]]] = [
            (page.load, opened, []),
            (begin.click, begun, [participant, agrees, about, topics, chosen]),
            (answer.click, answered, fields),
            (number.submit, answered, fields),
            (text.submit, answered, fields),
            (skip.click, skipped, []),
            (back.click, went_back, []),
            (stop.click, stopped, []),
            (go_rate.click, to_ratings, []),
            (again.click, restarted, []),
            (keep.click, was_rated, [*rated, remarks]),
        ]
        for event, act, inputs in actions:
            event(
                handler(act),
                [token, *inputs],
                shown,
                concurrency_limit=None,
                api_visibility="private",
            )
    return page


def _welcome(desk: Desk) -> str:
    if desk.study is not None:
        return desk.study.consent
    if desk.options is None:
        return (
            "Answer some questions about your household. Each answer settles as many programs as "
            "it can; at the end you read for each program yes or no, and why. The page knows the "
            "programs that can be chosen below; others, such as SNAP, are not among them."
        )
    return "An agent will ask you questions. Speak for the household that is shown beside them."


def _choices(component: Any, asked: Asked, visible: bool) -> Any:
    return component(
        choices=list(asked.choices) if visible else [],
        value=None,
        label=asked.text,
        visible=visible,
    )


def serve(desk: Desk, port: int, *, block: bool = True) -> Any:
    """Serve the page on this machine alone.

    Raises:
        EvaluationError: The port is in use.
    """
    page = build_page(desk)
    try:
        page.launch(
            server_name="127.0.0.1",
            server_port=port,
            share=False,
            quiet=True,
            footer_links=[],
            prevent_thread_lock=not block,
            theme=_THEME,
            css=CSS,
            ssr_mode=False,
        )
    except OSError as error:
        raise EvaluationError(
            f"Port {port} of 127.0.0.1 is in use. Give another with --port.", port=port
        ) from error
    return page
