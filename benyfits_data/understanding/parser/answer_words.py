"""The words of answers: yes and no, evasions, asides, corrections; and an answer's plain text."""

import re
import tomllib
from collections.abc import Sequence
from importlib.resources import files
from typing import Any

from benyfits_data.household.features import FEATURES
from benyfits_data.understanding.parser.amounts_said import in_usual_form
from benyfits_data.understanding.parser.cover import NotUnderstoodError, cover
from benyfits_data.understanding.parser.numbers import find_number
from benyfits_data.understanding.parser.people_found import mark_names
from benyfits_data.understanding.parser.question_text import VERBS, rewritten, strip_tail
from benyfits_data.understanding.parser.words import plain

TOLD: dict[str, Any] = tomllib.loads(
    (files("benyfits_data.understanding.parser") / "answer_wording.toml").read_text(
        encoding="utf-8"
    )
)
SWAPS: dict[str, str] = TOLD["swaps"]
IMPLIED: dict[str, str] = TOLD["implied"]
SMALL_TALK = frozenset(TOLD["small_talk"].split())
SPOKEN = frozenset(("know", "want", "say", "tell", "think", "mean", "see", "ask"))
FUNCTION_WORDS = frozenset(TOLD["function_words"].split())
ABOUT_WORDS = frozenset(TOLD["about"].split())


def _pattern(name: str, form: str) -> re.Pattern[str]:
    return re.compile(form.replace("X", "|".join(TOLD[name])))


