"""Who lives here, told in passing: "I live with my wife and two sons", "my youngest is 3".

An answer may tell of the members of a household whatever was asked. Such statements are held
against the members alone, and answer nothing; where the members themselves are asked about, the
readers of `people_claims` know better what is meant.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from benyfits_data.understanding.parser.answer_words import as_asked
from benyfits_data.understanding.parser.claim_notes import PEOPLE_TOPICS, ClaimNotes
from benyfits_data.understanding.parser.people import OWN, People
from benyfits_data.understanding.parser.people_found import find_people
from benyfits_data.understanding.parser.phrases import MEMBER
from benyfits_data.understanding.parser.topics import topics

ADULT, SENIOR = 18, (60, 62, 65)
"""Ages from which somebody is an adult, or may be called a senior."""
_OF_MEMBERS = frozenset(
    ("age", "age_months", "name", "relation", "sex", "married", "single", "is_parent")
)
"""Facts that say who the members are: asked for, these statements are the answer itself."""
_HERE = (
    r"(?: (?:here|there|at home|together|at (?:my|the|this) (?:place|house|home|address)|in "
    r"(?:(?:my|the|our|this) )?(?:house|home|household|place|apartment|family)|"
    r"(?:right )?now|too|as well|all))*"
)
_LIVES_WITH = (
    re.compile(rf"(?:(?:and )?(?:i|we)(?: all)?(?: just| only)? )?live{_HERE} with (?P<who>.+)"),
    re.compile(
        rf"(?P<who>.+?) (?:(?:also|all|both) )*(?:lives?|stays?|is living|are living|is|are)"
        rf"(?: (?:here|there))? with (?:me|us|my household){_HERE}"
    ),
    re.compile(rf"(?P<who>.+?) (?:(?:also|all|both) )*lives? (?:here|at home){_HERE}"),
    re.compile(rf"(?:there (?:is|are)|we are)(?P<only> (?:just|only))? (?P<who>.+?){_HERE}"),
    re.compile(
        rf"(?:my|the|our) (?:household|family|home) (?:is|consists of|includes)"
        rf"(?P<only> (?:just|only))? (?P<who>.+?){_HERE}"
    ),
)
_IT_IS = re.compile(
    rf"(?:(?:it|that) is )?(?P<only>(?:just|only) )?"
    rf"(?P<who>(?:.+? and .+?|me(?:,| and) .+?)){_HERE}"
)
"""Those who live here, or of whom what was asked is so."""
_NAMED = (
    re.compile(
        r"(?P<who>my (?:[a-z]+ ){0,2}[a-z]+|his|her) (?:(?:full|first|last) )?"
        r"names? (?:is|are) (?P<names>.+)"
    ),
    re.compile(r"(?P<who>.+?) (?:is|are) (?:called|named) (?P<names>.+)"),
    re.compile(r"the names? of (?P<who>.+?) (?:is|are) (?P<names>.+)"),
)
_SIZE = r"(?:(?:minor|young|small|little|younger|grown|other) )*"
_AGE = r"(?:aged? )?\d+(?: (?:years?|months?)(?: old)?)?"
_AGES_LISTED = rf"{_AGE}(?:(?:,| and|, and) {_AGE})*"
_AGES = re.compile(
    rf"(?P<who>.+?) (?:is|are|am)(?: (?:now|only|just|currently|both|all))* "
    rf"(?P<ages>{_AGES_LISTED})(?: years old)?(?: (?:now|already))?"
)
_SEVERAL_AGES = re.compile(rf"{_AGE}(?:,| and|, and) {_AGE}")
_AGES_LAST = re.compile(rf"(?P<who>.+?),? (?P<ages>{_AGES_LISTED})")
_DECADE = re.compile(
    r"(?P<who>.+?) (?:is|are|am) between (?P<low>\d+) and (?P<high>\d+)(?: years old)?"
)
_AMONG = (
    r"(?P<noun>(?: (?:1|child|children|son|daughter|boy|girl|person|member|adult)| (?:of|in|among) "
    r"(?:us|you|them|all|the family|my household|the household|my children|the children|"
    r"(?:the )?\d+(?: people in my household)?))*)"
)
"""Among whom the youngest is picked: "one", "child", "of us"."""
_EXTREME = re.compile(
    r"(?P<lead>my|the|our) (?P<pick>youngest|oldest|eldest|older|younger)"
    rf"{_AMONG}"
    r"(?:,? (?P<name>(?!is\b)[a-z]+),?)? is (?:(?:now|only|just) )*(?P<what>.+?)(?: now)?"
)
_IS_EXTREME = re.compile(
    r"(?P<what>.+?) is (?P<lead>my|the|our) (?P<pick>youngest|oldest|eldest)"
    rf"{_AMONG}"
)
_HAVE = re.compile(
    r"(?:i|we) (?:(?:also|only|just|both) )*(?:have|have got|got|live with|share (?:the|a|my) "
    r"(?:home|place) with) (?P<who>(?P<number>a|an|\d+) .+?)"
    r"(?:,? (?:who (?:is|are) )?(?:(?:called|named|namely) )?(?P<names>(?!aged?\b)[a-z].*))?"
    rf"(?:,? (?P<ages>{_AGES_LISTED}))?{_HERE}"
)
_HAVE_KIN = re.compile(
    rf"(?:(?:i|we) (?:(?P<not>do not have|have no|have not got)|have|have got)|"
    rf"there (?:(?P<none>(?:is|are) (?:no|not any|not a))|is|are)) (?P<who>.+?){_HERE}"
)
_OLD_ONE = re.compile(r"(?:i|we) have (?:a|1) (?P<age>\d+) (?P<unit>year|month)s? old")
_OF_US = re.compile(
    r"(?P<number>\d+)(?P<us> of us| people in my household| of my household)?(?: here)? "
    r"(?:is|are) (?:(?:children|kids|people) (?=\D*\d))?(?P<kind>.+)"
)
_TWO_KINDS = re.compile(
    rf"(?:(?:there|we) (?:is|are)|i have|we have|(?:it|that) is|(?:my|the|our) (?:household|family|"
    rf"home) (?:is|has|consists of|includes|is made up of)) (?P<first>\d+) {_SIZE}(?P<one>[a-z]+)"
    rf"(?:,| and|, and| plus) (?P<second>\d+|no) {_SIZE}(?P<other>[a-z]+){_HERE}"
)
_BESIDE_ME = re.compile(
    rf"(?:(?:(?:it|that) is|there is|we are) )?(?:me|myself|i)(?:,| and|, and| plus) "
    rf"(?P<others>\d+) (?:other|more)(?: (?:people|persons|adults|relatives))?{_HERE}"
)
_NO_KIN = re.compile(
    r"(?:and |also )?no (?P<who>(?!1\b)[a-z]+(?:(?:,| or| and|, and)(?: no)? [a-z]+)*)"
)
_WHOLE = (
    r"(?:nobody|no 1|none of us|none of my household|everybody|everyone|all of us|we all|we)"
    r"(?: (?:here|at home|in (?:my|the|our|this) (?:household|home|house|family)))?"
)
_ALL_ARE = re.compile(
    rf"(?P<whole>{_WHOLE}) (?:is|are)(?P<not> not)?(?: all)?(?: yet)? "
    r"(?P<kind>.+?)(?: yet)?"
)
_OF_KIND = re.compile(
    r"(?P<who>.+?) (?:is|are|am)(?P<not> not)?(?: (?:all|both|each|still|already|now|yet|only))* "
    r"(?P<kind>(?:a|an)? ?[a-z]+(?: [a-z]+)?|.*\d.*?)(?: (?:already|now|yet))?"
)
_THE_OTHERS = frozenset(("the others", "the rest", "the other 1", "anyone else", "all the others"))
_LIMIT = re.compile(
    r"(?P<sign>over|older than|above|more than|under|younger than|below|less than|at least|at most|"
    r"(?=\d))\s?(?P<age>\d+)(?: years old)?"
    r"(?: or (?:(?P<more>older|over|more|above)|(?P<less>younger|under|less|below)))?"
)


def _at_least(limit: int) -> Callable[[int], bool]:
    return lambda age: age >= limit


_KINDS: dict[str, tuple[Callable[[int], bool], ...]] = {
    **dict.fromkeys(("adult", "adults", "an adult", "grown ups", "of age"), (_at_least(ADULT),)),
    **dict.fromkeys(("minor", "minors", "a minor", "underage"), (lambda age: age < ADULT,)),
    **dict.fromkeys(
        ("senior", "seniors", "a senior", "elderly"),
        tuple(map(_at_least, SENIOR)),
    ),
}
_ADULTS = frozenset(("adult", "adults", "grown ups"))
_OR = frozenset(("or", "and", "no"))
_CHILDREN = frozenset(("child", "children", "a child", "kids", "kid"))


def take_composition(notes: ClaimNotes, text: str) -> bool:
    """Take in a statement about who lives here; return whether it was one.

    Args:
        notes: What was asked and said.
        text: A sentence or clause, as `plain_answer` gives it.
    """
    if not notes.queries:
        return False
    asks_of_members = {it.topic for it in notes.queries} & {*PEOPLE_TOPICS, *_OF_MEMBERS}
    if asks_of_members and not notes.is_answered:
        return False
    readers: Sequence[Callable[[ClaimNotes, str], bool]] = _READERS
    if asks_of_members:
        asks_number = asks_of_members & {*PEOPLE_TOPICS, "age", "age_months"}
        readers = _AFTER_ANY_ANSWER if asks_number else (*_AFTER_ANY_ANSWER, _take_ages)
    text = re.sub(r"^(?:and|but|also) ", "", text)
    return any(take(notes, text) for take in readers)


def _note(notes: ClaimNotes, said: str, topic: str, truth: object, *, is_true: bool) -> bool:
    return notes.add(said, topic, is_true, truth, answers=False)


def _take_living_with(notes: ClaimNotes, text: str) -> bool:
    """Take in "I live with my wife and Ben", "it is just me and my son"."""
    for pattern in _LIVES_WITH:
        match = pattern.fullmatch(text)
        listed = match and _listed(notes, match["who"])
        if not match or listed is None:
            continue
        told = match.groupdict()
        said, are_there = listed
        others = set(range(1, len(notes.names)))
        is_only = told.get("only") or re.match(r"(?:i|we) (?:just|only) ", text)
        is_true = are_there and (not is_only or said - {0} == others)
        if said - {0}:
            return _note(notes, text, "relation", sorted(others), is_true=is_true)
    return False


def _take_those_here(notes: ClaimNotes, text: str) -> bool:
    """Take in "it is just me and my wife" where that cannot be of whom something is so."""
    match = _IT_IS.fullmatch(text)
    listed = match and _listed(notes, match["who"])
    if not match or listed is None or not notes.is_answered:
        return False
    of_home = not any(it.topic and topics()[it.topic].of_member for it in notes.queries)
    is_of_nobody = notes.last_word is False and all(
        it.query.how == "is" and len(notes.asked_of(it.query)) == 1 for it in notes.found
    )
    if not of_home and not (match["only"] and is_of_nobody):
        return False
    said, are_there = listed
    others = set(range(1, len(notes.names)))
    is_true = are_there and (not match["only"] or said - {0} == others)
    return bool(said - {0}) and _note(notes, text, "relation", sorted(others), is_true=is_true)


def _take_names(notes: ClaimNotes, text: str) -> bool:
    """Take in "my wife's name is Ana Diaz"."""
    for pattern in _NAMED:
        match = pattern.fullmatch(text)
        if not match:
            continue
        people = _people(notes, match["who"]) or _named_so(notes, match["who"], match["names"])
        who = set(people.members(notes.household)) if people else set()
        if not who:
            continue
        names = [" ".join(notes.names[n]) for n in sorted(who)]
        said = [it for it in re.split(r",? and |, ", match["names"]) if it]
        if any(len(it.split()) > max(len(name) for name in notes.names) for it in said):
            continue
        are_names = all(any(_is_name_of(it, name) for name in names) for it in said)
        return _note(notes, text, "name", names, is_true=are_names)
    return False


def _named_so(notes: ClaimNotes, who: str, name: str) -> People | None:
    """Return the member whose name is told as "his" or "hers", nothing where none is called so."""
    sex = {"his": "male", "her": "female"}.get(who)
    members = enumerate(notes.household.members)
    meant = [n for n, it in members if it.sex == sex and _is_name_of(name, it.name.lower())]
    return People("name", number=meant[0]) if len(meant) == 1 else None


def _take_ages(notes: ClaimNotes, text: str) -> bool:
    """Take in "my kids are 3 and 5", "my husband 76"."""
    match = _AGES.fullmatch(text)
    if not {topics()[it.topic].kind for it in notes.queries if it.topic} & {"number", "money"}:
        match = match or _AGES_LAST.fullmatch(text)
    return match is not None and not _asks_number(notes) and _take_ages_of(notes, match, text)


def _take_ages_of(notes: ClaimNotes, match: re.Match[str], text: str) -> bool:
    people = _people(notes, match["who"]) or _those(notes, match["who"])
    if text in ("i am 1", "you are 1"):
        return False  # "two adults, I'm one"
    said = re.findall(r"(\d+)( months?)?", match["ages"])
    members = people.members(notes.household) if people else []
    if not members or people is None:
        return False
    ages = [_age(notes, n, in_months=bool(said[-1][1])) for n in members]
    told = [int(number) for number, _ in said]
    is_true = sorted(ages) == sorted(told) or (len(told) == 1 and set(ages) == set(told))
    is_one = not people.is_plural or text.startswith(("my children is ", "our children is "))
    if len(told) == 1 and is_one and people.kind == "members":
        is_true = told[0] in ages  # "my son is 5", of two
    return _note(notes, text, "age", ages, is_true=is_true)


def take_ages_asked(notes: ClaimNotes, text: str) -> bool:
    """Take in "my three children are 14, 11 and 1" where their ages were asked for."""
    asked = [it for it in notes.queries if it.topic == "age" and it.how == "value"]
    match = _AGES.fullmatch(text)
    if not asked or len(asked) < len(notes.queries) or not _SEVERAL_AGES.search(text):
        return False
    if match is None or not _take_ages_of(notes, match, text):
        return False
    notes.is_answered = True
    return True


def _take_decade(notes: ClaimNotes, text: str) -> bool:
    """Take in "she is in her 60s"."""
    match = _DECADE.fullmatch(text)
    people = _people(notes, match["who"]) if match else None
    if not match or people is None or _asks_number(notes):
        return False
    ages = [notes.household.members[n].age for n in people.members(notes.household)]
    is_true = bool(ages) and all(int(match["low"]) <= age <= int(match["high"]) for age in ages)
    return _note(notes, text, "age", ages, is_true=is_true)


def _take_extreme(notes: ClaimNotes, text: str) -> bool:
    """Take in "the oldest is Ana", "my youngest, Ben, is 3", "Ben is the youngest"."""
    match = _EXTREME.fullmatch(text) or _IS_EXTREME.fullmatch(text)
    if not match:
        return False
    told = match.groupdict()
    picked = [_picked(notes, match["pick"], group) for group in _groups(notes, match)]
    named = told.get("name")
    if named:
        known = _people(notes, named)
        if known is None:
            return False
        picked = [it & set(known.members(notes.household)) for it in picked]
    what = re.fullmatch(rf"(?:(?P<name>[a-z]+),? (?:who is |at )?)?(?P<age>{_AGE})?", match["what"])
    age = re.search(r"(\d+)( month)?", (what and what["age"]) or "")
    name = what["name"] if what else match["what"]
    is_one = None
    if name:
        people = _people(notes, name) or _people(notes, match["what"])
        if people is None or not people.members(notes.household):
            return False
        is_one = set(people.members(notes.household))
    elif age is None:
        return False

    def fits(group: set[int]) -> bool:
        each = {n for n in group if is_one is None or n in is_one}
        return any(
            age is None or _age(notes, n, in_months=bool(age[2])) == int(age[1]) for n in each
        )

    return _note(notes, text, "age", sorted(set().union(*picked)), is_true=any(map(fits, picked)))


def _groups(notes: ClaimNotes, match: re.Match[str]) -> list[set[int]]:
    """Return among whom "the youngest" may be picked: the family, the children, those spoken of."""
    everybody = set(range(len(notes.names)))
    members = notes.household.members
    own = {n for n in everybody if members[n].relation in OWN}
    small = {n for n in everybody if members[n].age < ADULT}
    sexes = {"son": "male", "boy": "male", "daughter": "female", "girl": "female"}
    for word in match["noun"].split():
        if word in sexes:
            return [{n for n in own if members[n].sex == sexes[word]}]
        if word in ("child", "children"):
            return [own, small, own & small]
        if word in ("person", "member", "us", "household", "family"):
            return [everybody]
        if word == "adult":
            return [everybody - small]
    spoken_of = set(notes.people.members(notes.household)) if notes.people else set()
    if match["lead"] == "my":
        return [own]
    return [everybody, own, small, spoken_of if len(spoken_of) > 1 else own]


def _picked(notes: ClaimNotes, pick: str, group: set[int]) -> set[int]:
    members = notes.household.members
    choose = min if pick in ("youngest", "younger") else max
    ages = {n: members[n].age for n in group}
    return {n for n in group if ages[n] == choose(ages.values())}


def _take_have(notes: ClaimNotes, text: str) -> bool:
    """Take in "I have two daughters, Ana and Mia", "we have three kids aged 3, 5 and 9"."""
    if old := _OLD_ONE.fullmatch(text):
        ages = [
            _age(notes, n, in_months=old["unit"] == "month") for n in range(1, len(notes.names))
        ]
        return _note(notes, text, "age", ages, is_true=int(old["age"]) in ages)
    match = _HAVE.fullmatch(text)
    if not match or not (match["names"] or match["ages"]):
        return _take_one_had(notes, text)
    people = _people(notes, re.sub(r"^(?:a|an|\d+) ", "my ", match["who"]))
    if people is None or not people.relations:
        return _take_one_had(notes, text)
    members = set(people.members(notes.household))
    is_counted = match["number"] not in ("a", "an")
    is_true = bool(members) and (not is_counted or len(members) == int(match["number"]))
    if match["names"]:
        listed = _listed(notes, match["names"])
        if listed is None:
            return False
        named = listed[0]
        is_true = is_true and (named == members if is_counted else bool(named) and named <= members)
        members = named
    if match["ages"]:
        told = sorted(int(it) for it in re.findall(r"\d+", match["ages"]))
        in_months = "month" in match["ages"]
        ages = sorted(_age(notes, n, in_months=in_months) for n in members)
        is_true = is_true and (told == ages if is_counted else set(told) <= set(ages))
    return _note(notes, text, "relation", sorted(members), is_true=is_true)


def _take_one_had(notes: ClaimNotes, text: str) -> bool:
    """Take in "I have a husband", "I don't have a wife or a husband" after another answer."""
    match = _HAVE_KIN.fullmatch(text)
    if not match or not notes.is_answered:
        return False
    if text.startswith("there "):
        return _take_there_are(notes, text, match["who"], is_none=bool(match["none"]))
    people = [
        _people(notes, f"my {re.sub(r'^(?:a|an|any|my) ', '', it)}")
        for it in re.split(r",? (?:or|and|nor) ", match["who"])
    ]
    if any(it is None or not it.relations or it.has_ages for it in people):
        return False
    there = [it.members(notes.household) for it in people if it]
    is_true = not any(there) if match["not"] else all(there)
    said_number = [it.said_number for it in people if it]
    are_so_many = all(
        number is None or number == len(each)
        for number, each in zip(said_number, there, strict=True)
    )
    return _note(notes, text, "relation", there, is_true=is_true and are_so_many)


def _take_no_kin(notes: ClaimNotes, text: str) -> bool:
    """Take in "no husband", "no sons or brothers" beside another answer."""
    match = _NO_KIN.fullmatch(text)
    if not match or not notes.is_answered:
        return False
    people = [
        _people(notes, f"my {it}") for it in re.findall(r"[a-z]+", match["who"]) if it not in _OR
    ]
    if any(it is None or not it.relations for it in people):
        return False
    there = [it.members(notes.household) for it in people if it]
    return _note(notes, text, "relation", there, is_true=not any(there))


def _take_there_are(notes: ClaimNotes, text: str, who: str, *, is_none: bool) -> bool:
    """Take in "there are no seniors", "there are 2 children under 5"."""
    number = re.match(r"(\d+) (.+)", who)
    kind = number[2] if number else who
    if kind in _CHILDREN and is_none:
        counts = {_n_minors(notes)}
    elif not (counts := _counts(notes, kind, range(len(notes.names)))):
        people = _people(notes, kind) or _people(notes, f"my {kind}")
        if people is None or people.kind != "members":
            return False
        counts = {len(people.members(notes.household))}
    if is_none:
        return _note(notes, text, "household_size", counts, is_true=0 in counts)
    if not number:
        return _note(notes, text, "household_size", counts, is_true=counts != {0})
    return _note(notes, text, "household_size", counts, is_true=int(number[1]) in counts)


def _take_number_of_kind(notes: ClaimNotes, text: str) -> bool:
    """Take in "three of us are adults", "we are two adults and one child"."""
    if match := _BESIDE_ME.fullmatch(text):
        others = len(notes.names) - 1
        is_true = int(match["others"]) == others
        return _note(notes, text, "household_size", others, is_true=is_true)
    among: Sequence[int] = range(len(notes.names))
    if match := _OF_US.fullmatch(text):
        told = [(int(match["number"]), match["kind"])]
        among = among if match["us"] else _asked_of(notes) or among
    elif match := _TWO_KINDS.fullmatch(text):
        second = 0 if match["second"] == "no" else int(match["second"])
        told = [(int(match["first"]), match["one"]), (second, match["other"])]
    else:
        return False
    counts = [_counts(notes, kind, among) for _, kind in told]
    if _ADULTS & {kind for _, kind in told}:
        minors = {_n_minors(notes)}  # beside adults, children are those who are none
        counts = [
            minors if kind in _CHILDREN else each
            for (_, kind), each in zip(told, counts, strict=True)
        ]
    if not all(counts):
        return False
    is_true = all(number in each for (number, _), each in zip(told, counts, strict=True))
    return _note(notes, text, "household_size", counts, is_true=is_true)


def _take_of_all(notes: ClaimNotes, text: str) -> bool:
    """Take in "nobody here is over 65", "we are all adults"."""
    match = _ALL_ARE.fullmatch(text)
    if not match or (match["whole"] == "we" and " all " not in f" {text} "):
        return False
    tests = _tests(match["kind"])
    if not tests:
        return False
    ages = [member.age for member in notes.household.members]
    is_none = match["whole"].startswith("no")
    if match["not"] and is_none:
        return False
    is_true = any(
        (not any(map(test, ages))) if is_none else (all(map(test, ages)) != bool(match["not"]))
        for test in tests
    )
    return _note(notes, text, "age", ages, is_true=is_true)


def _take_of_kind(notes: ClaimNotes, text: str) -> bool:
    """Take in "she is not under 18", "they are all minors", "the others are 10 or older"."""
    match = _OF_KIND.fullmatch(text)
    tests = _tests(match["kind"].removesuffix(" yet")) if match else ()
    if not match or not tests:
        return False
    members = notes.household.members
    counted = [it for it in notes.found if it.query.how == "count"]
    if match["who"] in _THE_OTHERS:
        if len(counted) != 1 or not counted[0].query.people.has_ages:
            return False
        group = replace(counted[0].query.people, at_least=0, below=None).members(notes.household)
        n_others = len(group) - counted[0].answer
        fitting = [sum(test(members[n].age) for n in group) for test in tests]
        is_true = n_others > 0 and (n_others in fitting) != bool(match["not"])
        return _note(notes, text, "age", fitting, is_true=is_true)
    people = _people(notes, match["who"]) or _those(notes, match["who"])
    meant = people.members(notes.household) if people else []
    if people and people.has_ages and match["who"] == "they":
        meant = replace(people, at_least=0, below=None).members(notes.household)
    if not meant:
        return False
    ages = [members[n].age for n in meant]
    is_true = any(all(test(age) != bool(match["not"]) for age in ages) for test in tests)
    return _note(notes, text, "age", ages, is_true=is_true)


def _tests(kind: str) -> tuple[Callable[[int], bool], ...]:
    """Return what an age must keep to be "adults", "over 65": one test per meaning."""
    if kind in _KINDS:
        return _KINDS[kind]
    match = _LIMIT.fullmatch(kind)
    if not match or not (match["sign"] or match["more"] or match["less"]):
        return ()
    limit, sign = int(match["age"]), match["sign"]
    if sign == "at most" or match["less"]:
        return (lambda age: age <= limit,)
    if sign.startswith(("under", "younger", "below", "less")):
        return (lambda age: age < limit,)
    if match["more"] or sign == "at least":
        return (lambda age: age >= limit,)
    return (lambda age: age > limit, lambda age: age >= limit)


def _asked_of(notes: ClaimNotes) -> list[int]:
    """Return the members that were asked about, of whom "two of them" speaks."""
    asked = [it for it in notes.queries if it.topic != "household_size"]
    return sorted({n for it in asked for n in notes.asked_of(it) if it.people.is_plural})


def _counts(notes: ClaimNotes, kind: str, among: Sequence[int]) -> set[int]:
    """Return how many of some members are of a kind, by each of its meanings."""
    ages = [notes.household.members[n].age for n in among]
    if kind in _CHILDREN:
        own = sum(member.relation in OWN for member in notes.household.members)
        return {own, _n_minors(notes)}
    return {sum(map(test, ages)) for test in _tests(kind)}


def _n_minors(notes: ClaimNotes) -> int:
    return sum(member.age < ADULT for member in notes.household.members)


def _listed(notes: ClaimNotes, text: str) -> tuple[set[int], bool] | None:
    """Return the members listed and whether all of them are there; nothing if not people alone."""
    said: set[int] = set()
    are_there = True
    pieces = [it for it in re.split(r",? and |,? plus |, ", text) if it]
    for piece in pieces:
        person = _people(notes, re.sub(r"^(?:also|then|both) ", "", piece))
        if person is None or person.kind not in ("you", "name", "members"):
            return None
        numbers = set(person.members(notes.household)) - (
            {0} if person.kind == "members" else set()
        )
        is_number = person.said_number in (None, len(numbers))
        are_there = are_there and bool(numbers) and is_number
        said |= numbers
    return (said, are_there) if pieces else None


def _people(notes: ClaimNotes, text: str) -> People | None:
    """Return the people that a text names and nothing else."""
    words = as_asked(re.sub(r"^(?:our|the(?= baby$)) ", "my ", text), notes.names)
    if words in (["you"], ["me"], ["yourself"]):
        return People("you")
    if text in ("he", "she") and notes.people and notes.people.kind in ("name", "members"):
        return notes.people
    if not words:
        return None
    found = [it for it in find_people(words, 0) if it.people.kind != "pronoun"]
    if whole := next((it.people for it in found if it.end == len(words)), None):
        return whole if whole.quantifier not in ("none", "who") else None
    kin = next((it.people for it in found if it.end == len(words) - 1), None)
    if kin and kin.relations and words[-1].startswith(MEMBER):
        number = int(words[-1].removeprefix(MEMBER))
        return People("name", number=number, of=(kin,), said=text)  # "my wife Ana"
    return None


def _those(notes: ClaimNotes, text: str) -> People | None:
    """Return whom "they" or "the kids" means: those spoken of, or the children."""
    plural = re.fullmatch(r"(?:the |my |our )?(?:\d+ )?(?:children|kids|they|twins)", text)
    if not plural:
        return None
    if text == "they":
        if len(notes.named - {0}) > 1:
            named = tuple(People("name", number=n) for n in sorted(notes.named - {0}))
            return People("group", of=named, is_plural=True)
        asked = [it.people for it in notes.queries if it.people.is_plural]
        return notes.people or (asked[0] if len(asked) == 1 else None)
    return People("members", relations=OWN, is_plural=True)


def _is_name_of(said: str, name: str) -> bool:
    return said == name or said in (name.split()[0], name.split()[-1])


def _age(notes: ClaimNotes, number: int, *, in_months: bool) -> int:
    member = notes.household.members[number]
    return (member.age_months or 0) if in_months else member.age


def _asks_number(notes: ClaimNotes) -> bool:
    """Whether a number is still waited for, which any number may be."""
    kinds = {topics()[it.topic].kind for it in notes.queries if it.topic}
    return not notes.is_answered and bool(kinds & {"number", "money"})


_AFTER_ANY_ANSWER: Sequence[Callable[[ClaimNotes, str], bool]] = (
    _take_living_with,
    _take_names,
    _take_extreme,
    _take_of_kind,
    _take_number_of_kind,
)
"""Those that mean the same where members are asked about."""
_READERS = (
    *_AFTER_ANY_ANSWER,
    _take_no_kin,
    _take_of_all,
    _take_those_here,
    _take_decade,
    _take_ages,
    _take_have,
)
