"""A person at a terminal answers questions and learns what the household may claim."""

import textwrap
from typing import Any

import click

from benyfits_data.editions import Edition
from benyfits_data.household.features import FEATURES
from benyfits_data.household.model import MOST_MEMBERS
from benyfits_data.language.partial import Fact
from benyfits_data.planner import OPENINGS, Question
from benyfits_data.screening.screen_session import Reasons, ScreenEntry, ScreenSession
from benyfits_data.understanding.canonical import ask_fact, choice_words
from benyfits_data.understanding.facts import MEMBERS_KEY
from benyfits_data.understanding.typed import (
    TypedAnswer,
    is_no_answer,
    read_people,
    read_typed,
)

NO_DECISION = (
    "This is no official decision. It follows published rules as this project reads them; only the "
    "agency that runs a program decides."
)
CONTRADICTION = (
    "As far as this project knows, your answers cannot all be true. So nothing is inferred from "
    "them any more, and more questions follow. If the last answer was a slip, say `back`."
)
HELP = (
    'Answer with yes or no, a number, or a name; "I don\'t know" where you do not. `back` takes '
    "the last answer back, `why` tells what a question is for, `so far` what is settled, "
    "`stop` ends."
)
WIDTH = 88


class _BackError(Exception):
    """The person takes the last answer back."""


class _StopError(Exception):
    """The person wants to stop."""


def screen(edition: Edition) -> dict[str, Any]:
    """Hold a screening at the terminal; return answers and verdicts."""
    _say(NO_DECISION)
    _say(HELP)
    session = _hold(ScreenSession(edition))
    _report(session)
    return _record(session)


def _hold(session: ScreenSession) -> ScreenSession:
    """Ask until everything is settled or the person stops; return the answers."""
    while True:
        try:
            question = session.interview.next_question() or session.unproven()
            if question is not None:
                _take(session, ask(session, question))
            elif facts := session.unconfirmed():
                _confirm(session, facts)
            else:
                return session
        except _BackError:
            if session.entries:
                session = session.without_last()
            click.echo("Back to the question before." if session.entries else "At the beginning.")
        except (_StopError, click.Abort):
            click.echo()
            return session


def _take(session: ScreenSession, entry: ScreenEntry) -> None:
    """Take in an answer, and say so where it cannot be true beside those before."""
    was_possible = session.interview.is_constrained
    session.take(entry)
    if was_possible and not session.interview.is_constrained:
        _say(CONTRADICTION)


def ask(session: ScreenSession, question: Question) -> ScreenEntry:
    """Return the answer to a question, asked again until it is understood."""
    verdicts = session.interview.verdicts()
    settled = sum(verdict is not None for verdict in verdicts.values())
    click.echo(f"\n[{settled} of {len(verdicts)} programs settled]")
    text = session.ask(question)
    if question in OPENINGS:
        return _ask_roster(session, question)
    key, size = question.feature, session.interview.size or 1
    if question.kind == "everybody" and size > 1:
        people = _prompt(session, text, question, None)
        if people is None:
            return ScreenEntry(question, {})
        named: dict[Fact, bool] = {(key, number): number in people.value for number in range(size)}
        return ScreenEntry(question, session.denied(named) if session.denies(question) else named)
    member = 0 if question.kind == "everybody" else question.member
    answer = _prompt(session, text, question, (key, member))
    return ScreenEntry(question, {} if answer is None else {(key, member): answer.value})


def _ask_roster(session: ScreenSession, question: Question) -> ScreenEntry:
    """Return who lives in the household, asked one by one."""
    counted = _prompt(session, session.ask(question), question, (MEMBERS_KEY, None))
    if counted is None:
        return ScreenEntry(question, {})
    facts: dict[Fact, Any] = {}
    names = ["you"]
    for member in range(counted.value):
        if member:
            text = f"What is the first name of person {member + 1}?"
            _say(text)
            said = _line(session, question, text)
            names.append(f"person {member + 1}" if is_no_answer(said) else said)
        for feature in ("relation", "age") if member else ("age",):
            fact: Fact = (feature, member)
            answer = _prompt(session, ask_fact(feature, names[member]), question, fact)
            if answer is not None:
                facts[fact] = answer.value
    return ScreenEntry(question, facts, counted.value, tuple(names))


