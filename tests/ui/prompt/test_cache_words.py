"""Texts about the cache: each reason, and the comparison with a rerun without it."""

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
    PromptPart,
    PromptSpan,
    Reason,
    Reusable,
    Rewrite,
    TokenPrompt,
)
from app.records.types import FilesRef
from app.state import Run
from app.ui.prompt.cache_words import (
    comparable,
    compare_without_cache,
    describe_origin,
    describe_preview,
    describe_rewrite,
    describe_run,
)
from app.ui.prompt.controller_next_prompt import possible, without_reuse
from tests.ui.conversation.runs import run


def prompt(*said: tuple[PromptPart, str]) -> ExactPrompt:
    """Make a prompt with a token for each piece. Equal pieces have equal ids."""
    offsets: list[tuple[int, int]] = []
    spans: list[PromptSpan] = []
    at = 0
    for part, text in said:
        offsets.append((at, at + len(text)))
        spans.append(PromptSpan(part, at, at + len(text)))
        at += len(text)
    ids = tuple(sum(map(ord, text)) for _, text in said)
    return ExactPrompt("".join(text for _, text in said), ids, tuple(offsets), tuple(spans))


S, T, Y, U, M = PromptPart.SPECIAL, PromptPart.TEMPLATE, PromptPart.SYSTEM, PromptPart.USER, PromptPart.MODEL
DEMO = Model("demo", Path("demo"), "llama", 1, 4, 100, 64, ())
SENT = prompt((S, "<s>"), (Y, "Be kind"), (U, " a"), (U, " fox"), (T, "\n"))


def parted(now: ExactPrompt, same: int, cached: str, why: CacheMissReason = CacheMissReason.DIFFERS) -> str:
    found = Reusable(same if why is CacheMissReason.DIFFERS else 0, same, (sum(map(ord, cached)), cached), why)
    return describe_preview(now, found, SENT, ("<think>", "</think>")).words


@pytest.mark.parametrize(
    ("why", "words"),
    [
        (CacheMissReason.NOTHING, "The cache is empty"),
        (CacheMissReason.OFF, "KV cache reuse is off"),
        (CacheMissReason.BARE, "The KV cache is off"),
        (CacheMissReason.SETTINGS, "The cache was made with other settings"),
    ],
)
def test_describe_preview_of_a_miss_names_the_reason(why: CacheMissReason, words: str) -> None:
    said = describe_preview(SENT, Reusable(hindrance=why), None)
    assert said.words == f"{words}: all 5 tokens will be processed."
    assert said.token is None


def test_describe_preview_of_a_hit_counts_new_tokens() -> None:
    said = describe_preview(SENT, Reusable(3, 3, None, CacheMissReason.NONE), SENT)
    assert said.words == "The first 3 of 5 tokens are cached: 2 will be processed."
    assert said.token == 3
    whole = describe_preview(SENT, Reusable(4, 5, None, CacheMissReason.NONE), SENT)
    assert whole.words == "All 5 tokens are cached; the last one is processed again."
    assert whole.token is None


def test_describe_rewrite_quotes_the_line_and_names_the_argument() -> None:
    rewrite = Rewrite(1_234, 2.5, 2, ("keep_past", True))
    assert describe_rewrite(rewrite, template="{% for %}\n  {{ content }}\n") == (
        "1,234 tokens of earlier turns will be prefilled again, which takes about 2.50 s. "
        "Line 2 of the template writes the difference: “{{ content }}”. "
        "The template argument keep_past = true avoids this."
    )
    said = describe_rewrite(Rewrite(20, None), "the template changed")
    assert said == "20 tokens of earlier turns will be prefilled again. Cause: the template changed."


def test_describe_preview_of_a_changed_turn_names_the_token() -> None:
    now = prompt((S, "<s>"), (Y, "Be kind"), (U, " a"), (U, " cat"), (T, "\n"))
    found = Reusable(3, 3, (SENT.ids[3], " fox"), CacheMissReason.DIFFERS)
    said = describe_preview(now, found, SENT)
    assert said.token == 3
    assert said.words == (
        "The first 3 of 5 tokens are cached. Token 4 differs: “␣fox” in the cache, “␣cat” in the prompt "
        "(your text was changed)."
    )


