"""What the cache has of a prompt, told in words: each reason, and the comparison with a run without it."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.engine.types import (
    KV,
    Adapter,
    CacheMissReason,
    ExactPrompt,
    Failure,
    Finish,
    Model,
    Part,
    PromptSpan,
    Reason,
    Reusable,
    TokenPrompt,
)
from app.records.types import FilesRef
from app.state import Run
from app.ui.prompt.cache_words import comparable, compared, foretold, read_for, told
from app.ui.prompt.controller_reuse_check import possible, without_reuse
from tests.ui.conversation.runs import run


def prompt(*said: tuple[Part, str]) -> ExactPrompt:
    """A token for each piece; the same text is the same token."""
    offsets: list[tuple[int, int]] = []
    spans: list[PromptSpan] = []
    at = 0
    for part, text in said:
        offsets.append((at, at + len(text)))
        spans.append(PromptSpan(part, at, at + len(text)))
        at += len(text)
    ids = tuple(sum(map(ord, text)) for _, text in said)
    return ExactPrompt("".join(text for _, text in said), ids, tuple(offsets), tuple(spans))


S, T, Y, U, M = Part.SPECIAL, Part.TEMPLATE, Part.SYSTEM, Part.USER, Part.MODEL
DEMO = Model("demo", Path("demo"), "llama", 1, 4, None, 100, 64, ())
SENT = prompt((S, "<s>"), (Y, "Be kind"), (U, " a"), (U, " fox"), (T, "\n"))


def parted(now: ExactPrompt, same: int, cached: str, why: CacheMissReason = CacheMissReason.DIFFERS) -> str:
    found = Reusable(same if why is CacheMissReason.DIFFERS else 0, same, (sum(map(ord, cached)), cached), why)
    return foretold(now, found, SENT, ("<think>", "</think>")).words


@pytest.mark.parametrize(
    ("why", "words"),
    [
        (CacheMissReason.NOTHING, "Nothing is in the cache yet"),
        (CacheMissReason.OFF, "Reuse is switched off"),
        (CacheMissReason.BARE, "The KV cache is switched off"),
        (CacheMissReason.SETTINGS, "The cache was made with other settings of the KV cache or the draft model"),
    ],
)
def test_nothing_of_it_is_of_use(why: CacheMissReason, words: str) -> None:
    said = foretold(SENT, Reusable(hindrance=why), None)
    assert said.words == f"{words}: all 5 tokens will be read."
    assert said.token is None


def test_it_goes_on_from_the_cache() -> None:
    said = foretold(SENT, Reusable(3, 3, None, CacheMissReason.NONE), SENT)
    assert said.words == "The first 3 of 5 tokens are in the cache, and the prompt goes on from its end: 2 to read."
    assert said.token == 3
    whole = foretold(SENT, Reusable(4, 5, None, CacheMissReason.NONE), SENT)
    assert whole.words == "All 5 tokens are in the cache; the last one is read again to begin from."
    assert whole.token is None


def test_a_turn_was_changed() -> None:
    now = prompt((S, "<s>"), (Y, "Be kind"), (U, " a"), (U, " cat"), (T, "\n"))
    found = Reusable(3, 3, (SENT.ids[3], " fox"), CacheMissReason.DIFFERS)
    said = foretold(now, found, SENT)
    assert said.token == 3
    assert said.words == (
        "The first 3 of 5 tokens are in the cache. Token 4 differs: the cache has “␣fox”, the prompt “␣cat” – "
        "your text was changed there."
    )


def test_who_made_the_difference() -> None:
    pirate = prompt((S, "<s>"), (Y, "Be a pirate"), (U, " a"))
    assert parted(pirate, 1, "Be kind").endswith("– the system prompt is another one.")
    assert parted(pirate, 1, "Be kind").startswith("The first of 3 tokens is in the cache.")
    answered = [(S, "<s>"), (Y, "Be kind"), (U, " a"), (U, " fox"), (T, "\n")]
    other = prompt(*answered, (M, "No"), (U, " why"))
    assert parted(other, 5, "Yes").endswith("– the answer reads otherwise there than it was written.")
    closed = prompt(*answered, (T, "<end>"))
    assert parted(closed, 5, "Yes").endswith("– the template puts something else there.")
    assert parted(prompt(*answered, (M, "Yes")), 5, "<think>").endswith(
        "– the template leaves out what the model thought."
    )
    assert parted(closed, 4, " or").endswith("– it goes on as another conversation or branch did.")
    assert parted(prompt((S, "<<"), (U, "x")), 0, "<s>").startswith("None of 2 tokens is in the cache. Token 1 differs")


def test_a_cache_that_cannot_be_rolled_back() -> None:
    now = prompt((S, "<s>"), (Y, "Be kind"), (U, " a"), (U, "\ufffd"), (T, "\n"))
    words = parted(now, 3, " fox", CacheMissReason.STUCK)
    assert words.startswith(
        "The first 3 of 5 tokens are cached, but this model's KV cache can't be trimmed: all 5 will be prefilled. "
        "Token 4 differs: the cache has “␣fox”, the prompt the token 65533 – "
    )


def finished(first: float, ids: tuple[int, ...] = (1, 2, 3), reason: Reason = Reason.STOP, **changes: object) -> Run:
    made = replace(run(reason, **changes), ids=ids, prompt=SENT)  # type: ignore[arg-type]
    return replace(made, summary=replace(made.summary, figures=replace(made.summary.figures, first_token=first)))


def test_only_what_wrote_a_run_can_tell_what_it_is_without_the_cache() -> None:
    kept, fox = finished(0.1, reused=4, new=1), FilesRef("fox", "/adapters/fox")
    assert possible(kept, DEMO, {})
    for other in (None, replace(DEMO, name="other")):
        assert not possible(kept, other, {})
    assert not possible(replace(kept, adapter=fox), DEMO, {})
    assert possible(
        replace(kept, adapter=fox), replace(DEMO, adapter=Adapter("fox", Path("/adapters/fox"), 8, 20.0)), {}
    )


def test_after_a_run_and_beside_one_without_reuse() -> None:
    kept = finished(0.1, reused=4, new=1)
    assert told(kept) == "4 of 5 tokens came from the cache, 1 was read."
    fresh = finished(0.3, reused=0, new=5)
    broken_off = replace(fresh, finish=replace(fresh.finish, new=3))
    assert told(broken_off, "nothing was cached yet") == "3 of 5 tokens were read."
    assert told(fresh, "nothing was cached yet") == "All 5 tokens were read: nothing was cached yet."
    assert told(replace(finished(0.3, reused=0, new=1), prompt=prompt((U, "a")))) == "1 token was read."
    assert (comparable(kept), comparable(fresh)) == (True, False)
    assert compared(kept, fresh) == (
        "With the cache the first token came after 100 ms, without it after 300 ms, 3.0 times as long "
        "(measured once each); the text is identical."
    )
    assert "part at token 2" in compared(kept, replace(fresh, ids=(1, 9, 3)))
    stopped = replace(finished(0.3, (1, 2), Reason.STOPPED), text="")
    assert "identical up to token 2, where you stopped it" in compared(kept, stopped)
    assert "times as long" not in compared(kept, finished(0.1))
    failed = replace(fresh, finish=Finish(Reason.ERROR, failure=Failure("It broke.", "")))
    assert compared(kept, failed) == "The same turn with reuse off failed: It broke."


def test_the_comparison_asks_for_the_very_same_ids() -> None:
    kept = finished(0.1, reused=4, new=1)
    asked = without_reuse(kept)
    sampling = replace(kept.request.sampling, adapter_strength=0.0)
    assert asked == replace(kept.request, prompt=TokenPrompt(SENT.ids), sampling=sampling, kv=KV(reuse=False))
    assert without_reuse(finished(0.1, reason=Reason.STOPPED)).limits.max_tokens == 3


def test_whose_beginning_it_was_is_told() -> None:
    assert read_for("A fox") == "That beginning was read for “A fox”."
    assert read_for("") == "That beginning was read for another conversation."
