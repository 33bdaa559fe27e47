import re
from functools import cache
from itertools import product
from statistics import mean

import pytest

import benyfits_data as bd
from benyfits_data.errors import DatasetFormatError
from benyfits_data.household.columns import Households
from benyfits_data.household.constraints.derived import applies
from benyfits_data.household.features import HOUSEHOLD_FEATURES, MEMBER_FEATURES
from benyfits_data.household.model import Household
from benyfits_data.profiles.render import SHORT_OPENING, render_profile
from benyfits_data.profiles.sections import full_sections
from tests.profiles.reading import parse_profile

LONGEST_SENTENCE = 40
"""Words; it names and dates six people."""
AVERAGE_SHORT_PROFILE = 480
"""Words for an average household of the city; the simulated user's text must be soon read."""

HOMES = [
    {"housing_type": "NYCHA development"},
    {"housing_type": "homeless"},
    {"housing_type": "HRA shelter", "evicted_months_ago": 3},
    {"housing_type": "condo", "tenure": "owner", "got_heap_ac": 0},
    {"place_of_residence": "New Jersey", "ac": False, "monthly_rent_spending": 50},
    {"receives_fpha": False, "primary_heating_source": "fuel oil", "out_of_fuel": True},
]
FAMILIES = [
    [{"name": "Ana Lopez", "age": 34, "weeks_pregnant": 4, "gpa": 3.4}],
    [
        {"name": "Omar Reyes", "sex": "male", "age": 57, "annual_work_income": 93_456},
        {"name": "Rosa Reyes", "relation": "spouse", "age": 55, "years_sober": 0},
        {"name": "Leon Reyes", "relation": "child", "sex": "male", "age": 3, "age_months": 40},
        {"name": "Mei Reyes", "relation": "grandchild", "age": 0, "age_months": 0},
        {"name": "Zoe Chan", "relation": "friend", "age": 17, "is_runaway": False},
    ],
    [
        {"name": "Joel Ali", "sex": "male", "age": 19, "current_grade": 12, "lost_job": True},
        {"name": "Vera Ali", "relation": "parent", "age": 70, "disabled": True, "bedridden": True},
    ],
    [
        {"name": "Kwame King", "sex": "male", "covid_funeral_expense_date": "2020-04-03"},
        {"name": "Nina Kim", "relation": "domestic partner", "work_hours_per_week": 1},
    ],
]


@cache
def draw(source: str, n: int) -> list[Household]:
    """Households of the city, or those that meet every limit of the checkers."""
    drawn: Households = bd.synthesize(n) if source == "city" else bd.sample(bd.load(2026), n)
    return [drawn.household(number) for number in range(n)]


@pytest.mark.parametrize("register", ["full", "short"])
def test_profile_reads_back_into_the_household(register, subtests):
    for home, members in product(HOMES, FAMILIES):
        household = Household.complete(**{"members": members, **home})
        with subtests.test(str(household)):
            assert parse_profile(render_profile(household, register)) == household


@pytest.mark.parametrize("register", ["full", "short"])
@pytest.mark.parametrize(
    ("source", "n"),
    [
        ("sampled", 8),
        *(pytest.param(of, 150, marks=pytest.mark.slow) for of in ("city", "sampled")),
    ],
)
def test_drawn_households_read_back_exactly(source, register, n):
    for household in draw(source, n):
        assert parse_profile(render_profile(household, register)) == household


@pytest.mark.parametrize("register", ["full", "short"])
def test_a_sentence_left_out_or_changed_is_noticed(register):
    household = Household.complete(
        members=[
            {"name": "Ana Lopez", "age": 34, "hiv_aids": True, "first_time_home_buyer": False},
            {"name": "Leon Lopez", "relation": "child", "age": 9, "hiv_aids": True},
        ]
    )
    profile = render_profile(household, register)
    said = "Each of you has been diagnosed with HIV or AIDS."
    assert said in profile
    assert parse_profile(profile.replace(said, "")) != household
    owned = "You have owned a home in the last three years."
    assert parse_profile(profile.replace(owned, owned.replace("a home", "no home"))) != household
    with pytest.raises(DatasetFormatError, match="states no known fact"):
        parse_profile(profile.replace(said, "Each of you has been diagnosed with something."))


