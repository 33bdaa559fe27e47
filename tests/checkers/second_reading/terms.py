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
