"""Text made plain before it is read: spelling out, numbers in digits, stems.

Questions, answers and the phrases of the lexicon all pass through `plain`, so that they meet in
one form.
"""

import re
from collections.abc import Callable, Container, Sequence
from functools import lru_cache

import snowballstemmer

_SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_UNITS = {word: number for number, word in enumerate(_SMALL.split())}
_ROUND = "twenty thirty forty fifty sixty seventy eighty ninety"
_TENS = {word: 10 * number for number, word in enumerate(_ROUND.split(), start=2)}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}

_SHORT = {
    "rn": "now",
    "hrs": "hours",
    "hr": "hour",
    "yrs": "years",
    "yr": "year",
    "mos": "months",
    "mths": "months",
    "mo": "month",
    "mth": "month",
    "wks": "weeks",
    "wk": "week",
    "hh": "household",
    "ppl": "people",
    "peeps": "people",
    "pls": "please",
    "plz": "please",
    "b4": "before",
    "tho": "though",
    "incl": "included",
    "apt": "apartment",
    "govt": "government",
    "fam": "family",
    "sis": "sister",
    "bro": "brother",
    "bf": "boyfriend",
    "gf": "girlfriend",
    "whos": "who is",
    "hows": "how is",
    "whens": "when is",
    "wheres": "where is",
    "hes": "he is",
    "shes": "she is",
    "theyre": "they are",
    "youre": "you are",
    "im": "i am",
    "ive": "i have",
    "thats": "that is",
    "didnt": "did not",
    "hasnt": "has not",
    "havent": "have not",
    "cant": "can not",
    "wont": "will not",
    "avg": "average",
    "amt": "amount",
    "btw": "by the way",
    "dob": "date of birth",
    "thx": "thanks",
    "ty": "thank you",
    "bc": "because",
    "cuz": "because",
    "yo": "years old",
    "smth": "something",
    "sth": "something",
    "medi": "medical",
    "ins": "insurance",
    "edu": "education",
    "preg": "pregnant",
    "gov": "government",
    "info": "information",
    "temp": "temporary",
    "uni": "university",
    "univ": "university",
    "wkly": "weekly",
    "mthly": "monthly",
    "yrly": "yearly",
    "abt": "about",
    "wat": "what",
    "wats": "what is",
    "hv": "have",
    "deps": "dependents",
    "any1": "anyone",
    "some1": "someone",
    "every1": "everyone",
    "bout": "about",
    "def": "definitely",
    "prob": "probably",
    "prolly": "probably",
    "em": "them",
    "cus": "because",
    "coz": "because",
    "atm": "at the moment",
    "tmrw": "tomorrow",
    "monhts": "months",
    "momths": "months",
    "moths": "months",
    "yeras": "years",
    "wekks": "weeks",
    "no1": "nobody",
    "rly": "really",
    "theres": "there is",
    "min wage": "minimum wage",
}
"""Words as people shorten them in messages."""
_SPELLED_OUT: tuple[tuple[str, str | Callable[[re.Match[str]], str]], ...] = (
    (r"\bw/o\b", "without"),
    (r"\bw/\s?|(?<=[a-z] )w (?=an? |the |my |no )", "with "),
    (r"\bgr\.? (?=(?:1[0-2]|[1-9])\b)", "grade "),
    (r"(?<=[\w$])/(mo|mth|month|yr|year|wk|week|hr|hour|day)\b", r" per \1"),
    (rf"\b(?:{'|'.join(_SHORT)})\b", lambda found: _SHORT[found[0]]),
    (r"(?<=[a-z] )n (?=[a-z])", "and "),
    (r"\bneed 2 (?=know|ask|check)", "need to "),
    (r"(\w)\(s\)", r"\1s"),
    (r"\bunder[- ](\d+)s\b", r"people under \1"),
    (r"[\u2018\u2019`]", "'"),
    (r"[\u2013\u2014]", ", "),
    (r"\bu\.\s?s\b\.?(a\.)?", "us"),
    (r"\bn\.\s?y\.\s?c\.?", "nyc"),
    (
        r"^((?:and |so |then |now )*(?:are|can|could|would|will|do|did|have)) you all\b"
        r"(?! together\b)(?!.*\b(?:any\w*|some\w*|put|got|among|between)\b)",
        r"\1 all of you",
    ),
    (
        r"\by'?all\b|\byou (?:guys|folks|people|all)\b|\bu (?:guys|folks|people)\b|\byous\b",
        "your household",
    ),
    (r"\bain't you\b", "are you not"),
    (r"\bain't\b", "is not"),
    (
        r"\b((?:how much|what (?:do|does|did|is))\b.*?) (?:over|during|across) (?:a|the|one)"
        r"(?: full| whole| entire)? (year|month|week)(?=\W*$|,)",
        r"\1 a \2",
    ),
    (r"\b(than|over|under|least|most|almost|nearly) an? (year|month|week|day)\b", r"\1 1 \2"),
    (r"\b(above|over|more than|higher than) or (?:below|under|less than|lower than)\b", r"\1"),
    (r"\b(below|under|less than|lower than) or (?:above|over|more than|higher than)\b", r"\1"),
    (r"\bgonna\b", "going to"),
    (r"\blately\b", "recently"),
    (r"\bunable\b", "not able"),
    (r"\brequir(?:e|es|ing)\b", "need"),
    (r"\bpossess(?:es)?\b", "have"),
    (r"\b(?:purchase|purchasing)\b", "buy"),
    (r"\butiliz(?:e|es|ing)\b", "use"),
    (
        r"\b(?:over|during|in|for|across) (?:a|the|one) (?:full|whole|entire) (year|month|week)\b",
        r"a \1",
    ),
    (r"\bbucks\b(?! (?:do|does|did|are|is|you|your|coming))", "dollars"),
    (r"\bwanna\b", "want to"),
    (r"\bgotta\b", "have to"),
    (r"\blemme\b", "let me"),
    (r"\bgimme\b", "give me"),
    (r"\boutta\b", "out of"),
    (r"\b(kind|sort)a\b", r"\1 of"),
    (r"(?<!\w)'bout\b", "about"),
    (r"\bya\b", "you"),
    (r"\be\.\s?g\.", "such as"),
    (r"\bi\.\s?e\.", "that is"),
    (r"\ba/c\b", "ac"),
    (r"\bnew york, ny\b", "new york city"),
    (r"\bcan't\b|\bcannot\b", "can not"),
    (r"\bwon't\b", "will not"),
    (r"n't\b", " not"),
    (r"\b(i)'m\b", r"\1 am"),
    (r"'re\b", " are"),
    (r"'ve\b", " have"),
    (r"'ll\b", " will"),
    (r"'d\b", " would"),
    (r"\b(what|who|how|where|when|that|there|he|she|it)'s\b", r"\1 is"),
    (r"'s\b", ""),
    (r"s'(?=\s|$)", "s"),
    (r"\b(?:no|not any)[- ]one\b", "nobody"),
    (r"\b(any|every|some)[- ]one\b", r"\1one"),
    (r"\bmoms?\b", "mother"),
    (r"\bdads?\b", "father"),
    (r"\b(?:kids?|kiddos?)\b", "children"),
    (r"\bhubby\b", "husband"),
    (r"\b(?:wifey|missus)\b", "wife"),
    (r"\bbetter half\b", "spouse"),
    (r"\bpreggers\b", "pregnant"),
    (r"\bvets?\b", "veteran"),
    (r"\b(\d+)\s?\+", r"\1 or older"),
    (r"\b(\d+) and (?:up|over|older|above)\b(?! (?:than )?\d)", r"\1 or older"),
    (r"(?<=\w)\s?\+\s?(?=[a-z])", " and "),
    (r"\bgrand\b", "thousand"),
    (r"\bmum\b", "mother"),
    (r"\bgrandkids?\b", "grandchildren"),
    (r"(?<=\d),(?=\d{3}\b)", ""),
    (r"\$\s+(?=\d)|\busd\s?\$?\s?(?=\d)", "$"),
    (r"(?<!\$)(?<![\d.,])(\d[\d.]*) ?usd\b", r"$\1"),
    (r"(?<=\d)\.00\b", ""),
    (r"\bhalf (?:a|of a) dozen\b", "6"),
    (r"\b(?:a|one) dozen\b", "12"),
    (r"\byears young\b|\by ?/ ?o\b", "years old"),
    (r"~ ?(?=\$?\d)", "about "),
    (r"\bper annum\b", "per year"),
    (r"(\d(?:\.\d+)?)\s?k\b", r"\g<1>_thousand"),
    (r"#\s?(?=of\b|in\b)", "number "),
    (r"#\s?(?=[a-z])", "number of "),
    (r"[/]", " or "),
    (r"\band or\b|\band  or\b", "or"),
)
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_GRADE = re.compile(
    rf"\b(?P<n>\d+(?:st|nd|rd|th)|{_ORDINALS.replace(' ', '|')})[ -]grade(?:rs?)?\b"
)
_PATTERNS = [(re.compile(pattern), instead) for pattern, instead in _SPELLED_OUT]
_TOKEN = re.compile(r"\$?\d+(?:\.\d+)?(?:_thousand)?|[a-z]+|[,;:()?!.]")
_IN_DIGITS = re.compile(r"\$?\d+(?:\.\d+)?")
_STEMMER = snowballstemmer.stemmer("english")


