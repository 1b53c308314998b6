import pytest

from app.library.suggested_models import MODELS, suggested
from app.library.types import Device

GB = 10**9


@pytest.mark.parametrize(
    ("limit", "on_cpu", "names"),
    [
        (1 * GB, False, ["SmolLM2 135M"]),
        (2 * GB, False, ["SmolLM2 135M", "Qwen3 0.6B", "Llama 3.2 1B"]),
        (6 * GB, False, ["Qwen3 0.6B", "Llama 3.2 1B", "Llama 3.2 3B"]),
        (12 * GB, False, ["Qwen3 0.6B", "Llama 3.2 1B", "Qwen3 8B"]),
        (48 * GB, False, ["Qwen3 0.6B", "Llama 3.2 1B", "Qwen3 30B A3B"]),
        (8 * GB, True, ["SmolLM2 135M", "Qwen3 0.6B", "Llama 3.2 1B"]),
        (26 * GB, True, ["Qwen3 0.6B", "Llama 3.2 1B", "Llama 3.2 3B"]),
    ],
)
def test_suggested_three_models_fit_into_the_memory(limit: int, on_cpu: bool, names: list[str]) -> None:
    assert [model.name for model in suggested(Device(limit, on_cpu))] == names


def test_suggested_models_sizes_are_those_of_their_weights_and_tokenizers() -> None:
    """4-bit weights with groups of 64 take 4.5 bits each, with their scales and biases."""
    for model in MODELS:
        tokenizer = model.size - model.parameters * (4.5 if model.id.endswith("4bit") else 16) / 8
        assert 3_000_000 < tokenizer < 20_000_000, model.name
    assert sorted(MODELS, key=lambda model: model.parameters) == list(MODELS)
