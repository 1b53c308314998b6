"""config.json and generation_config.json: fields absent, negative, huge, or of another kind."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from tests.faults.mutations.mutation import HOSTILE, Mutation, Spoil, edit, setting, without, write

TRIED = "its settings"
CONFIG = "config.json"
NUMBERS = (
    *("hidden_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads", "head_dim", "vocab_size"),
    *("intermediate_size", "max_position_embeddings", "rope_theta", "rms_norm_eps"),
)
OTHERS = ("model_type", "tie_word_embeddings", "eos_token_id", "hidden_act", "attention_bias", "architectures")
BAD_NUMBERS: tuple[Any, ...] = (-1, 0, 10**6, 10**9, 2**63, 1e308, 0.5, "5", None, [], {}, True)
ROPES: tuple[Any, ...] = (
    *(
        {"type": "linear", "factor": 0},
        {"type": "linear"},
        {"rope_type": "llama3"},
        {"rope_type": "yarn", "factor": -1},
    ),
    *("x", 5, [], {"type": "x"}, {"rope_type": "longrope", "short_factor": [], "long_factor": [1] * 10**5}),
    {"rope_type": "llama3", "factor": 0, "low_freq_factor": 0, "high_freq_factor": 0},
)
QUANTISED: tuple[Any, ...] = (
    *({"bits": 4, "group_size": 64}, {"bits": 0, "group_size": 0}, {"bits": 3, "group_size": 7}, {"bits": -4}),
    *({}, [], "x", 5, {"bits": 4, "group_size": 32, "mode": "x"}, {"bits": 10**9, "group_size": 10**9}),
)
METHODS = ("x", "awq", "gptq", "bitnet", "mxfp4", "mxfp8", "fp8", "compressed-tensors", "modelopt", None)
ENDS: tuple[Any, ...] = (
    *(-1, 10**9, 2**63, "x", [], ["a"], [None], [[2]], {}, 2.5, True, list(range(100_000)), [-1, 2**40]),
)


def fields(file: str, name: str, values: tuple[Any, ...]) -> Iterator[Mutation]:
    for number, value in enumerate(values):
        yield Mutation(f"{file}: {name} {number} = {str(value)[:24]!r}", setting(file, **{name: value}))


def nested(depth: int) -> dict[str, Any]:
    inner: dict[str, Any] = {"num_hidden_layers": 3}
    for _ in range(depth):
        inner = {"text_config": inner}
    return inner


def nested_lists(depth: int) -> list[Any]:
    inner: list[Any] = []
    for _ in range(depth):
        inner = [inner]
    return inner


def big_number(folder: Path, luck: Random) -> None:
    """More digits than Python reads."""
    edit_text = (folder / CONFIG).read_text(encoding="utf-8").rstrip()
    write(folder / CONFIG, f'{edit_text[:-1]}, "rope_theta": {"9" * 5_000}}}')


def any_type(folder: Path, luck: Random) -> None:
    """The same numbers for another architecture."""
    from app.library.supported import model_types

    names = sorted(model_types())
    edit(folder / CONFIG, lambda content: content.update(model_type=luck.choice(names)))


def any_field(folder: Path, luck: Random) -> None:
    def change(content: dict[str, Any]) -> None:
        content[luck.choice([*content, "sliding_window", "layer_types", "rope_scaling", "text_config"])] = luck.choice(
            HOSTILE
        )

    edit(folder / CONFIG, change)


def no_end(value: object) -> Spoil:
    def spoil(folder: Path, luck: Random) -> None:
        (folder / "generation_config.json").unlink()
        setting(CONFIG, eos_token_id=value)(folder, luck)

    return spoil


def all_of_them() -> Iterator[Mutation]:
    for name in (*NUMBERS, *OTHERS):
        yield Mutation(f"{CONFIG} without {name}", without(CONFIG, name))
    for name in NUMBERS:
        yield from fields(CONFIG, name, BAD_NUMBERS)
    yield from fields(CONFIG, "rope_scaling", ROPES)
    yield from fields(CONFIG, "quantization", QUANTISED)
    for method in METHODS:
        yield Mutation(
            f"{CONFIG}: quantised by {method}", setting(CONFIG, quantization_config={"quant_method": method})
        )
    yield from fields(CONFIG, "quantization_config", (5, "x", [], {}, None))
    yield from fields(CONFIG, "text_config", (5, "x", [], {}, None, {"quantization_config": 5}))
    yield from fields(
        CONFIG, "model_type", ("cache", "../evil", "os", "a.b", "", 5, None, "base", "llama4", "__init__")
    )
    yield from fields(CONFIG, "architectures", ("x", 5, {}, [[]], [5], None))
    yield from fields(CONFIG, "auto_map", ({"AutoModel": "evil.Evil"}, 5, "x"))
    yield from fields(CONFIG, "model_file", ("evil.py", "../evil.py", 5))
    yield from fields(CONFIG, "layer_types", (5, "x", [], ["x"], ["sliding_attention"] * 3))
    yield from fields("generation_config.json", "eos_token_id", ENDS)
    for number, value in enumerate(ENDS):
        yield Mutation(f"{CONFIG}: end {number} = {str(value)[:24]!r}", no_end(value))
    for endless in (float("nan"), float("inf"), float("-inf")):
        for name in ("rope_theta", "rms_norm_eps", "hidden_size", "max_position_embeddings"):
            yield Mutation(f"{CONFIG}: {name} = {endless}", setting(CONFIG, **{name: endless}))
    yield Mutation(f"{CONFIG}: a part in a part, 900 times", setting(CONFIG, text_config=nested(900)))
    yield Mutation(f"{CONFIG}: 900 lists in lists", setting(CONFIG, rope_scaling=nested_lists(900)))
    yield Mutation(f"{CONFIG}: 300,000 fields", setting(CONFIG, **{f"field{at}": at for at in range(300_000)}))
    yield Mutation(f"{CONFIG}: a million lists", setting(CONFIG, layer_types=[[]] * 1_000_000))
    yield Mutation(f"{CONFIG}: a type of many letters", setting(CONFIG, model_type="a" * 100_000))
    yield Mutation(f"{CONFIG}: a type of two lines", setting(CONFIG, model_type="a\nb"))
    yield Mutation(f"{CONFIG}: a digit too many", big_number)
    yield Mutation("another architecture", any_type)
    yield Mutation("another architecture again", any_type)
    yield Mutation(f"{CONFIG}: anything hostile", any_field)