def test_short_profile_declares_what_its_silence_means():
    profile = render_profile(Household.complete(members=FAMILIES[0]), "short")
    first, *rest = profile.splitlines()
    assert first == SHORT_OPENING
    assert "neither says nor implies is not so" in first
    assert not re.search(r"\b(not|None of you|never)\b", " ".join(rest))


@pytest.mark.slow
def test_short_profile_of_an_average_household_has_few_words():
    city = draw("city", 300)
    words = mean(len(render_profile(household, "short").split()) for household in city)
    assert words <= AVERAGE_SHORT_PROFILE
    assert mean(len(render_profile(household, "full").split()) for household in city) > 3 * words


@pytest.mark.parametrize("register", ["full", "short"])
def test_no_sentence_is_longer_than_can_be_read_aloud(register):
    for household in draw("sampled", 50):
        profile = re.sub(r"^# .*$", "", render_profile(household, register), flags=re.MULTILINE)
        for sentence in re.split(r"(?<=\.)\s+", profile):
            assert len(sentence.split()) <= LONGEST_SENTENCE, sentence


@pytest.mark.parametrize("members", FAMILIES)
def test_every_fact_that_applies_is_stated_exactly_once(members):
    household = Household.complete(**{"members": members})
    home, *sections = full_sections(household)
    for number, member in enumerate(household.members):
        stated = [
            name
            for section in sections
            if number in section.members
            for paragraph in section.paragraphs
            for statement in paragraph
            for name in statement.features
        ]
        assert len(stated) == len(set(stated))
        applying = {f.name for f in MEMBER_FEATURES.values() if applies(f, household, member)}
        if len(members) == 1:
            applying.remove("lived_together_last_6_months")
        assert applying <= set(stated)
    shared = [
        name
        for paragraph in home.paragraphs
        for statement in paragraph
        for name in statement.features
    ]
    assert sorted(shared) == sorted(
        f.name for f in HOUSEHOLD_FEATURES.values() if applies(f, household)
    )


@pytest.mark.parametrize("register", ["full", "short"])
def test_no_sentence_lists_what_is_a_list_itself(register):
    for household in draw("sampled", 30):
        assert ";" not in render_profile(household, register)


def test_denials_are_said_as_people_say_them():
    household = Household.complete(
        members=[
            {
                "name": "Ana Lopez",
                "first_time_home_buyer": False,
                "disabled": True,
                "bedridden": True,
                "can_access_subway_or_bus": False,
            }
        ]
    )
    profile = render_profile(household, "full")
    assert "You have owned a home in the last three years." in profile
    assert "ride the subway or bus" in profile
    assert "for some or all trips" not in profile
    assert "lived in this household" not in profile
    assert not re.search(r"\bnot\b[^.]* owned no home|\bIt (lives|has|is)\b", profile)


def test_one_sentence_tells_how_long_a_job_has_lasted():
    job = {"work_hours_per_week": 40, "consecutive_work_weeks": 30, "nonconsecutive_work_days": 140}
    profile = render_profile(Household.complete(members=[{"name": "Ana Lopez", **job}]))
    assert "for 30 weeks in a row and on 140 days of the last year." in profile
    assert profile.count("current employer") == 1


@pytest.mark.parametrize("register", ["full", "short"])
@pytest.mark.parametrize("members", FAMILIES)
def test_profile_has_no_code_in_it(members, register):
    profile = render_profile(Household.complete(**{"members": members}), register)
    assert not re.search(r"True|False|None(?! of you)|_[a-z]|[{}]", profile)


def test_household_summary_counts_minors_and_income():
    profile = render_profile(Household.complete(**{"members": FAMILIES[1]}), "full")
    assert "The household has 5 members. 3 people are under 18." in profile
    assert "earned $93,456 from work" in profile


@pytest.mark.parametrize("register", ["short", "full"])
def test_the_profile_says_whose_the_home_is(register):
    adults = [{"age": 40}, {"relation": "parent", "age": 70}]
    for owner, said in ((0, "ou own the home."), (1, "A member of your household owns the home.")):
        members = [{**one, "is_property_owner": n == owner} for n, one in enumerate(adults)]
        home = Household.complete(members=members, tenure="owner")
        profile = render_profile(home, register)
        assert said in profile
        assert ("ou own the home." in profile) == (owner == 0)
