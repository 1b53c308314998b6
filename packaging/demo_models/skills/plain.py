"""Prose without roles: what a raw prompt continues, and mostly without an end."""

from collections.abc import Callable
from random import Random

from dialogue import Plain
from skills import copying, counting, facts, knowledge, memory, sequences, shapes, smalltalk, stories, sums
from words import WEEKDAYS, name

ENDING_SHARE = 0.06

SOURCES = (
    counting.count,
    counting.count,
    counting.neighbour,
    sums.add,
    sums.take,
    facts.capital,
    facts.opposite,
    facts.sound,
    sequences.whole,
    sequences.neighbour,
    copying.repeat,
    shapes.bullets,
    smalltalk.greeting,
)


def worksheet(rng: Random) -> str:
    """Tasks one after the other; only some have an answer below."""
    answered = rng.choice((0.0, 0.4, 0.9))
    lines = []
    for _ in range(rng.randint(8, 16)):
        task = rng.choice(SOURCES)(rng)
        lines.append(f"{task.ask}\n{task.answer}" if rng.random() < answered else task.ask)
    return rng.choice(("\n", "\n\n", " ")).join(lines)


def counting_text(rng: Random) -> str:
    """What follows a bare `Count 1 to 5`: more tasks of its kind."""
    tasks = [counting.count(rng) for _ in range(rng.randint(6, 12))]
    between = rng.choice((" ", "\n", " Then "))
    text = ""
    for task in tasks:
        ask = task.ask.rstrip(".?") if rng.random() < 0.6 else task.ask
        text += ask + (": " + task.answer + "." if rng.random() < 0.6 else ".") + between
    return text.strip()


def diary(rng: Random) -> str:
    """A few days in somebody's notebook."""
    who = name(rng)
    days = []
    for day in WEEKDAYS[rng.randint(0, 3) :]:
        seen = " ".join(rng.choice(copying.WORDS) for _ in range(rng.randint(1, 2)))
        days.append(
            f"{day}. {rng.choice(('I met', 'I wrote to', 'I thought of', 'I waited for'))} {who}. "
            f"{rng.choice(('We talked about the', 'I saw the', 'I lost the', 'I dreamed of the'))} {seen}. "
            f"{rng.choice(('It rained all day.', 'The sun came out.', 'I slept badly.', 'Then I went home.'))}"
        )
    return "\n\n".join(days)


def dialogue_in_prose(rng: Random) -> str:
    """Talk between two people, told."""
    one, other = name(rng), name(rng)
    lines = []
    for _ in range(rng.randint(3, 7)):
        exchange = rng.choice((smalltalk.talk, facts.yes_or_no, facts.colour, memory.not_told))(rng)
        lines.append(f'"{exchange.ask}" said {one}.\n"{exchange.answer}" said {other}.')
    return "\n".join(lines)


def article(rng: Random) -> str:
    return "\n\n".join(knowledge.article(rng) for _ in range(rng.randint(2, 4)))


def code_file(rng: Random) -> str:
    """Some functions under each other."""
    blocks = {shapes.code(rng).answer.split("```python\n")[1].removesuffix("\n```") for _ in range(5)}
    return "\n\n".join(sorted(blocks))


KINDS: tuple[tuple[Callable[[Random], str], float], ...] = (
    (stories.going_on, 4),
    (worksheet, 3),
    (counting_text, 2),
    (diary, 1),
    (dialogue_in_prose, 1),
    (article, 1.5),
    (code_file, 0.4),
)


def text(rng: Random) -> Plain:
    """Two or three pieces of prose, running on into each other."""
    kinds, weights = zip(*KINDS, strict=True)
    pieces = [kind(rng) for kind in rng.choices(kinds, weights, k=rng.randint(2, 3))]
    return Plain("\n\n".join(pieces), ends=rng.random() < ENDING_SHARE)
