"use strict";
/* Asks a person for the fact that most open programs wait for, until every program has a verdict.

A checker is run on the facts that are known and stops at the first one that is not: a verdict
reached so is right, whatever the rest may be. A fact whose guard fails (hours of work of who does
not work) has its value without a question. */
class Missing extends Error {
  constructor(name, at) { super(name); this.name_ = name; this.at = at; }
}

function screened(rules, size, known) {
  const key = (name, at) => `${at ?? "home"}.${name}`;
  const household = {};
  const owner = at => new Proxy({}, {
    get(_, name) {
      if (name === "members" && at === null) return members;
      if (!(name in FACTS)) return undefined;
      if (known.has(key(name, at))) {
        const value = known.get(key(name, at));
        if (value === undefined) throw new Missing(name, at);
        return value;
      }
      if (at === 0 && name === "relation") return "self";
      for (const guard of rules.GUARDS[name] || []) {
        if (!(at === null ? guard(household.it) : guard(household.it, members[at]))) return FACTS[name].off;
      }
      throw new Missing(name, at);
    },
  });
  const members = Array.from({ length: size }, (_, at) => owner(at));
  household.it = owner(null);
  const verdicts = {}, waiting = new Map();
  for (const program of Object.keys(rules.PROGRAMS)) {
    try {
      verdicts[program] = rules.check(program, household.it).eligible;
    } catch (error) {
      if (!(error instanceof Missing)) throw error;
      verdicts[program] = null;
      const wanted = key(error.name_, error.at);
      if (!known.has(wanted)) waiting.set(wanted, [(waiting.get(wanted)?.[0] || 0) + 1, error.name_, error.at]);
    }
  }
  const next = [...waiting.values()].sort((one, other) => other[0] - one[0])[0];
  return { verdicts, next: next ? { name: next[1], at: next[2] } : null, key };
}

(function () {
  const $ = id => document.getElementById(id), { element } = BENYFITS;
  let rules, size, known, asked, state;

  function people() {
    return { members: Array.from({ length: size }, (_, at) => ({ name: known.get(`${at}.name`) || `member ${at + 1}` })) };
  }
  function show() {
    state = screened(rules, size, known);
    const names = Object.keys(state.verdicts);
    const list = (id, value) => $(id).replaceChildren(...names.filter(it => state.verdicts[it] === value).map(it => element("li", rules.TITLES[it])));
    list("yes", true); list("no", false); list("open", null);
    const settled = names.filter(it => state.verdicts[it] !== null).length;
    $("settled").textContent = `${settled} of ${names.length} programs are settled after ${asked.length} answers.`;
    $("form").hidden = state.next === null;
    if (state.next === null) return;
    const { name, at } = state.next;
    $("question").textContent = BENYFITS.question(name, people(), at);
    $("field").replaceChildren(BENYFITS.field(name));
  }
  function answer(value) {
    const wanted = state.key(state.next.name, state.next.at);
    known.set(wanted, value);
    asked.push(wanted);
    show();
  }
  window.ASKED = () => state.next;
  $("start").addEventListener("click", () => {
    rules = RULES[$("edition").value];
    size = Math.min(20, Math.max(1, Math.trunc(+$("people").value) || 1));
    known = new Map();
    asked = [];
    $("refused").textContent = "";
    show();
    $("value")?.focus();
  });
  $("form").addEventListener("submit", event => {
    event.preventDefault();
    $("refused").textContent = "";
    try {
      answer(BENYFITS.read(state.next.name, $("value").value));
      $("value")?.focus();
    } catch (error) {
      $("refused").textContent = error.message;
    }
  });
  $("unknown").addEventListener("click", () => answer(undefined));
  $("back").addEventListener("click", () => {
    if (asked.length) known.delete(asked.pop());
    show();
  });
})();
