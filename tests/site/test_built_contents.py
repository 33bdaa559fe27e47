"""What the site shows of output folders: sets, pictures, tables; files that are broken."""

import json
from pathlib import Path

import pytest

from benyfits_data import site
from benyfits_data.errors import DatasetFormatError
from benyfits_data.fuzz.coverage_charts import draw_features
from benyfits_data.site.pages import find_contents
from benyfits_data.templating import templates
from tests.mutated import mutated_bytes, mutated_rows

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
    (tmp_path / "diverse.features.svg").write_text(draw_features([("age", 49), ("sex", 3)], 82))
    (tmp_path / "eligibility.csv").write_text(
        "program,share,edition\nIDNYC,3283022,2024\nA<B,7000.5,2026\n"
    )
    (tmp_path / "mutants.csv").write_text("what,made\n")
    (tmp_path / "fragments" / "evaluation.html").write_text("<h3>Scores of agents</h3>")
    return tmp_path


def test_sets_have_their_pictures_and_tables_others_a_part_of_their_own(output):
    contents = find_contents(output)
    [section] = contents["sections"]
    assert (section["title"], section["edition"]) == ("Diverse", 2024)
    assert "11" in section["facts"]
    assert len(section["svg"]) == 1
    assert section["csv"][0]["rows"] == [["IDNYC", "1"], ["FairFaresNYC", "0"]]
    assert list(contents["parts"]) == ["city", "mutants"]
    assert contents["fragments"] == ["<h3>Scores of agents</h3>"]


def test_columns_of_numbers_are_recognised_and_grouped(output):
    [table] = find_contents(output)["parts"]["city"]["csv"]
    assert table["numeric"] == [False, True, True]
    assert table["rows"] == [["IDNYC", "3,283,022", "2024"], ["A<B", "7,000.5", "2026"]]


def test_a_figure_leads_to_the_page_of_its_program(output):
    (output / "eligibility.csv").write_text("program,title,share\nIDNYC,A card,0.97\n")
    [table] = find_contents(output)["parts"]["city"]["csv"]
    assert table["rows"] == [["A card", "0.97"]]
    shown = templates(Path(site.__file__).parent / "templates").from_string(
        "{% from 'tables.jinja' import shown %}{{ shown(table) }}"
    )
    assert '<a href="programs/IDNYC.html">A card</a>' in shown.render(table=table)


def test_an_empty_folder_has_nothing_to_show(tmp_path):
    assert find_contents(tmp_path) == {"sections": [], "parts": {}, "fragments": []}


@pytest.mark.slow
def test_broken_files_are_named(output):
    refused = []
    for path in sorted(path for path in output.rglob("*") if path.is_file()):
        whole = path.read_bytes()
        broken = [content for _, content in mutated_bytes(whole, 3, n=9)]
        if path.suffix == ".json":
            broken += [content for _, content in mutated_rows(json.loads(whole), 4)]
        for content in broken:
            path.write_bytes(content)
            try:
                find_contents(output)
            except DatasetFormatError as error:
                refused.append((path.name, str(error)))
        path.write_bytes(whole)
    assert len(refused) > 20
    assert [name for name, message in refused if name not in message] == []
