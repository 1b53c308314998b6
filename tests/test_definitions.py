from app.definitions import ALSO, DEFINITIONS, GROUPS, meaning, meanings, of_name
from app.experiments.metrics import COLUMNS
from app.experiments.pace import AT_END, SLOPE, at
from app.experiments.questions import EXPERIMENTS

LISTED = {
    "TTFT": ("first_token",),
    "prefill speed": ("prompt_speed",),
    "speed now": ("speed_now",),
    "mean decode speed": ("speed_mean", "decode_time"),
    "end-to-end speed": ("end_to_end",),
    "inter-token latency p50 / p95 / p99": ("gaps",),
    "tokens": ("token_count", "visible"),
    "context": ("context",),
    "reused / new prompt tokens": ("reused", "new"),
    "memory": ("memory", "memory_active", "memory_cache", "memory_peak", "memory_weights", "memory_kv", "memory_limit"),
    "stop latency": ("stop_latency",),
    "draft acceptance": ("acceptance", "tokens_per_step"),
    "cross-entropy, perplexity": ("nats_per_token", "perplexity"),
    "bits per byte": ("bits_per_byte",),
    "KL divergence of A from B at a token": ("kl_mean",),
    "top-1 agreement": ("same_first",),
    "bytes per token; bandwidth limit; share": ("ceiling", "ceiling_share"),
    "probability ruled out": ("removed",),
    "attribution of a part of the prompt": ("attribution",),
    "rate, difference": ("rate", "interval", "set_difference", "set_chance"),
}


def test_definitions_include_listed_numbers() -> None:
    assert {key for keys in LISTED.values() for key in keys} <= DEFINITIONS.keys()


def test_definitions_are_unique_sentences() -> None:
    texts = [each.text for each in DEFINITIONS.values()]
    assert len(set(texts)) == len(texts) == sum(map(len, GROUPS.values()))
    assert [text for text in texts if not text.endswith(".")] == []


def test_definitions_include_experiment_columns() -> None:
    own = {column for each in EXPERIMENTS for column in each.columns}
    known = {each.text for each in DEFINITIONS.values()}
    assert {column.definition for column in (*COLUMNS, *own, at(3), AT_END, SLOPE)} <= known


def test_of_name_finds_each_displayed_name() -> None:
    assert of_name("Seed") == meaning("seed")
    assert of_name("Peak") == meanings("memory_peak") == f"Memory peak: {meaning('memory_peak')}"
    assert of_name("Prompt").count("\n") == len(ALSO["Prompt"]) - 1
    assert of_name("Something else") == ""
