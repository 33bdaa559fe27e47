"""A program as formulas beside the same program run by CPython in the sandbox."""

import numpy as np

from benyfits_data.editions import load_edition
from benyfits_data.evaluation.codegen.checker_translation import translate
from benyfits_data.evaluation.rules.formula_reader import read_function
from benyfits_data.evaluation.rules.program_runs import ProgramRuns
from benyfits_data.language.symbolic_execution import SymbolicExecutor


def right(name, edition=2024):
    """A program's checker of an edition, written out as models are asked to write one."""
    program = load_edition(edition).program(name)
    return translate(program.checker, program.thresholds, "typed")


def answers_of(source, trials):
    """What CPython makes of each household: True, False, or None where the program fails."""
    with ProgramRuns(source) as runs:
        assert not runs.no_program, (runs.no_program, source)
        return [outcome.verdict for outcome in runs.outcomes(trials.batches)]


def compare(source, trials):
    """Return CPython's answers, having seen that the formula of a program gives the same."""
    formula = read_function(SymbolicExecutor(), source)
    verdict, crash = trials.masks([formula.verdict, formula.crash])
    read = np.where(crash, -1, verdict.astype(int))
    answers = answers_of(source, trials)
    ran = np.array([-1 if answer is None else int(answer) for answer in answers])
    wrong = np.flatnonzero(read != ran)
    assert not len(wrong), (source, trials.given[wrong[0]], ran[wrong[0]])
    return answers
