import csv
import io
import json
import os
import re
from dataclasses import replace

import pytest

from benyfits_data.dataset import Row, write_rows
from benyfits_data.editions import load_edition
from benyfits_data.errors import DatasetFormatError, EvaluationError
from benyfits_data.evaluation.agents.baselines import GUESSES as BASELINES
from benyfits_data.evaluation.planned import load_published, load_rows, recognise
from benyfits_data.evaluation.record import CANONICAL, Dialog, Failure, Turn, Usage
from benyfits_data.evaluation.results import metrics
from benyfits_data.evaluation.results.comparison import (
    all_tables,
    compare_with_paper,
    guess_runs,
    list_differences,
    list_runs,
    list_scores,
    read_paper,
)
from benyfits_data.evaluation.results.program_tables import rules_tables
from benyfits_data.evaluation.results.runs import FAILURES, Run, find_logs, mark_differences
from benyfits_data.evaluation.results.score_figure import (
    OTHER_STYLES,
    PUBLISHED_NOTE,
    STYLES,
    draw_scores,
)
from benyfits_data.evaluation.results.tables import DECLARED
from benyfits_data.evaluation.run_manifest import compare_manifests, describe_run, digest
from benyfits_data.evaluation.run_options import Options
from benyfits_data.household.model import Household
from benyfits_data.profiles.render import SHORT_OPENING
from benyfits_data.recorded import city_shares
from tests.commands import invoke
from tests.dataset.published_rows import to_published
from tests.evaluation.players import example_rows

GPT = {"dialog": "openai/gpt", "user": "reference", "code": "reference"}


def manifest(dataset="diverse", agent="proada", roles=GPT, *, edition=2024, dialogs=4, **settings):
    return {
        "agent": {"name": agent, "code": "0"},
        "roles": {role: {"model": name, "temperature": 0.0} for role, name in roles.items()},
        "trials": 1,
        "seed": 0,
        **settings,
        "dataset": {
            "name": dataset,
            "column": dataset,
            "editions": [edition],
            "dialogs": dialogs,
            "of": 4,
            "households": dataset,
        },
    }


N_BASELINES = len(BASELINES)


def runs_of(dialogs, unscored=()):
    """The runs of some dialogs, each with the manifest it was made with."""
    runs = {}
    for played, told in dialogs:
        runs.setdefault(digest(told), Run(told)).dialogs.append(played)
    for run in runs.values():
        run.unscored = dict(unscored)
    return mark_differences(runs.values())


def shown(table):
    """The rows of a table, each by the names of its columns."""
    return [dict(zip(table.header, row, strict=True)) for row in table.rows]


def grouped(title, runs):
    """The rows of a declared table of some runs."""
    (declared,) = (each for each in DECLARED if each.title.startswith(title))
    return shown(declared.fill(runs))


def dialog(number=0, dataset="diverse", agent="proada", roles=GPT, right=True, trial=1, **settings):
    labels = {"FairFaresNYC": number % 2 == 0, "HeadStart": True}
    verdicts = labels if right else {name: not label for name, label in labels.items()}
    turn = Turn(
        "How <old> are you?",
        "34.",
        program="HeadStart",
        key="age",
        member=0,
        line=2,
        code='return hh[0]["age"] > 3',
        value="34",
        reader=CANONICAL,
        faithfulness="faithful",
        fact="age of member 0: 34",
    )
    played = Dialog(
        household=f"h{number}",
        dataset=dataset,
        agent=agent,
        roles=dict(roles),
        size=2,
        labels=labels,
        verdicts=verdicts,
        trial=trial,
        turns=[turn],
        failures=[Failure("code_crashed", "ZeroDivisionError", "FairFaresNYC", 2)],
        code={"HeadStart": 'def check_eligibility(hh):\n    return hh[0]["age"] > 3\n'},
        traces={"HeadStart": [2]},
        usage={"dialog": Usage(4, 1, 100, 40, 20)},
        edition=2024,
    )
    return played, manifest(dataset, agent, roles, **settings)


BOTH = [dialog(n, name) for n in range(4) for name in ("diverse", "representative")]


DIFFERENT = {
    "players": {"roles": {**GPT, "dialog": "openai/other"}},
    "agent": {"agent": "direct"},
    "seed": {"seed": 1},
    "trials": {"trials": 3},
    "prompts": {"prompts": "others"},
    "limits": {"limits": {"questions": 50}},
}