def plain(text: str) -> list[str]:
    """Return the words of a text: lower case, spelled out, numbers as digits, marks apart.

    Amounts of money keep their sign: `$30,000` and `$30k` are both `$30000`.
    """
    text = text.lower()
    for pattern, instead in _PATTERNS:
        text = pattern.sub(instead, text)
    text = _GRADE.sub(_grade, text)
    text = text.replace("'", " ").replace("-", " ")
    return _digits([_thousands(token) for token in _TOKEN.findall(text)])


def _grade(match: re.Match[str]) -> str:
    """Return "third grader" and "3rd grade" as "grade 3"."""
    said = match.group("n")
    number = said[:-2] if said[0].isdigit() else _ORDINALS.split().index(said) + 1
    return f"grade {number}"


def _thousands(token: str) -> str:
    if not token.endswith("_thousand"):
        return token
    sign = "$" if token.startswith("$") else ""
    return f"{sign}{float(token.strip('$').removesuffix('_thousand')) * 1000:g}"


def _digits(tokens: list[str]) -> list[str]:
    """Number words as digits: `twenty five thousand` is `25000`, `a hundred and six` `106`."""
    told: list[str] = []
    place = 0
    while place < len(tokens):
        number, end = _number_at(tokens, place)
        told.append(tokens[place] if number is None else number)
        place = max(end, place + 1)
    return told


