"""Work, pay, looking for work."""

from dataclasses import dataclass

from benyfits_data.household.schema import flag, number

LARGEST_INCOME = 2_000_000


@dataclass(frozen=True, kw_only=True)
class Work:
    """Income, job, work history and registration."""

    annual_work_income: int = number(
        "{subject} earned {value} from work in the last year.",
        ask="How much did {subject} earn from work in the last year, before taxes?",
        unit="dollar",
        maximum=LARGEST_INCOME,
        zero="{subject} earned nothing from work in the last year.",
        note="Gross earnings of the last twelve months; the job may have ended since.",
        when="age >= WORKING_AGE",
    )
    annual_investment_income: int = number(
        "{subject} received {value} in the last year from investments, pensions and other sources.",
        ask="How much did {subject} receive in the last year from investments, pensions and other "
        "sources besides work?",
        unit="dollar",
        maximum=LARGEST_INCOME,
        zero="{subject} received no income from investments, pensions or other sources in the last "
        "year.",
        note="All income that is not from work, as in the published data.",
    )
    work_hours_per_week: int = number(
        "{subject} work{s} {count} a week.",
        ask="How many hours a week {does} {subject} work now?",
        unit="hour",
        maximum=100,
        zero="{subject} {does} not work now.",
        when="age >= WORKING_AGE",
    )
    earns_minimum_wage: bool = flag(
        "is", "paid at least the minimum wage", default=True, published=None, when="works"
    )
    works_outside_home: bool = flag(
        "does", "work{s} outside the home", when="works", needs="not bedridden"
    )
    works_in_nyc: bool = flag(
        "does", "work{s} in New York City", published=None, when="works", needs="works_for_somebody"
    )
    private_employer_in_nys: bool = flag(
        "does", "work{s} for a private employer in New York State", published=None, when="works"
    )
    government_job: bool = flag(
        "does",
        "work{s} for a government agency",
        when="works",
        needs=("not private_employer_in_nys", "citizenship != 'unlawful_resident'"),
    )
    employer_opt_in: bool = flag(
        "has",
        "a public employer that opted into Paid Family Leave",
        note="About public employers; private ones are covered without opting in.",
        when="government_job",
    )
    contractor: bool = flag(
        "is",
        "an independent contractor who is not an employee under state labor law",
        when="works",
        needs=("not private_employer_in_nys", "not government_job"),
    )
    transitional_job: bool = flag("is", "in a transitional job", when="works")
    wep: bool = flag(
        "is",
        "in a Work Experience Program (WEP)",
        when="works",
        needs=("age >= ADULT_AGE", "receives_cash_assistance"),
    )
    collective_bargaining: bool = flag(
        "is",
        "covered by a collective bargaining agreement that waives the sick leave law for a "
        "comparable benefit",
        when="works",
    )
    is_therapist: bool = flag(
        "is",
        "a licensed physical therapist, occupational therapist, speech language pathologist or "
        "audiologist",
        when="age >= THERAPIST_AGE",
    )
    therapist_meets_pay_threshold: bool = flag(
        "is",
        "paid at least the threshold at which licensed therapists are exempt",
        published=None,
        when=("is_therapist", "works"),
    )
    federal_work_study: bool = flag(
        "is",
        "in a federal work study program",
        when="works",
        needs="current_school_level == 'college'",
    )
    scholarship: bool = flag(
        "is",
        "paid for {possessive} work through a qualified scholarship",
        when="works",
        needs="current_school_level == 'college'",
    )
    consecutive_work_weeks: int = number(
        "{subject} {has} worked for {possessive} current employer for {count} in a row.",
        ask="For how many weeks in a row {has} {subject} worked for the current employer?",
        unit="week",
        maximum=52,
        zero="{subject} {has} not worked a full week in a row for a current employer.",
        note="At most 52 are counted.",
        when="works",
    )
    nonconsecutive_work_days: int = number(
        "{subject} {has} worked for {possessive} current employer on {count} in all.",
        ask="On how many days in all {has} {subject} worked for the current employer?",
        unit="day",
        maximum=365,
        zero="{subject} {has} not worked a day for a current employer.",
        note="Days of the last year.",
        when="works",
    )
    work_experience: bool = flag(
        "has",
        "work experience",
        default=True,
        when="age >= WORKING_AGE",
        needs="has_worked",
        implied_by="has_worked",
    )
    work_or_volunteer_experience: bool = flag(
        "has",
        "work or volunteer experience of some kind",
        default=True,
        when="age >= VOLUNTEERING_AGE",
        implied_by="work_experience",
    )
    authorized_to_work_in_us: bool = flag(
        "is",
        "authorized to work in the United States",
        default=True,
        note="One fact; the published data hold it twice (also as work_authorization).",
        when="age >= WORKING_AGE",
        needs="citizenship != 'unlawful_resident'",
        implied_by="age >= WORKING_AGE and citizenship == 'citizen_or_national'",
    )
    was_authorized_to_work_when_job_lost: bool = flag(
        "was",
        "authorized to work in the United States when {possessive} last job was lost",
        when="lost_job",
        implied_by="lost_job and citizenship == 'citizen_or_national'",
    )
    lost_job: bool = flag(
        "has done", "lost a job through no fault of {possessive} own", when="months_since_worked"
    )
    last_worked_in_nys: bool = flag(
        "was",
        "employed in New York State when {possessive} last job was lost",
        default=True,
        published=None,
        note="Where the job was that was lost, not where the home is.",
        when="lost_job",
    )
    underemployed: bool = flag(
        "is",
        "underemployed (in a job with too few hours or below {possessive} skills)",
        published=None,
        when="works",
    )
    months_since_worked: int | None = number(
        "{subject} last worked {count} ago.",
        ask="How many months ago did {subject} last work?",
        unit="month",
        maximum=720,
        default=None,
        none="{subject} {has} never worked.",
        none_or_off="{subject} {is} at work now or {has} never worked.",
        zero="{subject} last worked less than a month ago.",
        note="None for someone at work now or who never worked; the published data say -1.",
        when=("age >= WORKING_AGE", "not works"),
    )
    days_looking_for_work: int = number(
        "{subject} {has} been looking for work for {count}.",
        ask="For how many days {has} {subject} been looking for work?",
        unit="day",
        maximum=1000,
        zero="{subject} {is} not looking for work.",
        when="age >= WORKING_AGE",
    )
    can_work_immediately: bool = flag(
        "can",
        "start work immediately",
        default=True,
        when="age >= WORKING_AGE",
        needs="can_care_for_self",
    )
    is_eligible_for_selective_service: bool = flag(
        "is",
        "required to register for Selective Service (as men from 18 to 25 are)",
        note="Citizens and immigrants.",
        when=("sex == 'male'", "age >= ADULT_AGE", "age <= YOUTH_AGE"),
        always=True,
    )
    selective_service: bool = flag(
        "has done", "registered for Selective Service", when=("sex == 'male'", "age >= ADULT_AGE")
    )
