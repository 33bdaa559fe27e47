"""The site in a real browser: links, scripts, phones, dark mode, keyboard and accessibility."""

import json
import re
from itertools import pairwise

import pytest
from markupsafe import escape

from benyfits_data.dataset.rows import read_rows
from benyfits_data.editions import load_edition
from benyfits_data.evaluation.recorded import unpack
from benyfits_data.language.explain import explain
from benyfits_data.site.pages import build_site
from benyfits_data.site.site_writer import MARK
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
    """Return a site of three households and two dialogs, one with an error."""
    output = write_output(tmp_path_factory.mktemp("output"))
    (output / "eligibility.csv").write_text(
        "program,title,share,low,high\nIDNYC,IDNYC,0.97,0.96,0.98\n"
    )
    (output / "mutants.csv").write_text("what,made,diverse\nboundary,5,4\n")
    rows = read_rows(output / "diverse.jsonl")
    site = tmp_path_factory.mktemp("site")
    build_site(write_below(site), [output], [make_run(rows, 2)], {rows[0].id: 7})
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
    assert sum("one fact of one member: 7." in it for it in pages) == 1


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
    [page, _] = sorted((folder / "dialogs").glob("*.html"))
    assert "I am &lt;b&gt;40&lt;/b&gt;." in page.read_text(encoding="utf-8")


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


@in_browser
def test_dialogs_are_filtered_by_errors_and_words(folder, browser):
    page, complaints = open_page(browser, folder / "results.html", **DESKTOP)
    page.click("a[href='dialogs.html#program_wrong']")
    page.wait_for_url("**/dialogs.html#program_wrong")
    shown = "#dialogs tbody tr:not([hidden])"
    assert page.locator(shown).count() == 1
    assert page.locator("script[src='dialogs-said.js']").count() == 0
    page.fill("#said", "how old")
    page.wait_for_function("document.getElementById('shown').textContent === '1 shown'")
    page.fill("#said", "nobody said this")
    page.wait_for_function("document.getElementById('shown').textContent === '0 shown'")
    assert complaints == []
    page.context.close()


@in_browser
def test_the_engine_finds_a_planted_fault(folder, browser):
    page, _ = open_page(browser, folder / "programs.html", **DESKTOP)
    page.evaluate("document.querySelector('label').remove()")
    with pytest.raises(AssertionError, match="'label'"):
        check_with_axe(page)
    page.context.close()


def choices(page, selector):
    return page.eval_on_selector_all(f"{selector} option", "them => them.map(it => it.value)")


def flip_a_verdict(page):
    """Give facts of the household one value after the other, until a verdict flips."""
    page.select_option("#who", "home")
    for fact in choices(page, "#fact"):
        page.select_option("#fact", fact)
        for value in choices(page, "#value"):
            page.select_option("#value", value)
            page.click("#form button")
            if page.locator("#flips .yes, #flips .no").count() > 0:
                return
    pytest.fail("no verdict flipped")


@in_browser
def test_a_person_searches_plays_changes_and_screens(folder, browser):
    page, complaints = open_page(browser, folder / "index.html", **DESKTOP)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.fill("#words", "fair fares")
    assert "FairFaresNYC" in page.inner_text("#hits a")
    page.keyboard.press("Enter")
    page.wait_for_url("**/programs/FairFaresNYC.html")
    household = min((folder / "households").glob("*.html"))
    page.goto(household.as_uri())
    page.goto((folder / "change.html").as_uri())
    page.select_option("#fact", "age")
    page.fill("#value", "3")
    page.click("#form button")
    assert page.inner_text("#refused").startswith("No household can be like that.")
    flip_a_verdict(page)
    assert page.locator("#changes li").count() >= 1
    page.goto((folder / "play.html").as_uri())
    page.click("#form button")
    assert page.inner_text("#turns") == "1"
    page.click("#hint")
    assert "Next: " in page.inner_text("#hinted")
    page.select_option("#who", "0")
    page.select_option("#fact", "age")
    page.click("#form button")
    assert re.fullmatch(r"\d+", page.locator("#chat .answer").last.inner_text())
    for select in page.locator("#verdicts select").all():
        select.select_option("yes")
    page.click("#verdicts button")
    assert re.search(r"\d+ of \d+ right after 2 turns", page.inner_text("#score"))
    assert complaints == []
    page.context.close()


