"""Whether the reference user may answer a language model hangs on figures that are true."""

import pytest

from benyfits_data.understanding.parser.targets import LEAST, MOST, UNSEEN, are_reached
from tests.understanding.quality import ANSWERS_ALONE, BANKS, judged_of, told_of


def test_targets_are_reached_only_if_each_is():
    good = {**MOST, **LEAST}
    assert are_reached(good)
    for name in good:
        worse = good[name] + (0.1 if name in MOST else -0.1)
        assert not are_reached({**good, name: worse}), name


@pytest.mark.slow
def test_recorded_figures_are_no_better_than_what_the_unseen_banks_show():
    outcomes = [outcome for bank in BANKS["unseen"] for _, outcome, _ in told_of(bank)]
    banks = (*BANKS["unseen"], *ANSWERS_ALONE["unseen"])
    verdicts = [outcome for bank in banks for _, outcome, _ in judged_of(bank)]
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
