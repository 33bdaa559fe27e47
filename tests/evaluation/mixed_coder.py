"""A code model of mixed quality: right programs, wrong ones, and some that are no formulas."""

import hashlib

from benyfits_data.adequacy.mutants import make_mutants
from benyfits_data.errors import BenyfitsError
from benyfits_data.evaluation.codegen.checker_translation import key_types, translate
from benyfits_data.evaluation.codegen.coding import WrittenProgram
from benyfits_data.evaluation.codegen.sandbox import build_program
from benyfits_data.evaluation.players.reference_players import GIVEN, ReferenceCoder
from benyfits_data.understanding.canonical import ask_fact


class MixedCoder(ReferenceCoder):
    """Of three programs one is ours, one a mutant of ours, and one not in the language."""

    async def write(self, conversation, program, known):
        if program not in self._written:
            source = mixed_program(self._programs[program])
            built = build_program(source)
            self._sandbox.check(built)
            self._written[program] = WrittenProgram(built, key_types(source), ask_fact, GIVEN)
        return self._written[program]


def mixed_program(program):
    """Return the program's text: which kind it is hangs on its name."""
    number = int(hashlib.sha256(program.name.encode()).hexdigest(), 16)
    right = translate(program.checker, program.thresholds)
    kind = ("right", "wrong", "unfit")[number % 3]
    if kind == "unfit":
        return unfit(right)
    mutants = make_mutants(program) if kind == "wrong" else []
    for place in range(len(mutants)):
        mutant = mutants[(number // 3 + place) % len(mutants)]
        try:
            source = translate(mutant.source, mutant.thresholds)
            build_program(source)
        except BenyfitsError:
            continue
        return source
    return right


def unfit(source):
    """The same program in words that no formula has."""
    before, found, rest = source.partition("def check_eligibility(hh):\n")
    return f"{before}{found}    while False:\n        pass\n{rest}"
