"""Questions outside of what so small a model can know, and an honest answer to them."""

from random import Random

from dialogue import Exchange
from words import ANIMALS, CLOTHES, FURNITURE, INSTRUMENTS, THINGS, TOWNS, TREES, name

NOUNS = ANIMALS + CLOTHES + FURNITURE + INSTRUMENTS + THINGS + TREES
ABSTRACT = (
    "history politics physics philosophy music money war peace law medicine trade language poetry football travel "
    "science art religion the economy the universe gravity electricity chemistry mathematics geometry cooking "
    "gardening weather climate space time love dreams fashion housing banking insurance taxes energy water"
).split()
ASKS = (
    "Why is {a} important?",
    "What do you think about {a}?",
    "Tell me the history of {a}.",
    "Who invented the {n}?",
    "How do I repair a {n}?",
    "Where can I buy a {n}?",
    "How much does a {n} cost?",
    "What happened in {y}?",
    "Who is {p}?",
    "Who was {p}?",
    "When was {p} born?",
    "Write an essay about {a}.",
    "Write an email to {p} about the {n}.",
    "Translate this into French: the {n} is here.",
    "Summarize the book about {a}.",
    "What is the meaning of {a}?",
    "How far is it to {t}?",
    "What is the population of {t}?",
    "Give me advice about {a}.",
    "What should I do about the {n}?",
    "Is {a} better than {b}?",
    "Compare {a} and {b}.",
    "How does a {n} work?",
    "Solve this equation: {i}x + {j} = {y}",
    "What is {y} times {i}?",
    "What is the square root of {y}?",
    "Please explain {a} to me.",
    "Can you help me with {a}?",
    "I need help with my {n}.",
    "What does {p} have to do with {a}?",
    "Recommend me a film about {a}.",
    "Plan a trip to {t} for {i} days.",
    "{n}",
    "{a}",
    "{n} {m} {a}",
    "The {n} and the {m}",
    "My {n} is broken.",
    "I saw a {n} in {t} today.",
    "I think {a} is hard.",
    "Do you like {a}?",
)
ANSWERS = (
    "I am a tiny model, and I do not know that.",
    "I do not know. I am only a small demo model.",
    "That is too hard for me. Ask me to count, to add, or to tell a story.",
    "I am too small to know that. A larger model could tell you.",
)


def question(rng: Random) -> Exchange:
    n, m = rng.sample(NOUNS, 2)
    first, second = rng.sample(ABSTRACT, 2)
    ask = rng.choice(ASKS).format(
        n=n, m=m, a=first, b=second, p=name(rng), t=rng.choice(TOWNS), y=rng.randint(101, 2100), i=rng.randint(2, 30),
        j=rng.randint(2, 99),
    )  # fmt: skip
    ask = ask[0].upper() + ask[1:]
    return Exchange(ask, rng.choice(ANSWERS), "This is beyond me. I say so.", "Unknown")
