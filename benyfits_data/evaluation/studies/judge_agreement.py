"""Do two judges agree about the same answers? Ours beside a language model or a person.

Agreement beyond chance is Cohen's kappa (Educational and Psychological Measurement 20, 1960):
(p_o - p_e) / (1 - p_e), where p_o is the share of answers with one verdict from both, and p_e what
that share would be if each gave its verdicts at random, as often as it does.
"""

import csv
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.planned import PlannedDialog
from benyfits_data.evaluation.prompts import Prompts
from benyfits_data.evaluation.run_options import Options
from benyfits_data.evaluation.studies.study_calls import ask_for_word, call_all, completers

JUDGED = ("faithful", "unfaithful", "over_claim", "no_answer")
"""Verdicts that two judges are compared by; whoever gives another one abstains."""

Verdicts = Mapping[str, str | None]


def cohens_kappa(pairs: Sequence[tuple[str, str]]) -> float:
    """Return Cohen's kappa of two judges; not-a-number where chance alone makes them agree."""
    if not pairs:
        return float("nan")
    firsts, seconds = (Counter(side) for side in zip(*pairs, strict=True))
    n = len(pairs)
    observed = sum(first == second for first, second in pairs) / n
    expected = sum(firsts[name] * seconds[name] for name in firsts) / n**2
    return float("nan") if expected == 1 else (observed - expected) / (1 - expected)


def judge_by_model(
    answers: Sequence[Mapping[str, Any]], rows: Sequence[PlannedDialog], options: Options
) -> dict[str, str | None]:
    """Return the verdict of the dialog model on each answer; `None` where it gives none.

    Args:
        answers: Answers of `study user`.
        rows: The dataset they are about; the model reads the profiles.
        options: Who judges.

    Raises:
        EvaluationError: An answer is about a household that the dataset does not hold.
    """
    profiles = {row.id: row.profile for row in rows}
    prompts, (models,) = Prompts(options.prompts), completers(options)
    for answer in answers:
        if answer["id"].rpartition("/")[0] not in profiles:
            raise EvaluationError(
                f"{answer['id']}: no such row in the dataset. Give the one that the answers are "
                "about with --dataset."
            )

    async def judge(answer: Mapping[str, Any]) -> str | None:
        prompt = prompts.render(
            "judge_answer",
            profile=profiles[answer["id"].rpartition("/")[0]],
            cq=answer["question"],
            answer=answer["answer"],
        )
        return await ask_for_word(models, prompt, JUDGED)

    found = call_all(judge, answers, options)
    return {answer["id"]: verdict for answer, verdict in zip(answers, found, strict=True)}


def read_judgments(path: Path, answers: Sequence[Mapping[str, Any]]) -> dict[str, str | None]:
    """Return the verdicts of a file of judgments, CSV with the columns `id` and `verdict`.

    Raises:
        EvaluationError: A column lacks, a verdict or id is unknown, an answer is judged twice.
    """
    known = {answer["id"] for answer in answers}
    verdicts: dict[str, str | None] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for number, line in enumerate(csv.DictReader(file), 2):
            id, verdict = str(line.get("id")), line.get("verdict")
            if id not in known or id in verdicts or verdict not in JUDGED:
                raise EvaluationError(
                    f"{path}:{number} has id {id!r} and verdict {verdict!r}. Expected the id of an "
                    f"answer, each once, and one of {', '.join(JUDGED)}.",
                    path=path,
                    line=number,
                )
            verdicts[id] = verdict
    if not verdicts:
        raise EvaluationError(f"{path} holds no judgment: expected columns id and verdict.")
    return verdicts


HEADER = ("compared", "answers", "agree %", "Cohen's kappa", "abstained")


def compare(first: Verdicts, second: Verdicts) -> list[tuple[Any, ...]]:
    """Return agreement about all verdicts, and about whether an answer is unfaithful.

    Args:
        first: The verdicts of one judge.
        second: Those of the other; what only one of them has is left out.
    """
    both = [(first[id], second[id]) for id in first if id in second]
    pairs = [(str(a), str(b)) for a, b in both if a in JUDGED and b in JUDGED]
    halves = [(_half(a), _half(b)) for a, b in pairs]
    return [
        (name, len(told), _agreement(told), cohens_kappa(told), len(both) - len(told))
        for name, told in (("all verdicts", pairs), ("unfaithful or not", halves))
    ]


def count_pairs(first: Verdicts, second: Verdicts) -> list[tuple[Any, ...]]:
    """Return how often each verdict of the first judge meets each of the second."""
    counts = Counter((first[id], second[id]) for id in first if id in second)
    return [
        (one, *(counts[one, other] for other in (*JUDGED, None)))
        for one in sorted({pair[0] for pair in counts}, key=str)
    ]


def _half(verdict: str) -> str:
    return "unfaithful" if verdict == "unfaithful" else "other"


def _agreement(pairs: Sequence[tuple[str, str]]) -> float:
    return 100 * sum(a == b for a, b in pairs) / len(pairs) if pairs else float("nan")
