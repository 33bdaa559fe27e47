"""What an answer implies is read as said; what it does not imply is not."""

import doctest

import pytest

from benyfits_data.errors import EvaluationError
from benyfits_data.understanding.parser import amounts_said
from benyfits_data.understanding.parser.answer_words import SWAPS
from benyfits_data.understanding.parser.claims import judge
from benyfits_data.understanding.parser.clauses import read_clause
from benyfits_data.understanding.parser.implied import _phrases_of, implied_phrases
from benyfits_data.understanding.parser.topics import topics
from benyfits_data.understanding.parser.whom import Context
from tests.understanding.test_questions import HOME

PLAIN = {meaning.says: meaning for _, meaning in implied_phrases()}
OF_PEOPLE = {"have no children", "have no spouse"}


@pytest.mark.parametrize("says", sorted(PLAIN.keys() - OF_PEOPLE))
def test_what_is_implied_is_said_in_words_that_are_read(says):
    words = [SWAPS.get(word, word) for word in says.split()]
    context = Context(household=HOME)
    (query,) = read_clause(["is", "you", *words], context, is_claim=True, has_number="$" in says)
    assert query.topic in topics()
    denies = says.startswith(("not ", "un", "can not", "have a permanent"))
    assert (query.is_negated != query.is_opposite) == (denies or " not " in says) or query.value


