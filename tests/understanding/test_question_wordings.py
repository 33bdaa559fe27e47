"""Wordings of questions by class: each is read, and something near it is not read so."""

import pytest

from benyfits_data.understanding.parser.cover import NotUnderstoodError
from tests.understanding.test_questions import say


@pytest.mark.parametrize(
    ("question", "said"),
    [
        # One thing or its contrary.
        ("Is it just you, or do you live with other people?",
         "No. I do not live alone."),
        ("Is everyone a citizen, or is there someone who isn't?",
         say("Is everyone a citizen?")),
        ("Do you share your home with anyone?", "Yes. I do not live alone."),
        # Parents are those who have children, "your" parents are yours.
        ("How many members of the household are parents?",
         "2: me, Ana Ruiz (41); and my mother Eva (70)."),
        ("Who are your parents?", "My mother Eva (70)."),
        ("Is this your first time being a mom or dad?", say("Are you a first-time parent?")),
        ("# minors in HH", say("How many minors are in your household?")),
        ("Could you use help brushing up on math?", say("Do you need to improve your basic math?")),
        # Several who are left out.
        ("Does anybody besides you and your spouse work?", "No. None of them works now."),
        ("Does anybody besides your spouse work?", "Yes. I work now."),
        # Whoever is picked is one person.
        ("Who's the youngest, and how old are they?",
         "My son Dan (4). My son Dan is 4 years old."),
        ("How many months old is your youngest, if still a baby?",
         say("How many months old is your youngest?")),
        # What is asked comes first, and is spoken of by "it".
        ("Your rent, does it include heat?", "Yes. My household has heat included in the rent."),
        ("Your last job, was it in the city?", "I don't know; I have no information about that."),
        # Values of a choice, things of a list.
        ("Do you own your place, rent it, or stay there for free?",
         say("Do you own your home or rent it?")),
        ("Public assistance, SSI, Medicaid: which ones do you get?",
         "No. I do not receive Cash Assistance. I do not receive Supplemental Security Income "
         "(SSI). I do not receive Medicaid."),
        ("Who do you work for, a government agency or a private company?",
         "No. I do not work for a government agency. I do not work for a private employer in New "
         "York State."),
        ("Is your employer a private company in New York State?",
         "No. I do not work for a private employer in New York State."),
        # What is threatened, and what it is.
        ("Have they cut off your heat, or threatened to?",
         "No. My household does not have its heat turned off or in danger of being turned off."),
        ("Have you at any time not taken medicine that was prescribed?",
         "No. I do not have a history of not following medication or treatment."),
        ("What count of persons in the household are children under 18?",
         "2: my daughter Cleo (9) and my son Dan (4)."),
        ("Your spouse bring in any money?",
         "No. My spouse Ben has no income."),
        # Limits of age, and of amounts, in every order.
        ("Is any household member 60 years of age or older?", "Yes: my mother Eva (70)."),
        ("Are you 18 to 24 years old (inclusive)?", "No. I am 41 years old."),
        ("Are any of the kids 3 or 4, the right age for preschool?", "Yes: my son Dan (4)."),
        ("Is your rent less than or equal to $1,500?",
         "Yes. My household's rent is $1,450 a month."),
        ("Does your income not exceed $20,000?",
         "No. My income from all sources is $30,000 a year."),
        ("You don't pay more than $1,500 in rent, do you?",
         "No. My household's rent is $1,450 a month."),
        ("Are you over 18 but under 25?", "No. I am 41 years old."),
        ("Is any child under 12 and over 5?", "Yes: my daughter Cleo (9)."),
        ("Is there a person aged 65+ or with a disability in your home?",
         "Yes. My mother Eva (70). My spouse Ben has a disability."),
        # People of whom something is so.
        ("Is any of the people who work 62 or older?", "No. There is no such person."),
        ("Is every owner of the home at least 65?", "There is no such person."),
        ("Does anyone you claim as a dependent work?", "There is no such person."),
        # What says nothing beside what is asked.
        ("Do you get food stamps, also known as SNAP?", say("Do you get food stamps?")),
        ("Is anyone on SSI, which is not the same as SSDI?", say("Is anyone on SSI?")),
        ("Are you underemployed, meaning too few hours?", say("Are you underemployed?")),
        ("Even if you are not enrolled, are you eligible for Medicaid?",
         say("Are you eligible for Medicaid?")),
        ("Let's talk money \U0001f4b5 How much did you make last year, gross?",
         say("How much did you make last year?")),
        ("Please check all that apply to you: SSI, SSDI.",
         "No. I do not receive Supplemental Security Income (SSI). I do not receive Social "
         "Security Disability Insurance (SSDI)."),
        ("Have you been accepted to one of the CUNY colleges?",
         "No. I have not been admitted to a CUNY college."),
        ("Is it a one-family, two-family or three-family?",
         say("Do you live in a one-family house?")),
        ("Rent stabilized, rent controlled, Section 8, or something else?",
         say("What type of housing do you live in?")),
        # A statement says what is asked of.
        ("So Ben is out of work. How many months has it been?",
         say("How many months ago did Ben last work?")),
        ("You rent. How much?", say("How much is your rent?")),
        ("Do you file your taxes separately?",
         "Yes. My household does not file a joint tax return as a married couple."),
        ("Are you married, and does your spouse live with you?",
         "Yes. I am married. Yes: my spouse Ben (43)."),
        # Facts in the words of people.
        ("Are you getting put out of your place?", say("Are you being evicted?")),
        ("Are you down to less than a quarter tank?", say("Are you low on heating oil?")),
        ("Are you comfortable reading and writing in English, and doing math?",
         "Yes. I am proficient in reading and writing English. I am proficient in mathematics."),
        ("Are you unable to take the bus?", "No. I can use the subway or bus."),
        ("Aren't you able to take the bus?", "Yes. I can use the subway or bus."),
        ("Are you a person with a disability?", "No. I do not have a disability."),
        # Among whom, and who or what is left out.
        ("Who earns the least, of those who work?", "I earned $30,000 from work in the last year."),
        ("Of those with a job, who is the oldest?", "Me, Ana Ruiz (41)."),
        ("Which of your children is in the highest grade?", "My daughter Cleo is in grade 2."),
        ("Does anyone but you work?", say("Does anyone else work?")),
        ("Besides Medicaid or Child Health Plus, do you have health insurance?",
         "No. I do not have health insurance other than Medicaid or Child Health Plus."),
        ("Do you have health insurance, not counting Medicaid?",
         "No. I do not have health insurance other than Medicaid or Child Health Plus."),
        # Keys of forms, programs that are asked for, and what was said before.
        ("applicant_age / spouse_age: __ / __",
         "I am 41 years old. My spouse Ben is 43 years old."),
        ("tenure = renter?", "Yes. My household rents the home."),
        ("names_on_lease:", say("Who is named on the lease?")),
        ("My notes say you are 65 years old. Is that your age?", "No. I am 41 years old."),
        ("Your mother, who lives with you: does she get Medicaid?",
         "No. My mother Eva does not receive Medicaid."),
        ("For the Child Tax Credit, is your spouse working?", say("Is your spouse working?")),
        ("Do you have an ITIN? A Social Security number doesn't count here.",
         say("Do you have an ITIN?")),
        ("Is there a working air conditioner where you live?",
         "Yes. My household has a working air conditioner."),
        ("Are you an adult, 18 or older?", "Yes. I am 41 years old."),
        ("Who has a job and a disability?", say("Who has a job and has a disability?")),
        ("How many people in the home, not counting kids, have a job?", "1: me, Ana Ruiz (41)."),
        ("Neither you nor your spouse is a veteran, right?", "No. None of them is a veteran."),
        ("Is either of you a veteran?", say("Are you or your spouse a veteran?")),
        # Statements that are asked about, and numbers that are asked about as they are.
        ("I have you down as married. Is that correct?", "Yes. I am married."),
        ("Your application says you have two children. Is this right?",
         "Yes: 2, my daughter Cleo (9) and my son Dan (4)."),
        ("There are four people in your household, right?",
         "No. There are 5 people in my household, counting me."),
        ("You told me you rent your home. Do I have that right?",
         "Yes. My household rents the home."),
        ("The Fair Fares form wants to know: can you take the bus?", say("Can you take the bus?")),
        ("How many people live with you, counting yourself?",
         say("How many people are in your household?")),
        # All of those of whom something is so, and all who are spoken to.
        ("Is everyone who works a citizen?", "Yes. I am a US citizen or national."),
        ("Does everyone under 18 who lives here have Medicaid?",
         say("Does everyone under 18 have Medicaid?")),
        ("Are you all on Medicaid?", say("Is everyone on Medicaid?")),
        ("Would all five of you qualify for Medicaid?", say("Does everyone qualify for Medicaid?")),
        ("Of your children, is any in a public school?",
         say("Is any of your children in a public school?")),
        # Those who have children, where nobody says whose parents.
        ("Which of you are parents?", say("Who is a parent?")),
        # Who of several has more, and the longest without work.
        ("Does Ben have more college credits than you?",
         "No. My spouse Ben has earned no college credits. I have earned no college credits."),
        ("Who's been out of work the longest?", "That is so of nobody in my household."),
        # Income from jobs is said to be "anything", of others not that of the household.
        ("Does Ben earn anything from a job?",
         "No. My spouse Ben earned nothing from work in the last year."),
        ("What do the other adults in your home earn?", say("What do the other adults make?")),
        ("Adding everyone up, what's the yearly income of your household?",
         "My household's income from all sources is $30,000 a year."),
        # Reasons before questions, and explanations after them.
        ("As tuition aid can depend on it, may I ask how many college credits you have?",
         say("How many college credits do you have?")),
        ("To see about benefits for seniors: what is your mother's age?",
         "My mother Eva is 70 years old."),
        ("Does Cleo have a long-term health condition, known or suspected?",
         say("Does Cleo have a long-term health condition?")),
        ("Because of a disability, do you get Medicaid?",
         "No. I do not receive Medicaid because of a disability."),
        # What a fact denies is not denied once more.
        ("Does anyone have a history of skipping meds or not sticking to treatment?",
         say("Does anyone have a history of not following treatment?")),
        ("Regarding those in your household who work: are all of them citizens?",
         say("Is everyone who works a citizen?")),
        ("Is there a veteran among you?", say("Is anyone in your household a veteran?")),
        ("Do you have income from work or anything else?", say("Do you have any income?")),
        ("What I need now is your spouse's age.", "My spouse Ben is 43 years old."),
        ("Who lives with you and Ben?", say("Who lives with you besides Ben?")),
        # So many of them, or one alone.
        ("Do at least two people in your household have a job?", "No: 1, me, Ana Ruiz (41)."),
        ("Are more than two people at home under 18?", "No: 2, my daughter Cleo (9) and my son Dan "
         "(4)."),
        ("Does only one person work?", "Yes: 1, me, Ana Ruiz (41)."),
        ("Do fewer than three of you get SSI?", "Yes. There is nobody like that."),
        ("Are you the only one who works?", "Yes. I work now."),
        ("Is Ben the only one at home with a job?", "No. I work now."),
        ("Are you the only adult in your household?",
         "No. Ben Ruiz is my spouse, 43 years old. Eva Ruiz is my mother, 70 years old."),
        ("Is Cleo the only girl?", "Yes. Cleo Ruiz is my daughter, 9 years old."),
        ("Is Dan the only child who is not in school?",
         "Yes. My son Dan does not attend school now."),
        # Those of whom one of two things is so, or neither.
        ("How many people have a disability or a job?",
         "2: me, Ana Ruiz (41); and my spouse Ben (43)."),
        ("Who has a job or is 65 or older?", "Me, Ana Ruiz (41); and my mother Eva (70)."),
        ("Who has neither a job nor a disability?", say("Who has no job and no disability?")),
        ("Does Ben have neither a job nor a disability?",
         "My spouse Ben does not work now. My spouse Ben has a disability."),
        ("Tell me if Ben has a job or is under 18.",
         "No. My spouse Ben does not work now. My spouse Ben is 43 years old."),
        ("How many of you are in school, college or pre-K?", "1: my daughter Cleo (9)."),
        # Some among whom others are looked for.
        ("Of those who have a disability, who is under 12?", "There is no such person."),
        ("Of you and your kids, who works?", "I work now."),
        ("Of Cleo and Dan, who is the oldest?", "My daughter Cleo (9)."),
        ("Who is under 18, you or Cleo?", "My daughter Cleo (9)."),
        ("Counting only you and your kids, how many people is that?",
         "3: me, Ana Ruiz (41); my daughter Cleo (9); and my son Dan (4)."),
        ("Is every one of your children under 5?",
         "No. My daughter Cleo is 9 years old. My son Dan is 4 years old."),
        ("Are Cleo and Ben both minors?",
         "No. Cleo Ruiz is my daughter, 9 years old. Ben Ruiz is my spouse, 43 years old."),
        # Two who are held against each other, whichever comes first.
        ("How many years older or younger is Ben than you?",
         "By 2 years. My spouse Ben is 43 years old. I am 41 years old."),
        ("Which of you two is younger, you or Ben?", "I am 41 years old."),
        ("Between you and Ben, who is the older one?", "My spouse Ben is 43 years old."),
        ("Between you and Ben, who works?", "I work now."),
        ("What are your total earnings and the earnings of your spouse?",
         say("What are the earnings of you and your spouse?")),
        # What is asked in all, said first.
        ("All told, how many hours a week does everybody work?",
         say("How many hours a week does everybody work in total?")),
        ("If we add up the working hours of everybody, how many hours a week is that?",
         say("How many hours a week does everybody work in total?")),
        ("If you add up what everybody makes and gets, what does your household take in a year?",
         say("What is your household's income?")),
        ("How many people live with you altogether, counting yourself?",
         say("How many people are in your household?")),
        ("How many hours a week do you and Ben work?",
         say("How many hours a week do you and your spouse work?")),
        # What is presupposed.
        ("My hunch is that you're past 45. Is that so?", "No. I am 41 years old."),
        ("It looks like there are five of you at home. Is that correct?",
         say("Are there exactly five people in your household?")),
        ("I see SSI on the file. Who has it?", say("Who has SSI?")),
    ],
)  # fmt: skip
def test_wordings_of_questions_are_read(question, said):
    assert say(question) == said


