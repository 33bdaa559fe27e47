"use strict";
/* Search over programs, households, dialogs and documents; filters of lists. */
(function () {
  const root = document.body.dataset.root;
  const words = document.getElementById("words"), hits = document.getElementById("hits");
  const entries = (window.FOUND || []).map(([kind, title, address, more]) =>
    ({ kind, title, address, text: `${title} ${more}`.toLowerCase() }));

  function search() {
    const asked = words.value.toLowerCase().split(/\s+/).filter(word => word);
    hits.replaceChildren();
    if (!asked.length) return;
    const score = entry => asked.filter(word => entry.title.toLowerCase().includes(word)).length;
    const found = entries.filter(entry => asked.every(word => entry.text.includes(word)))
      .sort((one, other) => score(other) - score(one)).slice(0, 20);
    for (const entry of found) {
      const link = Object.assign(document.createElement("a"), { href: root + entry.address });
      link.textContent = `${entry.title} (${entry.kind})`;
      hits.append(Object.assign(document.createElement("li"), {}));
      hits.lastChild.append(link);
    }
    if (!found.length) hits.append(Object.assign(document.createElement("li"), { textContent: "Nothing found." }));
  }
  words.addEventListener("input", search);
  document.getElementById("search").addEventListener("submit", event => {
    event.preventDefault();
    hits.querySelector("a")?.click();
  });
  document.addEventListener("keydown", event => {
    if (event.key === "Escape") hits.replaceChildren();
  });

  const kind = document.getElementById("kind"), said = document.getElementById("said");
  function filter() {
    const asked = said.value.toLowerCase().split(/\s+/).filter(word => word);
    let n = 0;
    document.querySelectorAll("#dialogs tbody tr").forEach((row, at) => {
      row.hidden = kind.value !== "" && !row.dataset.kinds.split(" ").includes(kind.value)
        || !asked.every(word => SAID[at].includes(word));
      n += !row.hidden;
    });
    document.getElementById("shown").textContent = `${n} shown`;
  }
  /* What was said is loaded when somebody looks for it. */
  function load() {
    if (window.SAID) return filter();
    const script = Object.assign(document.createElement("script"), { src: "dialogs-said.js", onload: filter });
    document.head.append(script);
  }
  if (kind) {
    document.getElementById("filter").addEventListener("submit", event => event.preventDefault());
    kind.addEventListener("change", filter);
    said.addEventListener("input", load);
    const wanted = location.hash.slice(1);
    if ([...kind.options].some(it => it.value === wanted)) { kind.value = wanted; filter(); }
  }
})();

/* What the pages that run checkers share. */
window.BENYFITS = {
  element(name, text, values) {
    return Object.assign(document.createElement(name), { textContent: text }, values || {});
  },
  fill(select, entries) {
    select.replaceChildren(...entries.map(([value, text]) => this.element("option", text, { value })));
  },
  /* A household with the facts that are their unremarkable value filled in. */
  whole(facts) {
    const usual = level => Object.fromEntries(
      Object.entries(FACTS).filter(([, it]) => it.level === level).map(([name, it]) => [name, it.default]));
    const member = usual("member");
    return { ...usual("household"), ...facts, members: facts.members.map(it => ({ ...member, ...it })) };
  },
  /* Offers the households of the data sets and calls with the one that is chosen. */
  choose(select, start) {
    const chosen = () => {
      const home = HOMES.find(it => it.id === select.value);
      start({ ...home, household: this.whole(home.household) });
    };
    if (!window.HOMES || !HOMES.length) return null;
    this.fill(select, HOMES.map(it => {
      const n = it.household.members.length;
      return [it.id, `${it.id} (${n} ${n === 1 ? "person" : "people"})`];
    }));
    const wanted = decodeURIComponent(location.hash.slice(1));
    if (HOMES.some(it => it.id === wanted)) select.value = wanted;
    select.addEventListener("change", chosen);
    chosen();
    return chosen;
  },
  called(household) {
    return household.members.map((member, at) => at ? `${member.name} (${member.relation})` : `${member.name} (you)`);
  },
  /* Facts that somebody may be asked for, by owner: "home" or a member's position. */
  facts(owner) {
    const level = owner === "home" ? "household" : "member";
    return Object.entries(FACTS).filter(([name, it]) => it.level === level && name !== "name")
      .map(([name, it]) => [name, it.label]).sort((a, b) => a[1].localeCompare(b[1], "en"));
  },
  /* A field for a fact's value, labelled as the form says; choices may begin with none chosen. */
  field(name, isOpen = false) {
    const fact = FACTS[name];
    let field;
    if (fact.kind === "flag" || fact.kind === "choice") {
      const values = fact.kind === "flag" ? ["yes", "no"] : fact.choices;
      field = document.createElement("select");
      this.fill(field, [...(isOpen ? [["", "choose"]] : []), ...[...values, ...(fact.optional ? ["none"] : [])].map(it => [it, fact.words[it] || it])]);
      for (const [label, choices] of Object.entries(fact.groups)) {
        const group = this.element("optgroup", "", { label });
        group.append(...[...field.options].filter(it => choices.includes(it.value)));
        field.append(group);
      }
    } else {
      field = this.element("input", "", { type: fact.kind === "date" ? "date" : "text", size: 12 });
      if (fact.optional) field.placeholder = "or none";
    }
    field.id = "value";
    return field;
  },
  /* The value that was typed; throws with what was expected. */
  read(name, text) {
    const fact = FACTS[name], typed = text.trim();
    if (fact.choices.includes(typed)) return typed;
    if (typed === "none" && fact.optional) return null;
    if (typed === "") throw new Error("Please give an answer first.");
    if (fact.kind === "flag") return typed === "yes";
    if (fact.kind === "number" || fact.kind === "decimal") {
      const number = Number(typed.replaceAll(/[$,\s]/g, ""));
      const whole = fact.kind === "number";
      if (Number.isNaN(number) || (whole && !Number.isInteger(number)) || number < fact.minimum || number > fact.maximum) {
        throw new Error(`Expected a ${whole ? "whole " : ""}number from ${fact.minimum} to ${fact.maximum}.`);
      }
      return number;
    }
    return typed;
  },
  shown(name, value) {
    if (value === null) return "none";
    if (value === true || value === false) return value ? "yes" : "no";
    if (FACTS[name].kind === "choice") return FACTS[name].words[value];
    return FACTS[name].unit === "dollar" ? `$${value.toLocaleString("en")}` : String(value);
  },
  /* A fact as a sentence; `who` is what a member is called, or nothing for you or the household. */
  statement(name, value, who) {
    const says = FACTS[name].says[who ? "they" : "you"], number = typeof value === "number" ? value.toLocaleString("en") : value;
    return (says[String(value)] ?? says["@"].replace("@", number)).replaceAll("{name}", who);
  },
  /* A question for a member ("you" for the first) or the household. */
  question(name, household, at) {
    if (at === null || at === 0) return FACTS[name].you || `${FACTS[name].label}?`;
    const who = household.members[at];
    return (FACTS[name].they || `${FACTS[name].label}?`).replaceAll("{name}", who.name || `member ${at + 1}`);
  },
};
