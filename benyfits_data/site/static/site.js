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

  const kind = document.getElementById("kind");
  kind?.addEventListener("change", () => {
    for (const row of document.querySelectorAll("#dialogs tbody tr")) {
      row.hidden = kind.value !== "" && !row.dataset.kinds.split(" ").includes(kind.value);
    }
  });
})();

/* What the pages that run checkers share. */
window.BENYFITS = {
  element(name, text, values) {
    return Object.assign(document.createElement(name), { textContent: text }, values || {});
  },
  fill(select, entries) {
    select.replaceChildren(...entries.map(([value, text]) => this.element("option", text, { value })));
  },
  called(household) {
    return household.members.map((member, at) => at ? `${member.name} (${member.relation})` : `${member.name} (you)`);
  },
  spaced(name) { return name.replaceAll("_", " "); },
  /* Facts that somebody may be asked for, by owner: "home" or a member's position. */
  facts(owner) {
    const level = owner === "home" ? "household" : "member";
    return Object.entries(FACTS).filter(([name, it]) => it.level === level && name !== "name")
      .map(([name]) => [name, this.spaced(name)]).sort((a, b) => a[1] < b[1] ? -1 : 1);
  },
  /* A field for a fact's value, labelled as the form says. */
  field(name) {
    const fact = FACTS[name];
    let field;
    if (fact.kind === "flag" || fact.kind === "choice") {
      const values = fact.kind === "flag" ? ["yes", "no"] : fact.choices;
      field = document.createElement("select");
      this.fill(field, [...values, ...(fact.optional ? ["none"] : [])].map(it => [it, it]));
    } else {
      field = this.element("input", "", { type: fact.kind === "date" ? "date" : "text", size: 12 });
      if (fact.optional) field.placeholder = "empty for none";
    }
    field.id = "value";
    return field;
  },
  /* The value that was typed; throws with what was expected. */
  read(name, text) {
    const fact = FACTS[name], typed = text.trim();
    if (fact.kind === "flag") return typed === "yes";
    if (fact.choices.includes(typed)) return typed;
    if (typed === "" || typed === "none") {
      if (fact.optional) return null;
      throw new Error("Expected a value.");
    }
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
    return FACTS[name].unit === "dollar" ? `$${value.toLocaleString("en")}` : String(value);
  },
  /* A question for a member ("you" for the first) or the household. */
  question(name, household, at) {
    if (at === null || at === 0) return FACTS[name].you || `${this.spaced(name)}?`;
    const who = household.members[at];
    return (FACTS[name].they || `${this.spaced(name)}?`).replaceAll("{name}", who.name || `member ${at + 1}`);
  },
};
