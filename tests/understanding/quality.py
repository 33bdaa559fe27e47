"""How well questions are understood and answers judged: `make user-quality`.

The "seen" banks are the half that is worked on; the "unseen" ones, by other authors, are read by
nobody who works on the reader, and only their figures count: each alone, then together.
"""

import json
import lzma
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

import click

from benyfits_data.evaluation.record import Turn
from benyfits_data.evaluation.studies.judge_agreement import compare
from benyfits_data.evaluation.user import check_turn
from benyfits_data.household.model import Household
from benyfits_data.understanding.parser.answers import answer
from benyfits_data.understanding.parser.claims import judge
from benyfits_data.understanding.parser.cover import NotUnderstoodError
from benyfits_data.understanding.parser.questions import read_question
from tests.understanding.banks import (
    FOLDER,
    Asked,
    Judged,
    expand_answers,
    expand_questions,
    households_of_banks,
    shows,
)

BANKS = {
    "seen": ("a", "c", "d", "e", "f", "g", "h", "k", "l", "o", "r", "t", "v", "y"),
    "unseen": ("b", "i", "j", "w", "z"),
}
ANSWERS_ALONE = {"seen": ("m", "n", "p", "q", "x"), "unseen": ("s", "u")}
"""Banks of answers without questions of their own."""
REAL = FOLDER / "answers_smollm2.jsonl.xz"


def answer_outcome(asked: Asked) -> tuple[str, str]:
    """Return `right`, `false` or `not understood` for one question, and what was said."""
    try:
        queries = read_question(asked.question, asked.household, asked.earlier)
    except NotUnderstoodError as error:
        is_right = bool(asked.gold.get("unknown"))
        return "right" if is_right else "not understood", f"({error.why})"
    said = answer(queries, asked.household)
    return "right" if shows(said, asked.gold, asked.household) else "false", said


def judge_outcome(judged: Judged) -> tuple[str, str]:
    """Return `right`, `false acceptance` or `false refusal` for one answer, and the verdict."""
    verdict = judge(judged.question, judged.answer, judged.household).verdict
    if verdict == judged.verdict:
        return "right", verdict
    return ("false acceptance" if verdict == "faithful" else "false refusal"), verdict


def tabulate(title: str, outcomes: Iterable[tuple[str, str]], columns: Sequence[str]) -> str:
    """Return a table of the shares of outcomes by kind, in percent."""
    counts: dict[str, Counter[str]] = {}
    for kind, outcome in outcomes:
        for row in (kind, "total"):
            counts.setdefault(row, Counter())[outcome] += 1
    lines = [title, f"{'kind':18}{'n':>6}" + "".join(f"{column:>18}" for column in columns)]
    for kind in sorted(counts, key=lambda row: (row == "total", row)):
        n = counts[kind].total()
        shares = "".join(f"{100 * counts[kind][column] / n:17.1f}%" for column in columns)
        lines.append(f"{kind:18}{n:6}{shares}")
    return "\n".join(lines)


def tables(half: str, *, shows_failures: bool) -> Iterator[str]:
    """Yield the tables of a half and of each unseen bank, then seen failures, where asked."""
    banks = BANKS[half]
    if half == "unseen":
        for bank in banks:
            yield from tables_of(half, (bank,))
        for bank in ANSWERS_ALONE[half]:
            yield from tables_of(half, (), (bank,))
    yield from tables_of(half, banks, ANSWERS_ALONE[half])
    if half == "unseen" or not shows_failures:
        return
    for bank in banks:
        for it, outcome, said in told_of(bank):
            if outcome != "right":
                yield f"{outcome}: [{it.kind}] {it.question} => {said} {it.gold}"
    for bank in (*banks, *ANSWERS_ALONE[half]):
        for item, outcome, verdict in judged_of(bank):
            if outcome != "right":
                yield f"{item.verdict} as {verdict}: [{item.kind}] {item.question} | {item.answer}"


def tables_of(half: str, banks: Sequence[str], answers_alone: Sequence[str] = ()) -> Iterator[str]:
    """Yield the table of the questions of some banks together, and that of their answers."""
    if told := [(it.kind, outcome) for bank in banks for it, outcome, _ in told_of(bank)]:
        title = f"Questions ({half}: {', '.join(banks)})"
        yield tabulate(title, told, ("right", "false", "not understood"))
    judging = (*banks, *answers_alone)
    judged = [(it.kind, outcome) for bank in judging for it, outcome, _ in judged_of(bank)]
    title = f"Answers ({half}: {', '.join(judging)})"
    yield tabulate(title, judged, ("right", "false acceptance", "false refusal"))


@cache
def told_of(bank: str) -> list[tuple[Asked, str, str]]:
    """Return each question of a bank with its outcome and what was said."""
    asked = expand_questions(FOLDER / f"questions_{bank}.jsonl", households_of_banks())
    return [(it, *answer_outcome(it)) for it in asked]


@cache
def judged_of(bank: str) -> list[tuple[Judged, str, str]]:
    """Return each answer of a bank with its outcome and our verdict."""
    judged = expand_answers(FOLDER / f"answers_{bank}.jsonl", households_of_banks())
    return [(it, *judge_outcome(it)) for it in judged]


@cache
def by_hand() -> list[tuple[str, str]]:
    """Return our verdict and that of a person on each of 200 answers of a real model.

    SmolLM2 answered from short profiles of an earlier Diverse set (`study user`); one person who
    knows the facts judged the answers on 2026-11-23. Many are beside the point or contradict
    themselves, as no answer of the banks does.
    """
    verdicts = []
    for line in lzma.decompress(REAL.read_bytes()).decode("utf-8").splitlines():
        told = json.loads(line)
        household = Household.from_facts(told["household"], constrained=False)
        for item in told["answers"]:
            turn = Turn(item["question"], item["answer"])
            check_turn(turn, [], household)
            verdicts.append((turn.faithfulness, item["verdict"]))
    return verdicts


def describe_agreement(verdicts: Sequence[tuple[str, str]]) -> str:
    """Return in one line how far our judge agrees with the person, by `study agreement`."""
    ours, theirs = ({str(i): pair[side] for i, pair in enumerate(verdicts)} for side in (0, 1))
    _, n, agree, kappa, abstained = compare(ours, theirs)[0]
    return (
        f"SmolLM2's answers, judged by hand: {agree:.1f}% of {n} agree, Cohen's kappa {kappa:.2f}, "
        f"{abstained} not understood"
    )


def main() -> None:
    """Print the tables of both halves; `--failures` adds those of the seen half."""
    for half in BANKS:
        for table in tables(half, shows_failures="--failures" in sys.argv):
            click.echo(table)
    click.echo(describe_agreement(by_hand()))


if __name__ == "__main__":
    main()
