from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from app.engine.mlx.engine import MlxEngine
from app.engine.protocol import StopFlag
from app.engine.types import (
    KV,
    Event,
    Finish,
    Limits,
    LoadRequest,
    Model,
    PromptEvent,
    Request,
    Sampling,
    Token,
    TokenPrompt,
    Tuning,
)
from tests import adapters, models
from tests.faults.full import times

pytestmark = pytest.mark.slow

SESSIONS = 5
LONGEST = 900
BUDGETS = (10_000, 300_000, 3_000_000, 0)
"""For caches of which each takes half a megabyte; 0: as large as usual."""
ON_DISK = (1_000_000, 10_000_000, 10_000_000)
LONGER = 20
"""A model stays open for about so many steps."""

Ids = tuple[int, ...]


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, LoadRequest]:
    """Return a model for each kind of cache, and an adapter."""
    folder = tmp_path_factory.mktemp("returning")
    plain = models.tiny_llama(folder / "plain")
    folders = {
        "plain": plain,
        "scaled": models.llama3_rope(folder / "scaled"),
        "sliding": models.sliding_window(folder / "sliding"),
        "recurrent": models.recurrent(folder / "recurrent"),
    }
    requests = {name: LoadRequest(str(path)) for name, path in folders.items()}
    lora = adapters.adapter(folder / "adapter", plain, planted=0.5)
    return requests | {"adapted": LoadRequest(str(plain), adapter=str(lora))}


class Walk:
    """Two engines with the same model: one that keeps what it reads, and one that begins from nothing each time."""

    def __init__(self, known: Mapping[str, LoadRequest], random: Random, folder: str) -> None:
        self._known, self._random, self._folder = known, random, folder
        self._keeping, self._bare = MlxEngine(), MlxEngine()
        self._told: dict[int, list[Ids]] = {}
        """Of each session: all that the model was sent and wrote in it, branch by branch."""
        self._open()

    def step(self) -> Iterator[str]:
        """What is wrong with one more run."""
        random = self._random
        if random.randrange(LONGER) == 0:
            self._open()
        if random.randrange(10) == 0:
            in_memory, on_disk = random.choice(BUDGETS), random.choice((0, *ON_DISK))
            self._keeping.tune(Tuning(kept_bytes=in_memory, saved_bytes=on_disk, saved_to=self._folder))
        if random.randrange(8) == 0:
            self._keeping.save()
        session = random.randrange(1, SESSIONS + 1)
        request = self._request(session)
        budget = self._keeping._cache.others.budget
        kept, found = self._run(self._keeping, request)
        bare, _ = self._run(self._bare, replace(request, session=None, kv=replace(request.kv, reuse=False)))
        if kept != bare:
            yield f"{kept} and not {bare}, with {found.reused} of {found.reused + found.new} tokens reused"
        if (size := self._keeping.memory().kept) > budget:
            yield f"{size} bytes are kept, {budget} are allowed"
        assert isinstance(request.prompt, TokenPrompt)
        if request.session is not None:
            self._told.setdefault(session, []).append((*request.prompt.ids, *kept))

    def close(self) -> None:
        for engine in (self._keeping, self._bare):
            engine.unload()  # not close(): whoever runs this has streams on the same thread

    def _open(self) -> None:
        request = self._known[self._random.choice(sorted(self._known))]
        for engine in (self._keeping, self._bare):
            opened = engine.load(request, lambda event: None, StopFlag())
            assert isinstance(opened, Model), opened

    def _request(self, session: int) -> Request:
        random = self._random
        sampling = Sampling(
            temperature=random.choice((0, 0, 0.8)),
            repetition_penalty=random.choice((1.0, 1.0, 1.3)),
            seed=random.randrange(9),
            adapter_strength=random.choice((0.0, 1.0, 1.0, 0.5)),
        )
        # No cache is quantised here, so this changes nothing but which caches are looked at.
        kv = KV(reuse=random.randrange(10) > 0, group_size=random.choice((64, 64, 64, 32)))
        nobody = random.randrange(8) == 0
        prompt, limits = TokenPrompt(self._prompt(session)), Limits(random.randrange(1, 30))
        return Request(prompt, sampling, limits, kv, session=None if nobody else session)

    def _prompt(self, session: int) -> Ids:
        """On from the last answer, on from an earlier place, the same once more, or something new."""
        random, before = self._random, self._told.get(session, [])
        if not before or random.randrange(12) == 0:
            others = [ids for told in self._told.values() for ids in told]
            shared = random.choice(others)[: random.randrange(200)] if others else ()
            return (*shared, *self._text(20, 300))
        ids = before[-1] if random.randrange(2) else random.choice(before)
        way = random.choice(("on", "on", "branch", "again"))
        if way == "again":
            return ids
        if way == "branch" or len(ids) > LONGEST:
            ids = ids[: random.randrange(1, min(len(ids), LONGEST))]
        return (*ids, *self._text(1, 60))

    def _text(self, least: int, most: int) -> Ids:
        return tuple(self._random.randrange(5, 300) for _ in range(self._random.randrange(least, most)))

    def _run(self, engine: MlxEngine, request: Request) -> tuple[Ids, Finish]:
        events: list[Event] = []
        finish = engine.generate(request, events.append, StopFlag())
        assert finish.failure is None, finish.failure
        assert any(isinstance(event, PromptEvent) for event in events)
        return tuple(event.id for event in events if isinstance(event, Token)), finish


@pytest.mark.parametrize("seed", [1, 2])
def test_cache_that_is_kept_changes_no_token(known: Mapping[str, LoadRequest], seed: int, tmp_path: Path) -> None:
    walk = Walk(known, Random(f"returning {seed}"), str(tmp_path))
    try:
        for step in range(times(40, 500)):
            assert list(walk.step()) == [], f"step {step}"
    finally:
        walk.close()