def _number_at(tokens: list[str], start: int) -> tuple[str | None, int]:
    """Return the number that begins at a place, in digits, and where it ends."""
    scale = _SCALES.get(tokens[start + 1]) if start + 1 < len(tokens) else None
    if _IN_DIGITS.fullmatch(tokens[start]):
        if scale is None:
            return None, start
        sign = "$" if tokens[start].startswith("$") else ""
        value, end = float(tokens[start].strip("$")) * scale, start + 2
        if scale == 1000 and tokens[end + 1 : end + 2] == ["hundred"]:
            more, after = _number_at(tokens, end)  # "26 thousand 4 hundred"
            value, end = (value + float(more), after) if more else (value, end)
        return f"{sign}{value:.10g}", end
    if tokens[start] in ("a", "an"):
        if scale is None or tokens[start - 1 : start] == ["half"]:
            return None, start
        value, part, end = (0, 100, start + 2) if scale == 100 else (scale, 0, start + 2)
    else:
        value, part, end = 0, 0, start
    is_range = tokens[max(start - 1, 0)] in ("between", "from")
    while end < len(tokens):
        word, next_word = tokens[end], tokens[end + 1 : end + 2]
        if word in _UNITS and part % 10 == 0 and not (part and part % 100 == 10):
            part += _UNITS[word]
        elif word in _TENS and part % 100 == 0:
            part += _TENS[word]
        elif word in _TENS and 10 < part < 100 and part % 10 and next_word != ["thousand"]:
            part = 100 * part + _TENS[word]  # "thirteen fifty"
        elif word == "and" and _goes_on(tokens[end + 1 :], value, part, is_range=is_range):
            pass  # "thirteen hundred and fifty"
        elif word == "hundred" and part:
            part *= 100
        elif word in _SCALES and (part or value):
            value, part = value + part * _SCALES[word], 0
        else:
            break
        end += 1
    return (str(value + part), end) if end > start else (None, start)


