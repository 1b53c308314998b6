"""The text that a script prints is the one that the run showed, wherever characters were cut."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.engine.script.python import TEXT_OF
from app.engine.tokenizers.spelling import Spelling
from tests.engine import made_tokenizers as tokenizers
from tests.standins.samples import Samples


@pytest.fixture(scope="module", params=["llama3.2-instruct", "qwen3", "mistral-7b-instruct-v0.3"])
def tokenizer(request: pytest.FixtureRequest, samples: Samples) -> Any:
    return tokenizers.load(samples.path(f"tokenizers/{request.param}"))


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text("ab )é天\U0001fad9\U0001fadf🦊", min_size=1, max_size=16), data=st.data())
def test_wherever_prompt_and_reply_are_cut(tokenizer: Any, text: str, data: st.DataObject) -> None:
    ids = tokenizer.encode(f"x{text}", add_special_tokens=False)
    start = data.draw(st.integers(1, len(ids)))
    end = data.draw(st.integers(start, len(ids)))
    stream = Spelling(tokenizer).stream(ids[:start])
    shown = "".join(map(stream.add, ids[start:end]))
    made: dict[str, Any] = {"tokenizer": tokenizer, "prompt": ids[:start]}
    exec(TEXT_OF, made)
    assert made["text_of"](ids[start:end]) == shown
