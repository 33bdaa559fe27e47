"""A question's text taken apart: sentences, courtesies, conditions, second questions."""

import re
import tomllib
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import Any

from benyfits_data.understanding.parser.words import plain, split_at

WORDING: dict[str, Any] = tomllib.loads(
    (files("benyfits_data.understanding.parser") / "wording.toml").read_text(encoding="utf-8")
)
PLAIN_WORDS = frozenset(WORDING["plain_words"].split())
FACT_WORDS = frozenset(WORDING["fact_words"].split())
OPEN_NOUNS = frozenset(WORDING["open_nouns"].split())
COUNTED_THINGS = frozenset(WORDING["counted_things"].split())
PERSON_NOUNS = frozenset(WORDING["person_nouns"].split())
VERBS = frozenset(("is", "am", "are", "do", "does", "have", "has", "can", "did", "will"))
_REWRITES = [(re.compile(pattern), instead) for pattern, instead in WORDING["rewrites"]]
_RELATIVES = [(re.compile(pattern), instead) for pattern, instead in WORDING["relatives"]]
_DENIED = re.compile(r"^you (?P<verb>do|are|have) not (?P<rest>.+)$")
"""A statement that is asked about: "you don't pay over $900, do you?"."""
_STATED = re.compile(
    r"^(?P<of>there|your (?:(?!who\b|that\b|and\b|or\b|but\b|not\b)[a-z]+ ){0,3}?[a-z]+|@\d+) "
    r"(?P<verb>is|are|has|does) (?!not\b|no\b|how\b|what\b|who\b)(?P<rest>.+)$"
)
"""A statement that is asked about: "your rent is $900 a month, right?"."""
_BASE = {
    "works": "work",
    "earns": "earn",
    "makes": "make",
    "gets": "get",
    "pays": "pay",
    "receives": "receive",
    "has": "have",
}
_DONE = re.compile(
    r"^(?P<of>you|your (?:(?!who\b|that\b|and\b|or\b|but\b|not\b)[a-z]+ ){0,2}?[a-z]+|@\d+) "
    rf"(?P<verb>{'|'.join((*_BASE, *_BASE.values()))}) (?P<rest>.*\d.*)$"
)
_NUMBER_SAID = re.compile(
    r"^(?P<start>(?:is|are|do|does|did|was) (?:there |(?!.*\b(?:older|under|over|than|least|most|"
    r"between|exactly|about|grade|aged?|up|to|from|below|above)\b)).*?)"
    r"(?P<number>\$?\d[\d.]*)(?= (?:an? |per |each |hours|people|dollars|children|adults|members|"
    r"months|weeks|days)|$)"
)
"""A number that is asked about as it is: "do you work 35 hours a week?"."""
_DENIED_OF_THING = re.compile(
    r"^(?P<of>there|heat|(?:the|your|a|an) "
    r"(?:(?!who\b|that\b|which\b|and\b|or\b|but\b)[a-z]+ ){0,5}?[a-z]+|@\d+) "
    r"(?P<verb>is|are|does|do|has) (?:not|no) (?P<rest>.+)$"
)
_COURTESY = re.compile(
    rf"^(?:{'|'.join(WORDING['courtesies'])})(?= |,|$)"
    r"(?: that| if(?! (?:yes|so|any|not)\b)| whether| about| please)?\s*,?\s*"
)
_TAIL = re.compile(rf"(?:,? (?:{'|'.join(WORDING['tails'])}))+$")
_TAG = re.compile(r", (?:do|are|is|does|have|has) (?:not )?(?:you|there|he|she|it|they)(?: not)?$")
_GROUPS = re.compile(rf"\b(?:{'|'.join(WORDING['groups'])})\b")
_FOLLOW_UP = re.compile(
    r"^(?:and|what about|how about|same for|same question for|same question|as for|"
    r"and what about|and how about|or)\b,?\s*(?:for )?"
)
_AND = re.compile(r"(?:and|what about|how about)\b")
_IF = re.compile(
    r"^(?:if|since|because(?! of\b)|as|given that|now that|seeing that|considering that) "
    r"(?P<given>[^,]+), (?P<rest>.+)$"
)
_EACH = re.compile(r"^for (?P<given>(?:each|every|all)\b[^,]+), (?:please )?(?P<rest>.+)$")
_AMONG = re.compile(r"^(?:among|of|out of) (?P<given>[^,]+), (?P<rest>.+)$")
_KINDS_OF_HOME = re.compile(r"\b(?:section|nycha|voucher)")
_EXAMPLES = re.compile(
    r"\(?,? ?(?:such as|for example|for instance|including|like)\b(?! you)[^?)]*\)?"
)