@pytest.mark.parametrize("what", DIFFERENT)
def test_runs_that_differ_are_never_mixed_and_say_in_what(what):
    runs = runs_of([*BOTH, dialog(**DIFFERENT[what])])
    assert sorted(len(run.dialogs) for run in runs) == [1, 4, 4]
    assert len({run.title for run in runs}) == 2
    first, second = (run for run in runs if run.name == "diverse")
    assert compare_manifests(first.manifest, second.manifest)


def test_two_codes_of_one_agent_are_told_apart_by_four_digits_of_their_digests():
    codes = ("0123456789abcdef", "fedcba9876543210")
    agents = [{"name": "my_module:Mine", "code": code} for code in codes]
    runs = mark_differences(Run({**manifest(roles={}), "agent": agent}) for agent in agents)
    assert [run.title for run in runs] == [
        "Mine (none; agent.code 0123)",
        "Mine (none; agent.code fedc)",
    ]
    (alone,) = mark_differences(runs[:1])
    assert alone.title == "Mine (none)"


def test_datasets_that_differ_are_never_mixed():
    runs = runs_of([*BOTH, dialog(edition=2026)])
    assert sorted(len(run.dialogs) for run in runs) == [1, 4, 4]
    assert len({run.name for run in runs}) == 3
    assert len({run.title for run in runs}) == 1


def test_part_of_a_set_is_named_and_not_ranked_unless_asked():
    few = [dialog(n, dialogs=2, agent="direct") for n in range(2)]
    runs = runs_of(few)
    assert runs[0].name == "diverse (2 of 4)"
    assert compare_with_paper(runs, []).rows == ()
    assert len(compare_with_paper(runs, [], incomplete=True).rows) == N_BASELINES + 1


def test_runs_with_unscored_dialogs_are_counted_and_not_ranked():
    played = [dialog(n) for n in range(3)]
    runs = runs_of(played, {("h3", 1): "dialog: no such key"})
    (row,) = list_runs(runs).rows
    assert row[1:] == ("diverse", "4", "3", "0", "1", "dialog: no such key")
    assert compare_with_paper(runs, []).rows == ()
    assert compare_with_paper(runs_of([*played, dialog(3)]), []).rows


def test_below_ten_households_an_interval_is_a_dash():
    (row,) = grouped("All scores", runs_of([dialog(n) for n in range(9)]))
    assert row["F1"] == "100.0 (-)"
    (row,) = grouped("All scores", runs_of([dialog(n) for n in range(10)]))
    assert row["F1"] == "100.0 (100.0 to 100.0)"


def test_below_ten_programs_that_were_written_an_interval_is_a_dash():
    verdict = dict.fromkeys(("failure", "reading", "line", "city_share"))
    verdict |= {"status": "equivalent"}
    record = {"program": "IDNYC", "verdict": verdict, "counterexamples": 0}
    (row,) = shown(rules_tables([("gpt", [record] * 9)])[0])
    assert (row["equivalent"], row["interval"]) == ("100.0%", "-")
    (row,) = shown(rules_tables([("gpt", [record] * 10)])[0])
    assert row["interval"] == "72.2% to 100.0%"


def test_trials_are_compared_by_their_spread():
    trials = [dialog(n, trial=t, right=t == 1 or n < 2) for n in range(4) for t in (1, 2)]
    (row,) = grouped("Trials", runs_of(trials))
    assert row["trials"] == "2"
    assert float(row["standard deviation of F1"]) > 0
    assert not grouped("Trials", runs_of(BOTH))


def test_a_run_without_a_scored_dialog_is_listed():
    run = Run(manifest())
    run.unscored = {("h0", 1): "dialog: no such key"}
    titles = [table.title for table in all_tables([run], [])]
    assert "Dialogs planned and scored" in titles


def test_tokens_that_nobody_counted_are_unknown():
    played, how = dialog()
    played.usage["dialog"].uncounted_calls = 1
    (row,) = grouped("Calls", runs_of([(played, how)]))
    assert list(row.values())[3:] == ["-", "4", "1", "1", *["-"] * 4, "1"]


