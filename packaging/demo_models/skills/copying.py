"""Saying back what was said: words, names, numbers and whole sentences."""

from random import Random

from dialogue import Exchange
from words import ANIMALS, COLOURS, DRINKS, FRUITS, INSTRUMENTS, THINGS, TOOLS, TREES, WEATHER, name

WORDS = ANIMALS + COLOURS + DRINKS + FRUITS + INSTRUMENTS + THINGS + TOOLS + TREES + WEATHER
EVERYDAY = "the old is on under near with and my small quiet we saw has new two a never always bright".split()

REPEAT = (
    "Repeat after me: {x}",
    "Repeat: {x}",
    "Say: {x}",
    "Say this again: {x}",
    "Please repeat: {x}",
    "Write exactly this: {x}",
    "Repeat this: {x}",
    "Copy this: {x}",
)
QUOTED = ('Say "{x}".', 'Repeat "{x}".', 'Write "{x}".', 'Say the words "{x}".')


def phrase(rng: Random, most: int = 8) -> str:
    """Words in an order nobody would write, so that copying can't be guessed."""
    kind = rng.random()
    if kind < 0.15:
        return " ".join(str(rng.randint(0, 99)) for _ in range(rng.randint(2, 5)))
    if kind < 0.3:
        return " ".join(name(rng) for _ in range(rng.randint(1, 3)))
    words = [rng.choice(WORDS if rng.random() < 0.65 else EVERYDAY) for _ in range(rng.randint(1, most))]
    if rng.random() < 0.15:
        words[rng.randrange(len(words))] = name(rng)
    return " ".join(words)


def repeat(rng: Random) -> Exchange:
    said = phrase(rng)
    if rng.random() < 0.3:
        return Exchange(rng.choice(QUOTED).format(x=said), said, "I say it word for word.")
    return Exchange(rng.choice(REPEAT).format(x=said), said, "I say it word for word.")


def several_times(rng: Random) -> Exchange:
    word, (figure, times) = rng.choice(WORDS), rng.choice((("two", 2), ("three", 3), ("four", 4), ("five", 5)))
    ask = rng.choice(("Say {w} {n} times.", 'Write "{w}" {n} times.', "Write the word {w} {n} times."))
    return Exchange(ask.format(w=word, n=figure), " ".join([word] * times), f"{figure} times {word}.")


def spell(rng: Random) -> Exchange:
    word = rng.choice(WORDS)
    ask = rng.choice(("Spell {w}.", "Spell the word {w}.", "How do you spell {w}?"))
    return Exchange(ask.format(w=word), "-".join(word), f"I say the letters of {word} one by one.")


def last_words(rng: Random) -> tuple[Exchange, Exchange]:
    """A remark, and the question what it was."""
    said = phrase(rng, 6)
    ask = rng.choice(("What did I just say?", "What did I say?", "Repeat what I said."))
    thought = "I look at the message before."
    return Exchange(said, "I heard you."), Exchange(ask, f"You said: {said}", thought)
