"""Definitions of the numbers of tokens, models and perplexity, by their JSON names."""

from app.definitions.types import Definition
from app.i18n import tr

TOKENS = {
    "probability": Definition(
        tr("Probability"),
        tr("Probability of the token: after penalties and logit bias, before temperature and truncation."),
    ),
    "surprise": Definition(
        tr("Surprisal"),
        tr("Surprisal: −log₂ of the probability, in bits. 1 bit is 50 %, 10 bits about 0.1 %."),
    ),
    "rank": Definition(tr("Rank"), tr("Rank by probability in the vocabulary; the likeliest token has rank 1.")),
    "logprob": Definition(tr("Log-probability"), tr("Natural logarithm of the probability (logprob): 0 is certain.")),
    "entropy": Definition(
        tr("Entropy"),
        tr(
            "Shannon entropy of the next-token distribution, in bits: 0 is certain, n bits are 2ⁿ equally "
            "likely tokens."
        ),
    ),
    "raw_logit": Definition(tr("Raw logit"), tr("Logit of the token before penalties and logit bias; without a unit.")),
    "arrival": Definition(tr("Arrival, since Send"), tr("Time from Send of its run to this token.")),
    "gap": Definition(tr("Inter-token latency"), tr("Time since the arrival of the previous token of the same run.")),
    "end": Definition(
        tr("EOS probability"),
        tr("Probability of an EOS or stop token at this position."),
    ),
    "id": Definition(tr("Id"), tr("Token id in the vocabulary.")),
    "origin": Definition(
        tr("Chosen by"),
        tr("The model, the draft model (accepted), or you (a fork)."),
    ),
    "left_over": Definition(
        tr("After filters"), tr("Probability of sampling the token, after temperature and all sampling filters.")
    ),
    "prompt_surprise": Definition(
        tr("Surprisal of the prompt"),
        tr("Sum of the tokens' surprisal in bits, and the mean per token, without the first token."),
    ),
    "before_after": Definition(
        tr("Before → after"),
        tr("Probability of an alternative before and after temperature and all sampling filters."),
    ),
    "attribution": Definition(
        tr("Effect"),
        tr(
            "ln p of the answer with the whole prompt minus ln p without one part of it, in nats. Effects of parts "
            "need not add up."
        ),
    ),
    "observing": Definition(
        tr("Cost of recording"), tr("Share of the last run's time spent on recording alternatives.")
    ),
}
MODELS = {
    "parameters": Definition(tr("Parameters"), tr("Number of weights of the model.")),
    "bits": Definition(tr("Bits"), tr("Bits per weight. Fewer bits need less memory and are less precise.")),
    "disk": Definition(tr("On disk"), tr("Size of its files on disk (MB = 10⁶ bytes, GB = 10⁹ bytes).")),
    "vocabulary": Definition(tr("Vocabulary"), tr("Vocabulary size: number of different tokens.")),
    "downloads": Definition(tr("Downloads"), tr("Downloads from the Hugging Face Hub in the last month.")),
    "used": Definition(tr("Used"), tr("Date when it was last opened here.")),
    "changed": Definition(tr("Changed"), tr("Date of the last change on the Hugging Face Hub.")),
    "progress": Definition(tr("Progress"), tr("Progress, in bytes or prompt tokens.")),
}


WEIGHING = {
    "nats_per_token": Definition(
        tr("Nats/token"),
        tr(
            "Cross-entropy: mean of −ln p of the text's tokens. ±: 95 % CI over blocks of 64 tokens, since "
            "adjacent tokens are correlated."
        ),
    ),
    "perplexity": Definition(
        tr("Perplexity"), tr("exp(cross-entropy): as uncertain as a uniform choice among this many tokens.")
    ),
    "bits_per_byte": Definition(
        tr("Bits/byte"),
        tr("Σ −log₂ p ÷ UTF-8 bytes. Comparable between models with different vocabularies."),
    ),
    "kl_mean": Definition(tr("KL divergence"), tr("Σ p ln(p ÷ q) in nats, p of the first model, q of the second.")),
    "kl_back": Definition(tr("Reverse KL divergence"), tr("KL divergence with the models swapped.")),
    "jensen_shannon": Definition(tr("Jensen–Shannon"), tr("The mean KL divergence of both from the mean of both.")),
    "same_first": Definition(
        tr("Top-1 agreement"), tr("Share of positions where both models have the same most likely token.")
    ),
    "same_ten": Definition(
        tr("Top-10 overlap"), tr("Share of the first model's top 10 tokens that are in the second's top 10.")
    ),
    "own_difference": Definition(
        tr("Log-prob difference"), tr("Cross-entropy of the second model minus that of the first, in nats per token.")
    ),
}
