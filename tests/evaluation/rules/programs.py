"""Small programs by chance: two of three of what is read, the others of what Python also has."""

import random

NUMBERS = ["age", "annual_work_income", "work_hours_per_week"]
LIMITS = {"age": (5, 17, 18, 40, 65), "annual_work_income": (0, 12_000, 30_000)}
WORDS = ["self", "spouse", "child", "parent"]


class Writer:
    """Writes one program; the same seed writes the same.

    Args:
        seed: Any number.
    """

    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.names = ["n"]
        self.n_names = 0
        self.is_odd = self.draw.random() < 0.35

    def one(self, *ways):
        return self.draw.choice(ways)()

    def odd(self, way):
        """A way that only some programs take, in a list to choose from."""
        return [way] if self.is_odd else []

    def number(self, who="m"):
        name = self.draw.choice(NUMBERS)
        if name == "age" and self.draw.random() < 0.2:
            return f"({who}['weeks_pregnant'] or 0)"
        return f"{who}[{name!r}]"

    def compared(self, who="m"):
        name = self.draw.choice(["age", "annual_work_income"])
        side = self.draw.choice(["<", "<=", ">", ">=", "==", "!="])
        limit = self.draw.choice(LIMITS[name])
        return self.draw.choice(
            [
                *self.odd(f"{who}[{name!r}] * 0.07 {side} {limit * 7 / 100}"),
                f"{who}[{name!r}] {side} {limit}",
                f"{who}[{name!r}] {side} {limit}.5",
                f"{who}[{name!r}] / 12 {side} {limit / 12}",
                f"{who}[{name!r}] / 12 {side} {limit} / 12",
                f"{who}['annual_work_income'] / 12 {side} {who}['age'] * 50",
                f"{who}['age'] * 50 {side} {who}['annual_work_income'] / 12",
                f"{limit} {side} {who}[{name!r}] <= {limit * 2}",
                f"{who}['age'] in {{5, 18, {limit}}}",
                f"{who}['age'] in range({self.draw.randrange(9)}, {limit})",
            ]
        )

    def flag(self, who="m", depth=0):
        if depth > 2:
            return f"{who}['disabled']"
        return self.one(
            lambda: f"{who}[{self.draw.choice(['disabled', 'has_ssn', 'is_parent'])!r}]",
            lambda: self.compared(who),
            lambda: f"{who}['relation'] == {self.draw.choice(WORDS)!r}",
            lambda: f"{who}['relation'] in {tuple(self.draw.sample(WORDS, 2))!r}",
            lambda: (
                f"({who}['gpa'] is not None"
                f" and {who}['gpa'] {self.draw.choice(['>=', '<', '==', '>'])} 2.3)"
            ),
            lambda: f"({who}['gpa'] or 3) > 2.{self.draw.randrange(10)}",
            lambda: f"({who}['age'] < 30) == {who}['disabled']",
            lambda: f"{who}.get('weeks_pregnant') not in (None, 12)",
            lambda: f"{who}['relation'].startswith('s')",
            lambda: f"not ({self.flag(who, depth + 1)})",
            lambda: f"({self.flag(who, depth + 1)} and {self.flag(who, depth + 1)})",
            lambda: f"({self.flag(who, depth + 1)} or {self.flag(who, depth + 1)})",
            lambda: f"({self.flag(who, depth + 1)} if {self.flag(who, depth + 1)} else False)",
            lambda: f"helper({who})",
        )

    def total(self):
        """A number for the whole household."""
        return self.one(
            lambda: f"sum({self.number()} for m in ms if {self.flag()})",
            lambda: f"len([m for m in ms if {self.flag()}])",
            lambda: f"sum({self.flag()} for m in ms)",
            lambda: "len(ms)",
            lambda: f"max({self.number()} for m in ms)",
            lambda: f"min(({self.number()} for m in ms if {self.flag()}), default=7)",
            lambda: self.draw.choice(self.names),
            lambda: f"ms[0]['age'] + {self.draw.choice(self.names)}",
            lambda: f"TABLE[len(ms)] - {self.draw.choice(self.names)}",
            lambda: f"TABLE.get(n, {self.draw.randrange(40)})",
            lambda: f"({self.total()} if {self.flag('ms[0]')} else {self.draw.choice(self.names)})",
            lambda: f"[m['age'] for m in ms if {self.flag()}][{self.draw.choice([0, -1, 1])}]",
            lambda: "sum(len([x for x in xs if x != i]) for i in range(len(ms)))",
        )

    def whole(self):
        """A truth value for the whole household."""
        limit = self.draw.choice([0, 1, 2, 3, 18, 60, 15_000, 40_000])
        return self.one(
            lambda: f"any({self.flag()} for m in ms)",
            lambda: f"all({self.flag()} for m in ms)",
            lambda: f"{self.total()} > {limit}",
            lambda: f"{self.total()} <= {limit}",
            lambda: f"bool([m for m in ms if {self.flag()}])",
            lambda: f"any({self.flag('a')} and {self.flag('b')} for a in ms for b in ms[1:])",
            *self.odd(lambda: f"({self.flag('ms[0]')} and (w := {limit}) > n)"),
            *self.odd(
                lambda: (
                    f"sorted(ms, key=lambda m: m['age'])[{self.draw.choice([0, -1])}]['disabled']"
                )
            ),
            lambda: "w > 3",
            lambda: f"{limit} < {self.total()} <= {limit * 2}",
            lambda: f"not any(a['age'] > b['age'] + {limit} for a in ms for b in ms)",
            lambda: f"any(map(helper, ms[{self.draw.choice(['', '1', '2'])}:]))",
            lambda: f"next((m['age'] for m in ms if {self.flag()}), 3) > 17",
        )

    def leave(self):
        """What a round of a loop may end in."""
        return self.draw.choice(["continue", "break", "n += 2", "return n > 1"])

    def statement(self, indent, depth=0):
        pad = " " * indent
        limit = self.draw.randrange(1, 9)

        def assigned():
            name = f"v{self.n_names}"
            self.n_names += 1
            line = f"{pad}{name} = {self.total()}\n"
            if depth == 0:
                self.names.append(name)
            return line

        return self.one(
            assigned,
            lambda: f"{pad}n += {limit}\n",
            lambda: f"{pad}n = {self.total()}\n",
            lambda: f"{pad}if {self.whole()}:\n{self.block(indent + 4, depth + 1)}",
            lambda: f"{pad}if {self.whole()}:\n{pad}    n = {limit}\n{pad}else:\n{pad}    n -= 1\n",
            lambda: f"{pad}if {self.whole()}:\n{pad}    return {self.whole()}\n",
            lambda: (
                f"{pad}for m in ms:\n{pad}    if {self.flag()}:\n"
                f"{pad}        {self.leave()}\n"
                f"{pad}    n += {self.draw.choice(['1', 'k', 'm[' + repr('age') + ']'])}\n"
            ),
            lambda: f"{pad}xs.append({self.draw.choice(['n', '1', 'ms[0]'])})\n",
            lambda: (
                f"{pad}for m in ms:\n{pad}    if {self.flag()}:\n{pad}        xs.append(n)\n"
                f"{pad}        {self.draw.choice(['break', 'continue', 'n += 1', 'w = 4'])}\n"
                f"{pad}    for i in range({limit}):\n{pad}        if i > m['age'] / 9:\n"
                f"{pad}            {self.leave()}\n{pad}else:\n{pad}    n += {limit}\n"
            ),
            lambda: (
                f"{pad}while k < {limit}:\n{pad}    k += 1\n{pad}    if {self.whole()}:\n"
                f"{pad}        {self.leave()}\n{pad}    n += k\n"
            ),
            lambda: (
                f"{pad}def older(m, a=n):\n{pad}    return m['age'] > a + K\n"
                f"{pad}n += sum(older(m) for m in ms)\n"
            ),
            *self.odd(lambda: f"{pad}ys = xs\n{pad}ys.append(n)\n{pad}n = len(xs)\n"),
            *self.odd(
                lambda: (
                    f"{pad}g = (m for m in ms if {self.flag()})\n{pad}k = {limit}\n"
                    f"{pad}n += any(g)\n"
                )
            ),
            *self.odd(
                lambda: (
                    f"{pad}try:\n{pad}    n = ms[{self.draw.randrange(3)}]['age'] // (n - 1)\n"
                    f"{pad}except (IndexError, ZeroDivisionError):\n{pad}    n = {limit}\n"
                )
            ),
            *self.odd(
                lambda: (
                    f"{pad}def later(m, a=n):\n{pad}    return m['age'] > a + k\n"
                    f"{pad}k = {limit}\n{pad}n += sum(later(m) for m in ms)\n"
                )
            ),
        )

    def block(self, indent, depth=0):
        n = self.draw.randrange(1, 4 if depth else 6)
        return "".join(self.statement(indent, depth) for _ in range(n if depth < 2 else 1))

    def program(self):
        """Return the program."""
        helper = self.draw.choice(
            [
                "    return m['age'] > a\n",
                "    if m['age'] < a:\n        return m['disabled']\n    return m['has_ssn']\n",
                "    for x in (5, 18):\n        if m['age'] < x:\n            return x == a\n"
                "    return False\n",
                "    a += m['age']\n    return a > K\n",
            ]
        )
        first = self.draw.choice(["hh['members']", "list(hh['members'])", "hh['members'][:3]"])
        text = f"K = {self.draw.choice([3, 18, 40])}\n\ndef helper(m, a=K):\n"
        text += helper + "\nTABLE = {1: 12, 2: 30, 3: 7, 5: 61}\n"
        text += self.draw.choice(["", "K = 9\n"])
        text += f"def check(hh):\n    ms = {first}\n    n = k = w = 0\n    xs = []\n"
        limit = self.draw.choice([0, 1, 2, 5, 20])
        return text + self.block(4) + f"    return bool({self.whole()}) != (n > {limit})\n"


def write_program(seed):
    """Return a program by chance."""
    return Writer(seed).program()
