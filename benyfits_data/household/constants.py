"""Ages and numbers that make a household possible or not; limits of programs are thresholds."""

LARGEST_HOUSEHOLD = 6
"""Members of the largest household that is fuzzed and proven about; those of the city have more."""
MOST_MEMBERS = 20
"""Members of the largest household that is labelled, audited and explained."""
MONTHS_PER_YEAR = 12
COUPLE = 2
APPLICANT_AGE = 16
PARTNERSHIP_AGE = 16
MARRIAGE_AGE = 18
"""New York ended marriages of younger people in 2021 (Domestic Relations Law, section 15-a)."""
ADULT_AGE = 18
FOSTER_CARE_AGE = 21
YOUTH_AGE = 25
RUNAWAY_AGE = 10
PARENT_AGE = 14
GRANDPARENT_AGE = 28
LARGEST_GAP_OF_A_MOTHER = 50
LARGEST_GAP_OF_A_FATHER = 70
LARGEST_GAP_OF_SIBLINGS = 56
"""Between the first and the last child of one father."""
LARGEST_GAP_OF_A_COUPLE = 50
LARGEST_GAP_WITH_A_MINOR = 4
LEAST_MONTHS_BETWEEN_BIRTHS = 11
MOST_PARENTS = 2
MOST_GRANDPARENTS = 4
OLDEST_AGE = 105
SMALL_CHILD_AGE = 5
WEANING_AGE = 3
FUNERAL_PAYER_AGE = 21
"""Who was 18 when most paid for funerals of the pandemic, until 2022, is 21 by 2025."""
PREGNANCY_AGE = 14
OLDEST_PREGNANCY_AGE = 50
DAYS_PER_WEEK = 7
SHORT_MONTH = 30
LONG_MONTH = 31
AGE_COUNTED_IN_YEARS = 5
READING_AGE = 6
SELF_CARE_AGE = 6
SELF_MANAGEMENT_AGE = 16
CHILD_WITH_MINDER_AGE = 13
"""Until when a child is minded, as care of children is paid for (45 CFR 98.20)."""
COMPULSORY_SCHOOL_AGE = 6
SCHOOL_LEAVING_AGE = 16
YOUNGEST_KINDERGARTNER = 4
LEAST_MONTHS_OF_A_KINDERGARTNER = 56
"""Who enters in September turns 5 by the end of the year."""
OLDEST_KINDERGARTNER = 7
LAST_GRADE = 12
PRE_KINDERGARTEN_AGE = 3
OLDEST_PRE_KINDERGARTNER = 5
WORKING_AGE = 14
VOLUNTEERING_AGE = 10
CRIMINAL_AGE = 12
SUBSTANCE_AGE = 14
THERAPIST_AGE = 22
SENIOR_AGE = 65
SSDI_AGE = 18
OLDEST_SSDI_AGE = 66
PAID_CARE_AGE = 16
FULL_TIME_HOURS = 35
"""The Bureau of Labor Statistics counts 35 hours a week or more as full time."""
HALF_TIME_HOURS = 20
QUARTER_TIME_HOURS = 10
LEAST_PAY_OF_A_DAY = 10
LEAST_PAY_OF_FULL_DAYS = 60
LEAST_MINIMUM_WAGE = 15
"""Dollars an hour: upstate in 2024, the lowest minimum wage of the places and years told of."""
LARGEST_PAY_BELOW_MINIMUM_WAGE = 20
"""Dollars an hour: above every minimum wage of the city, so that no year's wage matters."""
LARGEST_PAY_OF_AN_HOUR = 500
"""Dollars: six of 10,000 who work in the city would earn more; the cap refuses $64,908 for one
hour a week, not a surgeon's or a lawyer's pay."""
WEEKS_PER_YEAR = 52
MOST_HOURS_OF_A_PUPIL = 28
MOST_HOURS_OF_A_YOUNGER_PUPIL = 18
"""A week while school is in session, at 16 and 17, and at 14 and 15 (New York Labor Law, sections
143 and 142)."""
LARGEST_INCOME_OF_A_CHILD = 20_000
LARGEST_PAY_OF_A_PUPIL = 40_000
"""At 16 and 17, or at school: more than 28 hours a week bring at $25 an hour."""
LARGEST_PAY_OF_A_MONTH = 10_000
"""Of the year's months before the work ended, where nothing is earned now."""
ADOPTIVE_PARENT_AGE = 18
FOSTER_PARENT_AGE = 21
FIRST_GRADE_WITH_CREDITS = 9
MOST_CREDITS_OF_A_YEAR = 30
"""Of college: two full terms of 15."""
MOST_CREDITS_WITHOUT_BASIC_SKILLS = 60
"""Of whoever has to improve them: as many as an associate degree takes."""
MONTHS_SINCE_STAR_WAS_LOST = 96
LARGEST_INCOME_WITH_SSI = 100_000
"""Of the whole household: far above what couples and parents may earn beside SSI, so that nobody's
benefit depends on it, and far below what no reader believes."""
LARGEST_PAY_WITH_SSI = 30_000
"""Of the recipient: in 2026 pay of $26,964 a year leaves nothing of SSI, and what work costs a
disabled person comes off before."""
LARGEST_OTHER_INCOME_WITH_SSI = 20_000
"""Of the recipient, the benefit counted: SSI of somebody alone is $12,000 a year, with the state's
supplement, and ends where other income is more than that."""
LARGEST_INCOME_WITH_VETERANS_PENSION = 45_000
"""Of the recipient, the pension counted: the highest rate of 2026, of two veterans who are married
and need aid and attendance, is about as much (38 USC 1521)."""
LARGEST_PAY_IN_DAY_TREATMENT = 50_000
"""Of whoever spends the days in treatment, or cannot live outside an institution without care."""
LARGEST_INCOME_WITH_AID = 200_000
"""Of the whole household, whose members need not be one family: above every limit of a program."""
LARGEST_INCOME_ON_LEAVING_SHELTER = 90_000
"""Of the whole household, all of whom leave for one home: 200% of the poverty guideline of six."""
LARGEST_INCOME_WITHOUT_HOME = 100_000
"""Of the whole household, in a shelter or on the street: what rents a home of any size."""
LARGEST_SAVINGS_WITH_AID = 10_000
"""Dollars that recipients of Cash Assistance may have (18 NYCRR 352.23); SSI leaves less."""
AID_BASE = 30_840
AID_OF_EACH = 17_040
"""300% of the poverty guideline of 2026, in dollars a year: half as much again as the highest limit
of SNAP, 200%, since deductions differ and a year's income is not this month's.
"""
AID_GUIDELINES, CASH_GUIDELINES = 3, 2
"""How many poverty guidelines that is, and with how many Cash Assistance ends (Social Services Law
131-a)."""
LARGEST_INCOME_IN_PUBLIC_HOUSING = 200_000
"""New York City Housing Authority and vouchers; families who earn more than the limit may stay, but
not long above 120% of the area's median, $194,400 of four in 2025 (24 CFR 960.507)."""
LARGEST_INCOME_IN_SUPERVISED_HOUSING = 500_000
"""Mitchell-Lama and the like, where who earns more than the limit pays a surcharge and may stay."""
LEAST_RENT = 50
"""The least rent of public housing is $50 a month (24 CFR 5.630)."""
LEAST_CARRYING_CHARGE = 200
CHILD_HEALTH_PLUS_AGE = 19
DEPENDENT_CHILD_AGE = 21
"""Until when a child belongs to the family of its parents where care of children is paid for."""
FORMER_FOSTER_YOUTH_AGE = 26
"""Until when Medicaid takes whoever aged out of foster care, at any income (42 CFR 435.150)."""
STUDENT_PAY_COUNTED = 480
"""Dollars a year of a grown student's pay that count (24 CFR 5.609(b)(14))."""
LEAST_INCOME_OF_OWN_SUPPORT = 5_000
"""Dollars a year, by which nobody of 14 or more gives over half of their own support below it."""
LEAST_SAVINGS_OF_A_PAYER = 5_000
"""Dollars, from which a household without any income may still pay a caregiver or keep a dependent.
"""
LARGEST_INCOME_OF_A_DEPENDENT = 5_300
"""Dollars a year of a relative who is claimed, in 2026, the highest limit of the editions (26 USC
152(d)(1)(B))."""
OLDEST_CLAIMED_STUDENT_AGE = 23
LARGEST_RENT_WITHOUT_MEANS = 1_500
"""Dollars a month, the rent that is assumed where none is told."""
MONTHS_OF_RENT = 3
"""Of a larger rent, that a year's income and savings pay: whom nobody helps is evicted later."""