_SAID_AGAIN = re.compile(
    r"^(?P<first>.+?)(?: ,|,)? (?:that is(?: to say)?|i mean|in other words|or rather|i e|as in|"
    r"meaning|sorry|no wait|such as|for example|for instance|(?<=, )(?:like|think|say)|namely|"
    r"specifically),? (?P<second>.+)$"
)
_AFTERWARDS = re.compile(
    r"^(?P<start>(?:\w+ ){0,4}?)(?:he|she|they|them)\b(?P<rest>[^,]*?) ?,? "
    r"(?P<who>your (?!own)\w+(?: \w+)?|the children)$"
)
"""Those meant come last: "are they all boys, your kids?"."""
_PRONOUN = re.compile(r"\b(?:he|she|they|him|her|them|it|his|their)\b")
_SOMEBODY = re.compile(r"\byour (?!household|family|home|own|job|rent)|(?:^| )@")
_DENIAL = re.compile(r"\b(?:not|no|nobody|none|never|neither|without)\b")
_SUBJECT = re.compile(r"\b(?:you|your|who|any\w*|every\w*|household)\b|(?:^| )@")
STARTERS = frozenset(
    [
        "what",
        "how",
        "who",
        "where",
        "when",
        "which",
        "is",
        "are",
        "do",
        "does",
        "did",
        "has",
        "have",
        "can",
        "could",
        "was",
        "were",
        "if",
        "whether",
    ]
)


def strip_courtesies(sentence: str) -> tuple[str, bool]:
    """Return a sentence in plain words without what asks for nothing, and whether it goes on.

    A sentence goes on with the question before where it begins with "and" or "what about".
    """
    told = " ".join(plain(_keys_spoken(sentence)))
    text = re.sub(r" ?[?!.:;](?!\d)", "", told).replace(" ,", ",").strip(" ,")
    text = re.sub(r"\(\s*(?:such as|for example|like|including)[^)]*\)", "", text)
    text = rewritten(text)
    is_follow_up = bool(_FOLLOW_UP.match(text) or re.search(r" (?:too|as well|also)$", text))
    while (shorter := _COURTESY.sub("", text).strip(" ,")) and shorter != text:
        text = shorter
        is_follow_up = is_follow_up or bool(_AND.match(text))
    text = _TAG.sub("", _TAIL.sub("", text))
    return text, is_follow_up


_KEYS: list[tuple[re.Pattern[str], str]] = [
    (re.compile(pattern), instead) for pattern, instead in WORDING["keys"]
]


def _keys_spoken(sentence: str) -> str:
    """Return keys of a form as they are spoken: "applicant_age / spouse_age", "tenure = own"."""
    for pattern, instead in _KEYS:
        sentence = pattern.sub(instead, sentence)
    return sentence


def is_courtesy(sentence: str) -> bool:
    """Return whether a sentence is nothing but what people begin with: "Okay.", "Thanks!"."""
    text = re.sub(r" ?[?!.:;](?!\d)", "", " ".join(plain(sentence))).strip(" ,")
    match = _COURTESY.match(text)
    return match is not None and match.end() == len(text)


_MORE_ASKED = re.compile(
    r"\w ?,? and (?:how|what|which|who|when|where|is|are|does|do|did|has|have|can|will)\b"
)
"""A second question, which no rewriting may lose."""


def rewritten(text: str) -> str:
    """Return plain words with other ways of saying a thing said in one way."""
    for pattern, instead in _REWRITES:
        told = pattern.sub(instead, text)
        if told == text:  # Nearly always: counting what is asked takes longer than replacing.
            continue
        if len(_MORE_ASKED.findall(told)) >= len(_MORE_ASKED.findall(text)):
            text = told
    return re.sub(r"\s+", " ", text).strip(" ,")


def strip_tail(text: str) -> str:
    """Return plain words without what people end with: "these days", "please"."""
    return _TAIL.sub("", text)


def take_condition(text: str) -> tuple[str, str, bool]:
    """Return the condition that a question begins with, and the rest.

    It is "if you have a spouse" or "among you"; the third value tells "for each child".
    """
    each = _EACH.match(text)
    given = each or _IF.match(text) or _AMONG.match(text)
    if not given:
        return "", text, False
    return given.group("given"), _COURTESY.sub("", given.group("rest")), each is not None


_EXCEPTION_FIRST = re.compile(rf"^(?P<out>{WORDING['except']} [^,]+?) ?, (?P<rest>.+)$")


