"""Whether the reference user may answer a language model hangs on figures that are true."""

import pytest

from benyfits_data.understanding.targets import LEAST, MOST, UNSEEN, are_reached
from tests.understanding.banks import FOLDER, expand_answers, expand_questions, households_of_banks
from tests.understanding.quality import BANKS, answer_outcome, judge_outcome


def test_targets_are_reached_only_if_each_is():
    good = {**MOST, **LEAST}
    assert are_reached(good)
    for name in good:
        worse = good[name] + (0.1 if name in MOST else -0.1)
        assert not are_reached({**good, name: worse}), name


@pytest.mark.slow
def test_recorded_figures_are_no_better_than_what_the_unseen_banks_show():
    households = households_of_banks()
    outcomes = [
        answer_outcome(it)[0]
        for bank in BANKS["unseen"]
        for it in expand_questions(FOLDER / f"questions_{bank}.jsonl", households)
    ]
    verdicts = [
        judge_outcome(it)[0]
        for bank in BANKS["unseen"]
        for it in expand_answers(FOLDER / f"answers_{bank}.jsonl", households)
    ]
    not_understood = outcomes.count("not understood") / len(outcomes)
    measured = {
        "false answers": 100 * outcomes.count("false") / len(outcomes),
        "questions understood": 100 * (1 - not_understood),
        "answers judged rightly": 100 * verdicts.count("right") / len(verdicts),
    }
    for name, recorded in UNSEEN.items():
        shown = round(measured[name], 1)
        is_honest = recorded >= shown if name in MOST else recorded <= shown
        assert is_honest, f"{name}: {recorded} recorded, {shown} measured"
