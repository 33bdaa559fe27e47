"""Directed search for the last lines that nobody runs.

More households are mutated from those that stand just before these lines; whoever runs one of them
joins the corpus.
"""

import numpy as np

from benyfits_data.fuzz.corpus import Corpus, collect
from benyfits_data.fuzz.feature_draws import FeatureSampler
from benyfits_data.fuzz.mutation import Mutator
from benyfits_data.rng import stream

LAST = 20
"""A corpus that misses more lines than these is too small: more should be sampled."""
ROUNDS = 20
CHILDREN = 500


def search_missing_lines(corpus: Corpus, seed: int) -> Corpus:
    """Return the corpus, joined by mutated households that run lines which nobody ran.

    Args:
        corpus: What was sampled.
        seed: The seed of the build.
    """
    missing = corpus.missing()
    if not 0 < sum(map(len, missing.values())) <= LAST:
        return corpus
    draws = FeatureSampler.of_edition(corpus.edition, stream(seed, "directed search", "patterns"))
    mutator = Mutator(corpus.edition, draws)
    everybody = corpus
    for turn in range(ROUNDS):
        rng = stream(seed, "directed search", turn)
        born = mutator.mutate(everybody.households, everybody.answers, CHILDREN, rng, missing)
        children = collect(corpus.edition, [born])
        everybody = everybody.joined_by(children)
        runners = {
            int(np.argmax(own.classes[own.class_of, own.elements.index(line)]))
            for own in children.coverage
            for line in missing.get(own.program, ())
            if own.reached[own.elements.index(line)]
        }
        if runners:
            corpus = corpus.joined_by(children.take(sorted(runners)))
            missing = corpus.missing()
        if not missing:
            break
    return corpus