_NO_YES = r"idea|information|way|clue|(?:(?:do|does|did|am|is|are|was|have|has|can|will) )?not\b"
YES = _pattern("yes", rf"^(?:X)\b(?! (?:{_NO_YES}))")
COURTESY = re.compile(
    r"(?:yes |yeah )?(?:sure(?: thing)?|of course|certainly|absolutely|gladly|okay|ok)"
)
"""Begins an answer politely; a yes where nothing else answers."""
NO = _pattern("no", r"^(?:X)\b(?! (?:idea|information|way|clue|comment))")
CONFIRMS = re.compile(
    r"(?:(?:that|this|you|it) (?:is|are) )?(?:right|correct|true|so|accurate)|exactly|indeed"
)
"""Says that a question has it right, also one that denies: "so you have no car?" "Correct."."""
CHECKS = re.compile(r"(?i)\b(?:right|correct|is that so|true)\s*\?\s*$")
"""Ends a question that only wants to be confirmed."""
PLAIN_WORD = re.compile(r"(?:yes|yeah|yep|yup|yea|no|nope|nah|naw)\b")
ONE_NAMED = re.compile(
    r"(?P<first>.+ (?:1|an?) (?:\w+ )?"
    r"(?P<noun>child|son|daughter|baby|boy|girl|\w+(?:er|in|ew|end))), "
    r"(?P<name>(?!who|which|that|not|but|and|so|as|he|she|they|it)\w+)$"
)
NO_ONE_OF_THEM = re.compile(r"^(?:\w+ ){1,2}(?:have|has|got|get|gets|own|owns) none$")
ONE = re.compile(
    r"^1 (?:of (?:them|us|you) )?(?:does|is|has|do|are|have)$|"
    r"^(?:have )?got (?:1|some|it|that|both)$"
)
LAST_WORD = re.compile(
    r"(?:^|,| and| so|\b(?:put|say|tick|mark|write)(?: (?:me|us|it|that|this|down|in|a))*)"
    r" (?:so )?(?:a |it is a |that is a )?(?P<word>yes|yeah|yep|yup|no|nope|nah)$"
)
EVASION = _pattern("evasions", r"\b(?:X)\b")
_ASIDE = _pattern("asides", r",? ?\b(?:X)\b ?,?")
FILLER = _pattern("fillers", r"^(?:X)(?= |,|$),?\s*")
COMMENT = _pattern("comments", r"^(?:X)$")
_OPINION = r"think|believe|guess|suppose|imagine|reckon|figure"
_HEDGED = (
    (re.compile(rf"^(?:well |oh )?i (?:would |do |really )*(?:{_OPINION}) so\b"), "yes"),
    (re.compile(rf"\bi (?:do|would) not (?:really )?(?:{_OPINION}) so\b"), "no"),
    (
        re.compile(
            rf"^i (?:do|would) not (?:really )?(?:{_OPINION}) (?:i|we|he|she|they|it|that) "
            r"(?:do|does|did|am|is|are|have|has)$"
        ),
        "no",
    ),
    (re.compile(rf"\bi (?:am afraid|{_OPINION}) not\b"), "no"),
)
"""Answers that hedge a bare yes or no; taken for it before "I think" is taken away."""
NOTHING = _pattern("nothing", r"^(?:X)$")
_REWRITES = [(re.compile(pattern), instead) for pattern, instead in TOLD["rewrites"]]
AGED = re.compile(
    r"(?P<name>[A-Z]\w+(?: [A-Z]\w+)*|I|[Mm]e|[Mm]yself)"
    r"(?: \((?P<age>\d+)\)|, (?:who is|who's|aged|age) (?P<aged>\d+)(?: years old)?\b"
    r"(?P<months> ?(?:months?|mos?)\b(?: old)?)?,?|, (?P<bare>\d{1,2})(?=,| and |[.;]?$))"
)
"""Somebody's age in passing: "Cleo (9)", "Theo, who's 15 months", "Zoe, 3, and ..."."""
OF_AGE = re.compile(r"\b(?:[Mm]y|[Oo]ur) (?P<age>\d+)[- ]year[- ]old,? (?P<name>[A-Z][a-z]+)\b,?")
"""The same the other way round: "my 9-year-old, Cleo"."""
_PLUS = re.compile(r"(?<=[\dk]) plus (?=my |his |her |our |the |\$|[A-Z])")
"""Adds up, where "65 plus" is an age."""
_VOCATIVE = _pattern("vocatives", r"(?i)^(?:X|my friend|friend), |, (?:X)(?=[,.!?]|$)")
"""Who is spoken to."""
_WHY = re.compile(r"(?i)^y (?=(?:do|does|did|is|are|u|you|would)\b)")
_YA = re.compile(r"^\W*(?:ya|ye|yeh|yess+|yus)\b", re.IGNORECASE)
NUMBER_WORDS = (
    r"(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-\w+)?|(?:thir|four|fif|six|seven|eigh|nine)teen|"
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
)
_NAME_IS = re.compile(
    r"\b([A-Z][a-z]+)['\u2019]s(?= (?:an?|the|my|our|not|in|on|\d+|\w+ing|only|just|"
    + NUMBER_WORDS
    + r")\b)"
)
_AFTER_IS = r"off|out|fine|okay|sharp|included|covered|broken|due|mine|ours|separate|dead|"
"""Before these "'s" is a verb behind a thing, too: "the power's out"."""
_KIN_IS = re.compile(
    r"(?i)\b(?P<who>(?:my|our|the) (?!\w+s['\u2019]s)\w+|no(?:body| one)|"
    r"(?:some|every)(?:body|one))"
    r"['\u2019]s "
    r"(?=(?:an?|not|in|on|\d+|\w+ing|" + _AFTER_IS + NUMBER_WORDS + r")\b)"
)
_NO_COMMA = re.compile(
    r"^(?P<no>[Nn]o|[Nn]ope|[Nn]ah|NO) (?=(?:[A-Z][a-z]+|[Ii]|(?i:he|she|they|we|it|my \w+)) "
    r"(?i:(?:do|does|did|is|are|am|has|have|was|were|can|will|would|could)"
    r"(?:n['\u2019]?t\b| not\b|not\b)|(?:can|won)['\u2019]?t\b|ain['\u2019]t\b))"
)
_PARTS_TOLD = re.compile(
    r"^(?P<sum>[^()]*\d[^()]*) \((?P<parts>(?:I|my [^:()]+): [^()]*)\)(?P<rest>\.?(?: .*)?)$"
)
"""A sum with what each adds to it: "$900 in all (I: $600; and my son Ben: $300)"."""
_EXPLAINED = re.compile(
    "|".join(
        rf" ?{re.escape(it)}"
        for feature in FEATURES.values()
        for it in re.findall(r"\([^)]{20,}\)", " ".join((feature.phrase, feature.sentence)))
    )
)
"""What a profile's sentence explains in brackets."""
_NO_FIRST = re.compile(r"^(?P<no>no|nope|nah) (?=(?:not|never|none)\b)")
_NO_LAST = re.compile(r"^(?P<said>.*\b(?:not|never|none|nobody)\b[^,]*) (?P<no>no|nope|nah)$")
"""A no without its comma: "no not me", "not on Medicaid no"."""
_YES_LAST = re.compile(
    r"^(?P<said>(?:i|we|he|she|they|it|that|my \w+) (?!.*\b(?:not|never|no|none|nobody)\b)"
    r"(?!.*\b(?:a|as|is|says?|said|put|tick|mark|for|and|so|to) \w+$)\w+[^,]*) "
    r"(?P<yes>yes|yeah|yep|yup)$"
)
"""The same of a yes: "we get them yep"."""
_YEARS_AND_MONTHS = re.compile(
    r"\b(?P<years>\d+|a) years?,?(?: and)? "
    r"(?:(?P<months>1[01]|\d|a) months?|(?P<half>a half))\b"
)
COUNTED = re.compile(r"^(?P<number>(?:just |only )?\d+(?: people| persons?)?), (?P<names>[^\d$]+)$")
NOBODY_ELSE = re.compile(
    r"^(?:and |but )?(?:nobody|no other|not any(?:one|body))(?: else| besides| other)"
    r"(?: than (?:me|him|her|them|that))?\b[^,]*$|"
    r"^(?:and )?that is (?:it|all|everyone|everybody|all of us|the whole (?:family|household))$"
)
THE_REST = (
    r"(?:all )?the (?:rest|other (?:1s?|ones)|others?|remaining(?: (?:people|1|members))?)(?: \d+)?"
    r"(?: of (?:you|us|them|(?:my|the|our) (?:family|household|home)))?"
)
ALL_BUT = re.compile(
    r"^(?:everyone|everybody|all of you|all of us|all of them|all)(?: \w+){0,3}?,? "
    r"(?:except|but|besides|save|"
    r"other than|apart from|excluding)(?: for)? (?P<who>.+)$"
)
_MISTAKEN = (
    r"i misspoke|i(?: am|'m) mixing (?:it|that|this|things) up|my (?:mistake|bad)|i got that wrong"
)
"""Says of a number that another one is meant."""
_CORRECTS = re.compile(
    r"(?:^|[,.;-]+ |\.\.\. ?)"
    rf"(?:(?:{_MISTAKEN})[,:.]? |"
    r"(?:no,? wait|wait,? no|wait|sorry,? i mean(?:t)?|i mean(?:t)?|make that|"
    r"no,? make that|hold on|hang on|scratch that|correction|or rather|no,? sorry|"
    r"sorry,? no|sorry)\b[,:]? )",
    re.IGNORECASE,
)
"""After these an answer says what was meant, in place of what it said."""
SPLITS = re.compile(r" (?:but|because|since|although|though|while|who|which|so|and) |, |; ")
PARTS = re.compile(
    r",? where (?=(?:i|we|he|she|they) )|"
    r"(?<=do not), |(?<=does not), |(?<=am not), |(?<=is not), |(?<=are not), |(?<=have not), |"
    r",? but (?!not )|"
    r", (?:and )?(?=(?:the rest|the others?|every(?:one|body) else|anyone else)\b)|"
    r", (?:and )?(?!who|which|that (?!person))"
    r"(?=(?:i|we|he|she|they|it|that person|my \w+|our \w+|\w+) "
    r"(?:is|am|are|do|does|have|has|was|were)\b|(?:i|we|he|she|they|it) \w)"
)
BEYOND = re.compile(
    r"^(?:easily,? )?(?:(?:i|we|they|he|she|it|all of you) \w+ )?(?:well |far |way |much |a lot )?"
    r"(?P<way>more|less|newer|above|below|over|under|older|younger|higher|lower|longer|shorter|greater|"
    r"fewer)(?: than)?(?: the limit)?(?: that| it)?$"
)
IS_SO = re.compile(
    r"^(?P<so>(?:it|that|this|there) (?:is|are|does|do|has|did)(?P<not> not)?)"
    r"(?:$|,? (?:and|but) |, )(?P<rest>.*)$"
)
"""Says yes or no of a thing: "it is, and the bill is small"."""
PLACING = frozenset(("by", "in", "at", "from", "for", "near", "to"))
"""After these a name is that of a place or a company, not of a member."""
ASKS_OTHERS = re.compile(r"\b(?:have|need) to (?:ask|check|look)\b")
"""Is looked for before courtesies such as "I have to ask" are taken away."""
CUTS = frozenset(TOLD["cuts"].split())
NO_LEADS = frozenset(("from", "for", "since", "until", "after", "before"))
"""What these lead says nothing of its own: "$900, from my job" is no claim to have one."""
OPEN_ENDS = VERBS | {"been", "was", "were", "not", "no", "and", "or", "to", "my", "a", "the", "i"}
DENIALS = frozenset(("not", "no", "never", "without", "neither", "nor", "nobody", "none"))
POINTING = frozenset(("such", "kind", "sort", "type", "case", "thing", "so", "like", "either", "1"))
"""Words that point to what was asked: "no such agreement", "a diploma of that kind"."""
NO_NAMES = frozenset(TOLD["no_names"].split())
NAMED = ("named", "called")
ME = frozenset(("me", "mine", "myself", "i"))


