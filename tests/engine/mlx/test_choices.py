from collections.abc import Iterator, Sequence

import pytest

from app.engine.jobs import Choice, ScoreChoices, ScoredChoices
from app.engine.protocol import StopFlag
from app.engine.types import Cancellation, Failure, Limits, RawPrompt, Request
from tests.engine.mlx.asking import ALL_MODELS, GREEDY, chat
from tests.engine.mlx.conftest import Open, Player
from tests.engine.mlx.independent import forward, log_softmax
from tests.engine.tiers import mostly_slow

SHOTS = "Question: Who lives in the sea?\nAnswer: A fish.\n\n"
ROWS = [
    ("Question: Who has a red tail?\nAnswer:", (" A fox.", " The sea", " It was a small boat.", " B")),
    ("Question: Who counts the waves?\nAnswer:", (" A", " B")),
    ("Once upon a time ", ("there was a fox.", "cat")),
]


def raw(prompt: str, choices: Sequence[str]) -> tuple[Choice, ...]:
    return tuple(Choice(text, RawPrompt(SHOTS + prompt), text) for text in choices)


def score(player: Player, *rows: Sequence[Choice], unconditional: bool = False) -> list[ScoredChoices | Failure]:
    found: list[ScoredChoices | Failure] = []
    assert player.result(ScoreChoices(iter(rows), found.append, unconditional)) == len(rows)
    return found


def directly(player: Player, before: Sequence[int], own: Sequence[int]) -> float:
    """Return the log-likelihood from the logits of one pass without a cache."""
    rows = forward(player.main, [*before, *own])[len(before) - 1 : -1]
    return sum(float(log_softmax(row)[token]) for row, token in zip(rows, own, strict=True))


def ids_of(player: Player, text: str) -> list[int]:
    return list(player.main.tokenizer.encode(text, add_special_tokens=False))


@pytest.mark.parametrize("model", mostly_slow(ALL_MODELS, "tiny_llama", "recurrent"))
def test_choices_scores_equal_one_pass_each(open_model: Open, model: str) -> None:
    player = open_model(model)
    for (prompt, choices), found in zip(ROWS, score(player, *(raw(*row) for row in ROWS)), strict=True):
        assert isinstance(found, ScoredChoices)
        bos = found.prompt.ids[: len(found.prompt.ids) - len(ids_of(player, (SHOTS + prompt).rstrip()))]
        for choice, each in zip(choices, found.scores, strict=True):
            whole = [*bos, *ids_of(player, SHOTS + prompt + choice)]
            own = whole[len(found.prompt.ids) :]
            assert each.text == choice and each.tokens == len(own) and each.unconditional is None
            assert each.logprob == pytest.approx(directly(player, found.prompt.ids, own), abs=1e-3)


def test_choices_unconditional_scores_follow_the_first_token(player: Player) -> None:
    (found,) = score(player, raw(*ROWS[0]), unconditional=True)
    assert isinstance(found, ScoredChoices)
    tokenizer = player.main.tokenizer
    begin = tokenizer.bos_token_id if tokenizer.bos_token_id is not None else min(player.main.eos_ids())
    for each in found.scores:
        assert each.unconditional == pytest.approx(directly(player, [begin], ids_of(player, each.text)), abs=1e-3)


def test_choices_of_a_chat_follow_the_rendered_template(demo: Player) -> None:
    prompt = chat("Who lives in the sea?")
    (found,) = score(demo, [Choice("A", prompt, "A fish"), Choice("B", prompt, "A fox")])
    assert isinstance(found, ScoredChoices)
    rendered = demo.engine.render(prompt)
    assert not isinstance(rendered, Failure) and found.prompt == rendered
    expected = directly(demo, rendered.ids, ids_of(demo, "A fish"))
    assert found.scores[0].logprob == pytest.approx(expected, abs=1e-3)


def test_choices_prefill_shared_tokens_once(demo: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    passed: list[int] = []
    forward_once = type(demo.main).forward

    def count(main: object, ids: tuple[int, ...], cache: list[object]) -> object:
        passed.append(len(ids))
        return forward_once(demo.main, ids, cache)

    monkeypatch.setattr(type(demo.main), "forward", count)
    rows = [raw(f"{3 * SHOTS}Question: {word}?\nAnswer:", (" A", " B")) for word in ("Who", "When", "Where")]
    score(demo, *rows)
    shots = len(ids_of(demo, 4 * SHOTS))
    assert shots <= sum(passed) < 2 * shots, "the examples are prefilled for the first row only"


def test_choices_refuse_a_row_and_score_the_others(player: Player) -> None:
    long = raw("word " * 5_000, (" A", " B"))
    empty = (Choice("", RawPrompt(SHOTS), ""),)
    first, second, third = score(player, long, empty, raw(*ROWS[1]))
    assert isinstance(first, Failure) and "context window" in first.what
    assert isinstance(second, Failure) and "empty" in second.what
    assert isinstance(third, ScoredChoices) and len(third.scores) == 2


def test_choices_stop_between_rows_and_leave_the_cache(player: Player) -> None:
    request = Request(RawPrompt("One two three"), GREEDY, Limits(4))
    first = player.play(request)
    stop, found = StopFlag(), list[object]()

    def rows() -> Iterator[Sequence[Choice]]:
        for row in ROWS:
            yield raw(*row)
            stop.ask()

    assert isinstance(player.do(ScoreChoices(rows(), found.append), stop=stop), Cancellation)
    assert len(found) == 1
    assert player.play(request).finish.reused > 0 and first.ids == player.play(request).ids
