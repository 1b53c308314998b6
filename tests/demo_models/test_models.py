"""The bundled folders are whole, small and of one kind, and their tokenizer cuts as it was meant to."""

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer

from chat import TURN_END, TURN_START, pieces, written
from dialogue import Conversation, Turn

MODELS = Path(__file__).parents[2] / "resources" / "models"
FOLDERS = (MODELS / "demo", MODELS / "demo-draft")
FILES = {
    "README.md",
    "config.json",
    "generation_config.json",
    "model.safetensors",
    "tokenizer.json",
    "tokenizer_config.json",
}
MOST_BYTES = 12_000_000

folders = pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)


@pytest.fixture(scope="module")
def tokenizer() -> Any:
    return Tokenizer.from_file(str(FOLDERS[0] / "tokenizer.json"))


@pytest.fixture(scope="module")
def cut(tokenizer: Any) -> Callable[[str], list[int]]:
    def ids(text: str) -> list[int]:
        found: list[int] = tokenizer.encode(text).ids
        return found

    return ids


def read(file: Path) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))


def tensors(folder: Path) -> dict[str, Any]:
    """The header of the weights: what each is called, its kind and its shape."""
    with (folder / "model.safetensors").open("rb") as weights:
        (size,) = struct.unpack("<Q", weights.read(8))
        header: dict[str, Any] = json.loads(weights.read(size))
    return {name: told for name, told in header.items() if name != "__metadata__"}


@folders
def test_all_files_are_there(folder: Path) -> None:
    assert {file.name for file in folder.iterdir()} >= FILES


def test_both_together_are_small() -> None:
    assert sum(file.stat().st_size for folder in FOLDERS for file in folder.iterdir()) <= MOST_BYTES


@folders
def test_the_weights_are_float16(folder: Path) -> None:
    assert {told["dtype"] for told in tensors(folder).values()} == {"F16"}


@folders
def test_the_shape_in_the_config_is_that_of_the_weights(folder: Path) -> None:
    config, found = read(folder / "config.json"), tensors(folder)
    assert config["model_type"] == "llama"
    assert config["max_position_embeddings"] == 2048
    assert found["model.embed_tokens.weight"]["shape"] == [config["vocab_size"], config["hidden_size"]]
    assert f"model.layers.{config['num_hidden_layers'] - 1}.mlp.up_proj.weight" in found
    assert "lm_head.weight" not in found


def test_the_draft_is_a_fraction_of_the_model_and_shares_its_tokenizer() -> None:
    whole, draft = ((folder / "model.safetensors").stat().st_size for folder in FOLDERS)
    assert draft < whole / 6
    assert len({(folder / "tokenizer.json").read_bytes() for folder in FOLDERS}) == 1


@folders
def test_the_card_says_that_it_is_a_toy(folder: Path) -> None:
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "very small" in card.lower()
    assert "«" not in card


def test_every_digit_is_a_token(cut: Callable[[str], list[int]]) -> None:
    assert len(cut("1234567890")) == 10
    assert cut(" 12")[-2:] == cut("12")


@pytest.mark.parametrize("character", ["🦊", "🚀", "안", "녕", "é", "天"])
def test_other_characters_take_several_tokens(cut: Callable[[str], list[int]], character: str) -> None:
    assert len(cut(character)) == len(character.encode())


def test_every_byte_survives(tokenizer: Any, cut: Callable[[str], list[int]]) -> None:
    everything = "".join(map(chr, range(1, 0x250))) + "안녕하세요 🦊🧣❤️ 天地\n\t  two  spaces "
    assert tokenizer.decode(cut(everything), skip_special_tokens=False) == everything
    alphabet = [token for token in tokenizer.get_vocab() if len(token) == 1]
    assert len(alphabet) == 256


def test_marks_are_single_tokens(cut: Callable[[str], list[int]]) -> None:
    for mark in ("<|endoftext|>", TURN_START, TURN_END, "<think>", "</think>"):
        assert len(cut(mark)) == 1


def test_a_conversation_is_cut_alike_in_parts_and_as_a_whole(cut: Callable[[str], list[int]]) -> None:
    told = Conversation(
        (Turn("user", "Count 1 to 3."), Turn("assistant", "<think>\nI start at 1.\n</think>\n\n1, 2, 3"))
    )
    assert [token for text, _ in pieces(told) for token in cut(text)] == cut(written(told))


def test_a_generation_ends_at_the_end_of_a_turn(cut: Callable[[str], list[int]]) -> None:
    ends = read(FOLDERS[0] / "generation_config.json")["eos_token_id"]
    assert cut(TURN_END)[0] in ends


@folders
def test_the_template_writes_what_the_corpus_wrote(folder: Path) -> None:
    jinja2 = pytest.importorskip("jinja2")
    told = Conversation((Turn("system", "Be kind."), Turn("user", "Hello"), Turn("assistant", "Hi!")))
    template = jinja2.Template(read(folder / "tokenizer_config.json")["chat_template"])
    messages = [{"role": turn.role, "content": turn.text} for turn in told.turns]
    assert template.render(messages=messages) == written(told)
    asked = template.render(messages=messages[:2], add_generation_prompt=True)
    assert asked.endswith(f"{TURN_START}assistant\n")
    assert written(told).startswith(asked)


def test_there_are_three_first_prompts() -> None:
    prompts = read(FOLDERS[0] / "first_prompts.json")
    assert len(prompts) == 3
    for prompt in prompts:
        assert {"title", "prompt", "mode", "max_tokens", "shows"} <= prompt.keys()
    assert {prompt["mode"] for prompt in prompts} == {"chat", "raw"}