_NUMERALS = NUMBER_WORDS + r"|first|second|third|\w{3,5}th|hundred|thousand"
_NUMERAL = rf"\$?(?:\d[\d,]*(?:\.\d+)?k?|(?:{_NUMERALS})(?:[ -](?:and )?(?:{_NUMERALS}))*)\b"
_STOPS = (
    r"(?:wait|hold on|hang on|sorry|oh|ah|er+|um+|yeah|yes|i mean|make that|scratch that|actually|"
    rf"{_MISTAKEN})"
)
_SAID_ANEW = re.compile(
    rf"(?i)\b{_NUMERAL}(?:,|\.\.\.|\u2026| ?-+| ?\u2014|[.;](?= ?no,? {_STOPS})) ?"
    rf"(?:{_STOPS}[,.]* )*no\b[,.]*(?:\.\.\.)? (?:{_STOPS}[,.]* )*(?P<last>{_NUMERAL})"
)
"""A number that is taken back for another one: "third, no, sorry, fourth"."""
_BROKEN_OFF = re.compile(
    r"(?i)^[\w' ,]*\b(?:turned|is|am|are|about|around|the|a|my|just|pays?|makes?|earns?)"
    r" ?(?:\.\.\.|\u2026|--+|\u2014) ?(?:no|wait|sorry|well)[,.]* "
)
"""A sentence begun and not ended: "Vera just turned... no, Vera is 31"."""


