"""Answers with a shape: lists, Markdown tables, Python code and haiku."""

from random import Random

from dialogue import Exchange
from words import CATEGORIES, in_order, in_words

COUNT_WORDS = range(2, 8)


def bullets(rng: Random) -> Exchange:
    """A list with dots or numbers, as long as was asked."""
    kind, members = rng.choice(sorted(CATEGORIES.items()))
    size = rng.choice(COUNT_WORDS)
    chosen = in_order(rng, members, size)
    number = rng.choice((str(size), in_words(size)))
    thought = f"I need {in_words(size)} {kind}."
    if rng.random() < 0.5:
        ask = rng.choice(("List {n} {k}.", "Name {n} {k}.", "Give me a list of {n} {k}.", "Give me {n} {k}."))
        lines = [f"{place}. {item}" for place, item in enumerate(chosen, 1)]
    else:
        ask = rng.choice(("Give me a bullet list of {n} {k}.", "List {n} {k} with bullets.", "{n} {k} as bullets."))
        lines = [f"- {item}" for item in chosen]
    ask = ask.format(n=number, k=kind)
    return Exchange(ask[0].upper() + ask[1:], "\n".join(lines), thought)


FRUIT_FACTS = {
    "apple": ("red", "autumn", "tree"),
    "pear": ("green", "autumn", "tree"),
    "plum": ("purple", "summer", "tree"),
    "cherry": ("red", "summer", "tree"),
    "lemon": ("yellow", "winter", "tree"),
    "orange": ("orange", "winter", "tree"),
    "grape": ("purple", "autumn", "vine"),
    "banana": ("yellow", "all year", "plant"),
}
ANIMAL_FACTS = {
    "cat": ("4", "meow", "house"),
    "dog": ("4", "woof", "house"),
    "bee": ("6", "buzz", "hive"),
    "duck": ("2", "quack", "pond"),
    "frog": ("4", "ribbit", "pond"),
    "horse": ("4", "neigh", "stable"),
    "crow": ("2", "caw", "nest"),
    "owl": ("2", "hoot", "nest"),
}
TABLES: tuple[tuple[str, dict[str, tuple[str, str, str]], tuple[str, str, str]], ...] = (
    ("fruit", FRUIT_FACTS, ("Colour", "Season", "Grows on")),
    ("animal", ANIMAL_FACTS, ("Legs", "Sound", "Home")),
)


def table(rng: Random) -> Exchange:
    """A Markdown table of some things and what is known of them."""
    kind, facts, columns = rng.choice(TABLES)
    size = rng.randint(2, 5)
    shown = sorted(rng.sample(range(3), rng.choice((1, 2, 2, 3))))
    head = [kind.capitalize(), *(columns[i] for i in shown)]
    rows = [[item, *(facts[item][i] for i in shown)] for item in in_order(rng, list(facts), size)]
    lines = [head, ["---"] * len(head), *rows]
    wanted = " and ".join(columns[i].lower() for i in shown)
    ask = rng.choice(
        (
            "Make a table of {n} {k}s with {w}.",
            "Write a Markdown table of {n} {k}s with {w}.",
            "A table of {n} {k}s: {w}.",
        )
    ).format(n=in_words(size), k=kind, w=wanted)
    if len(shown) == 3 and rng.random() < 0.5:
        ask = rng.choice(("Make a table of {k}s.", "Show me a table of {k}s.", "Write a Markdown table.")).format(
            k=kind
        )
    return Exchange(ask, "\n".join(f"| {' | '.join(row)} |" for row in lines), f"The columns are {', '.join(head)}.")


CODE: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (("adds two numbers", "returns the sum of two numbers"), "add(a, b)", "return a + b"),
    (("multiplies two numbers",), "multiply(a, b)", "return a * b"),
    (("says hello", "greets somebody"), "greet(name)", 'return f"Hello, {name}!"'),
    (("counts from one to n", "counts to n"), "count(n)", "for i in range(1, n + 1):\n        print(i)"),
    (("tells whether a number is even", "checks for even numbers"), "is_even(n)", "return n % 2 == 0"),
    (("finds the larger of two numbers",), "larger(a, b)", "return a if a > b else b"),
    (("reverses a word", "turns a word round"), "reverse(word)", "return word[::-1]"),
    (("squares a number",), "square(n)", "return n * n"),
    (("counts the words of a text",), "count_words(text)", "return len(text.split())"),
    (("sums a list",), "total(numbers)", "return sum(numbers)"),
    (("says whether a list is empty",), "is_empty(items)", "return len(items) == 0"),
    (
        ("computes a factorial",),
        "factorial(n)",
        "result = 1\n    for i in range(2, n + 1):\n        result *= i\n    return result",
    ),
)


def code(rng: Random) -> Exchange:
    """A short Python function in a fenced block."""
    tasks, head, body = rng.choice(CODE)
    task = rng.choice(tasks)
    ask = rng.choice(
        ("Write a Python function that {t}.", "Show me a Python function that {t}.", "Write code that {t}.")
    ).format(t=task)
    block = f"```python\ndef {head}:\n    {body}\n```"
    answer = block if rng.random() < 0.5 else f"This function {task}:\n\n{block}"
    return Exchange(ask, answer, f"I need a function that {task}.")


# Lines of five and of seven syllables, each set about one subject.
HAIKU: dict[str, tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]] = {
    "the sea": (
        ("The tide comes at dawn", "Grey waves on the shore", "Salt wind in my hair"),
        ("a small boat turns to the light", "one white gull above the foam", "the harbour bell rings and rings"),
        ("then the fog is gone", "nobody is there", "the sand keeps no track"),
    ),
    "rain": (
        ("Rain on the tin roof", "Clouds over the hill", "Drops run down the glass"),
        ("the old cat sleeps by the stove", "the garden drinks and is still", "a snail walks across the path"),
        ("and the street shines black", "tea grows cold for me", "the night smells of earth"),
    ),
    "snow": (
        ("Snow falls on the pines", "White fields and no sound", "The first frost of night"),
        ("a fox leaves a line of steps", "smoke stands over the cottage", "the river is a hard road"),
        ("and the moon looks on", "no bird says a word", "the dog dreams of spring"),
    ),
    "spring": (
        ("The ice breaks at last", "Green light in the wood", "A bud on the branch"),
        ("the first bee looks for its bloom", "the hedgehog wakes with a yawn", "old men sit out on the bench"),
        ("and the days grow long", "the brook starts to talk", "my coat stays at home"),
    ),
    "night": (
        ("One lamp on the road", "The town is asleep", "Stars over the barn"),
        ("an owl calls and none replies", "the clock counts for itself now", "a train goes by far away"),
        ("I close the blue book", "the dark holds its breath", "sleep comes like the tide"),
    ),
    "a computer": (
        ("The small fan hums on", "A cursor that blinks", "Light out of the screen"),
        ("token by token it writes", "it guesses what I will say", "the cache fills up in silence"),
        ("then comes the last mark", "and I let it guess", "what does it dream of"),
    ),
}


def haiku(rng: Random) -> Exchange:
    subject, lines = rng.choice(sorted(HAIKU.items()))
    ask = rng.choice(("Write a haiku about {s}.", "A haiku about {s}, please.", "Make a haiku about {s}.")).format(
        s=subject
    )
    if rng.random() < 0.2:
        ask = "Write a haiku."
    return Exchange(ask, "\n".join(rng.choice(choice) for choice in lines), f"Five, seven, five, about {subject}.")
