"use strict";
/* Which programs are settled by answers, which answers prove it, and what to ask next.

A checker is run on the facts that are known. Where a condition hangs on one that is not, both ways
are taken: what all of them lead to holds whatever the rest may be. A fact whose guard fails (hours
of work of who does not work) has its value without a question. The next question is the one that
settles most for the households of the city nearest to the answers. */
const NEAREST = 12, MOST_WAYS = 64, NEAR_AGE = 5, NEAR_SHARE = 0.2;

class Screening {
  constructor(rules, facts, prior, size) {
    Object.assign(this, { rules, facts, size, known: new Map(), reads: new Set() });
    const alike = prior.filter(it => it.members.length === size);
    this.prior = (alike.length ? alike : prior).map(home => ({ home, distance: 0 }));
    this.members = Array.from({ length: size }, (_, at) => this.owner(at));
    this.household = this.owner(null);
  }
  static key(name, at) { return `${at ?? "home"}.${name}`; }
  /* The household or a member, as checkers read it; `this.guess` fills in what is not known. */
  owner(at) {
    return new Proxy({}, { get: (_, name) => name === "members" && at === null ? this.members : this.read(name, at) });
  }
  read(name, at) {
    const declared = this.facts[name];
    if (!declared) return undefined;
    if (name === "relation" && at === 0) return "self";
    const key = Screening.key(name, at);
    const known = this.known.get(key);
    const isLeftOut = this.allowed && !this.allowed.has(key);
    if (known !== undefined) {
      if (isLeftOut && !this.guess) throw this.rules.MISSING;
      this.reads.add(key);
      return known;
    }
    for (const guard of this.rules.GUARDS[name] || []) {
      if (!(at === null ? guard(this.household) : guard(this.household, this.members[at]))) return declared.off;
    }
    if (!this.guess || isLeftOut) throw this.rules.MISSING;
    const owner = at === null ? this.guess : this.guess.members[at] || this.guess.members.at(-1);
    const value = name in owner ? owner[name] : declared.default;
    this.needed.set(key, { name, at, key, value });
    return value;
  }
  /* The verdict that follows whatever the facts are that are missing; null where it is open. */
  settle(program, expected = null) {
    const forks = [];
    let verdict = expected;
    this.reads.clear();
    for (let ways = 0; ways < MOST_WAYS; ways++) {
      const { eligible } = this.rules.check(program, this.household, forks);
      if (eligible !== (verdict ??= eligible)) return null;
      while (forks.length && !forks.at(-1)) forks.pop();
      if (!forks.length) return verdict;
      forks[forks.length - 1] = false;
    }
    return null;
  }
  /* Those of some facts without which a verdict does not follow, the last ones kept rather. */
  needs(program, keys, verdict) {
    this.allowed = new Set(keys);
    for (const key of keys) {
      this.allowed.delete(key);
      if (this.settle(program, verdict) === null) this.allowed.add(key);
    }
    const needed = [...this.allowed];
    this.allowed = null;
    return needed;
  }
  /* Few answers that prove a settled verdict, by key. */
  proof(program) {
    const verdict = this.settle(program);
    return this.needs(program, [...this.reads].reverse(), verdict);
  }
  /* Takes in an answer, `undefined` for one that nobody knows; of everybody, a list. */
  answer({ name, at }, value) {
    if (at === "all") return this.members.forEach((_, one) => this.answer({ name, at: one }, value?.[one]));
    this.known.set(Screening.key(name, at), value);
    if (value === undefined) return;
    for (const it of this.prior) it.distance += this.differ(it.home, name, at, value);
  }
  differ(home, name, at, value) {
    const { kind, default: usual } = this.facts[name];
    const owner = at === null ? home : home.members[at] || {}, theirs = name in owner ? owner[name] : usual;
    if ((kind !== "number" && kind !== "decimal") || value === null || theirs === null) return theirs === value ? 0 : 1;
    return Math.min(1, Math.abs(theirs - value) / (name === "age" ? NEAR_AGE : NEAR_SHARE * Math.abs(value) + 1));
  }
  /* What to ask: a fact that most checkers of open programs read in likely households, each counting
     the less the more it still reads; a yes or no of everybody at once (`at` is
     "all") unless one by one; null for nothing. */
  next(open, isOneByOne = false) {
    const nearest = [...this.prior].sort((one, other) => one.distance - other.distance).slice(0, NEAREST);
    const paths = new Map(), popular = new Map();
    for (const { home } of nearest) {
      this.guess = home;
      for (const program of open) {
        this.needed = new Map();
        const verdict = this.settle(program);
        const told = [...this.needed].map(([key, it]) => `${key}=${it.value}`);
        const path = paths.get(`${program} ${told}`) || { program, home, verdict, facts: this.needed, n: 0 };
        paths.set(`${program} ${told}`, path);
        path.n++;
        for (const key of this.needed.keys()) popular.set(key, (popular.get(key) || 0) + 1);
      }
    }
    const votes = new Map();
    for (const { program, home, verdict, facts, n } of paths.values()) {
      this.guess = home;
      const keys = [...facts.keys()].sort((one, other) => popular.get(one) - popular.get(other));
      const asked = this.needs(program, keys, verdict).map(key => facts.get(key));
      if (asked.some(it => this.known.has(it.key))) continue;  // Nobody can tell what it hangs on.
      const questions = new Map(asked.map(it => this.question(it, isOneByOne)));
      for (const [key, question] of questions) {
        const vote = votes.get(key) || { question, n: 0 };
        vote.n += n / questions.size;
        votes.set(key, vote);
      }
    }
    this.guess = null;
    return [...votes.values()].sort((one, other) => other.n - one.n)[0]?.question ?? null;
  }
  question({ name, at, key }, isOneByOne) {
    const isOfAll = !isOneByOne && at !== null && this.size > 1 && this.facts[name].kind === "flag";
    return isOfAll ? [name, { name, at: "all" }] : [key, { name, at }];
  }
}
