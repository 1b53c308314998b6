"""The numbers of a token's choice, of a model, and of a text that is weighed, by the names in its JSON."""

from app.definitions.types import Definition
from app.i18n import tr

TOKENS = {
    "probability": Definition(
        tr("Probability"),
        tr("How likely the model found this token here: after penalties and bias, before temperature and truncation."),
    ),
    "surprise": Definition(
        tr("Surprisal"),
        tr("Surprisal: −log₂ of the probability, in bits. 1 bit is 50 %, 10 bits about 0.1 %."),
    ),
    "rank": Definition(tr("Rank"), tr("Its place among all tokens that the model knows; the likeliest one is 1.")),
    "logprob": Definition(tr("Log-probability"), tr("The natural logarithm of the probability: 0 is certain.")),
    "entropy": Definition(
        tr("Entropy"),
        tr(
            "Shannon entropy of the next-token distribution, in bits: 0 is certain, n bits are 2ⁿ equally "
            "likely tokens."
        ),
    ),
    "raw_logit": Definition(
        tr("Raw logit"), tr("The number that the model gave this token, before penalties and bias; it has no unit.")
    ),
    "arrival": Definition(tr("Arrival, since Send"), tr("The time from Send of its run to this token.")),
    "gap": Definition(tr("Inter-token latency"), tr("Time since the arrival of the previous token of the same run.")),
    "end": Definition(
        tr("EOS probability"),
        tr("Probability of an EOS or stop token at this place."),
    ),
    "id": Definition(tr("Id"), tr("The token's number in the model's vocabulary.")),
    "origin": Definition(
        tr("Chosen by"),
        tr("The model; the draft model, whose proposal the model accepted; or you, where you went on another way."),
    ),
    "left_over": Definition(
        tr("After filters"), tr("Probability of sampling the token, after temperature and all sampling filters.")
    ),
    "prompt_surprise": Definition(
        tr("Surprise of the prompt"),
        tr("The sum of its tokens' surprise in bits, and what that is for a token; the first token is not counted."),
    ),
    "before_after": Definition(
        tr("Before → after"),
        tr("An alternative's probability as the model gave it, and after all that the sampling settings do to it."),
    ),
    "attribution": Definition(
        tr("Effect"),
        tr(
            "ln p of the answer with the whole prompt minus ln p without one part of it, in nats. Effects of parts "
            "need not add up."
        ),
    ),
    "observing": Definition(
        tr("Cost of recording"), tr("The part of the last run's time that went into recording alternatives.")
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
        tr("Nats/token"),
        tr("Mean of −ln p of the text's own tokens. ±: 95 %, from stretches of 64 tokens, since neighbours are alike."),
    ),
    "perplexity": Definition(
        tr("Perplexity"), tr("exp(cross-entropy): as uncertain as a uniform choice among this many tokens.")
    ),
    "bits_per_byte": Definition(
        tr("Bits/byte"),
        tr("Σ −log₂ p ÷ UTF-8 bytes: the one figure that compares models of different vocabularies."),
    ),
    "kl_mean": Definition(tr("KL divergence"), tr("Σ p ln(p ÷ q) in nats, p of the first model, q of the second.")),
    "kl_back": Definition(tr("KL the other way"), tr("The same with both models exchanged.")),
    "jensen_shannon": Definition(tr("Jensen–Shannon"), tr("The mean KL divergence of both from the mean of both.")),
    "same_first": Definition(
        tr("Top-1 agreement"), tr("Share of places where both models' most likely token is the same.")
    ),
    "same_ten": Definition(
        tr("Top-10 overlap"), tr("Share of the first model's top 10 tokens that are in the second's top 10.")
    ),
    "own_difference": Definition(
        tr("Own tokens"), tr("By how many nats a token the text itself is less likely to the second model.")
    ),
}
