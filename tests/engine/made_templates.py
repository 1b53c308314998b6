"""Real templates, and the shapes of conversations that they are tried on."""

from typing import Any

import pytest

from app.engine.types import ChatPrompt, Message, Role
from tests.standins.samples import Samples

S, U, A = Role.SYSTEM, Role.USER, Role.ASSISTANT


def chat(*turns: tuple[Role, str], reply: str = "", **arguments: str | bool) -> ChatPrompt:
    return ChatPrompt(tuple(Message(*turn) for turn in turns), reply, tuple(arguments.items()))


SHAPES = {
    "one question": chat((U, "Why is the sky blue?")),
    "system": chat((S, "Be brief."), (U, "Why?")),
    "three turns": chat((U, "Hi"), (A, "Hello!"), (U, "Bye")),
    "five turns": chat((S, "Be brief."), (U, "One"), (A, "Two"), (U, "Three"), (A, "Four"), (U, "Five")),
    "two users": chat((U, "One"), (U, "Two")),
    "two assistants": chat((U, "One"), (A, "Two"), (A, "Three"), (U, "Four")),
    "assistant first": chat((A, "Welcome!"), (U, "Thanks")),
    "system alone": chat((S, "Tell a story.")),
    "system midway": chat((U, "One"), (A, "Two"), (S, "Be rude."), (U, "Three")),
    "assistant last": chat((U, "One"), (A, "Two")),
    "beginning given": chat((S, "Be brief."), (U, "Why?"), reply="Because "),
    "empty": chat(),
}
TEMPLATES = (
    "HuggingFaceTB-SmolLM3-3B",
    "LFM2-8B-A1B",
    "NousResearch-Hermes-3-Llama-3.1-8B-tool_use",
    "Qwen-Qwen2.5-7B-Instruct",
    "Qwen-Qwen3-0.6B",
    "deepseek-ai-DeepSeek-R1-Distill-Llama-8B",
    "google-gemma-2-2b-it",
    "ibm-granite-granite-3.3-2B-Instruct",
    "llama-cpp-rwkv-world",
    "meta-llama-Llama-3.2-3B-Instruct",
    "microsoft-Phi-3.5-mini-instruct",
    "mistralai-Mistral-Nemo-Instruct-2407",
)


def use(template: str, tokenizer: Any, samples: Samples, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(tokenizer._tokenizer, "chat_template", samples.template(template))
    return tokenizer
