"""`python -m tests.bench.structure FILE...`: how well a set's families are told from the city's.

A classifier sees relations, ages and numbers of members, of the set and of households of the city
as large. Its AUC, cross-validated, is 0.5 where it can only guess, and 1 where it never errs.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_predict

from benyfits_data.cli.frame import Listing, print_listing
from benyfits_data.dataset.rows import read_rows
from benyfits_data.household.columns import Households
from benyfits_data.household.features import FEATURES
from benyfits_data.household.measures import is_child_of_applicant
from benyfits_data.household.model import Household
from benyfits_data.population.synthesis import synthesize

CITY, SEED = 60_000, 5
"""Households of the city that the set is compared with; the set is not built from this seed."""
OF_EACH = 40
"""So many households of the city stand beside each of the set, of the same size."""
MOST = 0.78
"""The AUC that a set should stay below."""
AGES = ((0, 0), (0, 5), (18, 24), (65, 110))
NOBODY = -1


def structure(household: Household) -> list[float]:
    """Return what the classifier sees of one household."""
    members = household.members
    ages = [member.age for member in members]
    children = [member.age for member in members if is_child_of_applicant(member)]
    spouses = [member.age for member in members if member.relation == "spouse"]
    relations = [member.relation for member in members]
    return [
        ages[0],
        max(ages),
        len(set(ages)),
        len(set(relations)),
        *(relations.count(relation) for relation in FEATURES["relation"].choices),
        *(sum(low <= age <= high for age in ages) for low, high in AGES),
        ages[0] - max(children) if children else NOBODY,
        ages[0] - min(children) if children else NOBODY,
        max(children) - min(children) if children else NOBODY,
        abs(ages[0] - spouses[0]) if spouses else NOBODY,
    ]


def alike_in_size(homes: Sequence[Household], city: Households) -> NDArray[np.intp]:
    """Return places of households of the city, of the sizes of these."""
    rng = np.random.default_rng(SEED)
    sizes = np.bincount([len(home.members) for home in homes])
    places = []
    for size in np.flatnonzero(sizes):
        there = rng.permutation(np.flatnonzero(city.size == size))
        places.append(there[: sizes[size] * OF_EACH])
    return np.concatenate(places)


def auc(homes: Sequence[Household], city: Households) -> float:
    """Return how well the families of these households are told from those of the city."""
    others = [city.household(int(place)) for place in alike_in_size(homes, city)]
    seen = np.array([structure(home) for home in [*homes, *others]], float)
    is_of_set = np.arange(len(seen)) < len(homes)
    classifier = HistGradientBoostingClassifier(
        max_iter=150,
        learning_rate=0.06,
        min_samples_leaf=8,
        class_weight="balanced",
        random_state=SEED,
    )
    folds = StratifiedKFold(5, shuffle=True, random_state=SEED)
    chance = cross_val_predict(classifier, seen, is_of_set, cv=folds, method="predict_proba")
    return float(roc_auc_score(is_of_set, chance[:, 1]))


if __name__ == "__main__":
    known = synthesize(CITY, SEED)
    found = [
        (path, f"{auc([row.household for row in read_rows(Path(path))], known):.3f}")
        for path in sys.argv[1:]
    ]
    print_listing(Listing(("set", "AUC of families"), found, note=f"At most {MOST} is aimed at."))