def test_the_published_rows_stand_under_ours_as_printed():
    table = compare_with_paper(runs_of(BOTH), read_paper())
    assert len(table.rows) == N_BASELINES + 1 + 15
    baselines, rows = table.rows[:N_BASELINES], table.rows[N_BASELINES:]
    assert [row[:2] for row in baselines] == [
        ("baseline, 2024 households", name) for name in BASELINES
    ]
    assert rows[0][0] == "this run, 2024 households, decided texts"
    assert "look swapped" in table.note
    assert all(row[0].startswith("published (paper, ") for row in rows[1:])
    proada = next(row for row in rows if row[1] == "proada" and "70B" in row[2])
    assert proada[3:] == (
        "58.7",
        "18.8",
        "-",
        "53.7",
        "22.1",
        "-",
        "56.2",
        "20.4",
        "46.7",
    )


def test_turn_weighted_f1_needs_both_datasets():
    one = compare_with_paper(runs_of([dialog()]), []).rows[-1]
    assert one[-3:] == ("-", "-", "-")
    both = compare_with_paper(runs_of(BOTH), []).rows[-1]
    assert [cell.split(" ")[0] for cell in both[-3:]] == ["100.0", "1.0", "99.0"]


def test_all_trials_of_a_run_are_scored_together():
    (row,) = grouped("All scores", runs_of([dialog(trial=1), dialog(trial=2, right=False)]))
    assert (row["accuracy"], row["n"]) == ("50.0 (-)", "2")


def test_cached_calls_are_counted_apart():
    (row,) = grouped("Calls", runs_of([dialog(), dialog(1)]))
    assert list(row.values())[2:] == [
        "dialog",
        "-",
        *["8", "2", "0", "200", "80", "40", "120", "2"],
    ]


def test_agents_are_compared_on_the_same_households_only():
    better = [dialog(n) for n in range(4)]
    worse = [dialog(n, agent="direct", right=False) for n in range(4)]
    (row,) = list_differences(runs_of([*better, *worse]), []).rows
    assert row[3:5] == ("-100.0 (-)", "+0.0 (-)")
    assert list_differences(runs_of([*better, *worse[:3]]), []).rows == ()


def test_every_run_is_compared_with_every_baseline():
    """What a paper says: mine is better than prior by 4.1 ± 1.2."""
    runs = runs_of([dialog(n, dialogs=20, right=n % 3 > 0) for n in range(20)])
    differences = shown(list_differences(runs, guess_runs(runs)))
    assert [row["other"] for row in differences] == list(BASELINES)
    (prior,) = (row for row in differences if row["other"] == "prior")
    ours, guess = ({run.agent: run for run in found} for found in (runs, guess_runs(runs)))
    expected = metrics.compare(ours["proada"].pairs, guess["prior"].pairs)
    assert (
        prior["F1 better by"] == f"+{expected.value:.1f} ± {(expected.high - expected.low) / 2:.1f}"
    )
    assert prior["more turns by"] == "+1.0 ± 0.0"


def test_baselines_are_what_labels_say_and_give_way_to_those_that_were_run():
    runs = runs_of([dialog(n) for n in range(4)])
    found = {run.agent: run for run in guess_runs(runs)}
    assert list(found) == list(BASELINES)
    # HeadStart is eligible in all, Fair Fares in every second: 6 of 8 pairs.
    rows = {
        row["run"].split()[0]: list(row.values())[2:6] for row in grouped("All", guess_runs(runs))
    }
    assert [cell.split()[0] for cell in rows["always-yes"]] == ["75.0", "100.0", "75.0", "85.7"]
    assert rows["always-no"][0].startswith("25.0")
    # Few of the city's households may claim either.
    assert rows["prior"] == rows["always-no"]
    assert all(not each.turns and not each.usage for each in found["prior"].dialogs)
    played = runs_of([dialog(n, agent="always-no", roles={}) for n in range(4)])
    assert "always-no" not in {run.agent for run in guess_runs([*runs, *played])}


