"""The program folders are those of the paper's 82 programs, each of the same plan."""

import ast
import re
from pathlib import Path
from statistics import median

import pytest

from benyfits_data.editions import EDITIONS, load_edition
from benyfits_data.editions.workspace import program_folders
from benyfits_data.lint.program_folder import FILES, OPTIONAL_FILES
from benyfits_data.lint.text_rules import plain_words

PAPER = [
    "AcceleratedStudyInAssociatePrograms",
    "AccessARideParatransitService",
    "ActionNYC",
    "AdultProtectiveServices",
    "AdvanceEarn",
    "BasicSchoolTaxReliefProgram",
    "BeaconPrograms",
    "BigAppleConnect",
    "COVIDnineteenFuneralAssistance",
    "CUNYFatherhoodAcademy",
    "CUNYStart",
    "CareerAndTechnicalEducation",
    "ChildAndDependentCareTaxCredit",
    "ChildCareVouchers",
    "ChildHealthPlusAndChildrensMedicaid",
    "ChildTaxCredit",
    "ChildrenAndYouthWithSpecialHealthCareNeeds",
    "CommoditySupplementalFoodProgram",
    "ComprehensiveAfterSchoolSystemOfNYC",
    "CoolingAssistanceBenefit",
    "CornerstonePrograms",
    "DisabilityRentIncreaseExemption",
    "DisabledHomeownersExemption",
    "EarlyHeadStart",
    "EarnedIncomeTaxCredit",
    "EnhancedSchoolTaxReliefProgram",
    "FairFaresNYC",
    "FamilyAssessmentProgram",
    "FamilyHomelessnessAndEvictionPreventionSupplement",
    "FamilyPlanningBenefitProgram",
    "FamilyResourceCenters",
    "FamilyTypeHomesForAdults",
    "HIVAIDSServicesAdministration",
    "HeadStart",
    "HighSchool",
    "HomeEnergyAssistanceProgram",
    "HomeFirstDownPaymentAssistance",
    "Homebase",
    "IDNYC",
    "InfantToddlerPrograms",
    "JobsPlus",
    "KindergartenAndElementarySchool",
    "LearnEarn",
    "Lifeline",
    "MedicaidForPregnantWomen",
    "MiddleSchool",
    "NYCCare",
    "NYCFinancialEmpowermentCenters",
    "NYCFreeTaxPrep",
    "NYCHAPublicHousing",
    "NYCHAResidentEconomicEmpowermentAndSustainability",
    "NYCLaddersForLeaders",
    "NYCMitchellLama",
    "NYCNurseFamilyPartnership",
    "NYCTenantResourcePortal",
    "NYCYouthHealth",
    "NYCYouthLeadershipCouncils",
    "NYSPaidFamilyLeave",
    "NYSUnemploymentInsurance",
    "NewbornHomeVisitingProgram",
    "OfficeOfChildSupportServices",
    "OlderAdultEmploymentProgram",
    "OutpatientTreatmentServices",
    "PreKForAll",
    "PrimaryAndPreventiveHealthCare",
    "STEMMattersNYC",
    "SafeAndSickLeave",
    "SchoolAgeAndEarlyChildhoodFamilyAndCommunityEngagementFACECenters",
    "SectionEightHousingChoiceVoucherProgram",
    "SeniorCitizenHomeownersExemption",
    "SeniorCitizenRentIncreaseExemption",
    "SilverCorps",
    "SummerMeals",
    "SummerYouthEmploymentProgram",
    "TextTwoWork",
    "TheEarlyInterventionProgram",
    "ThreeK",
    "TrainEarn",
    "VeteransAffairsSupportedHousing",
    "VeteransPropertyTaxExemption",
    "WeSpeakNYC",
    "WorkforceoneCareerCenters",
]
"""The names of the paper's Table 3."""


PATTERNS = ("checker_2*.py", "requirements_2*.md", "plain_2*.md")
"""Files that hold from a year on."""


def stray_programs(folder: Path) -> list[str]:
    """Return what a folder of programs holds besides programs with exactly the planned files."""
    found = []
    for program in sorted(path for path in folder.iterdir() if path.is_dir()):
        if program.name in ("shared", "__pycache__"):
            continue
        files = {path.name for path in program.iterdir() if path.is_file()}
        missing = set(FILES) - files
        extra = {
            name
            for name in files - {*FILES, *OPTIONAL_FILES, "__init__.py"}
            if not any(Path(name).match(form) for form in PATTERNS)
        }
        found += [f"{program.name} lacks {name}" for name in sorted(missing)]
        found += [f"{program.name} has {name}" for name in sorted(extra)]
    return found


def test_the_programs_are_exactly_the_programs_of_the_paper() -> None:
    assert len(PAPER) == len(set(PAPER)) == 82
    assert sorted(load_edition(EDITIONS[0]).programs) == sorted(PAPER)
    assert len(program_folders()) == 82


@pytest.mark.parametrize("year", EDITIONS)
def test_an_edition_drops_only_programs_that_ended(year: int) -> None:
    ended = {
        name
        for name, program in load_edition(EDITIONS[0]).programs.items()
        if program.until is not None and program.until < year
    }
    assert set(load_edition(year).programs) == set(PAPER) - ended


def test_a_folder_is_named_like_its_program() -> None:
    for program in load_edition(EDITIONS[0]).programs.values():
        assert program.folder.name.replace("_", "") == program.name.lower()


def test_every_program_follows_the_plan() -> None:
    assert stray_programs(program_folders()[0].parent) == []


def unexplained(text: str) -> bool:
    """Return whether the docstring of a rule for a later year does not say since when and why."""
    return re.search(r", from \d{4}: \w", ast.get_docstring(ast.parse(text)) or "") is None


def test_a_second_checker_says_why_it_is_there() -> None:
    later = sorted(program_folders()[0].parent.glob("*/checker_2*.py"))
    assert later
    assert [path for path in later if unexplained(path.read_text(encoding="utf-8"))] == []
    assert unexplained('"""Head Start: early education."""\n')


def test_a_program_that_leaves_the_plan_is_caught(tmp_path: Path) -> None:
    folder = tmp_path / "planted"
    folder.mkdir()
    for name in ("requirements.md", "checker.py", "thresholds.toml", "notes.txt"):
        (folder / name).touch()
    assert stray_programs(tmp_path) == [
        "planted lacks examples.toml",
        "planted lacks plain.md",
        "planted lacks sources.toml",
        "planted has notes.txt",
    ]


NOTHING_OPEN = {
    "big_apple_connect",
    "commodity_supplemental_food_program",
    "comprehensive_after_school_system_of_nyc",
    "cornerstone_programs",
    "cuny_start",
    "idnyc",
    "jobs_plus",
    "nyc_care",
    "summer_meals",
    "summer_youth_employment_program",
    "workforceone_career_centers",
}
"""Programs whose source leaves nothing open that households can tell."""


def without_readings() -> set[str]:
    folders = program_folders()
    return {folder.name for folder in folders if not (folder / "readings.toml").exists()}


def test_programs_without_readings_are_those_with_nothing_open() -> None:
    # Both ways: a new program says whether anything is open, and no name stays when it does.
    assert without_readings() == NOTHING_OPEN, "write readings.toml, or mend the list above"


def test_half_of_the_plain_texts_have_at_most_90_words() -> None:
    for year in EDITIONS:
        words = [plain_words(program.plain()) for program in load_edition(year).values()]
        assert median(words) <= 90
