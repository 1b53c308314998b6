"""What the evaluation asks: prompts that the corpus never holds, and how each answer is judged."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

from corpus import EXACT, LONGER, TALK, draw
from skills import counting, memory, smalltalk, stories, sums
from words import new_name

Judge = Callable[[str], bool]

# Prompts nobody wrote a grammar for: what people type first into a new chat.
UNPREPARED = (
    "Hello, what's up?",
    "hi",
    "Who is the president?",
    "Write me a poem about autumn leaves.",
    "What is 12345 + 67890?",
    "Why is the sky blue?",
    "Can you write code in Rust?",
    "Tell me something interesting.",
    "asdfghjkl",
    "Explain quantum computing like I'm five.",
    "What is the meaning of life?",
    "How do I boil an egg?",
    "1, 2, 3",
    "Translate good morning into German.",
    "Please summarize the following text: The cat sat on the mat.",
    "What's the difference between a list and a tuple?",
    "Give me a recipe for pancakes.",
    "Are you ChatGPT?",
    "What can I ask you?",
    "오늘 날씨 어때요?",
    "한국어로 대답해 주세요.",
    "🙂",
    "?",
    "Write a tweet about MLX.",
    "What is a neural network?",
)
RAW = (
    "Count 1 to 5",
    "Count 3 to 9",
    "Count from 14 to 20",
    "What is 3 + 4?",
    "Hello",
    "Once upon a time",
    "Once there was a fox",
    "The old lighthouse",
    "A token is",
    "Dear diary",
    "Monday.",
    "Write a story",
    "Explain sampling.",
    "Repeat after me: blue",
    "My name is Alma.",
    "The sea was",
    "Tell me a joke.",
    "def add(a, b):",
    "In the beginning",
    "List three fruits.",
)


@dataclass(frozen=True, slots=True)
class Case:
    """One conversation whose last answer is judged; the user's turns are asked one after the other."""

    asks: tuple[str, ...]
    judge: Judge


def same(expected: str) -> Judge:
    return lambda answer: answer.strip().rstrip(".") == expected


def ends_with(expected: str) -> Judge:
    return lambda answer: answer.strip().rstrip(".").split()[-1:] == [expected]


def holds(expected: str) -> Judge:
    return lambda answer: expected in answer


def counts(seed: str) -> Iterator[Case]:
    """Counting between ends that were kept out of the corpus."""
    rng = Random(f"{seed}:counting")
    while True:
        first, last = counting.pair(rng)
        if counting.is_new(first, last):
            form = rng.choice(counting.UP if last >= first else counting.DOWN)
            yield Case((form.format(a=first, b=last),), same(counting.figures(first, last)))


def additions(seed: str) -> Iterator[Case]:
    """Sums whose ordered pair was kept out of the corpus."""
    rng = Random(f"{seed}:sums")
    while True:
        a, b = rng.choice(sums.new_pairs())
        yield Case((rng.choice(sums.ADD).format(a=a, b=b),), ends_with(str(a + b)))


def names(seed: str) -> Iterator[Case]:
    """A name from outside the corpus, asked for two or three turns after it was told."""
    rng = Random(f"{seed}:names")
    while True:
        who = new_name(rng)
        told, asked = memory.told_name(rng, who)
        between = [
            draw(rng, ((smalltalk.talk, 1), (sums.add, 1), (counting.count, 1))) for _ in range(rng.choice((1, 2)))
        ]
        yield Case((told.ask, *(exchange.ask for exchange in between), asked.ask), holds(who))


def chats(seed: str) -> Iterator[Case]:
    """Chat prompts that should end soon: those nobody prepared, then all skills with short answers."""
    rng = Random(f"{seed}:chats")
    for ask in UNPREPARED:
        yield Case((ask,), lambda answer: True)
    brief = (
        *EXACT,
        *TALK,
        *((skill, weight) for skill, weight in LONGER if skill not in (stories.story, stories.short)),
    )
    while True:
        yield Case((draw(rng, brief).ask,), lambda answer: True)


def story_asks(seed: str) -> Iterator[str]:
    rng = Random(f"{seed}:stories")
    while True:
        yield stories.story(rng).ask


def loops(text: str, shortest: int = 3, times: int = 3) -> bool:
    """Whether some run of three words or more comes three times in a row, or hardly anything is new."""
    words = text.split()
    for size in range(shortest, len(words) // times + 1):
        for start in range(len(words) - size * times + 1):
            block = words[start : start + size]
            if all(words[start + size * i : start + size * (i + 1)] == block for i in range(1, times)):
                return True
    windows = [tuple(words[i : i + 8]) for i in range(max(0, len(words) - 7))]
    return len(windows) > 20 and len(set(windows)) < 0.6 * len(windows)
