import pytest

from benyfits_data.editions import EDITIONS, load_edition
from benyfits_data.errors import EvaluationError
from benyfits_data.evaluation.codegen import code_rules
from benyfits_data.evaluation.codegen.checker_translation import key_types, to_key_value, translate
from benyfits_data.evaluation.codegen.sandbox import Finished, Missing
from benyfits_data.household.features import FEATURES
from benyfits_data.understanding.facts import MEMBERS_KEY

PROGRAMS = [
    pytest.param(year, name, marks=() if year == EDITIONS[-1] and at % 8 == 0 else pytest.mark.slow)
    for year in EDITIONS
    for at, name in enumerate(load_edition(year).programs)
]
"""All of them; every eighth of the newest edition in the quick tests."""


def decide(sandbox, program, household):
    known = {(0, "relation"): "self"}
    while isinstance(step := sandbox.run(program, known), Missing):
        member, key = step.key
        owner = household if member is None else household.members[member]
        value = (
            len(household.members)
            if key == MEMBERS_KEY
            else to_key_value(FEATURES[key], getattr(owner, key))
        )
        known[step.key] = value
    return step


@pytest.mark.parametrize(("year", "name"), PROGRAMS)
def test_a_translated_checker_decides_every_worked_example_as_the_checker_does(sandbox, year, name):
    program = load_edition(year).program(name)
    source = translate(program.checker, program.thresholds)
    assert code_rules.check(source) == []
    for example in program.examples():
        household = example.household(program.thresholds)
        step = decide(sandbox, source, household)
        assert isinstance(step, Finished), (example.name, step)
        assert step.verdict == program.is_eligible(household), example.name


def test_keys_are_feature_names_with_declared_types():
    program = load_edition(2024).program("FairFaresNYC")
    types = key_types(translate(program.checker, program.thresholds))
    assert types["age"].kind == "int"
    assert types["place_of_residence"].values == tuple(FEATURES["place_of_residence"].choices)
    assert set(types) <= {*FEATURES, MEMBERS_KEY}


def test_a_call_of_something_that_is_no_measure_is_refused():
    def is_eligible(household, thresholds):
        return sorted(household)

    with pytest.raises(EvaluationError, match="no measure"):
        translate(is_eligible, None)