def test_programs_that_guessing_settles_are_marked_and_left_out_of_one_f1():
    shares = city_shares(2024)
    settled = min(shares, key=lambda name: (shares[name], name))
    played, how = dialog()
    played.labels = {settled: True, "FairFaresNYC": True}
    played.verdicts = {settled: False, "FairFaresNYC": True}
    (row,) = grouped("All scores", runs_of([(played, how)]))
    assert (row["F1"], row["F1, informative"]) == ("66.7 (-)", "100.0 (-)")
    right = "prior is right in % of the city"
    marks = {row["program"]: row[right] for row in grouped("By program", runs_of([(played, how)]))}
    assert marks[settled] == f"{100 * (1 - shares[settled]):.1f} (uninformative)"
    assert marks["FairFaresNYC"] == f"{100 * (1 - shares['FairFaresNYC']):.1f}"
    played.edition = 1999
    assert {row[right] for row in grouped("By program", runs_of([(played, how)]))} == {"-"}
    (row,) = grouped("All scores", runs_of([(played, how)]))
    assert row["F1, informative"] == "66.7 (-)"


def test_every_kind_of_failure_that_is_recorded_has_words():
    from pathlib import Path

    import benyfits_data.evaluation as package

    folder = Path(package.__file__).parent
    source = "\n".join(path.read_text() for path in folder.rglob("*.py"))
    used = set(re.findall(r'fail\(\s*"(\w+)"', source)) | {"code_looped", "code_not_boolean"}
    assert used <= set(FAILURES)


def test_tables_become_csv_markdown_and_text():
    table = all_tables(runs_of(BOTH), read_paper())[1]
    assert not table.note
    assert list(csv.reader(io.StringIO(table.to_csv()))) == [
        list(table.header),
        *map(list, table.rows),
    ]
    assert table.to_markdown().count("\n|") == len(table.rows) + 2
    assert len(table.to_text().splitlines()) == len(table.rows) + 2


def test_the_leading_table_ranks_whole_runs_and_fits_80_columns():
    good, bad = ([dialog(n, agent=a, right=r) for n in range(4)] for a, r in (("a", 1), ("b", 0)))
    part = [dialog(0, agent="c", dialogs=1)]
    broken = [dialog(n, agent="d") for n in range(4)]
    for played, _ in broken:
        played.failures = [Failure("agent_failed", "it broke")]
    long = [dialog(n, agent="my_module_of_a_long_name:MyAgentOfAnother") for n in range(4)]
    table = list_scores(runs_of([*bad, *part, *broken, *good, *long]))
    found = {row[0].split(" ")[0]: row[3] for row in table.rows}
    order = [name for name in found if name not in BASELINES]
    assert order == ["MyAgentOfAnother", "a", "b", "c", "d"]
    assert (found["a"], found["b"]) == ("100.0 (-)", "0.0 (-)")
    assert (found["c"], found["d"]) == ("partial", "broken off")
    assert set(BASELINES) < set(found)
    assert max(map(len, table.to_text().splitlines())) <= 80
    ranked = list_scores(runs_of([*part, *broken]), incomplete=True).rows
    assert {row[3] for row in ranked if row[0][0] in "cd"} == {"100.0 (-)"}


def drawn(runs, paper=()):
    """The text of the figure; the PDF and the PNG are what they are called."""
    files = draw_scores(runs, paper)
    assert draw_scores(runs, paper) == files
    assert (files["pdf"][:5], files["png"][:4]) == (b"%PDF-", b"\x89PNG")
    return [text.strip() for text in re.findall(r"<text[^>]*>([^<]*)</text>", files["svg"])]


@pytest.mark.slow
def test_whole_runs_are_drawn_with_baselines_par_and_what_was_published():
    runs, paper = runs_of(BOTH), read_paper()
    for run, par in zip(runs, (3, 5), strict=True):
        run.dialogs = [replace(played, par=par) for played in run.dialogs]
    texts = drawn(runs, paper)
    assert {"F1 of verdicts in %, both sets, averaged", "gpt", "par 4.0"} <= set(texts)
    assert {"always-yes 86", "prior 0", "proada-without-clarity", PUBLISHED_NOTE} <= set(texts)
    # Both versions of the paper print one row: it is one point.
    assert texts.count("70B") == len(
        {row["average_f1"] for row in paper if "70B" in row["dialog_model"]}
    )
    assert "F1 of verdicts in %, diverse" in drawn(runs[:1])