@pytest.mark.parametrize(
    ("verdict", "question", "said"),
    [
        # Maria, 41, works and rents; Ben, her husband, 43, has a disability; Eva is 70.
        ("unfaithful", "Do you work?", "I'm retired."),
        ("unfaithful", "Are you working now?", "I'm a stay-at-home mother."),
        ("faithful", "Do you work?", "I've got a steady job."),
        ("unfaithful", "Are you married?", "My husband passed away."),
        ("unfaithful", "Are you married?", "I'm a widow."),
        ("faithful", "Do you own your home?", "It's a rental."),
        ("unfaithful", "Do you own your home?", "I'm the proud owner."),
        ("unfaithful", "Do you rent?", "It's mine."),
        ("unfaithful", "How many people live with you?", "Nobody but me."),
        ("faithful", "Are you a US citizen?", "I'm American."),
        ("unfaithful", "Are you a US citizen?", "I have no papers."),
        ("over_claim", "Are you a US citizen?", "Yes, I was naturalized in 2010."),
        ("unfaithful", "Do you get SNAP?", "We never applied for it."),
        ("over_claim", "Do you get SSI?", "No, I was turned down."),
        ("faithful", "Do you use a wheelchair?", "I walk just fine."),
        ("unfaithful", "Do you use a wheelchair?", "I use one all the time."),
        ("faithful", "Do you use a wheelchair?", "I don't need one."),
        ("unfaithful", "Do you have a disability?", "Ben is healthy."),
        (
            "unfaithful",
            "Does Ben have emotional or behavioral challenges?",
            "Ben has emotional or behavioral challenges.",
        ),
        ("faithful", "Has Cleo been held back?", "She passed every grade."),
        ("unfaithful", "Are you registered for Selective Service?", "I signed up."),
        ("faithful", "Are you authorized to work in the US?", "I'm allowed to work here."),
        ("unfaithful", "Are you authorized to work in the US?", "I have no work permit."),
        ("unfaithful", "Is Ben underemployed?", "He would like more hours."),
        ("faithful", "Did you receive SSI or SSDI in the past?", "I never got either."),
        ("faithful", "Is your home your primary residence?", "It's our only home."),
        ("unfaithful", "Do members of your family struggle to relate?", "We argue all the time."),
        # Facts of the home, of school, of work and of history told in other words.
        ("unfaithful", "What is your home heated with?", "The boiler runs on oil."),
        ("faithful", "Is the household being evicted now?", "No, nobody is trying to put us out."),
        ("unfaithful", "Is the household being evicted now?", "They're trying to put us out."),
        ("faithful", "Does the household own or rent its home?", "We have a lease."),
        ("unfaithful", "Does the household own or rent its home?", "Our names are on the deed."),
        ("faithful", "Do you have a working air conditioner?", "Ours works fine."),
        ("faithful", "Have you been admitted to a CUNY college?", "They turned me down."),
        ("unfaithful", "Are you enrolled in a GED program?", "I'm working on my GED."),
        ("faithful", "Are you enrolled in a GED program?", "No, I'm not studying for it."),
        ("unfaithful", "Do you work for a government agency?", "The city pays my wages."),
        ("unfaithful", "Do you receive help from HRA?", "I get nothing from HRA."),
        ("unfaithful", "Were you dishonorably discharged?", "They kicked me out dishonorably."),
        ("faithful", "Are you an independent contractor?", "No, I'm on staff."),
        ("faithful", "Do you have a disability?", "My body works fine."),
        ("unfaithful", "Do you use a wheelchair?", "I don't go anywhere without it."),
        ("faithful", "Do you use a wheelchair?", "I get around on my own two feet."),
        ("unfaithful", "Is heat included in your rent?", "It comes on a separate bill."),
        ("faithful", "Is heat included in your rent?", "I don't pay for it apart from the rent."),
        ("unfaithful", "Is the electric bill in your name?", "The bill goes to somebody else."),
        ("faithful", "Are you confined to bed?", "I get up every day."),
        ("faithful", "Is your name on the lease?", "My name isn't on it."),
        ("unfaithful", "Is your name on the lease?", "My name's on it."),
        ("faithful", "Have you been in prison?", "That has never happened to me."),
        ("unfaithful", "Have you been in prison?", "That has happened to me, yes."),
        ("faithful", "Do you get SSI?", "Absolutely not."),
        ("unfaithful", "Do you work?", "Sure don't."),
        ("faithful", "Do you get SSI?", "Never in my life."),
        ("unfaithful", "Can you start work at once?", "I'm not ready to start."),
        # What a fact bears out beside what was asked is not made up; what only implies it may be.
        ("faithful", "Do you work?", "I do, though I'm not a full-time wheelchair user."),
        ("over_claim", "Do you work?", "I do, though I'm a full-time wheelchair user."),
        ("over_claim", "Do you work?", "I do, and I walk with a cane."),
        # What only sounds like it says nothing.
        ("no_answer", "Have you been admitted to a CUNY college?", "I have a place to live."),
        ("no_answer", "Is the household being evicted now?", "The landlord wants his rent."),
        ("no_answer", "Is heat included in your rent?", "Our heat bill is high."),
        ("no_answer", "Do you have a diploma or a GED?", "Education is important to me."),
        # What is denied, was, or may be, is not said to be so.
        ("no_answer", "Do you work?", "I'm not retired."),
        ("no_answer", "Do you work?", "I was retired."),
        ("not_understood", "Do you work?", "I hope to be self employed soon."),
        # Nor is what was not asked about.
        ("no_answer", "Do you have a disability?", "I'm retired."),
        ("faithful", "How old are you?", "I'll be 42 in May."),
        ("faithful", "How old are you?", "In my early forties."),
        ("unfaithful", "How old are you?", "I'm in my thirties."),
        ("faithful", "How old is Ben?", "He celebrated his 43rd birthday."),
        ("faithful", "What is your rent?", "Every two weeks I pay $669."),
        ("unfaithful", "What is your rent?", "Every two weeks I pay $1,450."),
    ],
)
def test_what_an_answer_implies_is_judged(verdict, question, said):
    assert judge(question, said, HOME).verdict == verdict


def test_examples_of_amounts_hold():
    assert doctest.testmod(amounts_said) == (0, 2)


def test_an_unknown_topic_of_the_lexicon_is_named():
    with pytest.raises(EvaluationError, match="shoe_size"):
        list(_phrases_of({"of": ["shoe_size"], "says": "tall", "so": ["x"]}))
    with pytest.raises(EvaluationError, match="maybe"):
        list(_phrases_of({"of": ["employed"], "says": "employed", "maybe": ["x"]}))
