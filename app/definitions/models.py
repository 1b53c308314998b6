"""The numbers of a token's choice, of a model, and of a text that is weighed, by the names in its JSON."""

from app.definitions.types import Definition
from app.words import tr

TOKENS = {
    "probability": Definition(
        tr("Probability"),
        tr("How likely the model found this token here: after penalties and bias, before temperature and truncation."),
    ),
    "surprise": Definition(
        tr("Surprise"),
        tr("−log₂ of the probability, in bits: 1 bit is the toss of a coin, 10 bits are one chance in a thousand."),
    ),
    "rank": Definition(tr("Rank"), tr("Its place among all tokens that the model knows; the likeliest one is 1.")),
    "logprob": Definition(tr("Log-probability"), tr("The natural logarithm of the probability: 0 is certain.")),
    "entropy": Definition(
        tr("Entropy"),
        tr("How open the choice was, in bits: 0 is certain, n bits are a choice among 2ⁿ equally likely tokens."),
    ),
    "raw_logit": Definition(
        tr("Raw logit"), tr("The number that the model gave this token, before penalties and bias; it has no unit.")
    ),
    "arrival": Definition(tr("Arrival, since Send"), tr("The time from Send of its run to this token.")),
    "gap": Definition(tr("Gap to the token before"), tr("The time since the token before it in the same run.")),
    "end": Definition(
        tr("Probability of the end here"),
        tr("How likely the model found it to end the answer here instead of going on."),
    ),
    "id": Definition(tr("Id"), tr("The token's number in the model's vocabulary.")),
    "origin": Definition(
        tr("Chosen by"),
        tr("The model; the draft model, whose proposal the model accepted; or you, where you went on another way."),
    ),
    "left_over": Definition(
        tr("Left over"), tr("How likely the token was to be drawn, after all that the sampling settings do.")
    ),
    "prompt_surprise": Definition(
        tr("Surprise of the prompt"),
        tr("The sum of its tokens' surprise in bits, and what that is for a token; the first token is not counted."),
    ),
    "before_after": Definition(
        tr("Before → after"),
        tr("A candidate's probability as the model gave it, and after all that the sampling settings do to it."),
    ),
    "observing": Definition(
        tr("Cost of recording"), tr("The part of the last run's time that went into recording candidates.")
    ),
}
MODELS = {
    "parameters": Definition(tr("Parameters"), tr("How many numbers the model has learnt, packed or not.")),
    "bits": Definition(
        tr("Bits"), tr("How many bits each of its numbers takes: fewer take less memory, and round more.")
    ),
    "disk": Definition(tr("On disk"), tr("What its files take on this machine's disk, in MB or GB of powers of ten.")),
    "vocabulary": Definition(tr("Vocabulary"), tr("How many different tokens the model knows.")),
    "downloads": Definition(tr("Downloads"), tr("How often it was fetched from the hub in the last month.")),
    "used": Definition(tr("Used"), tr("The day on which it was last opened here.")),
    "changed": Definition(tr("Changed"), tr("The day on which its author last changed it on the hub.")),
    "progress": Definition(
        tr("Progress"), tr("How much is done of all there is to do, in bytes or in tokens of the prompt.")
    ),
}


WEIGHING = {
    "nats_per_token": Definition(
        tr("Nats a token"),
        tr("Mean of −ln p of the text's own tokens. ±: 95 %, from stretches of 64 tokens, since neighbours are alike."),
    ),
    "perplexity": Definition(tr("Perplexity"), tr("e to the power of the nats: it chose among so many.")),
    "bits_per_byte": Definition(
        tr("Bits a byte"), tr("Σ −log₂ p ÷ UTF-8 bytes: the one figure that compares models of different vocabularies.")
    ),
    "kl_mean": Definition(tr("KL divergence"), tr("Σ p ln(p ÷ q) in nats, p of the first model, q of the second.")),
    "kl_back": Definition(tr("KL the other way"), tr("The same with both models exchanged.")),
    "jensen_shannon": Definition(tr("Jensen–Shannon"), tr("The mean KL divergence of both from the mean of both.")),
    "same_first": Definition(tr("Same first choice"), tr("How often both hold the same token likeliest.")),
    "same_ten": Definition(tr("Same first ten"), tr("The share of the first's ten likeliest that the second has too.")),
    "own_difference": Definition(
        tr("Own tokens"), tr("By how many nats a token the text itself is less likely to the second model.")
    ),
}