@pytest.mark.slow
def test_partial_and_broken_runs_are_not_drawn():
    broken = [dialog(n) for n in range(4)]
    assert "proada" in drawn(runs_of(broken))
    for played, _ in broken:
        played.failures = [Failure("agent_failed", "it broke")]
    for runs in (runs_of([dialog(0, dialogs=1)]), runs_of(broken)):
        assert "proada" not in drawn(runs)


@pytest.mark.slow
def test_each_agent_has_a_colour_and_a_marker_of_its_own_and_no_model_where_none_asks():
    agents = [*STYLES, "my_module:Mine", "their_module:Theirs"]
    played = [dialog(n, agent=agent, roles={}) for agent in agents for n in range(4)]
    texts = drawn(runs_of(played))
    assert set(STYLES) | {"Mine", "Theirs"} <= set(texts)
    assert "none" not in texts
    colours, markers = zip(*STYLES.values(), strict=True)
    assert len(set(colours)) == len(set(markers)) == len(STYLES)
    assert not set(OTHER_STYLES) & set(STYLES.values())


def test_what_the_user_did_stands_in_turns_and_in_wrong_verdicts():
    dialogs = [dialog(number, right=False) for number in range(4)]
    answers = ["unfaithful", "unfaithful", "nothing_claimed", "not_read"]
    for (played, _), verdict in zip(dialogs, answers, strict=True):
        reader = {"nothing_claimed": CANONICAL, "not_read": ""}.get(verdict, "openai/gpt-4o")
        played.turns.append(replace(played.turns[0], faithfulness=verdict, reader=reader))
        played.errors = {"HeadStart": "user_wrong"}
    runs = runs_of(dialogs)
    # Of eight turns seven were read.
    (turns,) = grouped("Faithfulness", runs)
    shares = [turns[f"{kind} %"] for kind in ("unfaithful", "nothing claimed")]
    assert (shares, turns["not read"]) == (["28.6", "14.3"], "1")
    (kind,) = grouped("Error analysis", runs)
    assert list(kind.values())[2:] == ["user said what is not so", "4", "2"]


def test_facts_asked_stand_beside_turns_where_all_questions_were_read():
    dialogs = [dialog(number) for number in range(4)]
    for number, (played, _) in enumerate(dialogs):
        played.facts_asked = number
    (scores,) = grouped("All scores", runs_of(dialogs))
    assert scores["facts asked"] == "1.5"
    dialogs[0][0].facts_asked = None
    (scores,) = grouped("All scores", runs_of(dialogs))
    assert scores["facts asked"] == "-"


def test_a_wrong_verdict_is_the_users_only_after_an_unfaithful_answer():
    played, _ = dialog(right=False)
    played.errors = dict.fromkeys(played.labels, "reasoned_wrong")
    assert played.blame() == {"FairFaresNYC": "agent", "HeadStart": "agent"}
    played.turns.append(replace(played.turns[0], faithfulness="unfaithful"))
    assert played.blame() == {"FairFaresNYC": "user", "HeadStart": "user"}
    # A generated program that ran to its end had decided before the next one asked.
    played.traces = {"FairFaresNYC": [2], "HeadStart": [2]}
    played.failures = []
    assert played.blame() == {"FairFaresNYC": "agent", "HeadStart": "user"}
    played.failures = [Failure("code_crashed", "ZeroDivisionError", "FairFaresNYC", 2)]
    assert played.blame() == {"FairFaresNYC": "user", "HeadStart": "user"}


def test_turns_over_par_leave_out_rows_without_par():
    dialogs = [dialog(n) for n in range(3)]
    for (played, _), n, par in zip(dialogs, (3, 4, 8), (3, None, 3), strict=True):
        played.turns, played.par = played.turns * n, par
    (row,) = grouped("Turns over par", runs_of(dialogs))
    assert (row["with par"], row["no par"]) == ("2", "1")
    assert (row["mean par"], row["turns"], row["over par"], row["max over"]) == (
        "3.0", "5.5", "2.5", "5")  # fmt: skip
    assert row["turns a par question"] == "1.83"
    dialogs[0][0].par = dialogs[2][0].par = None
    assert not grouped("Turns over par", runs_of(dialogs))


def write_dataset(path, rows):
    write_rows(
        path,
        [
            Row(
                row.id,
                row.edition,
                Household.from_facts(row.household),
                row.profile,
                row.programs,
                dict(row.labels),
                dict(row.labels),
            )
            for row in rows
        ],
    )
    return path