def exception_last(text: str) -> str:
    """Return a question that begins with whom or what it leaves out with that at its end.

    >>> exception_last("besides your spouse, does anyone work")
    'does anyone work besides your spouse'
    """
    match = _EXCEPTION_FIRST.match(text)
    is_of_you = match is not None and re.search(r" you(?:rself)?$", match["out"])
    if (
        match is None
        or is_of_you
        or not set(match["rest"].split()[:1]) & (STARTERS | {"any", "list"})
    ):
        return text
    return f"{match['rest']} {match['out']}"


def ways_to_say(text: str) -> Iterator[str]:
    """Yield a question's plain words, and after them other ways to say it, where they do not do.

    "Who brings in the money, I mean, who works?" asks what comes last. A word alone that is put
    right ("the twins, I mean your children") takes the place of those before it.
    """
    again = _SAID_AGAIN.match(text)
    is_of_same = again is None or not (
        _SOMEBODY.search(again.group("first")) and not _SUBJECT.search(again.group("second"))
    )
    if (
        again
        and is_of_same
        and set(again.group("second").split()[:1]) & STARTERS
        and not _PRONOUN.search(text)
        and bool(_DENIAL.search(again.group("first")))
        == bool(_DENIAL.search(again.group("second")))
    ):
        yield _bare(again.group("second"))
    yield _bare(without_examples(text))
    if again and again.group("second").split()[0] not in STARTERS:
        first, second = again.group("first").split(), again.group("second")
        yield from (_bare(" ".join((*first[:n], second))) for n in range(len(first), 1, -1))
    if afterwards := _AFTERWARDS.match(text):
        yield _bare(f"{afterwards['start']}{afterwards['who']}{afterwards['rest']}")
    if "(" in text and not _CHOICE_IN_BRACKETS.search(text):
        yield _bare(re.sub(r"\([^()]*\)", " ", text))
    yield from distributed(_bare(text).split())
    if not _NAMED_BESIDE.search(text) and (couple := _OF_COUPLE.search(text)):
        both = "and" if couple["both"] else "or"
        yield _bare(_OF_COUPLE.sub(f"you {both} your spouse or partner", text, count=1))
    yield from _said_at_length(text)


def _said_at_length(text: str) -> Iterator[str]:
    """Yield a question with people said at length ("owners"), and a denial that asks as one."""
    longer = text
    for pattern, instead in _RELATIVES:
        longer = pattern.sub(instead, longer)
    if longer != text:
        yield _bare(longer)
    if denied := _DENIED.match(text):
        yield _bare(f"{denied['verb']} you {denied['rest']}")
    if (again := rewritten(text)) != text:
        yield _bare(again)  # what stood before is gone: "my notes say you have 3 children"
    asked = text
    if stated := _STATED.match(text):
        asked = _bare(f"{stated['verb']} {stated['of']} {stated['rest']}")
        yield asked
    elif done := _DONE.match(text):
        asked = _bare(f"does {done['of']} {_BASE.get(done['verb'], done['verb'])} {done['rest']}")
        yield asked
    if _NUMBER_SAID.match(asked):
        yield _NUMBER_SAID.sub(r"\g<start>exactly \g<number>", asked)
    if stated := _DENIED_OF_THING.match(text):
        yield _bare(f"{stated['verb']} {stated['of']} {stated['rest']}")


_OF_COUPLE = re.compile(r"\b(?:(?P<both>both)|either(?: (?:1|one))?) of you\b")
"""Of two who live together these are everybody; of more, the applicant and the partner."""
_NAMED_BESIDE = re.compile(r"\b(?:and|or) your\b")
_CHOICE_IN_BRACKETS = re.compile(r"\([^()]+ or [^()]+\)")
"""Brackets that say between what to choose: what is asked hangs on them."""
_FRAGMENT = re.compile(
    r"^(?P<of>[^,:?]+?)\s*(?:[:,?]|\s-|\()\s*(?:"
    r"(?P<count>(?:just (?:the )?|the )?(?:how many|number|count|#)"
    r"(?: of (?:them|those))?(?: are there)?)|"
    r"(?P<who>who(?: is (?:it|that)| are they)?|which(?: ones?)?)|"
    r"(?P<list>(?:list|names?)(?: (?:them|please))?)|"
    r"(?P<ages>ages?|how old(?: (?:are they|is (?:he|she|it)))?))\W*$"
)


def _each_of(whom: str, several: str) -> list[str]:
    """Return ways to ask for each of several things, of you or of your household alone."""
    others = r"\byour (?!household|family|home)|\b(?:not|never|except|but|and|or)\b|n't"
    if re.search(others, whom):
        return []
    who = "your household" if re.search(r"household|family", whom) else "you"
    *first, last = [it for it in re.split(r",| or | and ", several) if it.strip()]
    listed = f"{' , '.join(first)} or {last}"
    ways = (f"do {who} have {listed}", f"do {who} get {listed}", f"are {who} {listed}")
    return [rewritten(_bare(" ".join(plain(it)))) for it in ways]


