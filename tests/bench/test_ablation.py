import pytest

from benyfits_data.bench.ablation import ABLATIONS, Ablation, replaced


@pytest.mark.parametrize("name", ABLATIONS)
def test_what_an_ablation_replaces_is_there(name: str) -> None:
    with replaced({**ABLATIONS[name].samples, **ABLATIONS[name].selects}):
        pass


def test_an_ablation_of_what_was_renamed_is_noticed() -> None:
    with pytest.raises(AttributeError, match="BRED"), replaced({"fuzz.directed.BRED": 0}):
        pass


def test_every_ablation_changes_something() -> None:
    assert [name for name, one in ABLATIONS.items() if one == Ablation()] == ["nothing"]
