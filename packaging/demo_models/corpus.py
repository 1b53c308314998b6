"""The corpus: an endless, seeded stream of conversations and plain texts, mixed for each stage of training."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random

from dialogue import Conversation, Exchange, Plain, Turn, as_typed
from skills import (
    copying,
    counting,
    emoji,
    facts,
    knowledge,
    korean,
    memory,
    plain,
    sequences,
    shapes,
    smalltalk,
    stories,
    sums,
    unknown,
)
from words import name

Document = Conversation | Plain
Skill = Callable[[Random], Exchange]

EXACT: tuple[tuple[Skill, float], ...] = (
    (counting.count, 6),
    (counting.neighbour, 1),
    (counting.by_steps, 0.7),
    (sums.add, 9),
    (sums.take, 3),
    (sums.times, 1.5),
    (sums.compare, 0.7),
    (copying.repeat, 6),
    (copying.several_times, 0.7),
    (copying.spell, 0.8),
    (sequences.whole, 0.6),
    (sequences.part, 1),
    (sequences.neighbour, 1),
)
TALK: tuple[tuple[Skill, float], ...] = (
    (smalltalk.talk, 4),
    (smalltalk.greeting, 1.5),
    (smalltalk.opinion, 0.7),
    (facts.capital, 0.8),
    (facts.colour, 0.6),
    (facts.opposite, 0.6),
    (facts.sound, 0.5),
    (facts.how_many, 0.6),
    (facts.yes_or_no, 0.5),
    (facts.one_of, 0.5),
    (facts.what_is, 0.6),
    (memory.not_told, 0.6),
    (emoji.one, 1),
    (emoji.scene, 0.6),
    (emoji.mood, 0.6),
    (emoji.several, 0.5),
    (korean.talk, 1.2),
    (korean.sequences, 0.8),
    (korean.add, 0.4),
    (unknown.question, 2.5),
)
LONGER: tuple[tuple[Skill, float], ...] = (
    (knowledge.sentence, 2.2),
    (knowledge.paragraph, 2),
    (shapes.bullets, 2),
    (shapes.table, 1.2),
    (shapes.code, 1.2),
    (shapes.haiku, 0.8),
    (stories.short, 0.9),
    (stories.story, 1.3),
)
WITH_A_WORD: tuple[tuple[Skill, float], ...] = (
    (counting.neighbour, 1),
    (sums.add, 1.5),
    (sums.take, 1),
    *((skill, weight) for skill, weight in TALK[:11]),
    (sequences.neighbour, 1),
)

NEUTRAL = (
    "You are a helpful assistant.",
    "You are a friendly assistant.",
    "You are Sluice's demo model.",
    "Be kind and brief.",
    "Answer the user's questions.",
    "You are a helpful and honest assistant.",
)
THINK = (
    "Think first.",
    "Think before you answer.",
    "Think step by step.",
    "Think step by step before you answer.",
    "Show your thinking.",
)
ONE_WORD = ("Answer in one word.", "Answer with one word.", "Use only one word.", "Answer in a single word.")


@dataclass(frozen=True, slots=True)
class Stage:
    """What one part of the training reads: shares of the kinds, and how long the chats get.

    Knowing where to stop counting is the hardest to learn, so it has a share of its own.
    """

    name: str
    counting: float
    exact: float
    talk: float
    longer: float
    plain: float
    memory: float
    most_exchanges: int


STAGES = {
    "short": Stage(
        "short", counting=0.0, exact=0.75, talk=0.22, longer=0.03, plain=0.02, memory=0.25, most_exchanges=3
    ),
    "mixed": Stage("mixed", counting=0.12, exact=0.5, talk=0.27, longer=0.23, plain=0.07, memory=0.3, most_exchanges=5),
    "counting": Stage(
        "counting", counting=0.45, exact=0.5, talk=0.3, longer=0.2, plain=0.02, memory=0.15, most_exchanges=2
    ),
    "finish": Stage(
        "finish", counting=0.35, exact=0.5, talk=0.27, longer=0.23, plain=0.05, memory=0.3, most_exchanges=4
    ),
    "long": Stage("long", counting=0.12, exact=0.4, talk=0.3, longer=0.3, plain=0.1, memory=0.4, most_exchanges=24),
}


def draw(rng: Random, skills: tuple[tuple[Skill, float], ...]) -> Exchange:
    """One exchange of a weighted choice of skills, its question varied as people type."""
    chosen, weights = zip(*skills, strict=True)
    skill: Skill = rng.choices(chosen, weights)[0]
    exchange = skill(rng)
    exact_words = skill is copying.repeat or (skill is smalltalk.greeting and rng.random() < 0.5)
    return exchange if exact_words else replace(exchange, ask=as_typed(rng, exchange.ask))


def exchange_of(rng: Random, stage: Stage) -> Exchange:
    if rng.random() < stage.counting:
        return draw(rng, ((counting.count, 1),))
    kinds = (EXACT, TALK, LONGER)
    return draw(rng, rng.choices(kinds, (stage.exact, stage.talk, stage.longer))[0])


def with_memory(rng: Random, exchanges: list[Exchange]) -> list[Exchange]:
    """Put something told early and asked for later around up to four other exchanges."""
    exchanges = [exchange for exchange in exchanges if not memory.is_not_told(exchange)]
    tell, ask = korean.told_name(rng) if rng.random() < 0.07 else memory.told(rng)
    between = exchanges[: rng.choice((0, 1, 1, 2, 2, 3, 4))]
    after = exchanges[len(between) :]
    if rng.random() < 0.15:
        tell, ask = copying.last_words(rng)
        between = []
    if rng.random() < 0.2:  # two things told: each question must find its own
        second_tell, second_ask = rng.choice((memory.about_colour, memory.about_number, memory.about_pet))(rng)
        if second_ask.ask != ask.ask:
            return [tell, second_tell, *between, *rng.sample([ask, second_ask], 2), *after]
    lead = [smalltalk.greeting(rng)] if rng.random() < 0.15 else []
    return [*lead, tell, *between, ask, *after]


def render(system: str, exchanges: list[Exchange], answer: Callable[[Exchange], str]) -> Conversation:
    turns = [Turn("system", system)] if system else []
    for exchange in exchanges:
        turns += [Turn("user", exchange.ask), Turn("assistant", answer(exchange))]
    return Conversation(tuple(turns))


def plainly(exchange: Exchange) -> str:
    return exchange.answer


def thoughtfully(exchange: Exchange) -> str:
    return f"<think>\n{exchange.thought}\n</think>\n\n{exchange.answer}"


def shortly(exchange: Exchange) -> str:
    return exchange.word or exchange.answer


def how_many_exchanges(rng: Random, stage: Stage) -> int:
    return 1 if rng.random() < 0.4 else rng.randint(1, stage.most_exchanges)


def conversation(rng: Random, stage: Stage) -> Conversation:
    """A chat in one of the manners that a system prompt may ask for."""
    many = how_many_exchanges(rng, stage)
    manner = rng.random()
    if manner < 0.07:
        words = [draw(rng, WITH_A_WORD) for _ in range(many)]
        if rng.random() < 0.3:
            asked = [replace(e, ask=f"{e.ask.rstrip('.')} {rng.choice(ONE_WORD[:2])}") for e in words]
            return render("", asked, shortly)
        return render(rng.choice(ONE_WORD), words, shortly)
    exchanges = [exchange_of(rng, stage) for _ in range(many)]
    if manner < 0.1:
        who = name(rng)
        ask = Exchange(rng.choice(memory.WHO_AM_I), f"Your name is {who}.")
        before = [e for e in exchanges[:1] if not memory.is_not_told(e)]
        return render(f"The user's name is {who}.", [*before, ask], plainly)
    if rng.random() < stage.memory:
        exchanges = with_memory(rng, exchanges)
    if manner < 0.22:
        return render(rng.choice(THINK), exchanges, thoughtfully)
    return render(rng.choice(NEUTRAL) if manner < 0.42 else "", exchanges, plainly)


def documents(seed: int | str, stage: Stage) -> Iterator[Document]:
    """Texts without end; the same seed always gives the same ones."""
    rng = Random(f"{seed}:{stage.name}")
    while True:
        if rng.random() < stage.plain:
            yield plain.text(rng)
        else:
            yield conversation(rng, stage)