_IN_ALL_ABOUT = re.compile(
    r"(?:(?:i|we) (?:would|will|could) say|let us say|say|more or less|in the order of),? "
    r"(?:it is )?(?:about )?(?=\$?\d)"
)
"""Leads of a number that is not exact."""
_TYPICAL = re.compile(
    r"(?:in|on|for|during) (?:an?|the|any|most) (?:typical|usual|normal|average|regular|ordinary) "
    r"(?P<period>week|month|year|day),? (?P<said>[^$\d]*\$?\d[\d,.]*(?: dollars| hours)?)"
    r"(?! (?:a|an|per|every|each) )"
)
"""A span told before the amount: "in a typical week I make $300"."""
_BEGUN_ANEW = re.compile(
    rf"(?i)\b{_NUMERAL}(?:[ -](?:some|odd|something))?(?:\.\.\.|\u2026) ?(?P<last>{_NUMERAL})"
)
"""A number begun and said anew: "two thousand... two thousand fifty"."""


def corrected(answer: str) -> str:
    """Return what an answer means in the end: "36. Sorry, I mean 37" means 37."""
    answer = _BEGUN_ANEW.sub(r"\g<last>", _SAID_ANEW.sub(r"\g<last>", answer))
    answer = _BROKEN_OFF.sub("", answer)
    *said, last = _CORRECTS.split(answer)
    if said and _word_in(answer[: -len(last)]) and _word_in(last):
        return last  # "No, wait, yes"
    if (
        not said
        or not re.search(r"\d", " ".join(plain(said[-1])))
        or not re.search(r"\d", " ".join(plain(last)))
    ):
        return answer
    told = " ".join(word for word in plain(last) if word not in ",.;:!?()")
    is_bare = re.fullmatch(r"(?:\w+ ){0,6}?\$?[\d.]+", told) is not None
    return last if is_bare else answer


def _word_in(text: str) -> bool:
    """Whether a text has a yes or a no of its own."""
    return re.search(r"(?i)\b(?:yes|yeah|yep|no|nope)\b", text) is not None


_LIST_OF_PEOPLE = re.compile(
    r"(?P<head>\b(?:I|[Ww]e)(?:'ve)? (?:have|got|have got|live with) (?:[\w-]+ ){1,3}"
    r"(?:kids|children|sons|daughters|girls|boys|grandchildren|siblings|brothers|sisters)"
    r"(?: here| at home)?): (?=[A-Z])"
)
"""Whom a colon introduces: "I have two kids: Ana (3) and Ben (5)"."""


_AGE_OF = re.compile(
    r"\b(?P<who>Me|I|Myself|[A-Z][a-z]+(?: [A-Z][a-z]+)?): (?P<age>\d{1,2})(?=[,.;]|$| and )"
)
"""A list of people and ages: "Me: 41, Ana: 9"."""


