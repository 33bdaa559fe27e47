from dataclasses import replace

import pytest

from benyfits_data.adequacy.missing_proofs import MissingVerdict
from benyfits_data.adequacy.mutants import answers, is_told_apart, make_mutants
from benyfits_data.adequacy.noticed import ThoroughObjective
from benyfits_data.adequacy.thorough import build_thorough, thorough_counts, verify_thoroughly
from benyfits_data.dataset import Row
from benyfits_data.editions import load_edition
from benyfits_data.errors import ProofError, SelectionError
from benyfits_data.fuzz.build import Diverse
from benyfits_data.fuzz.corpus import collect
from benyfits_data.fuzz.sample import sample_households

NAMES = ("FairFaresNYC", "IDNYC", "HIVAIDSServicesAdministration", "WeSpeakNYC")
WHOLE = load_edition(2024)
RULES = replace(WHOLE, programs={name: WHOLE[name] for name in NAMES})


@pytest.fixture(scope="module")
def built() -> Diverse:
    return build_thorough(RULES, workers=1, households=300, seed=0, method="exact")


@pytest.fixture(scope="module")
def covers() -> ThoroughObjective:
    return ThoroughObjective(RULES)


@pytest.mark.slow
def test_everything_is_covered_or_proven_impossible(built: Diverse) -> None:
    for own in built.counts.values():
        assert own["made"] == own["covered"] + own["impossible"]
        assert own["shown"] == own["unknown"] == 0
        assert own["covered"] > 5
    assert built.counts["mutants"]["impossible"] > 0
    pairs = built.selection.certificate["pairs"]
    assert pairs["value"] == pairs["bound"] == sum(len(row.programs) for row in built.rows)


def expected(built: Diverse, covers: ThoroughObjective) -> dict[str, list]:
    return {own.program: own.named(own.reached) for own in covers.coverage(built.corpus)}


@pytest.mark.slow
def test_a_set_without_a_pair_is_refused_by_cpython(
    built: Diverse, covers: ThoroughObjective
) -> None:
    wanted = expected(built, covers)
    verify_thoroughly(built.rows, RULES, covers.mutants, wanted)
    for at, row in enumerate(built.rows):
        for name in row.programs:
            if name == "WeSpeakNYC":
                continue
            fewer: list[Row] = list(built.rows)
            fewer[at] = replace(row, programs=tuple(one for one in row.programs if one != name))
            alone = {name: [one for one in wanted[name] if not isinstance(one, tuple)]}
            lines = {name: [one for one in alone[name] if isinstance(one, int) and one > 0]}
            verify_thoroughly(fewer, RULES, covers.mutants, lines)
            with pytest.raises(SelectionError, match=f"chosen pairs of {name} miss"):
                verify_thoroughly(fewer, RULES, covers.mutants, alone)


@pytest.mark.slow
def test_a_planted_false_proof_is_noticed(built: Diverse, covers: ThoroughObjective) -> None:
    false = MissingVerdict("IDNYC", -1, "impossible", None)
    with pytest.raises(ProofError, match=r"IDNYC.*proven impossible, and a household shows it"):
        thorough_counts(covers, covers.coverage(built.corpus), [false])
    left = replace(false, status="unknown")
    assert thorough_counts(covers, covers.coverage(built.corpus), [left])["mutants"]["covered"] > 0


def test_the_thorough_objective_covers_lines_branches_conditions_and_mutants(
    covers: ThoroughObjective,
) -> None:
    corpus = collect(RULES, [sample_households(40, WHOLE, 5)])
    for own, lines in zip(covers.coverage(corpus), corpus.coverage, strict=True):
        n = len(lines.elements)
        assert own.elements[:n] == lines.elements
        covered = own.classes[own.class_of]
        assert (covered[:, :n] == lines.classes[lines.class_of]).all()
        n_mutants = len(covers.mutants[own.program])
        assert own.elements[len(own.elements) - n_mutants :] == tuple(range(-1, -1 - n_mutants, -1))


def test_cpython_runs_mutants_as_formulas_do(covers: ThoroughObjective) -> None:
    corpus = collect(RULES, [sample_households(6, WHOLE, 5)])
    homes = [corpus.households.household(at) for at in range(len(corpus))]
    found = set()
    for own in covers.coverage(corpus):
        program = RULES[own.program]
        for at, mutant in enumerate(make_mutants(program)):
            place = own.elements.index(-1 - at)
            told = is_told_apart(mutant, program, homes)
            assert told == own.reached[place], mutant
            right = [program.is_eligible(home) for home in homes]
            differs = [
                one is not two for one, two in zip(answers(mutant, homes), right, strict=True)
            ]
            assert differs == own.classes[own.class_of, place].tolist(), mutant
            found.add(told)
    assert found == {True, False}
