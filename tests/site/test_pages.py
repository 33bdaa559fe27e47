"""The site in a real browser: links, search, phones, dark mode, keyboard and accessibility."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from markupsafe import escape

from benyfits_data.dataset.rows import read_rows
from benyfits_data.editions import load_edition
from benyfits_data.evaluation.results.runs import Run
from benyfits_data.language.explain import explain
from benyfits_data.par import row_digest
from benyfits_data.recorded import city_shares, known_par, unpack
from benyfits_data.site.pages import build_site, write_results
from benyfits_data.site.site_writer import MARK, Site
from tests.commands import invoke
from tests.recorded_output import write_output
from tests.site.small_site import BROWSER, make_run, open_page, start_browser, write_below


def in_browser(test):
    """Return a test that needs Chromium; all of them share one site in one process."""
    for mark in (
        pytest.mark.slow,
        pytest.mark.skipif(BROWSER is None, reason="no Chromium on this machine"),
        pytest.mark.xdist_group("site"),
    ):
        test = mark(test)
    return test


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a site of three households and of five dialogs with none to two wrong verdicts."""
    output = write_output(tmp_path_factory.mktemp("output"))
    (output / "eligibility.csv").write_text(
        "program,title,share,low,high\nIDNYC,IDNYC,0.97,0.96,0.98\n"
    )
    (output / "mutants.csv").write_text("what,made,diverse\nboundary,5,4\n")
    rows = read_rows(output / "diverse.jsonl")
    site = tmp_path_factory.mktemp("site")
    questions = known_par()[row_digest(rows[0])].questions
    build_site(write_below(site), [output], [make_run(rows)], {rows[0].id: questions})
    return site


def _pages(folder):
    kinds = ("programs", "households", "dialogs", "docs")
    firsts = [min((folder / kind).glob("*.html")) for kind in kinds]
    return [*sorted(folder.glob("*.html")), *firsts, folder / "docs/README.html"]


@pytest.mark.slow
def test_every_link_leads_to_a_file(folder):
    n_links = 0
    for page in folder.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        for address in re.findall(r'(?:href|src)="([^"#:]+)(?:#[^"]*)?"', text):
            if page.parent.name == "docs" and not (page.parent / address).exists():
                continue  # Documents of the checkout name files that no site has.
            assert (page.parent / address).exists(), f"{page}: {address}"
            n_links += 1
    assert n_links > 1_000


@pytest.mark.slow
def test_a_household_tells_its_fewest_questions_where_they_are_known(folder):
    pages = [it.read_text() for it in sorted((folder / "households").glob("*.html"))]
    floor = known_par()[row_digest(read_rows(unpack("diverse"))[0])].turns
    assert [f"one fact of one member: {floor}." in it for it in pages] == [True, False, False]


@pytest.mark.slow
def test_the_first_page_begins_with_a_household_a_dialog_and_a_score(folder):
    row = read_rows(unpack("diverse"))[0]
    page = (folder / "index.html").read_text()
    headings = re.findall(r"<h2>([^<]*)</h2>", page)
    assert headings[:4] == ["A household", "A dialog", "A score", "What is here"]
    household, dialog, score = page.split("<h2>")[1:4]
    assert all(escape(member.name) in household for member in row.household.members)
    assert household.count('class="yes"') == sum(row.eligible.values())
    answers = re.findall(r'<li class="answer">([^<]*)</li>', dialog)
    assert len(answers) == known_par()[row_digest(row)].turns
    assert all(answers)
    assert ">56.2<" not in score, "the run's score stands there, not the paper's"
    assert 'href="results.html"' in score
    before_documents = page.split("</main>")[0].lower()
    for word in ("pairs", "branches", "objective", "independence", "coverage"):
        assert word not in before_documents


