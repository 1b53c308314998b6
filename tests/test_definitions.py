from app.definitions import ALSO, DEFINITIONS, GROUPS, meaning, meanings, of_name
from app.experiments.metrics import COLUMNS
from app.experiments.pace import AT_END, SLOPE, at
from app.experiments.questions import EXPERIMENTS

LISTED = {
    *("first_token", "prompt_speed", "speed_now", "speed_mean", "decode_time", "end_to_end", "gaps", "stop_latency"),
    *("token_count", "visible", "context", "reused", "new", "acceptance", "tokens_per_step", "rate", "interval"),
    *("memory", "memory_active", "memory_cache", "memory_peak", "memory_weights", "memory_kv", "memory_limit"),
    *("nats_per_token", "perplexity", "bits_per_byte", "kl_mean", "same_first", "removed", "attribution"),
    *("ceiling", "ceiling_share", "set_difference", "set_chance"),
}


def test_definitions_include_listed_numbers() -> None:
    assert DEFINITIONS.keys() >= LISTED


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
