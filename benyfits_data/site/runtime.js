"use strict";
/* An amount of a table for a number of people. */
function row(table, size) {
  if (size in table.rows) return table.rows[size];
  if (size < table.largest || table.more === null) throw new Error(`no row for size ${size}`);
  return table.rows[table.largest] + (size - table.largest) * table.more;
}
/* Thrown where a fact is read that is not known. */
const MISSING = Symbol("missing");
/* What a checker told while it ran: its lines, and each condition with whom it was asked of. Where
   facts may be missing, a condition that hangs on one takes the way that `forks` say, at first yes,
   unless `cases` knows what it is whatever the missing fact may be. */
class Run {
  constructor(forks, cases) {
    Object.assign(this, { lines: new Set(), asked: [], forks, cases, forked: 0 });
  }
  at(line) { this.lines.add(line); }
  decide(test) {
    let holds = tried(test);
    if (holds === MISSING && this.cases) holds = this.cases(test);
    return holds === MISSING ? this.forks[this.forked++] ??= true : holds;
  }
  ask(line, test, member) {
    const holds = this.forks ? this.decide(test) : test();
    this.asked.push([line, holds, member]);
    return holds;
  }
  end(test) { return this.forks ? this.decide(test) : test(); }
}
/* A value, or `MISSING`; a name that holds it throws it where it is read. */
function tried(get) {
  try { return get(); } catch (error) {
    if (error !== MISSING) throw error;
    return MISSING;
  }
}
function known(value) {
  if (value === MISSING) throw MISSING;
  return value;
}
/* Both or either: one part alone may settle it, whatever the missing ones are. */
function both(...parts) {
  let unknown = false;
  for (const part of parts) {
    const holds = tried(part);
    if (holds === MISSING) unknown = true;
    else if (!holds) return false;
  }
  if (unknown) throw MISSING;
  return true;
}
function either(...parts) { return !both(...parts.map(part => () => !part())); }
/* Label, lines in order and conditions asked of a household by one program. */
function check(name, household, forks = null, cases = null) {
  const run = new Run(forks, cases);
  const eligible = PROGRAMS[name](household, THRESHOLDS[name], run);
  return { eligible, lines: [...run.lines].sort((a, b) => a - b), asked: run.asked };
}
/* The conditions on which an answer hangs, by position in `asked`; as `explain` finds them. */
function decisive(name, { eligible, lines, asked }) {
  const blocks = BLOCKS[name], last = asked.length - 1;
  if (last < 0) return new Set();
  const end = BLOCKS[name].ends.findLast(line => lines.includes(line));
  const of = ([line, holds]) => blocks.ifs[line];
  const taken = it => of(it)[it[1] ? "then" : "else"];
  const untaken = it => of(it)[it[1] ? "else" : "then"];
  const where = test => new Set(asked.keys().filter(at => test(asked[at])));
  if (eligible) {
    const inLoop = blocks.loops.includes(end), owner = asked[last][2];
    return where(it => (!inLoop || it[2] === null || it[2] === owner)
      && (taken(it).lines.includes(end) || ["continue", "return False"].includes(untaken(it).end)));
  }
  const missed = where(it => untaken(it).approves);
  if (taken(asked[last]).lines.includes(end)) {
    const number = of(asked[last]).numbers;
    return missed.union(where(it => it[2] === asked[last][2] && taken(it).lines.includes(end)
      && of(it).numbers.some(one => number.includes(one)))).add(last);
  }
  const all = missed.union(where(it => taken(it).end === "continue"));
  return all.size ? all : new Set([last]);
}
/* Label of a household and the clauses that decided it. */
function decide(name, household) {
  const result = check(name, household), found = new Set();
  for (const at of [...decisive(name, result)].sort((a, b) => a - b)) {
    for (const clause of BLOCKS[name].ifs[result.asked[at][0]].clauses) found.add(clause);
  }
  return { eligible: result.eligible, clauses: [...found] };
}
/* The clauses that decided, in their order, without alternatives that were asked and not met where
   another one was. */
function reasons(name, household) {
  const result = check(name, household), blocks = BLOCKS[name], found = new Set();
  const of = ([line]) => blocks.ifs[line];
  const grants = it => !["continue", "return False"].includes(of(it).then.end);
  const met = new Set(result.asked.filter(it => it[1] && of(it).clauses.length === 1 && grants(it))
    .map(it => of(it).clauses[0]));
  for (const at of decisive(name, result)) {
    const { clauses } = of(result.asked[at]), left = clauses.filter(it => met.has(it));
    for (const clause of result.eligible && left.length ? left : clauses) found.add(clause);
  }
  const order = clause => clause.replace(/\d+/, number => number.padStart(3, "0"));
  return {
    eligible: result.eligible,
    clauses: [...found].sort((one, other) => order(one) < order(other) ? -1 : 1),
  };
}
/* Names of the constraints that a household breaks, each with the member's position or null. */
function violations(household) {
  const found = [];
  for (const [name, [ofMember, holds]] of Object.entries(CONSTRAINTS)) {
    if (!ofMember) { if (!holds(household)) found.push([name, null]); continue; }
    household.members.forEach((member, at) => {
      if (!holds(household, member)) found.push([name, at]);
    });
  }
  return found;
}