def test_a_dataset_of_ours_is_played_with_the_texts_of_its_edition(tmp_path):
    rows = example_rows("FairFaresNYC", limit=3)
    read = load_rows(write_dataset(tmp_path / "diverse.jsonl", rows))
    weighted = [replace(row, weights=dict.fromkeys(row.programs, 1.0)) for row in rows]
    assert read == weighted


def test_two_rows_of_one_id_are_refused_by_name(tmp_path):
    (row,) = example_rows("FairFaresNYC", limit=1)
    with pytest.raises(EvaluationError, match="several rows of the id FairFaresNYC-0"):
        load_rows(write_dataset(tmp_path / "diverse.jsonl", [row, row]))


def test_profiles_are_played_in_the_register_that_is_asked_for(tmp_path):
    path = write_dataset(tmp_path / "diverse.jsonl", example_rows("FairFaresNYC", limit=3))
    full, short = load_rows(path, profiles="full"), load_rows(path)
    for one, other in zip(full, short, strict=True):
        assert other.profile.startswith(SHORT_OPENING)
        assert not one.profile.startswith(SHORT_OPENING)
        assert other.household == one.household
    assert load_rows(write_dataset(path, short), profiles="full") == full
    manifests = [describe_run("diverse", rows, Options()) for rows in (full, short)]
    assert [it["profiles"] for it in manifests] == ["full", "short"]
    assert "profiles" in compare_manifests(*manifests)


def test_profiles_of_the_published_layout_cannot_be_chosen(published):
    arguments = ["--dataset", published / "published.jsonl", "--format", "published"]
    refused = invoke("eval", "--model", "reference", *arguments, "--profiles", "full")
    assert refused.exit_code == 2
    assert "profiles of their own" in refused.output


@pytest.fixture
def published(tmp_path):
    """Our rows in the published layout, one label wrong, with texts of their own."""
    lines = []
    for number, row in enumerate(example_rows("FairFaresNYC", limit=4)):
        labels = dict(row.labels)
        if number == 0:
            labels = {name: not label for name, label in labels.items()}
        household = Household.from_facts(row.household)
        ours = Row(row.id, 2024, household, row.profile, row.programs, labels, labels)
        lines.append(json.dumps(to_published(ours), ensure_ascii=False))
    (tmp_path / "published.jsonl").write_text("\n".join(lines) + "\n")
    (tmp_path / "texts.jsonl").write_text(
        '{"program_name": "FairFaresNYC", "plain_language_eligibility": "Be poor."}\n'
    )
    return tmp_path


def test_published_files_are_played_with_their_texts_and_labels(published):
    rows = load_published(published / "published.jsonl", published / "texts.jsonl")
    assert rows[0].requirements == {"FairFaresNYC": "Be poor."}
    ours = example_rows("FairFaresNYC", limit=4)
    assert rows[0].profile == ours[0].profile
    differs = [a.labels != b.labels for a, b in zip(rows, ours, strict=True)]
    assert differs == [True, False, False, False]


def test_the_authors_files_are_known_by_what_they_hold_and_not_by_their_size(tmp_path):
    """A file of as many rows and pairs, which holds other households, is not theirs."""
    edition = load_edition(2024)
    row = example_rows("FairFaresNYC", limit=1)[0]

    def write(n_rows, n_pairs, members, claimed):
        """Rows of these members, with so many pairs in all."""
        each, more = divmod(n_pairs, n_rows)
        lines = []
        for number in range(n_rows):
            ours = Row(
                f"r{number}",
                2024,
                Household.from_facts(row.household),
                "You.",
                tuple(sorted(edition)[: each + (number < more)]),
                dict.fromkeys(edition, False) | claimed,
                {},
            )
            line = to_published(ours)
            (applicant,) = line["hh"]["features"]["members"]
            facts = applicant["features"]
            line["hh"]["features"]["members"] = [
                {"features": {**facts, **told}} for told in members.get(number, [{}])
            ]
            lines.append(json.dumps(line))
        path = tmp_path / "theirs.jsonl"
        path.write_text("\n".join(lines) + "\n")
        return recognise(path, "published")

    fostered, aged_out = {"age": 20, "in_foster_care": True}, {"age": 9, "foster_age_out": True}
    wards = {n: [fostered] * 3 if n < 17 else [aged_out] * 2 for n in range(34)}
    assert write(56, 305, wards, {}) == "published diverse"
    assert write(56, 305, {}, {}) is None
    assert write(56, 304, wards, {}) is None
    some = dict.fromkeys(sorted(edition)[:47], True)
    assert write(25, 246, {}, some) is None