@pytest.mark.parametrize(
    "question",
    [
        "Is it just you, or do you own a dog?",
        "Does anybody besides your landlord and your spouse work?",
        "Have they cut off your phone, or threatened to?",
        "Are any of the kids 3 or 6?",
        "Is any child under 5 and over 12?",
        "Are you paying over $1,500 a month?",
        "Have you been put on a waiting list?",
        "Is your employer in the city?",
        "Do you have family in Vietnam?",
        "Do you need help to get down the stairs?",
        "Is every owner of the shop at least 65?",
        "Does the owner of the building work?",
        "For SNAP, how much do you get a month?",
        "Go down the list.",
        "What do you earn a week?",
        "Do you have insurance besides Medicare?",
        "Is that your age?",
        "Ben is one, Cleo the other. What grade?",
        "Do you get disability benefits? SSI doesn't count.",
        "If the rent is left out, what is the income of the household?",
        "Would all three of you qualify for Medicaid?",
        "Who has lived here the longest?",
        "Who has worked the longest?",
        "To get to work, can you use the subway?",
        "How long have you lived in your apartment?",
        "Do you and your spouse live in an apartment?",
        "If your spouse works, is it in New York City?",
        "How many families live in the home?",
        "Are Ben and Cleo siblings?",
        "Is Cleo your only child?",
        "For the children's program: how old?",
        "What's your weekly pay?",
        "How many parents are in your household?",
        "Is everyone who has to register for Selective Service registered?",
        "Who has it?",
        "Does anyone have it?",
        "I see SSI and SSDI on the file. Who has it?",
        "I see no SSI on the file. Who has it?",
        "Is Ben the only one?",
        "Is your job the only income you have?",
        "What is your regular income and the income of your mother-in-law?",
        "If you add up everybody's pay from work, what does the household take in?",
        "Who earns more than $20,000 a year from your family?",
    ],
)
def test_what_is_near_is_not_read_so(question):
    with pytest.raises(NotUnderstoodError):
        say(question)


