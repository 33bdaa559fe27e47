"use strict";
/* Which programs are settled by answers, which answers prove it, and what to ask next.

A checker is run on the facts that are known. Where a condition hangs on one that is not, both ways
are taken: what all of them lead to holds whatever the rest may be. A fact whose guard fails (hours
of work of who does not work) has its value without a question, and so has a fact of which every
other value would break a constraint, whatever is not known. The next question is the one that
settles most for the households of the city nearest to the answers. */
const NEAREST = 12, MOST_WAYS = 64, NEAR_AGE = 5, NEAR_SHARE = 0.2;

class Screening {
  constructor(rules, facts, prior, size) {
    Object.assign(this, { rules, facts, size, known: new Map(), reads: new Set(), implied: new Map(), supposed: null, isDeriving: false, narrowed: null, broken: [] });
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
    if (this.supposed?.key === key) return this.supposed.value;
    const known = this.known.get(key);
    const isLeftOut = this.allowed && !this.allowed.has(key);
    if (known !== undefined) {
      if (isLeftOut && !this.guess) throw this.rules.MISSING;
      this.reads.add(key);
      return known;
    }
    let isUnclear = false;
    for (const guard of this.rules.GUARDS[name] || []) {
      const holds = this.rules.tried(() => guard(this.household, this.members[at]));
      if (holds === this.rules.MISSING) isUnclear = true;
      else if (!holds) return declared.off;
    }
    const implied = this.follows(name, at, key);
    if (implied !== undefined) return implied;
    if (!this.guess || isLeftOut || isUnclear) throw this.rules.MISSING;
    const owner = at === null ? this.guess : this.guess.members[at] || this.guess.members.at(-1);
    const value = name in owner ? owner[name] : declared.default;
    this.needed.set(key, { name, at, key, value });
    return value;
  }
  /* The value of a fact that is not known but follows from what is; undefined where none does. */
  follows(name, at, key) {
    const { kind, choices, optional } = this.facts[name];
    if (this.isDeriving || this.broken.length || (kind !== "flag" && kind !== "choice")) return undefined;
    const values = kind === "flag" ? [true, false] : [...choices, ...(optional ? [null] : [])];
    const isPartly = this.allowed && !this.guess;
    let found = this.implied.get(key);
    if (!found || (isPartly && [...found.reads].some(it => !this.allowed.has(it)))) {
      const { guess, reads, supposed } = this;
      Object.assign(this, { guess: null, reads: new Set(), isDeriving: true });
      const left = values.filter(value => {
        this.supposed = { key, value };
        return this.failing(name, at).next().done;
      });
      found = { key, left, reads: this.reads };
      if (!isPartly) this.implied.set(key, found);
      Object.assign(this, { guess, reads, supposed, isDeriving: false });
    }
    if (found.left.length !== 1) {
      if (found.left.length < values.length) this.narrowed = found;
      return undefined;
    }
    this.readAlso(found);
    return found.left[0];
  }
  readAlso({ reads }) { for (const it of reads) this.reads.add(it); }
  /* What a condition is that hangs on a choice, if it is the same for all that are left of it. */
  cases(test) {
    const found = this.narrowed;
    if (!found || this.supposed) return this.rules.MISSING;
    const outcomes = new Set(found.left.map(value => {
      this.supposed = { key: found.key, value };
      return this.rules.tried(test);
    }));
    Object.assign(this, { supposed: null, narrowed: null });
    if (outcomes.size !== 1) return this.rules.MISSING;
    this.readAlso(found);
    return [...outcomes][0];
  }
  /* Names of the constraints on a fact that fail, whatever is not known; keeps what they read. */
  *failing(name, at) {
    const kept = this.reads;
    for (const [it, isLocal] of this.rules.CONSTRAINTS_OF[name]) {
      const [ofMember, holds] = this.rules.CONSTRAINTS[it];
      for (const member of !ofMember ? [null] : isLocal && at !== null ? [this.members[at]] : this.members) {
        this.reads = new Set();
        const fails = this.rules.tried(() => !holds(this.household, member)) === true;
        if (fails) for (const key of this.reads) kept.add(key);
        this.reads = kept;
        if (fails) yield it;
      }
    }
  }
  /* The verdict that follows whatever the facts are that are missing; null where it is open. */
  settle(program, expected = null) {
    const forks = [], cases = test => this.cases(test);
    let verdict = expected;
    this.reads.clear();
    for (let ways = 0; ways < MOST_WAYS; ways++) {
      const { eligible } = this.rules.check(program, this.household, forks, cases);
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
    this.implied = new Map();
    if (value === undefined) return;
    this.broken.push(...this.failing(name, at));
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
