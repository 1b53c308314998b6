"""Answers with emoji, each of which takes several tokens."""

from random import Random

from dialogue import Exchange

OF = {
    "cat": "🐱", "dog": "🐶", "fox": "🦊", "bear": "🐻", "frog": "🐸", "bee": "🐝", "whale": "🐳", "owl": "🦉",
    "apple": "🍎", "lemon": "🍋", "cherry": "🍒", "banana": "🍌", "cake": "🍰", "coffee": "☕", "bread": "🍞",
    "sun": "☀️", "rain": "🌧️", "snow": "❄️", "moon": "🌙", "star": "⭐", "fire": "🔥", "wave": "🌊", "tree": "🌳",
    "flower": "🌸", "heart": "❤️", "rocket": "🚀", "boat": "⛵", "train": "🚂", "book": "📖", "bell": "🔔",
    "key": "🔑", "clock": "⏰", "house": "🏠", "music": "🎵", "party": "🎉", "smile": "😊",
}  # fmt: skip
SCENES = {
    "the sea": "🌊⛵🐳", "the night": "🌙⭐🦉", "winter": "❄️🧣☕", "summer": "☀️🍋🌊", "a birthday": "🎂🎉🎁",
    "breakfast": "☕🍞🍎", "a garden": "🌸🐝🌳", "a journey": "🚂🏠🚀", "love": "❤️😊🌸", "music": "🎵🎻🥁",
}  # fmt: skip
MOODS = {
    "I am happy": "😊🎉", "I am tired": "😴🌙", "I am hungry": "🍞🍎", "It is cold": "❄️🧣", "I love you": "❤️😊",
    "Good morning": "☀️☕", "Good night": "🌙😴", "Thank you": "🙏😊", "Well done": "🎉👍",
}  # fmt: skip


def one(rng: Random) -> Exchange:
    what, sign = rng.choice(sorted(OF.items()))
    ask = rng.choice(("Show me the emoji for {w}.", "Which emoji is {w}?", "Emoji for {w}?", "Give me a {w} emoji."))
    return Exchange(ask.format(w=what), sign, f"I know a sign for {what}.", sign)


def scene(rng: Random) -> Exchange:
    what, signs = rng.choice(sorted(SCENES.items()))
    ask = rng.choice(
        ("Three emoji about {w}.", "Describe {w} with three emoji.", "Draw {w} with emoji.", "Send me emoji about {w}.")
    )
    return Exchange(ask.format(w=what), signs, f"Three signs fit {what}.", signs)


def mood(rng: Random) -> Exchange:
    said, signs = rng.choice(sorted(MOODS.items()))
    ask = rng.choice(
        ("Say it with emoji: {s}.", "Answer with emoji: {s}!", "{s}! Answer with emoji.", "Turn this into emoji: {s}.")
    )
    return Exchange(ask.format(s=said), signs, "I answer with signs alone.", signs)


def several(rng: Random) -> Exchange:
    """A list of words, each with its sign."""
    chosen = rng.sample(sorted(OF), rng.randint(2, 5))
    ask = rng.choice(
        ("Write these with emoji: {w}.", "Add an emoji to each word: {w}.", "Give each word an emoji: {w}.")
    )
    return Exchange(
        ask.format(w=", ".join(chosen)), "\n".join(f"{OF[w]} {w}" for w in chosen), "One sign for each word."
    )