def test_why_names_the_changed_part() -> None:
    pirate = prompt((S, "<s>"), (Y, "Be a pirate"), (U, " a"))
    assert parted(pirate, 1, "Be kind").endswith("(the system prompt was changed).")
    assert parted(pirate, 1, "Be kind").startswith("Only the first of 3 tokens is cached.")
    answered = [(S, "<s>"), (Y, "Be kind"), (U, " a"), (U, " fox"), (T, "\n")]
    other = prompt(*answered, (M, "No"), (U, " why"))
    assert parted(other, 5, "Yes").endswith("(the answer is tokenized differently).")
    found = Reusable(5, 5, (sum(map(ord, "Yes")), "Yes"), CacheMissReason.DIFFERS)
    assert describe_preview(other, found, SENT, has_edits=True).words.endswith("(an answer was edited).")
    closed = prompt(*answered, (T, "<end>"))
    assert parted(closed, 5, "Yes").endswith("(the template changed).")
    assert parted(prompt(*answered, (M, "Yes")), 5, "<think>").endswith("(the template removes the reasoning).")
    assert parted(closed, 4, " or").endswith("(another conversation or branch continued differently).")
    assert parted(prompt((S, "<<"), (U, "x")), 0, "<s>").startswith("None of 2 tokens is cached. Token 1 differs")


def test_describe_preview_of_an_untrimmable_cache_says_so() -> None:
    now = prompt((S, "<s>"), (Y, "Be kind"), (U, " a"), (U, "\ufffd"), (T, "\n"))
    words = parted(now, 3, " fox", CacheMissReason.STUCK)
    assert words.startswith(
        "The first 3 of 5 tokens are cached, but this model's KV cache can't be trimmed: all 5 will be processed. "
        "Token 4 differs: “␣fox” in the cache, the token 65533 in the prompt ("
    )


def finished(first: float, ids: tuple[int, ...] = (1, 2, 3), reason: Reason = Reason.STOP, **changes: object) -> Run:
    made = replace(run(reason, **changes), ids=ids, prompt=SENT)  # type: ignore[arg-type]
    return replace(made, summary=replace(made.summary, figures=replace(made.summary.figures, first_token=first)))


def test_possible_needs_the_model_of_the_run() -> None:
    kept, fox = finished(0.1, reused=4, new=1), FilesRef("fox", "/adapters/fox")
    assert possible(kept, DEMO, {})
    for other in (None, replace(DEMO, name="other")):
        assert not possible(kept, other, {})
    assert not possible(replace(kept, adapter=fox), DEMO, {})
    assert possible(
        replace(kept, adapter=fox), replace(DEMO, adapter=Adapter("fox", Path("/adapters/fox"), 8, 20.0)), {}
    )


def test_describe_run_and_compared_show_the_figures() -> None:
    kept = finished(0.1, reused=4, new=1)
    assert describe_run(kept) == "4 of 5 tokens were cached, 1 was processed."
    fresh = finished(0.3, reused=0, new=5)
    broken_off = replace(fresh, finish=replace(fresh.finish, new=3))
    assert describe_run(broken_off, "nothing was cached yet") == "3 of 5 tokens were processed."
    assert describe_run(fresh, "nothing was cached yet") == "All 5 tokens were processed: nothing was cached yet."
    assert describe_run(replace(finished(0.3, reused=0, new=1), prompt=prompt((U, "a")))) == "1 token was processed."
    assert (comparable(kept), comparable(fresh)) == (True, False)
    assert compare_without_cache(kept, fresh) == (
        "Time to first token: 100 ms with the cache, 300 ms without (3.0 ×, n = 1 each); the text is identical."
    )
    assert "differ from token 2" in compare_without_cache(kept, replace(fresh, ids=(1, 9, 3)))
    stopped = replace(finished(0.3, (1, 2), Reason.STOPPED), text="")
    assert "identical up to token 2, where you stopped it" in compare_without_cache(kept, stopped)
    assert "×" not in compare_without_cache(kept, finished(0.1))
    failed = replace(fresh, finish=Finish(Reason.ERROR, failure=Failure("It broke.", "")))
    assert compare_without_cache(kept, failed) == "The rerun without cache failed: It broke."


def test_without_reuse_keeps_ids_settings_and_seed() -> None:
    kept = finished(0.1, reused=4, new=1)
    asked = without_reuse(kept)
    sampling = replace(kept.request.sampling, adapter_strength=0.0)
    assert asked == replace(kept.request, prompt=TokenPrompt(SENT.ids), sampling=sampling, kv=KV(reuse=False))
    assert without_reuse(finished(0.1, reason=Reason.STOPPED)).limits.max_tokens == 3


def test_describe_origin_names_the_session() -> None:
    assert describe_origin("A fox") == "The cached prefix is from “A fox”."
    assert describe_origin("") == "The cached prefix is from another conversation."