def sentences_of(answer: str) -> list[str]:
    """Return the sentences of an answer."""
    text = _LIST_OF_PEOPLE.sub(r"\g<head>, ", _EXPLAINED.sub("", re.sub(r"\s+", " ", answer)))
    text = _AGE_OF.sub(r"\g<who> (\g<age>)", text)
    if parts := _PARTS_TOLD.match(text):
        told = re.sub(r"^I has ", "I have ", parts["parts"].replace(": ", " has "))
        text = f"{parts['sum']}. " + ". ".join(
            re.sub(r"^(?:and )?(?:my (?:[a-z]+ )+)?", "", it)
            for it in re.split(r"; |, (?=(?:and )?my )| (?=and my [\w ]+ has )", told)
        )
        text += parts["rest"] or "."
    text = re.sub(r"\bP\. ?S\. ?(?=\d)", "PS ", text)
    text = re.sub(r"\b(Mr|Ms|Mrs|Dr|St|approx|Approx|U\.S|e\.g|i\.e)\.", r"\1", text)
    return [part for part in re.split(r"(?<=[.!?:;])\s+|\n", text) if part.strip()]


def plain_answer(sentence: str) -> str:
    """Return a sentence in plain words, without what says nothing."""
    sentence = _VOCATIVE.sub("", _PLUS.sub(" and ", sentence))
    sentence = _KIN_IS.sub(r"\g<who> is ", _NAME_IS.sub(r"\1 is", sentence))
    sentence = _YA.sub("yes", _WHY.sub("why ", sentence))
    sentence = _NO_COMMA.sub(r"\g<no>, ", sentence)
    text = re.sub(r" ?[.!?:;](?!\d)", "", " ".join(plain(sentence))).replace(" ,", ",").strip(" ,")
    for pattern, word in _HEDGED:
        text = pattern.sub(word, text)
    text = _IN_ALL_ABOUT.sub("about ", text)
    text = _TYPICAL.sub(r"\g<said> a \g<period>", text)
    text = _NO_FIRST.sub(r"\g<no>, ", _NO_LAST.sub(r"\g<said>, \g<no>", text))
    text = _YES_LAST.sub(r"\g<said>, \g<yes>", text)
    text = in_usual_form(_YEARS_AND_MONTHS.sub(_in_months, text))
    text = re.sub(r"\(\s*(.*?)\s*\)", r", \1,", text).strip(" ,")
    text = _ASIDE.sub(lambda it: "," if it.end() < len(text) and it.start() else "", text)
    while (shorter := FILLER.sub("", text).strip(" ,")) != text:
        text = shorter
    for pattern, instead in _REWRITES:
        text = pattern.sub(instead, text).strip(" ,")
    return _without_chat(strip_tail(rewritten(text)))


def _without_chat(text: str) -> str:
    """Return a text without the chat before its yes or no: "tbh no i am not"."""
    words = text.split()
    while words and words[0].strip(",") in SMALL_TALK:
        words = words[1:]
    rest = " ".join(words)
    is_word = PLAIN_WORD.match(rest) is not None and not (YES.match(text) or NO.match(text))
    return rest if is_word else text


def _in_months(match: re.Match[str]) -> str:
    """Return "51 years and 6 months" as "618 months", "a year and a half" as "18 months"."""
    years, months = ((match[it] or "6").replace("a", "1") for it in ("years", "months"))
    return f"{12 * int(years) + int(months)} months"


def says_something(text: str) -> bool:
    """Whether words that could not be read hold a number or speak of a fact or of people."""
    for word in re.findall(r"[$\w.]+", text):
        try:
            parts = cover([word], is_claim=True)
        except NotUnderstoodError:
            continue
        if any(part.kind in ("topic", "number") for part in parts):
            return True
    return False


def as_asked(text: str, names: Sequence[Sequence[str]]) -> list[str]:
    """Return words of an answer as a question has them ("my" is "your"), members by number."""
    return mark_names(swapped(text), names)


def swapped(text: str) -> list[str]:
    """Return the words and commas of an answer with "I" and "my" as a question has them."""
    words = (SWAPS.get(word, word) for word in re.findall(r"[^\s,]+|,", text))
    return " ".join(words).split()


def number_last(words: list[str]) -> list[str]:
    """Return words with a number that stands inside a phrase at their end: "pay $900 in rent".

    Raises:
        NotUnderstoodError: A word has no place, wherever the number stands.
    """
    try:
        cover(words, is_claim=True)
    except NotUnderstoodError:
        for place in range(1, len(words)):
            number = find_number(words, place)
            if number is not None:
                return [*words[:place], *words[number.end :], *words[place : number.end]]
        raise
    return words
