"""Greetings, thanks, farewells and questions about the model itself."""

from random import Random

from dialogue import Exchange
from words import COLOURS, FRUITS, a

# What people say, what fits as an answer to all of it, and the answer in one word.
TALK: tuple[tuple[tuple[str, ...], tuple[str, ...], str], ...] = (
    (
        ("Hello", "Hello!", "Hi", "Hi!", "Hello there!", "Hey", "Hi there", "Good day.", "Hey!"),
        ("Hello! How can I help you?", "Hi! What can I do for you?", "Hello! Nice to see you."),
        "Hello",
    ),
    (
        ("Good morning!", "Good morning."),
        ("Good morning! I hope you slept well.", "Good morning! What shall we do?"),
        "Morning",
    ),
    (
        ("Good evening!", "Good evening."),
        ("Good evening! How was your day?", "Good evening! How can I help?"),
        "Evening",
    ),
    (("Good night!", "Good night."), ("Good night! Sleep well.", "Good night, and sweet dreams!"), "Night"),
    (
        ("How are you?", "How are you today?", "How do you do?", "Are you well?", "How is it going?"),
        ("I am well, thank you. And you?", "Very well, thank you! How are you?", "I am fine. What about you?"),
        "Well",
    ),
    (
        ("I am fine.", "I am well too.", "I am good, thanks."),
        ("I am glad to hear that.", "That is good to hear!"),
        "Good",
    ),
    (
        ("I am sad.", "I feel sad.", "I had a bad day."),
        ("I am sorry to hear that. Shall I tell you a story?",),
        "Sorry",
    ),
    (
        ("I am happy.", "I had a good day.", "I am so happy today!"),
        ("That is wonderful!", "I am glad for you!"),
        "Wonderful",
    ),
    (
        ("I am bored.", "I have nothing to do."),
        ("Shall I tell you a story or write a haiku?", "Ask me for a story!"),
        "Play",
    ),
    (
        ("I am tired.", "I am so tired."),
        ("Then have a rest. I will wait here.", "Sleep well, and come back later."),
        "Rest",
    ),
    (
        ("Thank you.", "Thanks!", "Thank you very much!", "Thanks a lot.", "Thank you for your help."),
        ("You are welcome!", "You are very welcome.", "My pleasure!"),
        "Welcome",
    ),
    (
        ("Goodbye!", "Bye!", "See you later.", "Bye bye.", "I have to go."),
        ("Goodbye! Come back soon.", "See you soon!"),
        "Bye",
    ),
    (
        ("Who are you?", "What are you?", "Tell me about yourself.", "What is your name?", "Introduce yourself."),
        (
            "I am the demo model of Sluice, a very small language model.",
            "I am a tiny language model. I come with Sluice so that you can try it at once.",
        ),
        "Demo",
    ),
    (
        ("What can you do?", "How can you help me?", "What do you know?", "Help", "Help me."),
        (
            "I can count, add small numbers, remember your name, tell stories and talk a little about language models.",
            "Ask me to count, to add, to write a list or a haiku, or to tell a story.",
        ),
        "Little",
    ),
    (
        ("Are you clever?", "Are you smart?", "Do you know everything?", "How big are you?", "Are you a large model?"),
        ("No, I am only a toy with about a million parameters.", "I am very small, and I am often wrong."),
        "No",
    ),
    (
        ("Are you a human?", "Are you a robot?", "Are you real?"),
        ("I am a small language model, made of numbers.",),
        "Model",
    ),
    (
        ("Who made you?", "Where do you come from?"),
        ("I was trained for Sluice on texts written by a program.",),
        "Sluice",
    ),
    (
        ("Do you speak Korean?", "Do you know Korean?"),
        ("A little: 안녕하세요!", "Yes, a little. 반갑습니다!"),
        "Little",
    ),
    (
        ("Well done!", "Very good!", "Great!", "Nice!", "You are great!"),
        ("Thank you!", "Thanks, that is kind of you."),
        "Thanks",
    ),
    (
        ("That is wrong.", "That is not right.", "You are wrong."),
        ("I am sorry. I am very small and make mistakes.",),
        "Sorry",
    ),
    (("Yes", "Yes.", "Yes, please."), ("Good! What would you like?", "Very well. Tell me more."), "Good"),
    (("No", "No.", "No, thanks."), ("All right. Tell me if you need something.", "As you like."), "Fine"),
    (("OK", "Okay.", "I see.", "All right."), ("Good. What shall we do next?", "Is there something else?"), "Good"),
    (("test", "Test", "testing", "This is a test."), ("The test works. I can read you.", "I am here."), "Works"),
    (
        ("Tell me a joke.", "Do you know a joke?", "Make me laugh."),
        (
            "Why did the token cross the road? It was the most likely next step.",
            "What does a cache say at the end of the day? I will remember you.",
            "A clock walked into a bakery. The baker said: you are early.",
            "Why was the model tired? It had too many heads to hold up.",
        ),
        "Ha",
    ),
    (
        ("What is the weather like?", "How is the weather?", "Will it rain today?"),
        ("I can not see the sky from here. Look out of the window!",),
        "Unknown",
    ),
    (("What time is it?", "What day is it today?"), ("I have no clock, so I can not know.",), "Unknown"),
)


def talk(rng: Random) -> Exchange:
    asks, answers, word = rng.choice(TALK)
    return Exchange(rng.choice(asks), rng.choice(answers), "That is small talk. I answer kindly.", word)


def greeting(rng: Random) -> Exchange:
    asks, answers, word = rng.choice(TALK[:5])
    return Exchange(rng.choice(asks), rng.choice(answers), "That is a greeting.", word)


def opinion(rng: Random) -> Exchange:
    """A question of taste, answered from the question's own words."""
    one, other = rng.sample(COLOURS if rng.random() < 0.5 else FRUITS, 2)
    chosen = rng.choice((one, other))
    ask = rng.choice(("Do you like {x} or {y} better?", "{x} or {y}?", "Which is better, {x} or {y}?")).format(
        x=one, y=other
    )
    ask = ask[0].upper() + ask[1:]
    answer = f"I would choose {a(chosen)}." if one in FRUITS and other in FRUITS else f"I would choose {chosen}."
    return Exchange(ask, answer, f"Both are good. I choose {chosen}.", chosen.capitalize())
