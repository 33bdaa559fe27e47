import pytest
from jsonschema import ValidationError, validate

from benyfits_data.household.features import FEATURES, HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.understanding.facts import (
    DERIVED,
    EVERYONE,
    HOUSEHOLD_FACTS,
    MEMBER_FACTS,
    MEMBERS_KEY,
    THE_HOUSEHOLD,
    base_facts,
    describe_facts,
    items_schema,
    look_up,
)
from tests.evaluation.players import family
from tests.evaluation.readings import asks

HOME = family()


@pytest.mark.parametrize(
    "request_",
    [
        ("age", [0, 2]),
        ("income", EVERYONE),
        ("married", THE_HOUSEHOLD),
        (MEMBERS_KEY, THE_HOUSEHOLD),
    ],
)
def test_what_a_question_asks_has_the_schema_of_a_reply(request_):
    validate(asks(request_), items_schema(4))


@pytest.mark.parametrize(
    "record",
    [
        None,
        [],
        {"fact": "age"},
        {"fact": "age", "who": [0], "how": "count"},
        {"fact": "shoe_size", "who": [0]},
        {"fact": ["age"], "who": [0]},
        {"fact": "age", "who": "household"},
        {"fact": "age", "who": []},
        {"fact": "age", "who": [4]},
        {"fact": "age", "who": [-1]},
        {"fact": "age", "who": ["Ben"]},
        {"fact": "age", "who": [True]},
        {"fact": "age", "who": 0},
        {"fact": "tenure", "who": [0]},
        {"fact": "married", "who": "everyone"},
    ],
)
def test_what_names_no_fact_of_a_member_is_refused(record):
    with pytest.raises(ValidationError):
        validate([record], items_schema(4))


@pytest.mark.parametrize(
    ("fact", "who", "facts"),
    [
        ("age", (1,), {("age", 1)}),
        ("employed", (1,), {("work_hours_per_week", 1)}),
        ("married", THE_HOUSEHOLD, {("relation", n) for n in range(4)}),
        ("own_children", THE_HOUSEHOLD, {(it, n) for it in ("relation", "age") for n in range(4)}),
        ("losing_home", THE_HOUSEHOLD, {(it, None) for it in DERIVED["losing_home"].needs}),
        ("lives_alone", THE_HOUSEHOLD, {(MEMBERS_KEY, None)}),
    ],
)
def test_a_derived_fact_needs_declared_ones(fact, who, facts):
    assert set(base_facts(asks((fact, who)), 4)) == facts


def test_a_fact_that_is_asked_for_twice_is_one():
    asked = asks(("social_security", EVERYONE), ("receives_ssi", [1, 1]))
    assert len(base_facts(asked, 4)) == 8


def test_every_derived_fact_follows_from_the_facts_it_names(subtests):
    """Whatever else changes, its value stays; where one of these changes, it can change."""
    assert set(MEMBER_FACTS) | set(HOUSEHOLD_FACTS) == {MEMBERS_KEY, *FEATURES, *DERIVED}
    assert not set(MEMBER_FACTS) & set(HOUSEHOLD_FACTS)
    for name, derived in DERIVED.items():
        with subtests.test(name=name):
            read = facts_read(name)
            assert read <= {*derived.needs, "relation"}
            assert read & set(derived.needs) or derived.needs == (MEMBERS_KEY,)
            value = look_up(name, 0 if derived.level == "member" else None, HOME)
            assert type(value) is (int if derived.unit else bool)


def facts_read(name):
    """The declared facts that a derived one reads of a household."""
    read = set()

    class Watched:
        def __init__(self, owner):
            self._owner = owner

        def __getattr__(self, feature):
            read.update({feature} & FEATURES.keys())
            value = getattr(self._owner, feature)
            return [Watched(it) for it in value] if feature == "members" else value

    home = Watched(HOME)
    DERIVED[name].value(home, home.members[2])
    return read


def test_every_fact_is_described_to_readers_in_a_line():
    lines = [line.partition(":")[0] for line in describe_facts().splitlines() if line]
    assert lines.count("age") == 1
    assert {*MEMBER_FEATURES, *HOUSEHOLD_FEATURES, *DERIVED, MEMBERS_KEY} <= set(lines)
    assert "{" not in describe_facts()
