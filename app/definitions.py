"""Definitions of all displayed numbers, for tooltips, "What's this?" and the help page."""

from dataclasses import dataclass

from app.engine.catalogue import SETTINGS
from app.i18n import tr


@dataclass(frozen=True, slots=True)
class Definition:
    """The name of a number and its definition, in full sentences."""

    name: str
    text: str


TOKENS = {
    "probability": Definition(
        tr("Probability"),
        tr("Probability of the token: after penalties and logit bias, before temperature and truncation."),
    ),
    "surprise": Definition(
        tr("Surprisal"), tr("Surprisal: −log₂ of the probability, in bits. 1 bit is 50 %, 10 bits about 0.1 %.")
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
    "end": Definition(tr("EOS probability"), tr("Probability of an EOS or stop token at this position.")),
    "id": Definition(tr("Id"), tr("Token id in the vocabulary.")),
    "origin": Definition(tr("Chosen by"), tr("The model, a draft (accepted), or you (a fork).")),
    "left_over": Definition(
        tr("After filters"), tr("Probability of sampling the token, after temperature and all sampling filters.")
    ),
    "prompt_surprise": Definition(
        tr("Surprisal of the prompt"),
        tr("Sum of the tokens' surprisal in bits, and the mean per token, without the first token."),
    ),
    "before_after": Definition(
        tr("Before → after"), tr("Probability of an alternative before and after temperature and all sampling filters.")
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
        tr("Perplexity"),
        tr("exp(cross-entropy): as uncertain as a uniform choice among this many tokens. ×/÷: factor of the 95 % CI."),
    ),
    "bits_per_byte": Definition(
        tr("Bits/byte"), tr("Σ −log₂ p ÷ UTF-8 bytes. Comparable between models with different vocabularies.")
    ),
    "kl_mean": Definition(tr("KL divergence"), tr("Σ p ln(p ÷ q) in nats, p of the first model, q of the second.")),
    "kl_back": Definition(tr("Reverse KL divergence"), tr("KL divergence with the models swapped.")),
    "jensen_shannon": Definition(
        tr("Jensen–Shannon"), tr("Mean of the KL divergences of both models from the average of their distributions.")
    ),
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


OF_SETTINGS = ("seed", "temperature", "max_tokens", "draft_tokens")
"""Settings that are displayed with a run. They have the same definitions as the controls."""

SPEEDS = {
    "speed_now": Definition(
        tr("Speed now"),
        tr(
            "Decode speed over the last 8 tokens or 15 % of the run, at most 1 s; with draft tokens over whole "
            "steps. It falls while no token arrives. After the run: the mean speed."
        ),
    ),
    "speed_mean": Definition(
        tr("Mean speed"),
        tr("(n − 1) ÷ (arrival of token n − arrival of token 1) for n tokens; not defined for a single token."),
    ),
    "decode_time": Definition(
        tr("Decode time"),
        tr(
            "From the arrival of the first token to that of the last. The wait for the first token is not part of it. "
            "Mean speed is (n − 1) ÷ this time."
        ),
    ),
    "ceiling": Definition(
        tr("Bandwidth limit"),
        tr(
            "Memory-bandwidth limit (roofline): measured bytes per second for the model's largest matrix ÷ bytes "
            "that a token must read."
        ),
    ),
    "ceiling_share": Definition(
        tr("Share of the ceiling"), tr("Mean speed ÷ memory-bandwidth limit at the middle of the answer.")
    ),
    "end_to_end": Definition(
        tr("End-to-end speed"),
        tr("Number of tokens ÷ (arrival of the last token − Send). It includes the time to first token."),
    ),
    "prompt_speed": Definition(
        tr("Prefill speed"),
        tr(
            "Prefilled tokens ÷ prefill time. Cached tokens don't count, nor does the last prompt token, which the "
            "first decode step processes. Known when the run is over."
        ),
    ),
    "first_token": Definition(
        tr("Time to first token"),
        tr(
            "From Send to the arrival of the first token, without loading the model. Its parts add up: waiting, chat "
            "template, cache lookup, setup, prefill, first decode step."
        ),
    ),
    "connect": Definition(tr("Connection"), tr("Time to connect to the server, including DNS and TLS.")),
    "first_byte": Definition(
        tr("First byte"),
        tr("Time from the open connection to the first byte of the answer: network latency and the server's work."),
    ),
    "pieces": Definition(
        tr("Pieces"), tr("Pieces of text from a server that reports no token count. Often one piece is one token.")
    ),
    "elapsed": Definition(tr("Elapsed"), tr("Time since Send, until the run ends.")),
    "gaps": Definition(
        tr("Inter-token latency: p50, p95, p99"),
        tr(
            "Percentiles of the inter-token latency. With draft tokens, the time between steps, since accepted "
            "tokens arrive in bursts."
        ),
    ),
    "stop_latency": Definition(tr("Stop latency"), tr("Time from Stop (or Esc) until the model has stopped.")),
    "acceptance": Definition(tr("Draft acceptance rate"), tr("Accepted ÷ proposed draft tokens.")),
    "tokens_per_step": Definition(
        tr("Tokens per step"),
        tr("Tokens ÷ steps of the target model. With draft tokens, a step can generate several."),
    ),
}
COUNTS = {
    "token_count": Definition(tr("Tokens"), tr("Generated tokens, including the EOS token.")),
    "visible": Definition(
        tr("Visible tokens"), tr("Generated tokens that are displayed: without EOS and text removed by a stop string.")
    ),
    "prompt_tokens": Definition(
        tr("Prompt tokens"), tr("All tokens of the prompt, including earlier turns and the chat template.")
    ),
    "reused": Definition(
        tr("Reused prompt tokens"),
        tr("Prompt tokens that were already in the KV cache (cache hits). They need no prefill."),
    ),
    "new": Definition(tr("New prompt tokens"), tr("Prompt tokens that were not in the KV cache.")),
    "context": Definition(
        tr("Context"),
        tr("Tokens in the KV cache ÷ context window of the model, and the tokens that max tokens can still add."),
    ),
    "finish": Definition(
        tr("Finish reason"),
        tr(
            "EOS or stop token (stop), max tokens (length), stop string, cancelled, context full, output format "
            "complete, or error."
        ),
    ),
    **{name: Definition(SETTINGS[name].words, SETTINGS[name].meaning) for name in OF_SETTINGS},
    "bytes": Definition(
        tr("Bytes"), tr("Bytes of the token in hexadecimal. A character can consist of several tokens.")
    ),
    "number": Definition(tr("Number of a token"), tr("Index in the answer or in the prompt, from 1.")),
    "room": Definition(
        tr("Tokens that fit"),
        tr("Tokens that still fit into the context window, and an estimate of tokens whose KV cache fits into memory."),
    ),
    "tally": Definition(tr("Number of runs"), tr("Number of listed runs, without filtered ones.")),
    "sent": Definition(tr("When"), tr("Date and time of Send, in this computer's time.")),
    "latest": Definition(tr("Seconds since Send"), tr("Time from Send to this point of the curve.")),
}
MEMORY = {
    "memory": Definition(
        tr("MLX memory"),
        tr(
            "Active, cache and peak bytes of MLX's allocator (GB = 10⁹ bytes). Python, the window and other "
            "programs are not included. The peak restarts with each run."
        ),
    ),
    "memory_active": Definition(
        tr("Active memory"), tr("Memory in use by MLX: weights, KV cache and temporary arrays.")
    ),
    "memory_weights": Definition(tr("Weights"), tr("Size of the model's weights, in memory or to download.")),
    "memory_kv": Definition(tr("KV cache"), tr("Keys and values of all tokens in the context. Part of active memory.")),
    "memory_kept": Definition(
        tr("KV caches in memory"),
        tr("KV caches of other conversations and branches. Returning to one needs no prefill. Part of active memory."),
    ),
    "memory_cache": Definition(tr("Allocator's cache"), tr("Freed memory that MLX's allocator holds for later use.")),
    "memory_peak": Definition(tr("Memory peak"), tr("Highest active memory of MLX's allocator since the run began.")),
    "memory_limit": Definition(
        tr("Memory limit"),
        tr("The GPU's recommended working set, or all memory if unknown; capped by the memory limit in Settings."),
    ),
    "fit": Definition(
        tr("Does it fit?"),
        tr(
            "Estimate from the model's files: weights, KV cache for the chosen context length and headroom, "
            "compared with this device's limit."
        ),
    ),
}
EXPERIMENTS = {
    "repeats": Definition(
        tr("Runs", "Number of runs of the variant"),
        tr("Number of measured runs of a variant. Values are medians, with the range in brackets."),
    ),
    "expected_duration": Definition(
        tr("Expected duration"),
        tr("At the median speed of the model's last five runs, if each run reaches max tokens. Most end sooner."),
    ),
    "speed_at": Definition(
        tr("Speed at a token"), tr("Mean speed over the 20 tokens before and the 20 tokens after it.")
    ),
    "speed_at_end": Definition(
        tr("Speed at the end"), tr("Mean speed over the last 40 tokens: the speed at the 20th from the end.")
    ),
    "slope": Definition(tr("Slope"), tr("Change of the speed per 100 tokens; negative if it slows down.")),
    "conclusion": Definition(
        tr("Result"),
        tr(
            "Estimate over all rounds (Hodges–Lehmann) and its confidence interval (Wilcoxon signed-rank, 96 % "
            "or more). A difference is significant where the interval excludes no difference. A large one in every "
            "round is provisional if there are too few rounds."
        ),
    ),
    "gain": Definition(
        tr("Times as fast"),
        tr(
            "Speed of the second variant ÷ speed of the first, paired by round, with the bounds of its "
            "confidence interval."
        ),
    ),
    "others": Definition(
        tr("Other programs"),
        tr("Share of CPU time used by other programs during the measurement. GPU time isn't included."),
    ),
    "parted": Definition(
        tr("First different token"), tr("Index of the first different token in the first runs; none if they are equal.")
    ),
    "unfinished": Definition(tr("Unfinished tokens"), tr("Number of tokens that are part of an incomplete character.")),
    "batches": Definition(
        tr("One by one (tok/s)"), tr("All tokens of the cells ÷ their time: run one after the other, and as one batch.")
    ),
    "by_place": Definition(
        tr("Accepted by position, share of all steps"),
        tr("Share of steps in which the first, second … draft token was accepted."),
    ),
    "draft_accepted": Definition(
        tr("Accepted"),
        tr("Proposed tokens that equal the recorded answer ÷ all tokens that the draft would have proposed."),
    ),
    "draft_steps_saved": Definition(
        tr("Steps saved"),
        tr("Share of the target model's steps that the draft saves. Without a draft, each token is one step."),
    ),
    "draft_speedup": Definition(
        tr("Predicted speed-up"),
        tr(
            "Decode time without a draft ÷ predicted decode time with it: steps × the measured time of such a step. "
            "Median, and lower to upper quartile."
        ),
    ),
    "draft_measured": Definition(
        tr("Measured speed-up"),
        tr("Decode time per token without the draft ÷ with it. Median of the pairs of runs, and both quartiles."),
    ),
    "own_logprob": Definition(
        tr("Log-probability per token"), tr("Mean of ln p of the answer's tokens, before constrained decoding.")
    ),
    "removed": Definition(
        tr("Probability ruled out"),
        tr(
            "1 − the sum of the probabilities of all tokens that the output format allows, after penalties and "
            "bias, before temperature."
        ),
    ),
    "forced": Definition(tr("Forced token"), tr("The only token that the output format allowed. It isn't sampled.")),
    "wanted": Definition(
        tr("Top choice invalid"),
        tr("Constrained tokens at which the output format ruled out the model's most likely token."),
    ),
    "distinct_1": Definition(tr("Distinct tokens"), tr("Distinct tokens ÷ all tokens (distinct-1).")),
    "distinct_2": Definition(tr("Distinct bigrams"), tr("Distinct pairs of adjacent tokens ÷ all pairs (distinct-2).")),
    "distinct_3": Definition(
        tr("Distinct trigrams"), tr("Distinct triples of adjacent tokens ÷ all triples (distinct-3).")
    ),
    "repetition": Definition(
        tr("Repetition"), tr("Share of sequences of four tokens (4-grams) that occurred before in the same text.")
    ),
    "agreement": Definition(
        tr("Agreement of the seeds"),
        tr("Bigrams that the texts of two seeds have in common ÷ all their bigrams (Jaccard), mean over all pairs."),
    ),
}
SETS = {
    "set_confidence": Definition(
        tr("Confidence (%)"),
        tr("Mean probability of the likeliest choice, given that the answer is one of the choices."),
    ),
    "calibration_error": Definition(
        tr("Calibration error (95 % CI)"),
        tr("Mean distance between confidence and share of right rows, over ten bins of confidence. 0 is best."),
    ),
    "brier": Definition(
        tr("Brier score (95 % CI)"),
        tr("Mean squared error of the choices' probabilities, summed over the choices. From 0 to 2; 0 is best."),
    ),
    "rate": Definition(tr("Rate (%)"), tr("Share of correct answers among the rows that could be judged.")),
    "interval": Definition(
        tr("95 % CI"),
        tr(
            "95 % confidence interval of the rate (Wilson) or of the paired difference (Agresti–Min). It "
            "assumes that the rows are a random sample of such prompts."
        ),
    ),
    "set_difference": Definition(
        tr("Difference (points)"),
        tr("Rate of the second variant minus rate of the first, over rows that both answered."),
    ),
    "set_chance": Definition(
        tr("p-value"),
        tr(
            "Exact two-sided p-value (McNemar; sign flips where rows have several answers), Holm-corrected for "
            "all pairs. A difference is significant at 0.05 or less, with a 95 % CI that excludes 0."
        ),
    ),
}


GROUPS = {
    tr("Speed and time"): SPEEDS,
    tr("Tokens and settings"): COUNTS,
    tr("Memory"): MEMORY,
    tr("Experiments"): EXPERIMENTS,
    tr("Perplexity"): WEIGHING,
    tr("Prompt sets"): SETS,
    tr("Tokens"): TOKENS,
    tr("Models"): MODELS,
}
"""All definitions in groups, in the order of the help page."""
DEFINITIONS = {key: each for group in GROUPS.values() for key, each in group.items()}
OTHER_NAMES = (
    (tr("Prompt"), ("reused", "new")),
    (tr("Time to first token"), ("first_token",)),
    (tr("Tokens"), ("token_count", "visible")),
    (tr("Connection"), ("connect",)),
    (tr("First byte"), ("first_byte",)),
    (tr("Counted as"), ("pieces",)),
    (tr("End to end"), ("end_to_end",)),
    (tr("Between tokens"), ("gaps",)),
    (tr("Between steps"), ("gaps",)),
    (tr("Draft"), ("acceptance", "tokens_per_step")),
    (tr("Active"), ("memory_active",)),
    (tr("Active: weights"), ("memory_weights",)),
    (tr("Active: KV cache"), ("memory_kv",)),
    (tr("Active: other"), ("memory_active",)),
    (tr("Allocator cache"), ("memory_cache",)),
    (tr("Peak"), ("memory_peak",)),
    (tr("Limit"), ("memory_limit",)),
    (tr("Tokens per second"), ("speed_now",)),
    (tr("Token", "index"), ("number",)),
    (tr("At token"), ("number",)),
    (tr("At least"), ("gain",)),
    (tr("At most"), ("gain",)),
    (tr("At once (tok/s)"), ("batches",)),
)
"""Other displayed names of one or several numbers. They are unique in each language."""
ALSO = dict(OTHER_NAMES)


def meaning(key: str) -> str:
    return DEFINITIONS[key].text


def of_name(name: str) -> str:
    """Return the definition of a displayed name; empty if there is none."""
    if name in ALSO:
        return meanings(*ALSO[name])
    return next((each.text for each in DEFINITIONS.values() if each.name == name), "")


def meanings(*keys: str) -> str:
    """Return the definitions of several numbers that share a label, one line each, with names."""
    return "\n".join(f"{DEFINITIONS[key].name}: {DEFINITIONS[key].text}" for key in keys)
