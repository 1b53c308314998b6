"""Step: what is cached or batched says what it says alone, and alternatives are those of a pass in float64."""

import sys
from dataclasses import replace

import numpy as np

from app.engine.protocol import StopFlag
from app.engine.types import KV, ChatPrompt, Event, Limits, Message, Request, Role, Sampling, Token
from tests.engine.mlx.conftest import Player
from tests.engine.mlx.independent import TOLERANCES, forward, log_softmax
from tests.mac_check.facts import Facts, step
from tests.mac_check.models import COUNT, LENGTH, STORY, first_difference, opened

DRAWN = replace(STORY, sampling=Sampling(temperature=0.9, top_p=0.9, seed=5))


def look(facts: Facts) -> None:
    with opened() as player:
        _cached(facts, player)
        _batched(facts, player)
        _candidates(facts, player)


def _cached(facts: Facts, player: Player) -> None:
    """The second turn of a conversation, with the first one in the cache, without it, and in the bare loop."""
    first = player.play(replace(STORY, kv=KV()))
    said = (Message(Role.USER, "Tell me a long story about a fox."), Message(Role.ASSISTANT, first.text))
    second = replace(STORY, prompt=ChatPrompt((*said, Message(Role.USER, "And then?"))), kv=KV())
    cached = player.play(second)
    facts.held("the cache had the conversation", cached.finish.reused > 0, cached.finish.reused, "tokens")
    for name, kv in (("without its cache", KV(reuse=False)), ("in the bare loop", KV(enabled=False))):
        parted = first_difference(cached.ids, player.play(replace(second, kv=kv)).ids)
        facts.held(f"cached, and {name}: the same tokens", not parted, parted)


def _batched(facts: Facts, player: Player) -> None:
    requests = (STORY, COUNT, DRAWN)
    alone = [player.play(request).ids for request in requests]
    rows: list[list[Event]] = [[] for _ in requests]
    finishes = player.engine.generate_together(requests, [row.append for row in rows], StopFlag())
    facts.held("a batch of three ended well", all(each.failure is None for each in finishes))
    for name, ids, row in zip(("a story", "counting", "drawn"), alone, rows, strict=True):
        parted = first_difference(ids, [event.id for event in row if isinstance(event, Token)])
        facts.held(f"batched and alone, {name}: the same tokens", not parted, parted)


def _candidates(facts: Facts, player: Player) -> None:
    for name, asked in (("greedy", STORY), ("drawn", DRAWN)):
        furthest = _furthest(player, replace(asked, observe=20, limits=Limits(LENGTH)))
        holds = furthest <= TOLERANCES[player.model.precision]
        facts.held(f"alternatives against float64, {name}: furthest", holds, f"{furthest:.2g}", "nats")
    facts.told("as near as it must be", TOLERANCES[player.model.precision], f"nats in {player.model.precision}")


def _furthest(player: Player, request: Request) -> float:
    """Of all alternatives that were told, from what a pass of its own finds for them."""
    played = player.play(request)
    prompt = list(played.prompted.prompt.ids)
    rows = forward(player.main, [*prompt, *played.ids][:-1])
    furthest = 0.0
    for place, token in enumerate(played.tokens):
        assert token.observed is not None
        computed = log_softmax(rows[len(prompt) + place - 1])
        told = [token.observed.chosen, *token.observed.top]
        apart = np.array([each.logprob for each in told]) - computed[[each.id for each in told]]
        furthest = max(furthest, float(np.abs(apart).max()))
    return furthest


if __name__ == "__main__":
    sys.exit(step(look))
