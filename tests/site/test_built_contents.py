"""What the site shows of output folders: sets, tables; files that are broken."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benyfits_data import site
from benyfits_data.errors import DatasetFormatError
from benyfits_data.site.contents import find_contents
from benyfits_data.templating import templates
from tests.mutated import broken_files

TITLES = {"IDNYC": "A card", "FairFaresNYC": "Half fares"}
MANIFEST = {
    "name": "diverse",
    "edition": 2024,
    "households": 2,
    "pairs": 3,
    "sampled": 10,
    "coverage": {"lines": 12, "covered": 11, "unreached": 1},
    "selection": {"method": "greedy", "objective": "lines"},
}


@pytest.fixture
def output(tmp_path):
    """Return a folder that holds what is written beside a small Diverse set."""
    (tmp_path / "fragments").mkdir()
    (tmp_path / "diverse.manifest.json").write_text(json.dumps(MANIFEST))
    (tmp_path / "diverse.programs.csv").write_text("program,positive\nIDNYC,1\nFairFaresNYC,0\n")
    (tmp_path / "diverse.features.csv").write_text("feature,programs\nage,40\nsex,10\n")
    (tmp_path / "eligibility.csv").write_text(
        "program,share,edition\nIDNYC,3283022,2024\nA<B,7000.5,2026\n"
    )
    (tmp_path / "mutants.csv").write_text("what,made\n")
    (tmp_path / "fragments" / "evaluation.html").write_text("<h3>Scores of agents</h3>")
    return tmp_path


def test_sets_have_their_tables_others_a_part_of_their_own(output):
    contents = find_contents([output], TITLES)
    [section] = contents["sections"]
    assert (section["title"], section["edition"]) == ("Diverse", 2024)
    assert "91.7%" in section["facts"]
    features, programs = section["tables"]
    assert features["bars"] == {1: [1.0, 0.25]}
    assert programs["rows"] == [["A card", "1"], ["Half fares", "0"]]
    assert list(contents["parts"]) == ["city", "mutants"]
    assert contents["fragments"] == ["<h3>Scores of agents</h3>"]


def test_columns_of_numbers_are_recognised_and_grouped(output):
    [table] = find_contents([output], TITLES)["parts"]["city"]
    assert table["numeric"] == [False, True, True]
    assert table["rows"] == [["A card", "3,283,022", "2024"], ["A<B", "7,000.5", "2026"]]


def test_tables_of_an_edition_say_which_and_the_newest_comes_first(output):
    folders = [output, output / "2024", output / "2026"]
    for folder in folders[1:]:
        folder.mkdir()
        (folder / "eligibility.csv").write_text("program,share\nIDNYC,0.97\n")
        manifest = MANIFEST | {"edition": int(folder.name)}
        (folder / "diverse.manifest.json").write_text(json.dumps(manifest))
    contents = find_contents(folders, TITLES)
    titles = [table["title"] for table in contents["parts"]["city"]]
    assert titles == ["Eligibility, 2026", "Eligibility, 2024", "Eligibility"]
    assert [section["edition"] for section in contents["sections"]] == [2026, 2024, 2024]


def test_a_figure_leads_to_the_page_of_its_program(output):
    (output / "eligibility.csv").write_text("program,title,share\nIDNYC,A card,0.97\n")
    [table] = find_contents([output], TITLES)["parts"]["city"]
    assert table["rows"] == [["A card", "0.97"]]
    shown = templates(Path(site.__file__).parent / "templates").from_string(
        "{% from 'tables.jinja' import shown %}{{ shown(table) }}"
    )
    assert '<a href="programs/IDNYC.html">A card</a>' in shown.render(table=table)


def test_an_empty_folder_has_nothing_to_show(tmp_path):
    assert find_contents([tmp_path], TITLES) == {"sections": [], "parts": {}, "fragments": []}


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_broken_files_are_named(output, data):
    path = data.draw(st.sampled_from(sorted(it for it in output.rglob("*") if it.is_file())))
    whole = path.read_bytes()
    path.write_bytes(data.draw(broken_files(whole)))
    message = path.name
    try:
        find_contents([output], TITLES)
    except DatasetFormatError as error:
        message = str(error)
    finally:
        path.write_bytes(whole)
    assert path.name in message


def test_a_manifest_that_is_none_is_named(output):
    (output / "diverse.manifest.json").write_text("null")
    with pytest.raises(DatasetFormatError, match=r"diverse\.manifest\.json"):
        find_contents([output], TITLES)