@pytest.mark.slow
def test_the_newest_edition_comes_first_and_says_what_changed(folder):
    page = (folder / "programs/FairFaresNYC.html").read_text()
    order = ["<h2>Edition 2026</h2>", "<h2>What changed in 2026</h2>", "Edition 2024: the whole"]
    places = [page.index(words) for words in order]
    assert places == sorted(places)
    assert "Changed in amount. Amounts and switches: income limit" in page
    unchanged = (folder / "programs/Homebase.html").read_text()
    assert "What changed" not in unchanged


@pytest.mark.slow
def test_programs_stand_by_title_with_their_share_of_the_city(folder):
    page = (folder / "programs.html").read_text()
    lines = re.findall(r"<tr data-words.*?</tr>", page, re.DOTALL)
    titles = [re.findall(r'">([^<]*)</a>', line)[0] for line in lines]
    assert titles == sorted(titles, key=str.casefold)
    share = city_shares(2026)["FairFaresNYC"]
    [line] = [line for line in lines if "programs/FairFaresNYC.html" in line]
    assert f"{100 * share:.1f}%" in line
    assert ">amount<" in line


@pytest.mark.slow
def test_a_household_shows_its_stored_profile_and_why_each_program_is_decided(folder):
    row = read_rows(unpack("diverse"))[0]
    page = (folder / "households" / f"{row.id}.html").read_text()
    assert f"({len(row.profile.split()):,} words)" in page
    levels = [int(it) for it in re.findall(r"<h(\d)", page)]
    assert all(later <= earlier + 1 for earlier, later in pairwise(levels))
    open_part, folded = page.split(f"<summary>The other {82 - len(row.programs)} programs")
    rules = load_edition(row.edition)
    for name in row.labels:
        part = open_part if name in row.programs else folded
        assert f"programs/{name}.html" in part
        for _, says in explain(rules.program(name), row.household).facts:
            assert str(escape(says)) in part


@pytest.mark.slow
def test_what_a_contested_label_means_names_its_command_as_code(folder):
    for kind in ("programs", "households"):
        text = "".join(page.read_text("utf-8") for page in (folder / kind).glob("*.html"))
        assert "<code>results --all</code>" in text
        assert "`results --all`" not in text


@pytest.mark.slow
def test_nothing_is_fetched_from_elsewhere(folder):
    for page in folder.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert not re.search(r'<(?:script|link|img)[^>]+(?:src|href)="https?:', text), page


@pytest.mark.slow
def test_what_people_wrote_is_shown_not_run(folder):
    page = (folder / "dialogs/1.html").read_text(encoding="utf-8")
    assert "I am &lt;b&gt;40&lt;/b&gt;." in page
    assert "asked by line 2: <code>hh[&#39;age&#39;] &lt; 3</code>" in page
    assert "&gt;   2      return hh[&#39;age&#39;] &lt; 3" in page
    assert "line 2: ZeroDivisionError" in page


def test_a_page_of_somebody_else_is_not_replaced(tmp_path):
    (tmp_path / "index.html").write_text("<h1>Mine</h1>")
    (tmp_path / "output").mkdir()
    result = invoke("site", tmp_path / "output", "--output", tmp_path)
    assert result.exit_code != 0
    assert (tmp_path / "index.html").read_text() == "<h1>Mine</h1>"
    assert MARK not in (tmp_path / "index.html").read_text()


def test_a_site_without_sets_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr("benyfits_data.site.pages.build_site", lambda *told: None)
    (tmp_path / "none").mkdir()
    argv = ["--output", str(tmp_path / "site")]
    result = invoke("site", tmp_path / "none", *argv)
    assert result.exit_code == 0
    assert f"No set was built into {tmp_path / 'none'}" in result.output
    output = write_output(tmp_path)
    assert "No set" not in invoke("site", output, *argv).output


@pytest.fixture(scope="module")
def browser():
    """Return a headless browser."""
    with start_browser() as started:
        yield started


