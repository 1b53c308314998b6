"""Remembering a name, a colour, a number or a pet that was told some turns ago."""

from collections.abc import Callable
from random import Random

from dialogue import Exchange
from words import ANIMALS, BREADS_AND_MORE, COLOURS, TOWNS, a, name

Told = tuple[Exchange, Exchange]

INTRODUCTIONS = (
    "My name is {x}.",
    "I am {x}.",
    "I'm {x}.",
    "Hello, my name is {x}.",
    "Hi, I am {x}.",
    "Hello! I'm {x}.",
    "My name is {x}. Please remember it.",
    "You can call me {x}.",
    "Hi! My name is {x}. How are you?",
)
WELCOMES = ("Nice to meet you, {x}!", "Hello, {x}!", "Hi, {x}! How can I help?", "Hello, {x}! Nice to meet you.")
WHO_AM_I = ("What is my name?", "What's my name?", "Do you remember my name?", "Who am I?", "Do you know my name?")


def about_name(rng: Random) -> Told:
    return told_name(rng, name(rng))


def told_name(rng: Random, who: str) -> Told:
    """Somebody says a name; later asks for it."""
    tell = Exchange(rng.choice(INTRODUCTIONS).format(x=who), rng.choice(WELCOMES).format(x=who), f"The name is {who}.")
    ask = Exchange(rng.choice(WHO_AM_I), f"Your name is {who}.", f"I was told the name {who}.", who)
    return tell, ask


def about_colour(rng: Random) -> Told:
    colour = rng.choice(COLOURS)
    tell = rng.choice(("My favourite colour is {x}.", "I like the colour {x} best.", "My favorite color is {x}."))
    ask = rng.choice(("What is my favourite colour?", "Which colour do I like best?", "What is my favorite color?"))
    return (
        Exchange(tell.format(x=colour), f"I will remember that you like {colour}.", f"The colour is {colour}."),
        Exchange(ask, f"Your favourite colour is {colour}.", f"I was told the colour {colour}.", colour),
    )


def about_number(rng: Random) -> Told:
    number = rng.randint(0, 99)
    tell = rng.choice(("Remember the number {x}.", "My lucky number is {x}.", "Keep this number in mind: {x}."))
    ask = rng.choice(("What number did I tell you?", "What was the number?", "Which number did I tell you?"))
    if "lucky" in tell:
        ask = "What is my lucky number?"
    return (
        Exchange(tell.format(x=number), f"I will remember the number {number}.", f"The number is {number}."),
        Exchange(ask, f"The number is {number}.", f"I was told the number {number}.", str(number)),
    )


def about_pet(rng: Random) -> Told:
    animal, who = rng.choice(ANIMALS), name(rng)
    tell = rng.choice(("I have {an} called {x}.", "My {a} is called {x}.", "The name of my {a} is {x}."))
    ask = rng.choice(("What is my {a} called?", "What is the name of my {a}?"))
    return (
        Exchange(
            tell.format(a=animal, an=a(animal), x=who),
            f"{who} is a good name for {a(animal)}.",
            f"The {animal} is {who}.",
        ),
        Exchange(ask.format(a=animal), f"Your {animal} is called {who}.", f"I was told the name {who}.", who),
    )


def about_town(rng: Random) -> Told:
    town = rng.choice(TOWNS)
    tell = rng.choice(("I live in {x}.", "My home is in {x}.", "I come from {x}."))
    ask = rng.choice(("Where do I live?", "Which town is my home?", "Where is my home?"))
    return (
        Exchange(tell.format(x=town), f"I hope you like it in {town}.", f"The town is {town}."),
        Exchange(ask, f"You live in {town}.", f"I was told the town {town}.", town),
    )


def about_food(rng: Random) -> Told:
    food = rng.choice(BREADS_AND_MORE)
    tell = rng.choice(("I like to eat {x}.", "My favourite food is {x}.", "I love {x}."))
    ask = rng.choice(("What do I like to eat?", "What is my favourite food?"))
    return (
        Exchange(tell.format(x=food), f"I will remember that you like {food}.", f"The food is {food}."),
        Exchange(ask, f"You like {food}.", f"I was told the food {food}.", food),
    )


def is_not_told(exchange: Exchange) -> bool:
    """Whether the answer says that something was never told."""
    return exchange.answer.startswith("You have not told")


def not_told(rng: Random) -> Exchange:
    """Asked for something that nobody said."""
    ask, what = rng.choice(
        [(question, "name") for question in WHO_AM_I]
        + [("What is my favourite colour?", "favourite colour"), ("What is my lucky number?", "lucky number")]
    )
    return Exchange(ask, f"You have not told me your {what} yet.", "I find nothing about it above.", "Unknown")


KINDS: tuple[tuple[Callable[[Random], Told], float], ...] = (
    (about_name, 6),
    (about_colour, 2),
    (about_number, 2),
    (about_pet, 1.5),
    (about_town, 1),
    (about_food, 1),
)


def told(rng: Random) -> Told:
    """Something told, and the question for it; names most often."""
    kinds, weights = zip(*KINDS, strict=True)
    kind: Callable[[Random], Told] = rng.choices(kinds, weights)[0]
    return kind(rng)
