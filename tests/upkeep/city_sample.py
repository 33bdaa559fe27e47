"""A download of the city's dataset as it might look: our own words, the layout of kvhd-5fmu."""

import csv
import io
from collections.abc import Mapping

HEADER = (
    "unique_id_number",
    "program_name",
    "program_acronym",
    "plain_language_eligibility",
    "language",
)

PROGRAMS = {
    "P120": (
        "Fair Fares NYC",
        "<p>You can get half-price rides if you:</p><ol><li>Live in New York City.</li>\n"
        "<li>Are between 18 and 64 years old.</li></ol><table><tr><th>Household size</th>"
        "<th>Yearly income</th></tr><tr><td>1</td><td>$23,475</td></tr></table>",
    ),
    "P014": ("Homebase", "<p>You live in the city and may lose your home.</p>"),
    "P999": ("Free Bicycle Lights", "Anybody with a bicycle."),
}
"""Two programs of ours, and one that we lack: their names and texts by id."""


def as_csv(programs: Mapping[str, tuple[str, str]] = PROGRAMS) -> str:
    """Return the listing in English, each program once more in another language."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(name.replace("_", " ").title() for name in HEADER)
    for id, (name, eligibility) in programs.items():
        writer.writerow((f"{id}en", name, "", eligibility, "English"))
        writer.writerow((f"{id}es", name, "", "Quienes viven en la ciudad.", "Spanish"))
    return text.getvalue()
