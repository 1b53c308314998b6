"""config.json and generation_config.json: fields absent, negative, huge, or of another kind."""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from tests.faults.mutations.mutation import HOSTILE, Mutation, edit, setting, without, write

CONFIG = "config.json"
NUMBERS = (
    *("hidden_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads", "head_dim", "vocab_size"),
    *("intermediate_size", "max_position_embeddings", "rope_theta", "rms_norm_eps"),
)
OTHERS = ("model_type", "tie_word_embeddings", "eos_token_id", "hidden_act", "attention_bias", "architectures")
BAD_NUMBERS: tuple[Any, ...] = (-1, 0, 10**9, 2**63, 0.5, "5", None, [])
ROPES: tuple[Any, ...] = ({"type": "linear", "factor": 0}, {"rope_type": "yarn", "factor": -1}, "x", {"type": "x"})
QUANTIZED: tuple[Any, ...] = ({"bits": 0, "group_size": 0}, {"bits": 3, "group_size": 7}, [], {"bits": 10**9})
ENDS: tuple[Any, ...] = (-1, 10**9, 2**63, "x", [None], {}, 2.5, list(range(100_000)))


METHODS = ("x", "awq", "gptq", "mxfp4", "fp8")


def fields(file: str, name: str, values: tuple[Any, ...]) -> Iterator[Mutation]:
    for number, value in enumerate(values):
        yield Mutation(f"{file}: {name} {number} = {str(value)[:24]!r}", setting(file, **{name: value}))


def nested(depth: int) -> dict[str, Any]:
    inner: dict[str, Any] = {"num_hidden_layers": 3}
    for _ in range(depth):
        inner = {"text_config": inner}
    return inner


def big_number(folder: Path, luck: Random) -> None:
    """More digits than Python reads."""
    edit_text = (folder / CONFIG).read_text(encoding="utf-8").rstrip()
    write(folder / CONFIG, f'{edit_text[:-1]}, "rope_theta": {"9" * 5_000}}}')


def any_type(folder: Path, luck: Random) -> None:
    """The same numbers for another architecture."""
    from app.library.supported_architectures import model_types

    names = sorted(model_types())
    edit(folder / CONFIG, lambda content: content.update(model_type=luck.choice(names)))


def any_field(folder: Path, luck: Random) -> None:
    def change(content: dict[str, Any]) -> None:
        content[luck.choice([*content, "sliding_window", "layer_types", "rope_scaling", "text_config"])] = luck.choice(
            HOSTILE
        )

    edit(folder / CONFIG, change)


def all_of_them() -> Iterator[Mutation]:
    for name in (*NUMBERS, *OTHERS):
        yield Mutation(f"{CONFIG} without {name}", without(CONFIG, name))
    for name in NUMBERS:
        yield from fields(CONFIG, name, BAD_NUMBERS)
    yield from fields(CONFIG, "rope_scaling", ROPES)
    yield from fields(CONFIG, "quantization", QUANTIZED)
    yield from fields(CONFIG, "quantization_config", (5, [], None, *({"quant_method": each} for each in METHODS)))
    yield from fields(CONFIG, "text_config", (5, "x", [], {"quantization_config": 5}, nested(900)))
    yield from fields(CONFIG, "model_type", ("cache", "../evil", "os", "", 5, None, "a" * 100_000, "a\nb"))
    yield from fields(CONFIG, "architectures", ("x", {}, [5], None))
    yield from fields(CONFIG, "auto_map", ({"AutoModel": "evil.Evil"}, 5))
    yield from fields(CONFIG, "model_file", ("evil.py", "../evil.py", 5))
    yield from fields(CONFIG, "layer_types", (5, [], ["x"], [[]] * 1_000_000))
    yield from fields("generation_config.json", "eos_token_id", ENDS)
    for name in ("rope_theta", "hidden_size"):
        yield from fields(CONFIG, name, (float("nan"), float("inf")))
    yield Mutation(f"{CONFIG}: a digit too many", big_number)
    yield Mutation("another architecture", any_type)
    yield Mutation(f"{CONFIG}: anything hostile", any_field)