@in_browser
@pytest.mark.parametrize("settings", [PHONE, DESKTOP], ids=["phone, dark", "desktop, light"])
def test_pages_stay_accessible_after_somebody_acted(folder, browser, settings):
    def check(page):
        check_with_axe(page)
        assert page.evaluate("document.documentElement.scrollWidth - window.innerWidth") <= 0
        assert complaints == []

    page, complaints = open_page(browser, folder / "play.html", **settings)
    page.click("#form button")
    page.select_option("#fact", "housing_type")
    page.click("#form button")
    page.click("#hint")
    check(page)
    page.click("#verdicts button")
    assert "every program first" in page.inner_text("#score")
    for select in page.locator("#verdicts select").all():
        select.select_option("no")
    page.click("#verdicts button")
    assert page.locator("#score p").count() > 1
    check(page)
    page.goto((folder / "change.html").as_uri())
    flip_a_verdict(page)
    check(page)
    page.goto((folder / "screen.html").as_uri())
    page.fill("#people", "2")
    page.click("#start")
    page.fill("#age-0", "30")
    page.fill("#age-1", "5")
    page.select_option("#relation-1", "child")
    page.click("#roster button")
    for _ in range(3):
        page.click("#form button")
        assert page.inner_text("#refused").startswith("Please ")  # Nothing is answered for anybody.
        for field in page.locator("#field input[type=text]").all():
            field.fill("900")
        for field in page.locator("#field select").all():
            field.select_option(index=1)
        for field in page.locator("#field input[type=checkbox]").all()[:1]:
            field.check()
        page.click("#form button")
    assert "after 3 answers" in page.inner_text("#settled")
    check(page)
    first = page.locator("#yes li").first
    assert re.search(r"To apply, ask .+ call 311", first.inner_text())
    assert first.locator(".muted").inner_text().endswith(".")
    first.locator("a").click()
    page.wait_for_url("**/programs/*.html")
    page.context.close()


@pytest.mark.slow
def test_scripts_fill_in_the_facts_that_files_leave_out(folder):
    """What the files say and the defaults together are the facts of each household."""
    from py_mini_racer import MiniRacer

    engine = MiniRacer()
    engine.eval("const window = globalThis, document = {}, location = {};")
    for name in ("facts.js", "homes.js"):
        engine.eval((folder / name).read_text(encoding="utf-8"))
    script = (folder / "site.js").read_text(encoding="utf-8")
    engine.eval(script[script.index("window.BENYFITS") :])
    told = json.loads(engine.eval("JSON.stringify(HOMES.map(it => BENYFITS.whole(it.household)))"))
    rows = read_rows(unpack("diverse"))[:3]
    assert told == [row.household.facts() for row in rows]
    assert len((folder / "homes.js").read_text()) < len(json.dumps(told)) / 4


@in_browser
def test_the_screener_finds_the_labels_of_a_household(folder, browser):
    """Each question is answered from a household; in the end every verdict is its label."""
    several = [row for row in read_rows(unpack("diverse")) if len(row.household.members) > 1]
    row = min(several, key=lambda it: len(it.household.members))  # Each member adds questions.
    page, complaints = open_page(browser, folder / "screen.html", **DESKTOP)
    page.select_option("#edition", str(row.edition))
    page.fill("#people", str(len(row.household.members)))
    page.click("#start")
    for at, member in enumerate(row.household.members):
        page.fill(f"#age-{at}", str(member.age))
        if at:
            page.select_option(f"#relation-{at}", member.relation)
    check_with_axe(page)
    page.click("#roster button")
    check_with_axe(page)
    answer = """home => {
        const words = new Map([[null, "none"], [true, "yes"], [false, "no"]]);
        for (let asked = 0; asked < 500 && !document.getElementById("form").hidden; asked++) {
            const { name, at } = window.ASKED();
            if (at === "all") {
                const named = home.members.map(it => it[name]);
                document.querySelectorAll("#field input").forEach(
                    (box, one) => { box.checked = named[one] ?? !named.includes(true); });
            } else {
                const value = (at === null ? home : home.members[at])[name];
                document.getElementById("value").value = words.get(value) ?? String(value);
            }
            document.querySelector("#form button").click();
        }
        return document.getElementById("refused").textContent;
    }"""
    assert page.evaluate(answer, row.household.facts()) == ""
    assert page.locator("#open li").count() == 0
    eligible = set(
        page.eval_on_selector_all("#yes li", "them => them.map(it => it.firstChild.textContent)")
    )
    titles = page.evaluate(f"RULES[{row.edition}].TITLES")
    assert eligible == {titles[name] for name, label in row.labels.items() if label}
    assert complaints == []
    page.context.close()