@pytest.mark.parametrize(
    ("question", "earlier", "said"),
    [
        ("Does anyone else?", ["Does Ben work?"], "Yes. I work now."),
        ("Who else works?", ["Does Ben work?"], "I work now."),
        ("Who else does?", ["Do you work?"], "None of them works now."),
        ("Anyone else?", ["Does Ben work?", "Do you work?"], "No. None of them works now."),
        ("Is anyone else disabled?", ["Is Ben disabled?"], "No. None of them has a disability."),
        ("Does anyone else in your household work?", ["Do you work?"],
         "No. None of them works now."),
        ("How old is everyone else?", ["How old are you and Ben?"],
         "My daughter Cleo is 9 years old. My son Dan is 4 years old. My mother Eva is 70 years "
         "old."),
    ],
)  # fmt: skip
def test_anybody_else_is_nobody_who_was_asked_about(question, earlier, said):
    assert say(question, *earlier) == said


@pytest.mark.parametrize(
    ("question", "earlier"),
    [
        ("Does anyone else work?", ["Is Ben disabled?"]),
        ("Anyone else?", ["Does anyone work?"]),
        ("Who else lives with you?", ["How old is Ben?"]),
        ("Are the others in school too?", ["Is Cleo in school?"]),
    ],
)
def test_else_than_whom_must_be_known(question, earlier):
    with pytest.raises(NotUnderstoodError):
        say(question, *earlier)
