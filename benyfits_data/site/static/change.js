"use strict";
/* Changes facts of a household and shows which verdicts flip. */
(function () {
  const $ = id => document.getElementById(id), { element } = BENYFITS;
  let home, household, changes;

  function verdicts(of) {
    const rules = RULES[home.edition];
    return Object.fromEntries(Object.keys(rules.PROGRAMS).map(name => [name, rules.check(name, of).eligible]));
  }
  function owner() { return $("who").value === "home" ? household : household.members[+$("who").value]; }
  function showField() {
    const field = BENYFITS.field($("fact").value), value = owner()[$("fact").value];
    field.value = value === null ? "none" : value === true ? "yes" : value === false ? "no" : value;
    $("field").replaceChildren(field);
  }
  function showFacts() { BENYFITS.fill($("fact"), BENYFITS.facts($("who").value)); showField(); }
  function show() {
    const before = verdicts(home.household), after = verdicts(household), rules = RULES[home.edition];
    const flips = Object.keys(after).filter(name => before[name] !== after[name]);
    $("flips").replaceChildren(...flips.map(name => {
      const clauses = rules.turned(name, home.household, household).map(it => `${it}: ${rules.CLAUSES[name][it] || "another reading"}`);
      const item = element("li", `${rules.TITLES[name]}: now ${after[name] ? "eligible" : "not eligible"}. First clause that is decided otherwise: ${clauses.join(" / ")}`);
      item.className = after[name] ? "yes" : "no";
      return item;
    }));
    if (!flips.length) $("flips").append(element("li", changes.length ? "No verdict." : "Nothing is changed yet."));
    $("changes").replaceChildren(...changes.map(it => element("li", it)));
  }
  function start(chosen) {
    home = chosen;
    household = structuredClone(home.household);
    changes = [];
    BENYFITS.fill($("who"), [["home", "the household"], ...BENYFITS.called(household).map((it, at) => [at, it])]);
    $("who").value = "0";
    $("refused").textContent = "";
    showFacts();
    show();
  }
  $("form").addEventListener("submit", event => {
    event.preventDefault();
    const name = $("fact").value, changed = structuredClone(household);
    $("refused").textContent = "";
    try {
      const value = BENYFITS.read(name, $("value").value);
      ($("who").value === "home" ? changed : changed.members[+$("who").value])[name] = value;
      const broken = RULES[home.edition].violations(changed);
      if (broken.length) {
        const says = RULES[home.edition].SAYS;
        throw new Error(`No household can be like that. ${[...new Set(broken.map(([it]) => says[it]))].join(" ")}`);
      }
      household = changed;
      changes.push(`${$("who").selectedOptions[0].textContent}: ${FACTS[name].label} is ${BENYFITS.shown(name, value)}`);
      show();
    } catch (error) {
      $("refused").textContent = error.message;
    }
  });
  $("who").addEventListener("change", showFacts);
  $("fact").addEventListener("change", showField);
  const again = BENYFITS.choose($("home"), start);
  if (again) $("reset").addEventListener("click", again);
  else $("refused").textContent = "No data set was built when this site was written.";
})();