def _prompt(
    session: ScreenSession, text: str, question: Question, fact: Fact | None
) -> TypedAnswer | None:
    """Return what the person tells, of a fact or of who is meant; `None` if they do not know."""
    household = session.household
    click.echo(textwrap.fill(text, WIDTH))
    if fact is None:
        members = ", ".join(f"{n} {name}" for n, name in enumerate(session.names, start=1))
        click.echo(f"  ({members}; or nobody, everybody)")
    elif fact[0] in FEATURES and FEATURES[fact[0]].kind == "choice":
        _list_choices(session, fact)
    elif _may_be_none(fact[0]) and ", if " not in text:
        click.echo("  (or none)")
    elif fact[0] in FEATURES and FEATURES[fact[0]].denial:
        (yes,), (no,) = (session.state({fact: value}) for value in (True, False))
        keys = f"  (yes: {yes} no: {no})"
        click.echo(textwrap.fill(keys, WIDTH, subsequent_indent="   "))
    while True:
        said = _line(session, question, text)
        if is_no_answer(said):
            return None
        answer = read_people(said, household) if fact is None else read_typed(fact[0], said)
        if answer is None:
            click.echo(f"I did not understand that. I expect {_expected(fact)}.")
        elif answer.is_plain or _is_meant(session, question, fact, answer.value):
            return answer
        else:
            click.echo(f"Then please say it otherwise: {_expected(fact)}.")


def _may_be_none(key: str) -> bool:
    # Everybody is some months old, though nobody has to be asked past infancy.
    return key in FEATURES and FEATURES[key].optional and key != "age_months"


def _is_meant(session: ScreenSession, question: Question, fact: Fact | None, value: Any) -> bool:
    if fact is None:
        said = (
            ", ".join(session.person(number) for number in sorted(value)) + "."
            if value
            else "nobody."
        )
    elif fact[0] == MEMBERS_KEY:
        said = f"{value}."
    else:
        (said,) = session.state({fact: value})
    text = f"I understood: {said} Is that right? (yes or no)"
    _say(text)
    return _line(session, question, text).lower() in ("y", "yes", "yes.", "right", "correct")


def _list_choices(session: ScreenSession, fact: Fact) -> None:
    begins, choices = choice_words(fact[0], session.speaker([fact[1]], fact[0]))
    click.echo(f"  {begins} ...")
    for number, words in enumerate(choices.values(), start=1):
        click.echo(f"  {number}. {words}")


def _expected(fact: Fact | None) -> str:
    if fact is None:
        return 'names or numbers of people, nobody, everybody, or "I don\'t know"'
    if fact[0] == MEMBERS_KEY:
        return f"a number from 1 to {MOST_MEMBERS}"
    feature = FEATURES[fact[0]]
    expected = {"flag": "yes or no", "choice": "one of the lines above, or its number"}
    nothing = "or never" if " ago " in feature.question else "or none"
    number = feature.domain().replace("whole number", f"whole number of {feature.unit or 'unit'}s")
    number = number.replace(" of units", "").replace("or null", nothing)
    expectation = expected.get(feature.kind, number)
    return f'{expectation}, or "I don\'t know"'


def _line(session: ScreenSession, question: Question | None, text: str) -> str:
    """Return what the person types, once it is no command; after one, `text` is asked again."""
    while True:
        said: str = click.prompt("", prompt_suffix="> ", default="", show_default=False).strip()
        word = said.lower().strip(" .!`")
        if word == "back":
            raise _BackError
        if word in ("stop", "quit", "exit"):
            raise _StopError
        if word in ("help", "?"):
            _say(HELP)
        elif word == "why":
            _explain_question(session, question)
        elif word == "so far":
            _report(session)
        elif said:
            return said
        _say(text)


def _explain_question(session: ScreenSession, question: Question | None) -> None:
    """Say which programs a question is for."""
    if question is None:
        _say("These follow from your answers if all is usual, and a program is refused for them.")
        return
    open_programs = [
        name for name, verdict in session.interview.verdicts().items() if verdict is None
    ]
    titles = [
        session.edition.program(name).title
        for name in open_programs
        if question in session.interview.votes([name])
    ]
    _say(f"It may settle: {_some(titles) or 'facts about the other questions'}.")


def _some(titles: list[str]) -> str:
    """Return the first five of a list, and how many more there are."""
    return "; ".join(titles[:5]) + (f"; and {len(titles) - 5} more" if len(titles) > 5 else "")