_CHOICE = re.compile(
    r"^(?:and |so )?which of (?:these|those|the following)(?P<whom>[^:?]*\b(?:you|your)\b[^:?]*): ?"
    r"(?P<several>[^:?]+, ?[^:?]+)\W*$"
)


def turned_round(sentence: str) -> list[str]:
    """Return the ways to say a sentence with a colon or heading: "seniors (65+): how many?".

    "Which of these do you get: SNAP, SSI?" asks for each of what follows.
    """
    if choice := _CHOICE.match(sentence.lower()):
        return _each_of(choice["whom"], choice["several"])
    found = _FRAGMENT.match(sentence.lower())
    if found is None:
        return []
    of = rewritten(_bare(" ".join(plain(found["of"]))))
    of = re.sub(r"^(?:and|so) ", "", of)
    if found["count"]:
        return [f"how many {of}", f"how many {of} are there"]
    if found["who"]:
        return [f"which {of}", f"who is {of}", f"who {of}"]
    if found["list"]:
        return [f"list {of}", f"list all {of}", f"who {of}"]
    return [f"what are the ages of {of}", f"how old is {of}"]


def _bare(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"[()]", " ", text)).strip(" ,")


def distributed(words: Sequence[str]) -> Iterator[str]:
    """Yield words with what belongs to each of several said of each: "heat or power shut off".

    >>> next(distributed("a mental , emotional or behavioral condition".split()))
    'a mental condition , emotional condition or behavioral condition'
    """
    for at, word in enumerate(words[1:-2], start=1):
        if word not in ("or", "and") or words[at + 1] in STARTERS:
            continue
        start = at - 1
        while start >= 2 and words[start - 1] == ",":
            start -= 2
        for n in (1, 2, 3):
            shared = words[at + 2 : at + 2 + n]
            if len(shared) == n:
                each = [it for it in words[start : at + 1] if it != ","]
                listed = " , ".join(" ".join((it, *shared)) for it in each[:-1])
                rest = " ".join(words[at + 2 :])
                yield " ".join((*words[:start], listed, word, words[at + 1], rest))


def without_examples(text: str) -> str:
    """Leave out examples of a group that was named: "benefits, such as SNAP or SSI"."""
    match = _EXAMPLES.search(text)
    if (
        match
        and not _KINDS_OF_HOME.search(match.group(0))
        and re.search(
            r"\b(benefits?|assistance|programs?|conditions?|income|sources|disabilit\w+|"
            r"insurance|training|help|aid|resources|assets)\b",
            text[: match.start()],
        )
    ):
        return text[: match.start()] + " " + text[match.end() :]
    return text


def ways_to_part(words: list[str]) -> list[list[list[str]]]:
    """Return ways to read a sentence: parted where a second question begins, and whole."""
    cuts = [
        place
        for place in range(1, len(words) - 1)
        if words[place] in ("and", ",", "or")
        and (
            words[place + 1] in STARTERS
            or (
                words[place + 1] in ("and", "or", "if")
                and words[place + 2 : place + 3]
                and words[place + 2] in STARTERS
            )
        )
    ]
    pieces, start = [], 0
    for cut in cuts:
        if cut > start:
            pieces.append(list(words[start:cut]))
        start = cut + 1
    pieces.append(words[start:])
    pieces = [
        [
            word
            for word in re.sub(
                r"^(?:(?:and|or|if so|if yes|if any|so|,)\s)+", "", " ".join(piece)
            ).split()
            if word
        ]
        for piece in pieces
    ]
    pieces = [
        piece
        for piece in pieces
        if piece and piece not in (["if", "so"], ["if", "yes"], ["if", "any"], ["so"])
    ]
    ways = [pieces, [words]] if len(pieces) > 1 else [[words]]
    return [*ways, *_listed(words)]


def _listed(words: list[str]) -> list[list[list[str]]]:
    """Return the pieces of a list, each asked alone: "what is your name, your age and ...?"."""
    opener = words[:2] if words[:2] in (["what", "is"], ["what", "are"]) else words[:1]
    if opener[0] != "what" or not {"and", ","} & set(words):
        return []
    pieces = split_at(words[len(opener) :], ("and", ","))
    is_owned = all({"your", "of", "their", "his", "her"} & set(piece) for piece in pieces)
    return [[[*opener, *piece] for piece in pieces]] if is_owned else []
