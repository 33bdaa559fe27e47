"use strict";
/* Asks a person about the household, and tells what is settled with the answers that prove it. */
(function () {
  const $ = id => document.getElementById(id), { element } = BENYFITS;
  const WHO = ["relation", "age"];
  let rules, screening, names, asked, question;

  function person(at) { return at === 0 ? "you" : names[at] || `person ${at + 1}`; }
  /* An answer as a sentence: "Ana is 7 years old." */
  function told(key) {
    const [owner, name] = key.split(".");
    return BENYFITS.statement(name, screening.known.get(key), +owner ? person(+owner) : "");
  }
  /* A program with a link, what it is and how to apply where it may be claimed, and the proof. */
  function program(name, verdict) {
    const item = element("li", ""), [does, agency] = rules.ABOUT[name];
    item.append(element("a", rules.TITLES[name], { href: `programs/${name}.html` }));
    if (verdict) item.append(element("div", `${does} To apply, ask ${agency}, or call 311.`));
    if (verdict === null) return item;
    const proof = [...new Set(screening.proof(name).map(told))].join(" ");
    item.append(element("div", proof || (verdict ? "Anybody may." : "Whatever you answer."), { className: "muted" }));
    return item;
  }
  function show() {
    const programs = Object.keys(rules.PROGRAMS), lists = { true: [], false: [], null: [] };
    for (const name of programs) {
      const verdict = screening.settle(name);
      lists[verdict].push([name, program(name, verdict)]);
    }
    for (const [id, key] of [["yes", true], ["no", false], ["open", null]]) {
      $(id).replaceChildren(...lists[key].map(([, item]) => item));
    }
    $("settled").textContent = `${programs.length - lists.null.length} of ${programs.length} programs are settled after ${asked.length} ${asked.length === 1 ? "answer" : "answers"}.`;
    if (screening.broken.length) {
      const says = [...new Set(screening.broken)].map(it => rules.SAYS[it]);
      $("refused").textContent = `Your answers cannot all be true. ${says.join(" ")} Go back to change one; until then nothing is concluded from rules like this.`;
    }
    question = screening.next(lists.null.map(([name]) => name));
    $("form").hidden = question === null;
    if (question === null) return;
    const { name, at } = question;
    if (at !== "all") {
      const people = { members: names.map((it, one) => ({ name: person(one) })) };
      $("question").textContent = BENYFITS.question(name, people, at);
      $("field").replaceChildren(element("label", "Your answer ", { htmlFor: "value" }), BENYFITS.field(name, true));
      return;
    }
    $("question").textContent = FACTS[name].who;
    $("field").replaceChildren(...[...names.map((_, one) => person(one)), "nobody"].map((who, one) => {
      const label = element("label", ` ${who}`);
      label.prepend(element("input", "", { type: "checkbox", value: one }));
      return label;
    }));
  }
  /* Who is named of everybody, yes or no a member; throws where none or nobody and somebody is. */
  function named() {
    const boxes = [...$("field").querySelectorAll("input")].map(it => it.checked), isNobody = boxes.pop();
    if (isNobody === boxes.includes(true)) throw new Error("Please name people, or nobody.");
    return boxes;
  }
  function answer(value) {
    asked.push([question, value]);
    screening.answer(question, value);
    show();
    $("field").querySelector("input, select")?.focus();
  }
  function start(roster) {
    screening = new Screening(rules, FACTS, PRIOR, names.length);
    for (const [fact, value] of roster) screening.answer(fact, value);
    screening.roster = roster;
    asked = [];
    $("refused").textContent = "";
    $("found").hidden = false;
    show();
  }
  window.ASKED = () => question;
  $("start").addEventListener("click", () => {
    const size = Math.min(20, Math.max(1, Math.trunc(+$("people").value) || 1));
    rules = RULES[$("edition").value];
    $("form").hidden = $("found").hidden = true;
    $("roster").hidden = false;
    $("members").replaceChildren(...Array.from({ length: size }, (_, at) => {
      const line = element("fieldset", ""), fields = [["name", element("input", "", { size: 12 })]];
      line.append(element("legend", at ? `Person ${at + 1}` : "You"));
      for (const name of WHO) fields.push([name, BENYFITS.field(name, true)]);
      fields[1][1].querySelector("[value=self]").remove();
      for (const [name, field] of fields.slice(at ? 0 : 2)) {
        field.id = `${name}-${at}`;
        const says = name === "relation" ? "is" : name;
        line.append(element("label", says, { htmlFor: field.id }), field);
      }
      return line;
    }));
    $("members").querySelector("input, select").focus();
  });
  $("roster").addEventListener("submit", event => {
    event.preventDefault();
    $("refused").textContent = "";
    const size = $("members").children.length, roster = [];
    try {
      for (let at = 0; at < size; at++) {
        for (const name of at ? WHO : ["age"]) {
          roster.push([{ name, at }, BENYFITS.read(name, $(`${name}-${at}`).value)]);
        }
      }
      names = Array.from({ length: size }, (_, at) => $(`name-${at}`)?.value.trim());
      $("roster").hidden = true;
      start(roster);
      $("field").querySelector("input, select")?.focus();
    } catch (error) {
      $("refused").textContent = `Age and relation of each person: ${error.message}`;
    }
  });
  $("form").addEventListener("submit", event => {
    event.preventDefault();
    $("refused").textContent = "";
    try {
      answer(question.at === "all" ? named() : BENYFITS.read(question.name, $("value").value));
    } catch (error) {
      $("refused").textContent = error.message;
    }
  });
  $("unknown").addEventListener("click", () => answer(undefined));
  $("back").addEventListener("click", () => {
    if (!asked.length) {
      $("form").hidden = $("found").hidden = true;
      $("roster").hidden = false;
      return;
    }
    const kept = asked.slice(0, -1);
    start(screening.roster);
    for (const [fact, value] of kept) screening.answer(fact, value);
    asked = kept;
    show();
  });
})();
