"""Simple facts with an answer of one word or one sentence."""

from random import Random

from dialogue import Exchange
from words import CATEGORIES

CAPITALS = {
    "France": "Paris",
    "Germany": "Berlin",
    "Italy": "Rome",
    "Spain": "Madrid",
    "Japan": "Tokyo",
    "Korea": "Seoul",
    "South Korea": "Seoul",
    "China": "Beijing",
    "England": "London",
    "Norway": "Oslo",
    "Sweden": "Stockholm",
    "Poland": "Warsaw",
    "Greece": "Athens",
    "Egypt": "Cairo",
    "Austria": "Vienna",
    "Portugal": "Lisbon",
    "Ireland": "Dublin",
    "Canada": "Ottawa",
    "Denmark": "Copenhagen",
    "Finland": "Helsinki",
}
COLOUR_OF = {
    "the sky": "Blue",
    "grass": "Green",
    "snow": "White",
    "blood": "Red",
    "coal": "Black",
    "a lemon": "Yellow",
    "a carrot": "Orange",
    "milk": "White",
    "the sun": "Yellow",
    "a plum": "Purple",
    "a ripe tomato": "Red",
    "a leaf": "Green",
}
OPPOSITES = {
    "hot": "cold",
    "big": "small",
    "fast": "slow",
    "day": "night",
    "old": "new",
    "up": "down",
    "light": "dark",
    "happy": "sad",
    "full": "empty",
    "early": "late",
    "loud": "quiet",
    "open": "closed",
    "wet": "dry",
    "long": "short",
    "left": "right",
    "first": "last",
}
SOUNDS = {
    "a cat": "Meow",
    "a dog": "Woof",
    "a cow": "Moo",
    "a sheep": "Baa",
    "a duck": "Quack",
    "a frog": "Ribbit",
    "a crow": "Caw",
    "a bee": "Buzz",
    "a horse": "Neigh",
    "an owl": "Hoot",
}
HOW_MANY = {
    "days are in a week": "seven",
    "months are in a year": "twelve",
    "legs has a dog": "four",
    "legs has a spider": "eight",
    "legs has a bee": "six",
    "hours are in a day": "twenty-four",
    "minutes are in an hour": "sixty",
    "letters are in the alphabet": "twenty-six",
    "wheels has a bicycle": "two",
    "sides has a triangle": "three",
}
YES_OR_NO = {
    "Is ice cold?": ("Yes", "ice is cold"),
    "Is fire cold?": ("No", "fire is hot"),
    "Can a fish swim?": ("Yes", "a fish can swim"),
    "Can a stone fly?": ("No", "a stone can not fly"),
    "Is the sea dry?": ("No", "the sea is wet"),
    "Is a whale big?": ("Yes", "a whale is very big"),
    "Can an owl see at night?": ("Yes", "an owl sees well at night"),
    "Is snow warm?": ("No", "snow is cold"),
    "Do cats bark?": ("No", "dogs bark and cats meow"),
    "Does the sun shine at night?": ("No", "the sun shines by day"),
    "Is a plum a fruit?": ("Yes", "a plum is a fruit"),
    "Is a drum a fruit?": ("No", "a drum is an instrument"),
}


def capital(rng: Random) -> Exchange:
    country, town = rng.choice(sorted(CAPITALS.items()))
    ask = rng.choice(("What is the capital of {c}?", "Which city is the capital of {c}?", "Name the capital of {c}."))
    return Exchange(ask.format(c=country), f"The capital of {country} is {town}.", f"The city is {town}.", town)


def colour(rng: Random) -> Exchange:
    thing, found = rng.choice(sorted(COLOUR_OF.items()))
    ask = rng.choice(("What colour is {t}?", "What color is {t}?", "Which colour has {t}?")).format(t=thing)
    return Exchange(ask, f"{thing.capitalize()} is {found.lower()}.", f"I see {thing} before me.", found)


def opposite(rng: Random) -> Exchange:
    one, other = rng.choice(sorted(OPPOSITES.items()))
    if rng.random() < 0.5:
        one, other = other, one
    ask = rng.choice(("What is the opposite of {w}?", "Name the opposite of {w}.", "What is the contrary of {w}?"))
    answer = f"The opposite of {one} is {other}."
    return Exchange(ask.format(w=one), answer, f"{one} and {other} are a pair.", other.capitalize())


def sound(rng: Random) -> Exchange:
    animal, heard = rng.choice(sorted(SOUNDS.items()))
    ask = rng.choice(("What does {a} say?", "What sound does {a} make?", "Which sound does {a} make?"))
    return Exchange(ask.format(a=animal), f"{animal.capitalize()} says {heard.lower()}.", f"I hear {animal}.", heard)


def how_many(rng: Random) -> Exchange:
    what, number = rng.choice(sorted(HOW_MANY.items()))
    return Exchange(f"How many {what}?", f"The answer is {number}.", f"I count {number}.", number.capitalize())


def yes_or_no(rng: Random) -> Exchange:
    ask, (word, because) = rng.choice(sorted(YES_OR_NO.items()))
    return Exchange(ask, f"{word}, {because}.", f"I know that {because}.", word)


def one_of(rng: Random) -> Exchange:
    """Name one thing of a kind: any will do."""
    kind = rng.choice([name for name in CATEGORIES if name.endswith("s")])
    found = rng.choice(CATEGORIES[kind])
    one = kind[:-1]
    ask = rng.choice(("Name one {k}.", "Tell me one {k}.", "Give me one {k}.")).format(k=one)
    return Exchange(ask, f"One {one} is {found}.", f"I choose {found}.", found.capitalize())


def what_is(rng: Random) -> Exchange:
    """Which kind a thing belongs to."""
    kind = rng.choice([name for name in CATEGORIES if name.endswith("s")])
    thing, one = rng.choice(CATEGORIES[kind]), kind[:-1]
    ask = rng.choice(("What kind of thing is {t}?", "What sort of thing is {t}?")).format(t=thing)
    article = "an" if one[0] in "aeiou" else "a"
    return Exchange(
        ask, f"{thing.capitalize()} is {article} {one}.", f"{thing} is one of the {kind}.", one.capitalize()
    )
