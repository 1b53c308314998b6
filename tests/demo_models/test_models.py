import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer

from chat import TURN_START, pieces, written
from dialogue import Conversation, Turn

MODELS = Path(__file__).parents[2] / "resources" / "models"
FOLDERS = (MODELS / "demo", MODELS / "demo-draft")

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


def test_tokenizer_splits_digits(cut: Callable[[str], list[int]]) -> None:
    assert len(cut("1234567890")) == 10
    assert cut(" 12")[-2:] == cut("12")


def test_tokenizer_round_trips_every_byte(tokenizer: Any, cut: Callable[[str], list[int]]) -> None:
    everything = "".join(map(chr, range(1, 0x250))) + "안녕하세요 🦊🧣❤️ 天地\n\t  two  spaces "
    assert tokenizer.decode(cut(everything), skip_special_tokens=False) == everything
    alphabet = [token for token in tokenizer.get_vocab() if len(token) == 1]
    assert len(alphabet) == 256


def test_tokenizer_splits_a_conversation_alike_in_parts_and_as_a_whole(cut: Callable[[str], list[int]]) -> None:
    told = Conversation(
        (Turn("user", "Count 1 to 3."), Turn("assistant", "<think>\nI start at 1.\n</think>\n\n1, 2, 3"))
    )
    assert [token for text, _ in pieces(told) for token in cut(text)] == cut(written(told))


@folders
def test_chat_template_writes_the_format_of_the_corpus(folder: Path) -> None:
    jinja2 = pytest.importorskip("jinja2")
    told = Conversation((Turn("system", "Be kind."), Turn("user", "Hello"), Turn("assistant", "Hi!")))
    template = jinja2.Template(read(folder / "tokenizer_config.json")["chat_template"])
    messages = [{"role": turn.role, "content": turn.text} for turn in told.turns]
    assert template.render(messages=messages) == written(told)
    asked = template.render(messages=messages[:2], add_generation_prompt=True)
    assert asked.endswith(f"{TURN_START}assistant\n")
    assert written(told).startswith(asked)