def _goes_on(tokens: list[str], value: int, part: int, *, is_range: bool) -> bool:
    """Whether words after "and" are tens or units of the number before: "two hundred and six"."""
    first = tokens[0] if tokens else ""
    is_more = first in _TENS or first in _UNITS
    scale = next((word for word in tokens[1:3] if word in _SCALES), None)
    if part:
        is_whole = scale == "thousand" and not is_range and not value
        return is_more and part % 100 == 0 and (scale is None or is_whole)
    if not value or not is_more:
        return False
    return (scale is None and _UNITS.get(first, 10) >= 10) or (scale == "hundred" and not is_range)


def split_at(words: Sequence[str], separators: Container[str]) -> list[list[str]]:
    """Return the runs of words between separators, without those that are empty.

    >>> split_at("own , rent , or neither".split(), (",", "or"))
    [['own'], ['rent'], ['neither']]
    """
    pieces: list[list[str]] = [[]]
    for word in words:
        if word in separators:
            pieces.append([])
        else:
            pieces[-1].append(word)
    return [piece for piece in pieces if piece]


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return the stem of one word, by which words are compared."""
    if told := _IRREGULAR.get(word):
        return told
    if match := _KEPT.fullmatch(word):
        return match.group(1)
    return str(_STEMMER.stemWord(word))


_KEPT = re.compile(r"(personal|individual|\w{2,}ful)(?:ly)?")
"""Adjectives whose stem would be that of their noun: no person is personal, no law lawful."""


_IRREGULAR = {
    "children": "child",
    "apartment": "apartment",
    "apartments": "apartment",
    "collective": "collective",
    "medication": "medication",
    "medications": "medication",
    "transitional": "transitional",
    "aids": "aids",
    "employer": "employer",
    "employers": "employer",
    "wives": "wife",
    "paid": "pay",
    "held": "hold",
    "lost": "lose",
    "made": "make",
    "got": "get",
    "gotten": "get",
    "getting": "get",
    "running": "run",
    "ran": "run",
    "left": "leave",
    "went": "go",
    "goes": "go",
    "written": "write",
    "people": "person",
    "men": "man",
    "women": "woman",
    "babies": "baby",
    "taken": "take",
    "took": "take",
    "spent": "spend",
    "owned": "own",
    "owner": "owner",
    "owners": "owner",
    "shut": "shut",
    "nursing": "nursing",
    "training": "training",
    "treatment": "treat",
    "veterans": "veteran",
    "disabilities": "disability",
    "disability": "disability",
    "disabled": "disabled",
    "worker": "worker",
    "unemployment": "unemployment",
    "employment": "employment",
    "housing": "housing",
    "homelessness": "homelessness",
    "breastfeed": "breastfeed",
    "breastfeeds": "breastfeed",
    "resident": "resident",
    "residents": "resident",
    "residence": "residence",
    "residences": "residence",
    "residency": "residence",
    "acs": "acs",
    "relative": "relative",
    "relatives": "relative",
}
