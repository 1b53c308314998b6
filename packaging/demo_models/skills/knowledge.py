"""What the model can say about language models: one sentence or one paragraph a subject."""

from random import Random

from dialogue import Exchange

# The first line answers in one sentence; the others, in this order, make up a paragraph with it.
SUBJECTS: dict[str, tuple[str, ...]] = {
    "MLX": (
        "MLX is an array framework for machine learning on Apple silicon.",
        "Its arrays live in memory that the processor and the graphics chip share, so nothing is copied between them.",
        "It is lazy: a result is computed only when somebody needs it.",
        "It also runs on other computers, but it is fastest on a Mac.",
        "The package mlx-lm builds on it and runs language models.",
    ),
    "a token": (
        "A token is a small piece of text, often a word or a part of a word.",
        "A language model reads and writes tokens, not letters.",
        "Each token has a number, and the list of all of them is the vocabulary.",
        "A rare word takes several tokens, and an emoji may take four.",
    ),
    "a tokenizer": (
        "A tokenizer cuts text into tokens and joins tokens to text again.",
        "It learned its pieces by counting which letters often stand together.",
        "Common words become one token, and rare words are built from several.",
        "The same model must always use the same tokenizer.",
    ),
    "a KV cache": (
        "A KV cache keeps the keys and values of all tokens read so far.",
        "Without it the model would read the whole text again for every new token.",
        "With it each step only computes the newest token.",
        "The price is memory, which grows with every token of the conversation.",
    ),
    "a prompt cache": (
        "A prompt cache keeps what was computed for a prompt, so that the next question starts sooner.",
        "When a chat goes on, most of the prompt is the same as before.",
        "Only the new part has to be read.",
        "If the beginning changes, the cache is of no use any more.",
    ),
    "sampling": (
        "Sampling means choosing the next token by chance, weighted by how likely each one is.",
        "The model gives a probability to every token of its vocabulary.",
        "Greedy decoding takes the most likely token each time.",
        "Sampling takes others now and then, and so the text becomes more lively.",
    ),
    "temperature": (
        "Temperature says how bold the choice of the next token is.",
        "At zero the model always takes the most likely token.",
        "A low temperature keeps close to the safe choices.",
        "A high temperature makes rare tokens more likely, and the text becomes wild.",
    ),
    "top-p": (
        "Top-p keeps the most likely tokens until their probabilities add up to p.",
        "All other tokens are left out before one is drawn.",
        "When the model is sure, only a few tokens remain.",
        "When it is not sure, many remain.",
    ),
    "top-k": (
        "Top-k keeps only the k most likely tokens and draws one of them.",
        "With k at one it is the same as greedy decoding.",
        "It cuts off the long tail of strange tokens.",
    ),
    "min-p": (
        "Min-p leaves out tokens that are much less likely than the best one.",
        "Its limit moves with how sure the model is.",
        "It works well together with a high temperature.",
    ),
    "a seed": (
        "A seed is the number that the random choices start from.",
        "With the same seed, prompt and settings the same text comes out again.",
        "Another seed gives another text.",
    ),
    "speculative decoding": (
        "In speculative decoding a small model guesses some tokens and the large model checks them all at once.",
        "Checking several tokens together is cheaper than writing them one by one.",
        "Right guesses are kept, and the first wrong one is replaced.",
        "The text stays the same, but it may come faster.",
        "It helps only when many guesses are right.",
    ),
    "a draft model": (
        "A draft model is the small model that makes the guesses in speculative decoding.",
        "It must use the same tokenizer as the large model.",
        "It should be much faster, and it should often agree.",
    ),
    "prefill": (
        "Prefill is the first phase, in which the model reads the whole prompt.",
        "The tokens of the prompt are read together, many at a time.",
        "When it is done, the first new token appears.",
        "A long prompt means a long wait.",
    ),
    "a context window": (
        "The context window is how many tokens a model can look at.",
        "The prompt and the answer must both fit in it.",
        "What falls out of it is forgotten.",
    ),
    "an EOS token": (
        "The EOS token is the mark with which a model ends its text.",
        "When it is chosen, the run stops.",
        "If it never comes, only the limit of tokens ends the run.",
    ),
    "a chat template": (
        "A chat template turns a list of messages into the text that the model was trained on.",
        "It marks where each message begins and ends and who speaks.",
        "Without it a chat model may go on and on.",
    ),
    "quantization": (
        "Quantization stores the weights of a model with fewer bits.",
        "The model becomes smaller and often faster.",
        "A little accuracy is lost.",
        "Four bits for each weight are common.",
    ),
    "a logit": (
        "A logit is the raw score that a model gives to a token.",
        "A softmax turns all the scores into probabilities.",
        "The temperature divides the scores before that.",
    ),
    "an embedding": (
        "An embedding is the list of numbers that stands for a token inside the model.",
        "Tokens with a like meaning have like numbers.",
        "The first layer looks them up in a large table.",
    ),
    "attention": (
        "Attention lets a model look back at earlier tokens and take what it needs from them.",
        "Each token asks a question, and the earlier tokens offer keys and values.",
        "The better a key fits, the more of its value is taken.",
    ),
    "a language model": (
        "A language model is a program that guesses the next token of a text.",
        "It learned from many examples which token follows which.",
        "By guessing again and again it writes whole sentences.",
        "It does not look things up, so it can be wrong.",
    ),
    "streaming": (
        "Streaming means that text is shown while it is still being written.",
        "Each token is shown as soon as it is there.",
        "So the wait feels shorter, although the work is the same.",
    ),
    "the time to first token": (
        "The time to first token is the wait between the question and the first piece of the answer.",
        "It is mostly the time of prefill.",
        "A prompt cache makes it shorter.",
    ),
    "Sluice": (
        "Sluice is a playground for language models that run on your own computer.",
        "It shows every token as it comes and measures how fast it comes.",
        "You can change the settings and look at what happens.",
        "I am the tiny model that comes with it.",
    ),
}

ONE = ("What is {x}?", "Explain {x} in one sentence.", "Explain {x} briefly.", "Tell me in one sentence what {x} is.")
MORE = (
    "Explain {x}.",
    "Explain {x} in one paragraph.",
    "Tell me about {x}.",
    "Tell me more about {x}.",
    "Write a paragraph about {x}.",
    "How does {x} work?",
    "Describe {x}.",
)


def bare(subject: str) -> str:
    """The subject without its article, as people also type it."""
    return subject.split(" ", 1)[1] if subject.split(" ")[0] in ("a", "an", "the") else subject


def sentence(rng: Random) -> Exchange:
    subject, lines = rng.choice(sorted(SUBJECTS.items()))
    asked = subject if rng.random() < 0.8 else bare(subject)
    return Exchange(rng.choice(ONE).format(x=asked), lines[0], f"One sentence about {bare(subject)} is enough.")


def paragraph(rng: Random) -> Exchange:
    """The first line and most of the others, in their order."""
    subject, lines = rng.choice(sorted(SUBJECTS.items()))
    asked = subject if rng.random() < 0.8 else bare(subject)
    rest = list(lines[1:])
    if len(rest) > 2 and rng.random() < 0.5:
        rest.pop(rng.randrange(1, len(rest)))
    return Exchange(rng.choice(MORE).format(x=asked), " ".join([lines[0], *rest]), f"I tell what {bare(subject)} is.")


def article(rng: Random) -> str:
    """A paragraph under its heading, for the plain texts."""
    subject, lines = rng.choice(sorted(SUBJECTS.items()))
    return f"{bare(subject).capitalize()}\n\n{' '.join(lines)}"
