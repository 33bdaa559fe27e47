"use strict";
/* A person is the agent: asks for facts, commits to verdicts, sees what decided. */
(function () {
  const $ = id => document.getElementById(id), { element } = BENYFITS;
  let home, turns, told, screening;

  function showFacts() { BENYFITS.fill($("fact"), [...($("who").value === "home" ? [["", "how many people live there"]] : []), ...BENYFITS.facts($("who").value)]); }
  function say(text, isAnswer) {
    $("chat").append(element("li", text, isAnswer ? { className: "answer" } : {}));
  }
  function start(chosen) {
    home = chosen;
    turns = 0;
    told = [];
    screening = null;
    $("hinted").textContent = "";
    $("turns").textContent = "0";
    $("floor").textContent = home.floor ? `The fewest that settle all programs: ${home.floor}.` : "";
    $("chat").replaceChildren();
    $("score").replaceChildren();
    const people = home.household.members.map((_, at) => [at, at ? `member ${at + 1}` : "you"]);
    BENYFITS.fill($("who"), [["home", "the household"], ...people.slice(0, 1)]);
    showFacts();
    const titles = RULES[home.edition].TITLES;
    $("verdicts").replaceChildren(...home.programs.map(name => {
      const line = element("p", ""), select = element("select", "", { id: `verdict-${name}`, name });
      BENYFITS.fill(select, [["", "not said yet"], ["yes", "eligible"], ["no", "not eligible"]]);
      line.append(element("label", titles[name], { htmlFor: select.id }), select);
      return line;
    }), element("button", "Compare with the right answers"));
  }
  $("form").addEventListener("submit", event => {
    event.preventDefault();
    const owner = $("who").value, name = $("fact").value;
    $("turns").textContent = String(++turns);
    $("hinted").textContent = "";
    if (name === "") {
      say("How many people live in your household, counting yourself?");
      say(String(home.household.members.length), true);
      BENYFITS.fill($("who"), [["home", "the household"], ...BENYFITS.called(home.household).map((it, at) => [at, it])]);
      showFacts();
      screening = new Screening(RULES[home.edition], FACTS, PRIOR, home.household.members.length);
      for (const [fact, value] of told) screening.answer(fact, value);
      return;
    }
    const at = owner === "home" ? null : +owner, of = at === null ? home.household : home.household.members[at];
    say(BENYFITS.question(name, home.household, at));
    say(BENYFITS.shown(name, of[name]), true);
    told.push([{ name, at }, of[name]]);
    screening?.answer({ name, at }, of[name]);
  });
  $("hint").addEventListener("click", () => {
    if (!screening) {
      $("hinted").textContent = "How many people live there.";
      return;
    }
    const open = home.programs.filter(it => screening.settle(it) === null), next = screening.next(open, true);
    const settled = `${home.programs.length - open.length} of ${home.programs.length} verdicts follow from the answers.`;
    $("hinted").textContent = next ? `${settled} Next: ${BENYFITS.question(next.name, home.household, next.at)}` : settled;
  });
  $("verdicts").addEventListener("submit", event => {
    event.preventDefault();
    const rules = RULES[home.edition], said = home.programs.map(name => [name, $(`verdict-${name}`).value]);
    if (said.some(([, it]) => it === "")) {
      $("score").replaceChildren(element("p", "Say something about every program first."));
      return;
    }
    const right = said.filter(([name, it]) => (it === "yes") === rules.check(name, home.household).eligible).length;
    $("score").replaceChildren(element("p", `${right} of ${said.length} right after ${turns} turns.`), ...said.map(([name, it]) => {
      const { eligible } = rules.check(name, home.household), isRight = (it === "yes") === eligible;
      return element("p", `${isRight ? "Right" : "Wrong"}. ${rules.TITLES[name]}: ${eligible ? "eligible" : "not eligible"}`, { className: isRight ? "yes" : "no" });
    }), Object.assign(element("a", "What decided"), { href: `households/${home.id}.html` }));
  });
  $("who").addEventListener("change", showFacts);
  if (!BENYFITS.choose($("home"), start)) {
    $("score").textContent = "No data set was built when this site was written.";
  }
})();
