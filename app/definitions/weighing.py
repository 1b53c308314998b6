"""What is told of a text that is weighed, by the names in its JSON."""

from __future__ import annotations

from app.definitions.types import Definition
from app.words import tr

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