def test_a_published_program_without_a_text_is_explained(published):
    (published / "texts.jsonl").write_text("")
    with pytest.raises(EvaluationError, match="no text of FairFaresNYC"):
        load_published(published / "published.jsonl", published / "texts.jsonl")


def test_our_rows_are_not_taken_for_published_ones(tmp_path, published):
    path = write_dataset(tmp_path / "ours.jsonl", example_rows("FairFaresNYC", limit=1))
    with pytest.raises(DatasetFormatError):
        load_published(path, published / "texts.jsonl")


@pytest.mark.slow
def test_a_run_from_the_command_line_is_compared_with_the_published_rows(tmp_path):
    data = write_dataset(tmp_path / "diverse.jsonl", example_rows("FairFaresNYC", limit=5))
    logs = tmp_path / "logs"
    ran = invoke("eval", "--model", "reference", "--dataset", data, "--limit", 3, "--log-dir", logs)
    assert ran.exit_code == 0, ran.output
    assert re.search(r"proada .*diverse \(3 of 5\) \d+ +3 +100\.0 \(-\) ", ran.stdout)
    assert max(map(len, ran.stdout.splitlines())) <= 80
    assert "a ceiling on F1, no score" in ran.stderr
    shown = invoke("results", logs, "--all", "--json", "--output", tmp_path / "out")
    assert shown.exit_code == 0, shown.output
    (paper,) = (
        row for table in json.loads(shown.stdout) for row in table["rows"] if "58.7" in row.values()
    )
    assert paper["source"].endswith("Table 1)")
    assert (paper["agent"], paper["models"]) == ("proada", "dialog Llama 3.1 70B")
    (leading,) = json.loads(invoke("results", logs, "--json").stdout)
    assert [(row["n"], row["F1 (95%)"]) for row in leading["rows"]] == [("3", "partial")]
    assert (tmp_path / "out" / "evaluation.svg").read_text().startswith("<?xml")
    assert (tmp_path / "out" / "evaluation.pdf").read_bytes().startswith(b"%PDF")
    assert (tmp_path / "out" / "evaluation" / "these_runs_and_the_papers.csv").is_file()
    assert "58.7" in (tmp_path / "out" / "fragments" / "evaluation.html").read_text()


def test_a_human_plays_the_user_at_the_terminal(tmp_path):
    data = write_dataset(tmp_path / "diverse.jsonl", example_rows("FairFaresNYC", limit=1))
    arguments = ["eval", "--model", "reference", "--user-model", "human", "--dataset", data]
    ran = invoke(*arguments, "--log-dir", tmp_path / "logs", input="New Jersey.\n")
    assert ran.exit_code == 0, ran.output
    assert "You are this person" in ran.output


def test_a_human_plays_the_agent_at_the_terminal(tmp_path):
    data = write_dataset(tmp_path / "diverse.jsonl", example_rows("FairFaresNYC", limit=1))
    arguments = ["eval", "--agent", "human", "--model", "reference", "--dataset", data]
    ran = invoke(*arguments, "--log-dir", tmp_path / "logs", input="How old are you?\n\nmaybe\ny\n")
    assert ran.exit_code == 0, ran.output
    assert "years." in ran.output
    assert re.search(r"human \(reference\) +diverse 2024 +1 .* 1\.0 ", ran.stdout)


def test_logs_of_one_second_are_read_in_the_order_in_which_they_were_written(tmp_path):
    names = [
        f"2026-11-30T09-16-3{second}-00-00_x_{code}.eval" for second, code in ("8z", "8a", "7c")
    ]
    for age, name in enumerate(names):
        (tmp_path / name).write_bytes(b"")
        os.utime(tmp_path / name, ns=(age, age))
    assert [path.name for path in find_logs([tmp_path])] == [names[2], names[0], names[1]]
