"""`benyfits-data prove`: lines and branches reachable or dead, constraints needed."""

import click

from benyfits_data.cli import options
from benyfits_data.cli.frame import Report, noun, verb
from benyfits_data.progress import progress

command = noun("Prove which lines of checkers can run.", "prove checkers FairFaresNYC")


@verb("prove checkers", "prove checkers FairFaresNYC --edition 2026 --households 0", of=command)
@click.argument("programs", nargs=-1, metavar="[PROGRAM]...")
@options.year("every published edition")
@options.solver
def checkers(
    programs: tuple[str, ...], edition: int | None, workers: int, households: int
) -> Report:
    """Prove every line and branch of every checker reachable or dead.

    Each is covered (a sampled household runs it), reachable (a household found by the Z3 solver
    runs it), dead (no possible household can) or unknown (the solver gave up). With several
    editions also: which programs changed. Without PROGRAM also: which constraints follow from the
    others. JSON holds every verdict with its household. Exits with 1 if a line is dead, or anything
    unknown; branches may be dead, such as those of `is None` for what is never None there.
    """
    from benyfits_data.adequacy.checker_proofs import prove_checkers
    from benyfits_data.editions import EDITIONS

    years = [edition] if edition else EDITIONS
    asked = {"households": households, "workers": workers}
    proofs = prove_checkers(years, programs, **asked, progress=progress)
    return Report(list(proofs.lines()), proofs.as_json(), failed=not proofs.is_sound)
