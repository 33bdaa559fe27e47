from importlib import import_module

import pytest

from benyfits_data.bench.ablation import ABLATIONS, BELIEF_ABLATIONS, Ablation, replaced


@pytest.mark.parametrize("name", ABLATIONS)
def test_what_an_ablation_replaces_is_there(name: str) -> None:
    with replaced({**ABLATIONS[name].samples, **ABLATIONS[name].selects}):
        pass


@pytest.mark.parametrize("name", BELIEF_ABLATIONS)
def test_what_an_ablation_of_belief_replaces_is_there_and_changes(name: str) -> None:
    for path, value in BELIEF_ABLATIONS[name].items():
        module, _, attribute = path.rpartition(".")
        with replaced({path: value}):
            pass
        if module.count(".") == 1:
            assert getattr(import_module(f"benyfits_data.{module}"), attribute) != value


def test_an_ablation_of_what_was_renamed_is_noticed() -> None:
    with pytest.raises(AttributeError, match="BRED"), replaced({"fuzz.directed.BRED": 0}):
        pass


def test_every_ablation_changes_something() -> None:
    assert [name for name, one in ABLATIONS.items() if one == Ablation()] == ["nothing"]
