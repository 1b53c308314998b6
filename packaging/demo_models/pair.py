"""The exported pair, loaded and ready to answer: in batches, one by one, or with the draft's help."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mlx.core as mx
from mlx_lm import batch_generate, load, stream_generate
from mlx_lm.sample_utils import make_sampler

Message = dict[str, str]


@dataclass(frozen=True, slots=True)
class Reply:
    """What came of one prompt; `drafted` and `seconds` are known only where it was generated alone."""

    text: str
    tokens: int
    finish: str
    drafted: int = 0
    seconds: float = 0.0


class Pair:
    """Both models in single precision, as the engine runs them on a CPU. One thread must own them."""

    def __init__(self, folder: Path, draft: Path) -> None:
        self.model: Any = None
        self.draft: Any = None
        self.model, self.tokenizer = load(str(folder))[:2]
        self.draft = load(str(draft))[0]
        self.model.set_dtype(mx.float32)
        self.draft.set_dtype(mx.float32)

    def chat(self, messages: list[Message]) -> list[int]:
        """The prompt that the template makes of a conversation."""
        ids: list[int] = self.tokenizer.apply_chat_template(messages, add_generation_prompt=True)
        return ids

    def ask(self, question: str, system: str = "") -> list[int]:
        told = [{"role": "system", "content": system}] if system else []
        return self.chat([*told, {"role": "user", "content": question}])

    def raw(self, text: str) -> list[int]:
        ids: list[int] = self.tokenizer.encode(text, add_special_tokens=False)
        return ids

    def replies(self, prompts: list[list[int]], limit: int, temperature: float = 0.0) -> list[Reply]:
        """Answers to many prompts at once."""
        sampler = make_sampler(temp=temperature)
        done = batch_generate(
            self.model, self.tokenizer, prompts, max_tokens=limit, sampler=sampler, return_token_ids=True
        )
        return [
            Reply(text, len(ids), "length" if len(ids) >= limit else "stop")
            for text, ids in zip(done.texts, done.token_ids or [], strict=True)
        ]

    def reply(self, prompt: list[int], limit: int, drafts: int = 0) -> Reply:
        """The greedy answer to one prompt, with so many drafts a round."""
        options: dict[str, Any] = {"draft_model": self.draft, "num_draft_tokens": drafts} if drafts else {}
        text, finish, tokens, drafted, started = "", "", 0, 0, 0.0
        for response in stream_generate(self.model, self.tokenizer, prompt, max_tokens=limit, **options):
            started = started or time.perf_counter()
            text, tokens = text + response.text, response.generation_tokens
            finish, drafted = response.finish_reason or "", drafted + bool(response.from_draft)
        return Reply(text, tokens, finish, drafted, time.perf_counter() - started)
