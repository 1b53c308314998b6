"""Little stories of about 100 to 600 words, in chat and as prose that goes on."""

from random import Random

from dialogue import Exchange
from grammar import expand
from skills.story_lines import ENDINGS, EPISODES, FINDS, HEROES, OPENINGS, PLACES, TREASURES
from words import MONTHS, WEATHER, a, name

PRONOUNS = (
    {"he": "he", "his": "his", "him": "him", "He": "He"},
    {"he": "she", "his": "her", "him": "her", "He": "She"},
)
LENGTHS = {"short": (1, 2), "": (3, 5), "long": (7, 11)}

ASKS = (
    "Tell me a {l} story.",
    "Write a {l} story.",
    "Tell me a {l} story about {h}.",
    "Write a {l} story about {h}.",
    "Write a {l} story about {h} called {n}.",
    "Tell me a {l} story with {t}.",
    "I would like a {l} story about {h}.",
    "Write me a {l} tale about {h} and {s}.",
)


def slots(rng: Random) -> dict[str, str]:
    """Who, where and what for one story."""
    hero, second = rng.sample(HEROES, 2)
    thing = rng.choice(TREASURES)
    return {
        "hero": hero,
        "a_hero": a(hero),
        "second": second,
        "name": name(rng),
        "friend": name(rng),
        "place": rng.choice(PLACES),
        "thing": thing,
        "the_thing": f"the {thing.split(' ', 1)[1]}",
        "weather": rng.choice(WEATHER),
        "month": rng.choice(MONTHS),
        **rng.choice(PRONOUNS),
    }


def tell(rng: Random, filled: dict[str, str], episodes: int, ending: bool = True) -> str:
    """A story with so many episodes; the friend is met before anything else needs one."""
    meeting, *others = [EPISODES[1], *rng.sample(EPISODES[2:], min(episodes, len(EPISODES) - 2))]
    setting_out = [EPISODES[0]] if episodes > 1 else []
    parts = [rng.choice(OPENINGS), rng.choice(FINDS), *setting_out, meeting, *others]
    if episodes == 1:
        parts = [parts[0], parts[1], meeting]
    if ending:
        parts.append(rng.choice(ENDINGS))
    return "\n\n".join(expand(rng, part, filled) for part in parts)


def story(rng: Random) -> Exchange:
    length = rng.choices(list(LENGTHS), (3, 4, 2))[0]
    return of_length(rng, length)


def short(rng: Random) -> Exchange:
    return of_length(rng, "short")


def of_length(rng: Random, length: str) -> Exchange:
    """A request for a story, and the story it asks for."""
    filled = slots(rng)
    ask = rng.choice(ASKS).format(
        l=length, h=filled["a_hero"], n=filled["name"], t=filled["thing"], s=a(filled["second"])
    )
    thought = f"The story is about {filled['a_hero']} called {filled['name']}."
    return Exchange(ask.replace("  ", " "), tell(rng, filled, rng.randint(*LENGTHS[length])), thought)


def going_on(rng: Random) -> str:
    """A long story without its end, as plain texts have it."""
    return tell(rng, slots(rng), rng.randint(5, 14), ending=rng.random() < 0.5)
