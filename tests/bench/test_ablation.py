import pytest

from benyfits_data.bench.ablation import ABLATIONS, Ablation, _replaced


@pytest.mark.parametrize("ablation", ABLATIONS, ids=lambda ablation: ablation.name)
def test_what_an_ablation_replaces_is_there(ablation: Ablation) -> None:
    with _replaced([*ablation.samples, *ablation.selects]):
        pass


def test_an_ablation_of_what_was_renamed_is_noticed() -> None:
    with pytest.raises(AttributeError, match="BRED"), _replaced([("mutation.BRED", 0)]):
        pass


def test_every_ablation_changes_something() -> None:
    assert [one.name for one in ABLATIONS if one == Ablation(one.name)] == ["nothing"]
