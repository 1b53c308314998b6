"""The numbers of a run, of several that are compared, and of many prompts, by the names in the tables."""

from app.definitions.types import Definition
from app.engine.catalogue import SETTINGS
from app.i18n import tr

OF_SETTINGS = ("seed", "temperature", "max_tokens", "draft_tokens")
"""Shown with a run, and no other than what was set."""

SPEEDS = {
    "speed_now": Definition(
        tr("Speed now"),
        tr(
            "The last 8 tokens or, of a longer run, the last 15 % of them, but no more than a second, ÷ their time; "
            "with a draft model over whole steps. While a token is waited for: no more than if it came at once. "
            "The graph plots it. When the run is over, its mean speed."
        ),
    ),
    "speed_mean": Definition(
        tr("Mean speed"), tr("(n − 1) ÷ (arrival of token n − arrival of token 1); not defined for a single token.")
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
            "The fastest that this machine could write: the bytes a second that it streams of the model's own largest "
            "matrix, as measured, ÷ the bytes that a token reads there."
        ),
    ),
    "ceiling_share": Definition(
        tr("Share of the ceiling"), tr("The mean speed ÷ the ceiling at the middle of the answer.")
    ),
    "end_to_end": Definition(
        tr("End-to-end speed"), tr("n ÷ (arrival of the last token − Send): waiting for the first token is part of it.")
    ),
    "prompt_speed": Definition(
        tr("Prefill speed"),
        tr(
            "(newly prefilled prompt tokens − 1) ÷ prefill time. Tokens from the cache are not counted. Known "
            "when the run is over."
        ),
    ),
    "first_token": Definition(
        tr("First token"),
        tr(
            "From Send to the arrival of the first token: waiting, chat template, cache lookup and prefill. "
            "Send waits until the model is open, so loading is not included."
        ),
    ),
    "connect": Definition(
        tr("Connection"),
        tr("Of a run on a server: from the request to the open connection, name look-up and encryption included."),
    ),
    "first_byte": Definition(
        tr("First byte"),
        tr(
            "Of a run on a server: from the open connection to the first byte of its answer, the way there and back "
            "and the server's own work."
        ),
    ),
    "pieces": Definition(
        tr("Pieces"),
        tr("Pieces of text as a server sent them: often one for each token, but it has not said how many those are."),
    ),
    "elapsed": Definition(tr("Elapsed"), tr("Time since Send; stands still when the run is over.")),
    "gaps": Definition(
        tr("Between tokens: p50, p95, p99"),
        tr(
            "Half, 95 % and 99 % of the times between two arrivals are no longer than this. With a draft model it is "
            "the time between steps, since accepted tokens arrive in bursts."
        ),
    ),
    "stop_latency": Definition(
        tr("Stop latency"), tr("From the click on Stop (or Esc) to the moment at which the model has really stopped.")
    ),
    "acceptance": Definition(tr("Draft acceptance rate"), tr("Accepted ÷ proposed tokens of the draft model.")),
    "tokens_per_step": Definition(
        tr("Tokens per step"), tr("Tokens ÷ steps of the model itself: with a draft model a step can give several.")
    ),
}
COUNTS = {
    "token_count": Definition(tr("Tokens"), tr("Generated, as the model counts: the end token is one of them.")),
    "visible": Definition(
        tr("Visible tokens"),
        tr("Generated tokens as the reader counts: without the end, and what a stop string took away."),
    ),
    "prompt_tokens": Definition(
        tr("Prompt tokens"),
        tr("All that the model is given, in tokens: the conversation so far and the chat template are part of it."),
    ),
    "reused": Definition(
        tr("Reused prompt tokens"),
        tr(
            "Tokens of the prompt that the KV cache had from an earlier run, of this conversation or of one that was "
            "left, so that they needn't be read again."
        ),
    ),
    "new": Definition(tr("New prompt tokens"), tr("Tokens of the prompt that were read in this run.")),
    "context": Definition(
        tr("Context"), tr("Tokens in the cache ÷ the model's context length, and what Max tokens may still add.")
    ),
    "finish": Definition(
        tr("Finish reason"),
        tr(
            "Why the run ended: an EOS or stop token (stop), max tokens (length), a stop string, Stop, a full "
            "context window, a complete output format, or an error."
        ),
    ),
    **{name: Definition(SETTINGS[name].words, SETTINGS[name].meaning) for name in OF_SETTINGS},
    "bytes": Definition(tr("Bytes"), tr("The token's own bytes, in hexadecimal: a character may take several tokens.")),
    "number": Definition(tr("Number of a token"), tr("Its place in the answer or in the prompt, counted from 1.")),
    "room": Definition(
        tr("Room"), tr("How many more tokens fit into the context, and about how many KV cache for into the memory.")
    ),
    "tally": Definition(tr("Number of runs"), tr("How many runs are listed; what is filtered out is not counted.")),
    "sent": Definition(tr("When"), tr("The day and the time of day at which it was sent, by this machine's clock.")),
    "latest": Definition(tr("Seconds since Send"), tr("The time from Send to the point of the curve.")),
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
        tr("Active memory"), tr("What is in use now: the model's weights, its KV cache, and what else the work needs.")
    ),
    "memory_weights": Definition(tr("Weights"), tr("The model's own numbers: what they take in memory, or to fetch.")),
    "memory_kv": Definition(
        tr("KV cache"),
        tr("Keys and values of all tokens that the model has read or written, as they stand; part of active."),
    ),
    "memory_kept": Definition(
        tr("KV caches in memory"),
        tr(
            "KV caches of conversations and branches that were left, so that they need not be read again; part of "
            "active."
        ),
    ),
    "memory_cache": Definition(
        tr("Allocator's cache"), tr("Freed memory that MLX's allocator keeps for the next use.")
    ),
    "memory_peak": Definition(
        tr("Memory peak"), tr("The most that was active in MLX's allocator since the run began.")
    ),
    "memory_limit": Definition(
        tr("Memory limit"),
        tr(
            "How much the device recommends to use, or its whole memory where it names nothing; less, if the settings "
            "have a lower limit."
        ),
    ),
    "fit": Definition(
        tr("Will it fit?"),
        tr(
            "Weights and KV cache for the context that is set, and headroom, reckoned from the model's files and "
            "compared with what this device allows."
        ),
    ),
}
EXPERIMENTS = {
    "repeats": Definition(
        tr("Runs", "how many of them a variant has"),
        tr("How many measured runs the figures of a variant are of: their median, and their range in brackets."),
    ),
    "speed_at": Definition(
        tr("Speed at a token"), tr("Mean speed over the 20 tokens before it and the 20 after it; in an overlay, too.")
    ),
    "speed_at_end": Definition(
        tr("Speed at the end"), tr("Mean speed over the last 40 tokens: the speed at the 20th from the end.")
    ),
    "slope": Definition(tr("Slope"), tr("How much faster it gets with every 100 tokens; below 0, how much slower.")),
    "conclusion": Definition(
        tr("What was found"),
        tr(
            "Estimate over all rounds (Hodges–Lehmann) and its confidence interval (Wilcoxon signed-rank, 96 % "
            "or more). A difference is reported only where the interval excludes no difference."
        ),
    ),
    "gain": Definition(
        tr("Times as fast"),
        tr(
            "How many times as fast the second variant is as the first, taken round by round; at least and at most are "
            "the range in which it lies."
        ),
    ),
    "others": Definition(
        tr("Other programs"),
        tr("What share of all processors' time other programs had while it was measured; the device's is not told."),
    ),
    "parted": Definition(
        tr("First different token"), tr("At which token of the first runs the texts part; none where they are alike.")
    ),
    "unfinished": Definition(
        tr("Unfinished tokens"), tr("How many tokens wait for the rest of the character that they are parts of.")
    ),
    "batches": Definition(
        tr("One by one (tok/s)"),
        tr("All tokens of the cells ÷ the time that they took, run one after the other, or all in one batch."),
    ),
    "by_place": Definition(
        tr("Accepted by position, share of all steps"),
        tr("Of all steps, the share in which the first, second … token of the proposal was accepted."),
    ),
    "own_logprob": Definition(
        tr("Log-probability per token"),
        tr("Mean of ln p of the answer's tokens, as likely as the model had them before the output format."),
    ),
    "removed": Definition(
        tr("Probability ruled out"),
        tr(
            "1 − the sum of the probabilities of all tokens that the output format allows, after penalties and "
            "bias, before temperature."
        ),
    ),
    "forced": Definition(tr("Forced token"), tr("The only one that the form allowed; it is not sampled.")),
    "wanted": Definition(
        tr("Top choice invalid"),
        tr("Constrained tokens at which the output format ruled out the model's most likely token."),
    ),
    "distinct_1": Definition(tr("Distinct tokens"), tr("How many of the tokens are different ones, as a share.")),
    "distinct_2": Definition(
        tr("Distinct bigrams"), tr("How many of all pairs of neighbouring tokens are different ones, as a share.")
    ),
    "distinct_3": Definition(
        tr("Distinct trigrams"), tr("How many of all stretches of three tokens are different ones, as a share.")
    ),
}
SETS = {
    "rate": Definition(
        tr("Rate (%)"), tr("Of the rows that could be judged, the share that a variant answered rightly.")
    ),
    "interval": Definition(
        tr("95 % CI"),
        tr(
            "95 % confidence interval of the rate (Wilson) or of the paired difference (Agresti–Min). It "
            "assumes that the rows are a random sample of such prompts."
        ),
    ),
    "set_difference": Definition(
        tr("Difference (points)"),
        tr("The second variant's rate less the first's, over the rows that both variants answered."),
    ),
    "set_chance": Definition(
        tr("p-value"),
        tr(
            "Exact two-sided p-value (McNemar; sign flips where rows have several answers), Holm-corrected for "
            "all pairs. A difference is significant at 0.05 or less, with a 95 % CI that excludes 0."
        ),
    ),
}
