"""Words that several programs share, and the list of the second readings."""

from collections.abc import Callable, Iterable

from benyfits_data.household.model import Household, Member

Predicate = Callable[[Household], bool]
PREDICATES: dict[str, Predicate] = {}
"""One plain predicate a program, for the edition 2024."""

CITY = "New York City"
STATE = {CITY, "New York State outside the city"}
HOMELESS = {"homeless", "DHS shelter", "HRA shelter", "temporary housing"}
OWN_CHILD = {"child", "adopted child", "stepchild", "foster child"}
KIN_CHILD = {"grandchild", "sibling", "niece or nephew"}
IN_CARE = OWN_CHILD | KIN_CHILD
TAXED_HOME = {
    "one-family house",
    "two-family house",
    "three-family house",
    "condo",
    "cooperative apartment",
}
STAR_HOME = TAXED_HOME | {
    "manufactured home",
    "farmhouse",
    "mixed use property",
    "Section 213 coop",
}
RENT_FREEZE_HOME = {
    "rent stabilized apartment",
    "rent controlled apartment",
    "rent regulated hotel",
    "rent regulated single room occupancy (SRO)",
    "Mitchell-Lama development",
    "limited dividend development",
    "redevelopment company development",
    "HDFC development",
}
HIGH_SCHOOL = range(9, 13)


def decides(program: str) -> Callable[[Predicate], Predicate]:
    """Return a decorator that lists a predicate as the second reading of a program."""

    def add(predicate: Predicate) -> Predicate:
        assert program not in PREDICATES, f"{program} has a second reading already"
        PREDICATES[program] = predicate
        return predicate

    return add


def in_city(household: Household) -> bool:
    return household.place_of_residence == CITY


def in_state(household: Household) -> bool:
    return household.place_of_residence in STATE


def gross(*members: Member) -> int:
    return sum(m.annual_work_income + m.annual_investment_income for m in members)


def family_income(household: Household) -> int:
    return gross(*household.members)


def row(table: tuple[int, ...], household: Household) -> int:
    """The amount for the household's size in a table that begins at one person."""
    return table[len(household.members) - 1]


def spouse(household: Household) -> Member | None:
    return next((m for m in household.members if m.relation == "spouse"), None)


def taxpayers(household: Household) -> list[Member]:
    """The applicant, and the spouse on a joint return."""
    other = spouse(household)
    return [household.applicant] + ([other] if other and household.filing_jointly else [])


def both_of_the_couple(household: Household) -> list[Member]:
    """The applicant, and the spouse or domestic partner."""
    return [m for m in household.members if m.relation in ("self", "spouse", "domestic partner")]


def parents_family(household: Household) -> list[Member]:
    """The applicant, the spouse or domestic partner, and the children in care under 21."""
    couple = both_of_the_couple(household)
    return couple + [m for m in household.members if m.relation in IN_CARE and m.age < 21]


def medicaid_family(household: Household, member: Member) -> tuple[int, int]:
    """Size and income of the family in which Medicaid counts a member."""

    def is_child(m: Member) -> bool:
        ours = m.relation in ("child", "adopted child", "stepchild")
        return ours and (m.age < 19 or m.dependent)

    couple = [m for m in household.members if m.relation in ("self", "spouse")]
    children = [m for m in household.members if is_child(m)]
    if member not in couple + children:
        return 1 + (member.weeks_pregnant is not None), gross(member)
    counted = [m for m in household.members if m in couple or is_child(m) or m.dependent]
    unborn = sum(m.weeks_pregnant is not None for m in counted)
    return len(counted) + unborn, gross(*couple)


PREGNANT_2024 = (33_584, 45_581, 57_579, 69_576, 81_573, 93_571, 105_568, 117_566)
PREGNANT_2026 = (35_591, 48_258, 60_924, 73_590, 86_257, 98_923, 111_590, 124_256)
CHILDREN_2026 = (24_579, 33_326, 42_073, 50_820, 59_568, 68_315, 77_062, 85_809)
STEPS = {PREGNANT_2024: 11_997, PREGNANT_2026: 12_666, CHILDREN_2026: 8_748}


def medicaid_takes(limits: tuple[int, ...], household: Household, member: Member) -> bool:
    """Whether the income of the family in which Medicaid counts a member is within its limit."""
    size, income = medicaid_family(household, member)
    return income <= limits[min(size, 8) - 1] + STEPS[limits] * max(0, size - 8)


def is_former_foster_youth(member: Member) -> bool:
    lawful = member.citizenship != "unlawful_resident"
    return member.foster_age_out and member.age < 26 and lawful


def somebody_is_lawful(household: Household) -> bool:
    return any(m.citizenship != "unlawful_resident" for m in household.members)


def owners(household: Household) -> list[Member]:
    return [m for m in household.members if m.is_property_owner]


def married_to(household: Household, member: Member) -> Member | None:
    """The member's spouse, as far as marriages are known: the applicant's."""
    if member.relation == "self":
        return spouse(household)
    return household.applicant if member.relation == "spouse" else None


def partner_of(household: Household, member: Member) -> Member | None:
    """The member's spouse or domestic partner, as far as couples are known: the applicant's."""
    if member.relation in ("spouse", "domestic partner"):
        return household.applicant
    if member.relation != "self":
        return None
    pairs = ("spouse", "domestic partner")
    return next((m for m in household.members if m.relation in pairs), None)


def are_a_couple_or_siblings(members: Iterable[Member]) -> bool:
    """Whether two or more members are one married couple, or siblings of one another."""
    relations = sorted(m.relation for m in members)
    siblings_only = set(relations) <= {"self", "sibling"} and len(relations) > 1
    return relations == ["self", "spouse"] or siblings_only


def anybody_gets_cash(household: Household) -> bool:
    return any(
        m.receives_cash_assistance or m.receives_temporary_assistance for m in household.members
    )


def anybody_gets_ssi(household: Household) -> bool:
    return any(m.receives_ssi for m in household.members)


def is_foster(member: Member) -> bool:
    return member.in_foster_care or member.relation == "foster child"


def is_registered_if_a_man_of_18_to_25(member: Member) -> bool:
    must = member.sex == "male" and 18 <= member.age <= 25
    return not must or member.selective_service