def _confirm(session: ScreenSession, facts: dict[Fact, Any]) -> None:
    """Have the person confirm what was inferred; what is wrong is asked for."""
    click.echo("\nThis follows from your answers, and programs are refused for it:")
    features = list(dict.fromkeys(fact[0] for fact in facts))
    for number, feature in enumerate(features, start=1):
        said = " ".join(session.state({fact: facts[fact] for fact in facts if fact[0] == feature}))
        click.echo(textwrap.fill(f"  {number}. {said}", WIDTH, subsequent_indent="     "))
    text = "Is all of it right? (yes, or the numbers of what is wrong)"
    click.echo(text)
    while True:
        said = _line(session, None, text)
        if is_no_answer(said):
            session.decline(facts)
            return
        wrong = {int(word) for word in said.replace(",", " ").split() if word.isdigit()}
        if said.lower().strip(".") in ("y", "yes", "right", "all right"):
            break
        if wrong and wrong <= set(range(1, len(features) + 1)):
            break
        click.echo('I expect yes, or numbers from the list, or "I don\'t know".')
    confirmed = dict(facts)
    for fact in facts:
        if features.index(fact[0]) + 1 in wrong:
            question = Question("fact", *fact)
            answer = _prompt(session, session.ask(question), question, fact)
            if answer is None:
                del confirmed[fact]
                session.decline([fact])
            else:
                confirmed[fact] = answer.value
    _take(session, ScreenEntry(None, confirmed))


def _report(session: ScreenSession) -> None:
    """Print every verdict, with the answers that prove it or the questions it depends on."""
    verdicts, reasons = session.interview.verdicts(), session.reasons()
    unsure = {
        name
        for name, one in reasons.items()
        if verdicts[name] is False and (one.inferred or one.missing)
    }
    groups = {
        "You may claim": [name for name, verdict in verdicts.items() if verdict],
        "You may not claim": [
            n for n, verdict in verdicts.items() if verdict is False and n not in unsure
        ],
        "Probably not; it rests on what you have not confirmed": sorted(unsure),
    }
    for heading, names in groups.items():
        if names:
            click.echo(f"\n{heading} ({len(names)}):")
        for name in names:
            said = session.state_reasons(name, reasons[name]) + [
                f"Probably: {sentence}"
                for sentence in session.state(reasons[name].inferred)
                if name in unsure
            ]
            _list_program(session, name, " ".join(said) or _without_reasons(reasons[name]))
    still_open = [name for name, verdict in verdicts.items() if verdict is None]
    if still_open:
        click.echo(f"\nIt depends ({len(still_open)}):")
    waiting: dict[str, list[str]] = {}
    for name in still_open:
        asked = " ".join(session.ask(fact) for fact in session.depends_on(name))
        waiting.setdefault(asked, []).append(session.edition.program(name).title)
    for asked, titles in waiting.items():
        line = (
            f"- {_some(titles)}: {asked}"
            if asked
            else f"- On what you do not know: {_some(titles)}."
        )
        click.echo(textwrap.fill(line, WIDTH, subsequent_indent="  "))
    if question := session.interview.next_question():
        click.echo(f"\nThe answer that would settle most: {session.ask(question)}")
    click.echo()
    _say(NO_DECISION)


def _without_reasons(reasons: Reasons) -> str:
    return "It follows from your answers taken together." if reasons.missing else "Anybody may."


def _list_program(session: ScreenSession, name: str, said: str) -> None:
    text = f"- {session.edition.program(name).title}: {said}"
    click.echo(textwrap.fill(text, WIDTH, subsequent_indent="  "))


def _record(session: ScreenSession) -> dict[str, Any]:
    """Return answers and verdicts, to be saved."""
    interview = session.interview
    size = interview.size or 1
    members: list[dict[str, Any]] = [{"name": session.person(number)} for number in range(size)]
    household: dict[str, Any] = {"members": members}
    for (feature, member), value in sorted(interview.answers.items(), key=str):
        plain = value.isoformat() if hasattr(value, "isoformat") else value
        (household if member is None else members[member])[feature] = plain
    return {
        "edition": session.edition.year,
        "note": NO_DECISION,
        "household": household,
        "verdicts": interview.verdicts(),
    }


def _say(text: str) -> None:
    click.echo(textwrap.fill(text, WIDTH))
