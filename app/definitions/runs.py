"""Definitions of the numbers of runs, comparisons and evaluations, by their keys."""

from app.definitions.types import Definition
from app.engine.catalogue import SETTINGS
from app.i18n import tr

OF_SETTINGS = ("seed", "temperature", "max_tokens", "draft_tokens")
"""Settings that are shown with a run."""

SPEEDS = {
    "speed_now": Definition(
        tr("Speed now"),
        tr(
            "Decode speed over the last 8 tokens, or over the last 15 % of a longer run (at most 1 s). With a draft "
            "model over whole steps. After the run: the mean speed."
        ),
    ),
    "speed_mean": Definition(
        tr("Mean speed"), tr("(n − 1) ÷ (arrival of token n − arrival of token 1); not defined for a single token.")
    ),
    "decode_time": Definition(
        tr("Decode time"),
        tr(
            "Time from the first to the last token, without the time to first token. Mean speed is (n − 1) ÷ this time."
        ),
    ),
    "ceiling": Definition(
        tr("Ceiling"),
        tr(
            "Memory-bandwidth limit of the decode speed: measured bandwidth over the model's largest matrix ÷ bytes "
            "read per token."
        ),
    ),
    "ceiling_share": Definition(
        tr("Share of the ceiling"), tr("The mean speed ÷ the ceiling at the middle of the answer.")
    ),
    "end_to_end": Definition(
        tr("End-to-end speed"), tr("n ÷ (arrival of the last token − Send), including the time to first token.")
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
        tr("On a server: time to open the connection, including DNS and TLS."),
    ),
    "first_byte": Definition(
        tr("First byte"),
        tr("On a server: time from the open connection to the first byte of the answer."),
    ),
    "pieces": Definition(
        tr("Pieces"),
        tr("Pieces of text from a server that reports no token count; often one per token."),
    ),
    "elapsed": Definition(tr("Elapsed"), tr("Time from Send to now, or to the end of the run.")),
    "gaps": Definition(
        tr("Between tokens: p50, p95, p99"),
        tr(
            "Percentiles of the inter-token latency. With a draft model: of the time between steps, since accepted "
            "tokens arrive in bursts."
        ),
    ),
    "stop_latency": Definition(tr("Stop latency"), tr("Time from Stop (or Esc) to the end of the run.")),
    "acceptance": Definition(tr("Draft acceptance rate"), tr("Accepted ÷ proposed tokens of the draft model.")),
    "tokens_per_step": Definition(
        tr("Tokens per step"),
        tr("Generated tokens ÷ steps of the target model. With a draft model a step can yield several."),
    ),
}
COUNTS = {
    "token_count": Definition(tr("Tokens"), tr("Generated tokens, including EOS.")),
    "visible": Definition(
        tr("Visible tokens"),
        tr("Generated tokens without EOS and without text removed by a stop string."),
    ),
    "prompt_tokens": Definition(
        tr("Prompt tokens"),
        tr("Tokens of the whole prompt, including the conversation and the chat template."),
    ),
    "reused": Definition(
        tr("Reused prompt tokens"),
        tr("Prompt tokens found in the KV cache, which need no prefill."),
    ),
    "new": Definition(tr("New prompt tokens"), tr("Prompt tokens that were prefilled in this run.")),
    "context": Definition(tr("Context"), tr("Tokens in the cache ÷ the context window, and what Max tokens may add.")),
    "finish": Definition(
        tr("Finish reason"),
        tr(
            "Why the run ended: an EOS or stop token (stop), max tokens (length), a stop string, Stop, a full "
            "context window, a complete output format, or an error."
        ),
    ),
    **{name: Definition(SETTINGS[name].words, SETTINGS[name].meaning) for name in OF_SETTINGS},
    "bytes": Definition(tr("Bytes"), tr("Bytes of the token in hexadecimal. A character can take several tokens.")),
    "number": Definition(tr("Number of a token"), tr("Its place in the answer or in the prompt, counted from 1.")),
    "room": Definition(
        tr("Room"), tr("Tokens that still fit into the context window, and about how many fit into memory.")
    ),
    "tally": Definition(tr("Number of runs"), tr("Number of listed runs, after filtering.")),
    "sent": Definition(tr("When"), tr("Date and time of Send.")),
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
        tr("Active memory"), tr("Memory in use now: weights, KV cache and intermediate arrays.")
    ),
    "memory_weights": Definition(tr("Weights"), tr("Size of the model's parameters in memory, or of the download.")),
    "memory_kv": Definition(
        tr("KV cache"),
        tr("Keys and values of all processed tokens; part of the active memory."),
    ),
    "memory_kept": Definition(
        tr("KV caches in memory"),
        tr("KV caches of other conversations and branches, which then need no prefill; part of the active memory."),
    ),
    "memory_cache": Definition(
        tr("Allocator's cache"), tr("Freed memory that MLX's allocator keeps for the next use.")
    ),
    "memory_peak": Definition(tr("Memory peak"), tr("Largest active memory of MLX's allocator since the run began.")),
    "memory_limit": Definition(
        tr("Memory limit"),
        tr("The GPU's recommended working set, or all memory if unknown; capped by Settings › Advanced."),
    ),
    "fit": Definition(
        tr("Will it fit?"),
        tr("Estimated weights, KV cache for the set context, and headroom, compared with the memory limit."),
    ),
}
EXPERIMENTS = {
    "repeats": Definition(
        tr("Runs", "how many of them a variant has"),
        tr("Number of measured runs of a variant. Figures are their median, with the range in brackets."),
    ),
    "speed_at": Definition(tr("Speed at a token"), tr("Mean speed over the 20 tokens before and the 20 after.")),
    "speed_at_end": Definition(tr("Speed at the end"), tr("Mean speed over the last 40 tokens.")),
    "slope": Definition(tr("Slope"), tr("Change of the speed per 100 tokens; negative if it gets slower.")),
    "conclusion": Definition(
        tr("What was found"),
        tr(
            "Estimate over all rounds (Hodges–Lehmann) and its confidence interval (Wilcoxon signed-rank, 96 % "
            "or more). A difference is reported only where the interval excludes no difference."
        ),
    ),
    "gain": Definition(
        tr("Times as fast"),
        tr("Speed of the second variant ÷ speed of the first, paired by round, with its confidence interval."),
    ),
    "others": Definition(
        tr("Other programs"),
        tr("Share of CPU time used by other programs during the measurement. GPU load is unknown."),
    ),
    "parted": Definition(tr("First different token"), tr("First token at which the texts of the first runs differ.")),
    "unfinished": Definition(tr("Unfinished tokens"), tr("Tokens of a character that is still incomplete.")),
    "batches": Definition(
        tr("One by one (tok/s)"),
        tr("All tokens ÷ total time, one run after the other or in one batch."),
    ),
    "by_place": Definition(
        tr("Accepted by place, share of all steps"),
        tr("Share of steps in which the 1st, 2nd, … proposed token was accepted."),
    ),
    "own_logprob": Definition(
        tr("Log-probability per token"),
        tr("Mean ln p of the answer's tokens, before the output format."),
    ),
    "removed": Definition(
        tr("Probability ruled out"),
        tr(
            "1 − the sum of the probabilities of all tokens that the output format allows, after penalties and "
            "bias, before temperature."
        ),
    ),
    "forced": Definition(tr("Forced token"), tr("The only token that the output format allowed; it isn't sampled.")),
    "wanted": Definition(
        tr("Top choice invalid"),
        tr("Constrained tokens at which the output format ruled out the model's most likely token."),
    ),
    "distinct_1": Definition(tr("Different tokens"), tr("Distinct tokens ÷ all tokens.")),
    "distinct_2": Definition(tr("Different pairs"), tr("Distinct bigrams ÷ all bigrams.")),
    "distinct_3": Definition(tr("Different triples"), tr("Distinct trigrams ÷ all trigrams.")),
}
SETS = {
    "rate": Definition(tr("Rate (%)"), tr("Correct answers ÷ judged rows of a variant.")),
    "interval": Definition(
        tr("95 % CI"),
        tr(
            "95 % confidence interval of the rate (Wilson) or of the paired difference (Agresti–Min). It "
            "assumes that the rows are a random sample of such prompts."
        ),
    ),
    "set_difference": Definition(
        tr("Difference (points)"),
        tr("Rate of the second variant − rate of the first, over rows that both answered."),
    ),
    "set_chance": Definition(
        tr("p-value"),
        tr(
            "Exact two-sided p-value (McNemar; sign flips where rows have several answers), Holm-corrected for "
            "all pairs. A difference is significant at 0.05 or less, with a 95 % CI that excludes 0."
        ),
    ),
}
