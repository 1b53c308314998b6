from dataclasses import replace
from itertools import groupby

import pytest

from app.engine.stop_strings import Markers
from app.engine.types import KV, Limits, RawPrompt, ReplyPrefix, Request, Sampling, TokenPrompt, VisibleText
from tests.engine.mlx.conftest import Played, Player

COLD = Request(RawPrompt("The sluice gate"), Sampling(temperature=0), Limits(24))


def seen(played: Played) -> list[tuple[str, str]]:
    pieces = [*played.prompted.shown, *(piece for token in played.tokens for piece in token.shown)]
    return _joined([*pieces, *played.finish.released])


def _joined(pieces: list[VisibleText]) -> list[tuple[str, str]]:
    grouped = groupby(pieces, lambda piece: piece.voice)
    return [(voice, "".join(piece.text for piece in group)) for voice, group in grouped]


def forked(request: Request, sent: tuple[int, ...], kept: tuple[int, ...], tokens: int, **kv: bool) -> Request:
    prompt = TokenPrompt(sent + kept, ReplyPrefix(len(sent)))
    return replace(request, prompt=prompt, limits=Limits(tokens), kv=KV(**kv))


def test_continuation_cut_anywhere_gives_the_same_answer(player: Player) -> None:
    request = replace(COLD, sampling=Sampling(temperature=2.5, seed=4))
    whole = player.play(request)
    partial = [index for index, token in enumerate(whole.tokens) if not token.text]
    assert partial, "this seed cuts characters"
    sent = whole.prompted.prompt.ids
    for cut in (1, *(index + 1 for index in partial[:4]), len(whole.ids) - 1):
        played = player.play(forked(COLD, sent, tuple(whole.ids[:cut]), 1))
        assert "".join(played.prompted.prompt.begun) == "".join(token.text for token in whole.tokens[:cut])
        begun = "".join(piece.text for piece in played.prompted.shown)
        assert begun == "".join(piece.text for token in whole.tokens[:cut] for piece in token.shown)


@pytest.mark.parametrize("reuse", [True, False])
def test_fork_equals_a_fresh_run_of_its_prefix(player: Player, reuse: bool) -> None:
    whole = player.play(COLD)
    sent, index = whole.prompted.prompt.ids, 9
    prefix = (*whole.ids[:index], *player.main.tokenizer.encode(" a", add_special_tokens=False))
    assert prefix != tuple(whole.ids[: len(prefix)])
    fresh = player.play(replace(COLD, prompt=TokenPrompt(sent + prefix), limits=Limits(12), kv=KV(reuse=False)))
    player.play(COLD)
    played = player.play(forked(COLD, sent, prefix, 12, reuse=reuse))
    assert played.ids == fresh.ids
    assert played.finish.reused == (len(sent) + index if reuse else 0)
    assert "".join(text for _, text in seen(played)) == "".join(played.prompted.prompt.begun) + fresh.text


@pytest.fixture
def tagged(player: Player) -> Player:
    """A player whose model has reasoning tags."""
    player.engine._main = replace(player.main, markers=Markers.reasoning("<think>", "</think>"))
    return player


@pytest.mark.parametrize(
    ("text", "is_reasoning", "shown"),
    [
        ("nk> So", True, [("reasoning", "Well"), ("normal", " So")]),
        ("nk> So", False, [("normal", "Well</think> So")]),
        ("nk", True, [("reasoning", "Well")]),  # the tag may still become complete
    ],
)
def test_continuation_in_the_reasoning_accepts_a_cut_tag(
    tagged: Player, text: str, is_reasoning: bool, shown: list[tuple[str, str]]
) -> None:
    sent, written = (
        tagged.main.tokenizer.encode(each, add_special_tokens=False) for each in ("Of <think>", "Well</thi")
    )
    prompt = TokenPrompt((*sent, *written), ReplyPrefix(len(sent), reasoning=is_reasoning, text=text))
    played = tagged.play(replace(COLD, prompt=prompt, limits=Limits(2)))
    assert _joined(list(played.prompted.shown)) == shown
    if text == "nk":
        assert seen(played) == [("reasoning", "Well</think" + played.text)]


def test_continuation_of_a_raw_page_treats_tags_as_text(tagged: Player) -> None:
    text = "<think>Well</think> So"
    sent, written = (tagged.main.tokenizer.encode(each, add_special_tokens=False) for each in ("Of ", text))
    onwards = TokenPrompt((*sent, *written), ReplyPrefix(len(sent)), raw=True)
    played = tagged.play(replace(COLD, prompt=onwards, limits=Limits(2)))
    assert _joined(list(played.prompted.shown)) == [("normal", text)]
    assert seen(played) == [("normal", text + played.text)]