PHONE = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}
DESKTOP = {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"}


def check_with_axe(page):
    """Fail if the accessibility engine finds anything."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page, options={"preload": False}).response["violations"]
    told = [(it["id"], it["help"], [n["html"][:120] for n in it["nodes"][:3]]) for it in found]
    assert told == [], page.url


@in_browser
@pytest.mark.parametrize("settings", [PHONE, DESKTOP], ids=["phone, dark", "desktop, light"])
def test_every_kind_of_page_is_accessible(folder, browser, settings):
    for path in _pages(folder):
        page, complaints = open_page(browser, path, **settings)
        assert complaints == [], path.name
        check_with_axe(page)
        wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert wide <= 0, f"{path.name} is {wide} pixels too wide"
        page.context.close()


@pytest.mark.slow
def test_three_dialogs_are_shown_from_the_fewest_wrong_verdicts_to_the_most(folder):
    page = (folder / "results.html").read_text()
    shown = re.findall(r'href="(dialogs/[^"]+)">[^<]*: (\d+) of \d+ verdicts wrong', page)
    assert [n_wrong for _, n_wrong in shown] == ["0", "1", "2"]
    pages = sorted(path.relative_to(folder).as_posix() for path in folder.glob("dialogs/*"))
    assert pages == [address for address, _ in shown]
    for address, n_wrong in shown:
        assert (folder / address).read_text().count(", wrong") == int(n_wrong)


@pytest.mark.slow
def test_a_run_of_a_part_is_not_ranked_above_whole_ones(tmp_path):
    rows = read_rows(unpack("diverse"))
    whole, part = make_run(rows), make_run(rows)
    data = {**part.data, "dialogs": 2}
    perfect = [replace(one, verdicts=one.labels) for one in part.dialogs[:2]]
    part = Run({**part.manifest, "dataset": data, "agent": {"name": "lucky"}}, perfect)
    pages = {}
    write_results(Site(pages.__setitem__), [part, whole], (), {})
    leading = re.findall(r"<table.*?</table>", pages["results.html"], re.DOTALL)[0]
    assert leading.index("proada") < leading.index("lucky")
    assert leading.count("partial") == 1
    compared = pages["results.html"].partition("These runs and the paper&#39;s")[2]
    compared = compared.partition("</table>")[0]
    assert "proada" in compared
    assert "lucky" not in compared


@in_browser
def test_the_engine_finds_a_planted_fault(folder, browser):
    page, _ = open_page(browser, folder / "programs.html", **DESKTOP)
    page.evaluate("document.documentElement.removeAttribute('lang')")
    with pytest.raises(AssertionError, match="'html-has-lang'"):
        check_with_axe(page)
    page.context.close()


@in_browser
def test_the_list_of_programs_is_whole_until_it_is_filtered(folder, browser):
    page, complaints = open_page(browser, folder / "programs.html", java_script_enabled=False)
    assert page.locator("#programs tbody tr:visible").count() == 82
    assert not page.locator("#filter").is_visible()
    page.context.close()
    page, complaints = open_page(browser, folder / "programs.html", **PHONE)
    page.fill("#filter", "fair fares")
    assert page.locator("#programs tbody tr:visible").all_inner_texts()[0].startswith("Fair Fares")
    assert page.locator("#programs tbody tr:visible").count() == 1
    page.fill("#filter", "")
    assert page.locator("#programs tbody tr:visible").count() == 82
    assert complaints == []
    page.context.close()


@in_browser
def test_a_phone_has_a_header_of_one_line_and_a_menu(folder, browser):
    page, _ = open_page(browser, folder / "index.html", **PHONE)
    assert page.locator("header").bounding_box()["height"] < 64
    assert not page.locator("#parts a").first.is_visible()
    page.click("text=Menu")
    page.click("#parts a:has-text('Programs')")
    page.wait_for_url("**/programs.html")
    page.context.close()


@in_browser
def test_a_person_searches_by_keyboard(folder, browser):
    page, complaints = open_page(browser, folder / "index.html", **DESKTOP)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.fill("#words", "fair fares")
    assert "FairFaresNYC" in page.inner_text("#hits a")
    page.keyboard.press("Enter")
    page.wait_for_url("**/programs/FairFaresNYC.html")
    assert complaints == []
    page.context.close()
