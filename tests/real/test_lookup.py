"""Prompt lookup on a real model: the same greedy tokens as without it, for prompts of three kinds.

`SLUICE_LOOKUP_PROMPTS=67 SLUICE_LOOKUP_TOKENS=64 pytest tests/real/test_lookup.py` tries 201 prompts.
"""

import os
from dataclasses import replace

import pytest

from app.engine.types import AUTOMATIC, KV, Limits, Request, Sampling
from tests.engine.mlx.conftest import Player
from tests.real.lookup_prompts import prompts

pytestmark = pytest.mark.slow

PROMPTS = int(os.environ.get("SLUICE_LOOKUP_PROMPTS", "2"))
TOKENS = int(os.environ.get("SLUICE_LOOKUP_TOKENS", "16"))


@pytest.mark.parametrize("kind", ["code", "summary", "chat"])
def test_lookup_changes_no_greedy_token(smol: Player, kind: str) -> None:
    asked = prompts(kind, PROMPTS)
    assert len(asked) == PROMPTS
    for number, prompt in enumerate(asked):
        plain = Request(prompt, Sampling(temperature=0), Limits(TOKENS), KV(reuse=False))
        lookup = replace(plain, lookup_tokens=(AUTOMATIC, 4)[number % 2])
        assert smol.play(lookup).ids == smol.play(plain).ids, prompt
