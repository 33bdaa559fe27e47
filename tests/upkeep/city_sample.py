"""A download of the city's dataset as it might look: our own words, the layout of kvhd-5fmu.

Every text fits edition 2026 except for the planted changes, which `PLANTED` lists.
"""

import csv
import io

HEADER = (
    "program_code",
    "program_name",
    "plain_language_program_name",
    "program_acronym",
    "plain_language_eligibility",
    "language",
)

FAIR_FARES = """<p>You can get half-price rides if you:</p><ol><li>Live in New York City.</li>
<li>Are between 18 and 64 years old.</li><li>Have a household income that fits the table, which is
150% of the federal poverty level:</li></ol><table><tr><th>Household size</th><th>Yearly income</th>
</tr><tr><td>1</td><td>$23,475</td></tr><tr><td>2</td><td>$31,725</td></tr><tr><td>3</td>
<td>$39,975</td></tr><tr><td>4</td><td>48,225</td></tr><tr><td>5</td><td>$56,475</td></tr>
<tr><td>6</td><td>$64,725</td></tr><tr><td>7</td><td>$72,975</td></tr><tr><td>8</td><td>$81,225</td>
</tr></table><p>Each person more adds $8,250. Questions? Call 311 or 718-557-1399, or write to 5
MetroTech Center, Brooklyn, NY 11201.</p>"""

PROGRAMS: list[tuple[str, str, str, str, str]] = [
    ("S2R901", "Fair Fares NYC", "Half-price rides", "", FAIR_FARES),
    (
        "S2R902",
        "3-K for All",
        "Free school for 3-year-olds",
        "3-K",
        "<p>Your child can start in September when 32 to 43 months old.</p><p>Apply by 11:59pm. "
        "See form IT-201.</p>",
    ),
    (
        "S2R903",
        "Senior Citizen Rent Increase Exemption",
        "A rent freeze for older people",
        "SCRIE",
        "<ul><li>Be age 62 or older.</li><li>Have a yearly income of $51,000 or less.</li>"
        "<li>Pay more than one-third of your monthly income for rent.</li></ul>",
    ),
    (
        "S2R904",
        "NYC Free Tax Prep",
        "Free help with your taxes",
        "",
        "You can file for free if you earned $97,000 or less in 2025 and have dependents, or "
        "$68,000 or less without dependents.",
    ),
    (
        "S2R905",
        "Summer Youth Employment Program (SYEP)",
        "Paid summer jobs",
        "SYEP",
        "<p>Open to people ages 14&ndash;24. Work is up to 25 hours a week for six weeks.</p>",
    ),
    (
        "S2R906",
        "NYS Paid Family Leave",
        "Paid time off for family",
        "PFL",
        "<p>If you usually work 20 hours or more a week, you qualify after 26 consecutive weeks; "
        "if you work fewer hours, after 175 working days.</p>",
    ),
    (
        "S2R907",
        "Early Intervention Program (EIP)",
        "Help for babies and toddlers",
        "EIP",
        "Your child is under 3 and may be slow to learn or grow.",
    ),
    (
        "S2R908",
        "STEM Matters NYC",
        "Science after school",
        "",
        "<p>For students in grades K-12 who go to a school in the city.</p>",
    ),
    (
        "S2R909",
        "CUNY Fatherhood Academy",
        "College and work for young fathers",
        "CFA",
        "<p>Fathers from 18 to 30. To join the college track you need fewer than 12 college "
        "credits.</p>",
    ),
    (
        "S2R910",
        "COVID-19 Funeral Assistance",
        "Money for funerals",
        "",
        "The expenses were made after January 20, 2020. Call 844-684-6333.",
    ),
    (
        "S2R911",
        "IDNYC",
        "A photo card for everyone",
        "IDNYC",
        "Anyone who lives here and is 10 or older can get one.",
    ),
    (
        "S2R912",
        "Silver Corps",
        "Volunteer work that pays",
        "",
        "<p>You are at least 55 years old.</p>",
    ),
    (
        "S2R913",
        "NYS Unemployment Insurance",
        "Money while you look for work",
        "UI",
        "You lost your job and worked in the State within the last 18 months.",
    ),
    (
        "S2R914",
        "Free Bicycle Lights",
        "Lights for your bike",
        "",
        "Anybody with a bicycle.",
    ),
]

PLANTED = {
    ("SeniorCitizenRentIncreaseExemption", "changed value"): "$51,000",
    ("STEMMattersNYC", "changed value"): "K-12",
    ("Free Bicycle Lights", "new"): "Lights for your bike",
}
"""What differs from edition 2026 on purpose, besides programs left out: program, kind, words."""


def rows() -> list[dict[str, str]]:
    """The listing in English, each program once more in another language."""
    english = [dict(zip(HEADER, (*program, "English"), strict=True)) for program in PROGRAMS]
    spanish = [
        row | {"language": "Spanish", "plain_language_eligibility": "$1, $2 y 99 a\u00f1os"}
        for row in english
    ]
    return english + spanish


def as_csv() -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, HEADER)
    writer.writerow({name: name.replace("_", " ").title() for name in HEADER})
    writer.writerows(rows())
    return text.getvalue()
