"""An answer continued from its middle has the tokens and text of one generated in one go."""

from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest

from app.engine.stop_strings import Markers
from app.engine.types import KV, Limits, RawPrompt, ReplyPrefix, Request, Sampling, TokenPrompt, VisibleText
from tests.engine.mlx.conftest import Open, Played, Player

COLD = Request(RawPrompt("The sluice gate"), Sampling(temperature=0), Limits(24))


@pytest.fixture
def tiny(open_model: Open, tiny_llama: Path) -> Player:
    return open_model(tiny_llama)


def seen(played: Played) -> list[tuple[str, str]]:
    pieces = [*played.prompted.shown, *(piece for token in played.tokens for piece in token.shown)]
    return _joined([*pieces, *played.finish.released])


def _joined(pieces: list[VisibleText]) -> list[tuple[str, str]]:
    grouped = groupby(pieces, lambda piece: piece.voice)
    return [(voice, "".join(piece.text for piece in group)) for voice, group in grouped]


def forked(request: Request, sent: tuple[int, ...], kept: tuple[int, ...], tokens: int, **kv: bool) -> Request:
    prompt = TokenPrompt(sent + kept, ReplyPrefix(len(sent)))
    return replace(request, prompt=prompt, limits=Limits(tokens), kv=KV(**kv))


def test_continuation_cut_anywhere_gives_the_same_answer(tiny: Player) -> None:
    request = replace(COLD, sampling=Sampling(temperature=2.5, seed=4))
    whole = tiny.play(request)
    partial = [place for place, token in enumerate(whole.tokens) if not token.text]
    assert partial, "this seed cuts characters"
    sent = whole.prompted.prompt.ids
    for cut in (1, *(place + 1 for place in partial[:4]), len(whole.ids) - 1):
        played = tiny.play(forked(COLD, sent, tuple(whole.ids[:cut]), 1))
        assert "".join(played.prompted.prompt.begun) == "".join(token.text for token in whole.tokens[:cut])
        begun = "".join(piece.text for piece in played.prompted.shown)
        assert begun == "".join(piece.text for token in whole.tokens[:cut] for piece in token.shown)


@pytest.mark.parametrize("reuse", [True, False])
def test_fork_equals_a_fresh_run_of_its_prefix(tiny: Player, reuse: bool) -> None:
    whole = tiny.play(COLD)
    sent, place = whole.prompted.prompt.ids, 9
    prefix = (*whole.ids[:place], *tiny.engine._loaded().tokenizer.encode(" a", add_special_tokens=False))
    assert prefix != tuple(whole.ids[: len(prefix)])
    fresh = tiny.play(replace(COLD, prompt=TokenPrompt(sent + prefix), limits=Limits(12), kv=KV(reuse=False)))
    tiny.play(COLD)
    played = tiny.play(forked(COLD, sent, prefix, 12, reuse=reuse))
    assert played.ids == fresh.ids
    assert played.finish.reused == (len(sent) + place if reuse else 0)
    assert "".join(text for _, text in seen(played)) == "".join(played.prompted.prompt.begun) + fresh.text


def test_fork_with_the_same_seed_gives_the_same_answer(tiny: Player) -> None:
    warm = replace(COLD, sampling=Sampling(temperature=0.8, seed=11))
    whole = tiny.play(warm)
    request = forked(warm, whole.prompted.prompt.ids, (*whole.ids[:5], 40), 20)
    assert tiny.play(request).ids == tiny.play(request).ids


def test_continuation_in_the_reasoning_accepts_a_cut_tag(tiny: Player) -> None:
    loaded = tiny.engine._main
    assert loaded is not None
    tiny.engine._main = replace(loaded, markers=Markers.reasoning("<think>", "</think>"))
    sent, said = (loaded.tokenizer.encode(text, add_special_tokens=False) for text in ("Of <think>", "Well</thi"))
    for reasoning, shown in (
        (True, [("reasoning", "Well"), ("normal", " So")]),
        (False, [("normal", "Well</think> So")]),
    ):
        begun = ReplyPrefix(len(sent), reasoning=reasoning, text="nk> So")
        played = tiny.play(replace(COLD, prompt=TokenPrompt((*sent, *said), begun), limits=Limits(1)))
        assert _joined(list(played.prompted.shown)) == shown
    cut = TokenPrompt((*sent, *said), ReplyPrefix(len(sent), reasoning=True, text="nk"))
    played = tiny.play(replace(COLD, prompt=cut, limits=Limits(2)))
    assert _joined(list(played.prompted.shown)) == [("reasoning", "Well")], "the mark may still become whole"
    assert seen(played) == [("reasoning", "Well</think" + played.text)]


def test_continuation_of_a_raw_page_treats_tags_as_text(tiny: Player) -> None:
    loaded = tiny.engine._main
    assert loaded is not None
    tiny.engine._main = replace(loaded, markers=Markers.reasoning("<think>", "</think>"))
    sent, said = (loaded.tokenizer.encode(text, add_special_tokens=False) for text in ("Of ", "<think>Well</think> So"))
    onwards = TokenPrompt((*sent, *said), ReplyPrefix(len(sent)), raw=True)
    played = tiny.play(replace(COLD, prompt=onwards, limits=Limits(2)))
    assert _joined(list(played.prompted.shown)) == [("normal", "<think>Well</think> So")]
    assert seen(played) == [("normal", "<think>Well</think> So" + played.text)]
