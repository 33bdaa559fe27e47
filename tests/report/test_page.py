import json
import shutil
import subprocess

import pytest

from benyfits_data.report.coverage_charts import draw_features, draw_growth
from benyfits_data.report.page import build_page

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")


@pytest.fixture
def output(tmp_path):
    """Return a folder that holds a small Diverse set and its pictures."""
    manifest = {
        "name": "diverse",
        "edition": 2024,
        "households": 2,
        "pairs": 3,
        "sampled": 10,
        "coverage": {"lines": 12, "covered": 11, "unreached": 1},
        "selection": {"method": "greedy", "objective": "lines"},
    }
    row = {
        "id": "diverse-0001",
        "household": {"members": [{"name": "Ana"}]},
        "profile": "You live alone & <well>.",
        "programs": ["IDNYC"],
        "eligible": {"IDNYC": True},
    }
    (tmp_path / "diverse.manifest.json").write_text(json.dumps(manifest))
    (tmp_path / "diverse.jsonl").write_text(json.dumps(row) + "\n")
    (tmp_path / "diverse.programs.csv").write_text("program,positive\nIDNYC,1\nFairFaresNYC,0\n")
    (tmp_path / "diverse.features.svg").write_text(draw_features([("age", 49), ("sex", 3)], 82))
    (tmp_path / "diverse.coverage.svg").write_text(draw_growth([5, 9, 11], 11))
    (tmp_path / "eligibility.csv").write_text("program,share\nIDNYC,0.97\n")
    (tmp_path / "fragments").mkdir()
    (tmp_path / "fragments" / "results.html").write_text("<h3>Scores of agents</h3>")
    return tmp_path


def test_page_holds_everything_in_the_folder(output):
    page = build_page(output)
    for expected in ("Diverse set, edition 2024", "FairFaresNYC", "<svg", "Scores of agents"):
        assert expected in page
    assert page.count("<svg") == 2


def test_page_escapes_what_the_data_say(output):
    assert "You live alone &amp; &lt;well&gt;." in build_page(output)


def test_page_asks_the_network_for_nothing(output):
    page = build_page(output)
    assert 'src="' not in page
    assert "<link" not in page
    assert "<script" not in page


def test_empty_folder_gives_an_empty_page(tmp_path):
    assert "BeNYfits report" in build_page(tmp_path)


def test_pictures_are_the_same_every_time():
    assert draw_growth([1, 2], 2) == draw_growth([1, 2], 2)
    assert "programs that depend" not in draw_growth([1, 2], 2)


def test_columns_of_numbers_are_aligned_to_the_right(tmp_path):
    (tmp_path / "city.csv").write_text("program,households\nIDNYC,3283022\nA<B,7\n")
    (tmp_path / "empty.csv").write_text("program,households\n")
    page = build_page(tmp_path)
    assert '<td class="number">3,283,022</td>' in page
    assert '<th scope="col" class="number">households</th>' in page
    assert "<td>A&lt;B</td>" in page
    assert page.count("<table>") == 2


@pytest.mark.slow
@pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine")
def test_page_opens_in_a_real_browser(output, tmp_path):
    page = output / "report.html"
    page.write_text(build_page(output))
    shown = subprocess.run(
        [
            BROWSER,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            f"--user-data-dir={tmp_path / 'profile'}",
            "--dump-dom",
            page.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    ).stdout
    assert "Diverse set, edition 2024" in shown
    assert shown.count("</svg>") == 2
