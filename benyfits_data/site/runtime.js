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
/* The clauses at the first condition that one household meets otherwise than another. */
function turned(name, before, after) {
  const [one, other] = [before, after].map(household => check(name, household).asked);
  const at = other.findIndex((it, position) => String(it) !== String(one[position]));
  return DECIDES[name][(other[at] || one.at(-1))[0]];
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
