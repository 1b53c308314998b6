"""Each finish reason is explained, with its next steps."""

import math
from dataclasses import replace
from pathlib import Path

import pytest

from app.controls import Mode
from app.engine.meter.trace import Trace
from app.engine.run_analysis import HIGH, NOTICED
from app.engine.types import (
    ENDLESS,
    Alternative,
    CacheMissReason,
    ChatPrompt,
    Conditions,
    DecodeSpeed,
    DraftedSteps,
    DraftStats,
    Failure,
    Finish,
    FormatKind,
    Limits,
    Matrix,
    Message,
    Model,
    NetworkTiming,
    OutputFormat,
    PeakSpeeds,
    Reason,
    ReasoningStats,
    Role,
    StepReads,
    Token,
    TokenLogprobs,
    WeightFormat,
)
from app.roofline.roofline import DRAFTED, EXCEEDED, Roofline
from app.state import Run
from app.ui.conversation.finish_explanation import NextStep, summarize_budget, summarize_constraint
from app.ui.conversation.finish_text import ACCESSIBLE, FinishText, describe_finish, finish_line, with_model
from tests.ui.conversation.runs import run
from tests.ui.tokens.answers import forbidding
from tests.ui.tokens.answers import observed as chosen


def observed(own: float, end: float, rank: int = 1) -> TokenLogprobs:
    best = Alternative(3, " the", math.log(max(own, 0.31)), 0.0)
    return TokenLogprobs(Alternative(2, "<|im_end|>", math.log(own), 0.0), rank, (best,), 0.5, end, 0.2)


def recorded(reason: Reason, *tokens: TokenLogprobs, **changes: object) -> FinishText:
    """Describe a run that ended with these tokens."""
    ended = run(reason, **changes)  # type: ignore[arg-type]
    finish = replace(ended.finish, tokens=len(tokens))
    trace = Trace()
    trace.begin_run(10.0)
    trace.extend([Token(at, 2, "##\n", (), 10.5, observed=each) for at, each in enumerate(tokens)])
    metrics = replace(ended.summary.figures, tokens=len(tokens))
    summary = replace(ended.summary, figures=metrics)
    whole = replace(ended, finish=finish, summary=summary, request=replace(ended.request, observe=10))
    return describe_finish(whole, True, trace)


def why(ending: FinishText) -> str:
    return dict(ending.explanation)["Why it stopped"]


def figured(ended: Run, **changes: object) -> Run:
    metrics = replace(ended.summary.figures, **changes)  # type: ignore[arg-type]
    return replace(ended, summary=replace(ended.summary, figures=metrics))


def details(ended: Run) -> dict[str, str]:
    return dict(describe_finish(ended, True).details)


def story(ended: Run, roofline: Roofline | None = None) -> dict[str, str]:
    return dict(describe_finish(ended, True, None, roofline).explanation)


@pytest.mark.parametrize("reason", list(Reason))
def test_reason_begins_with_its_name(reason: Reason) -> None:
    said = describe_finish(run(reason), chat_model=True).reason
    assert said.startswith(f"{ACCESSIBLE.get(reason, reason.words)}, ")
    assert len(said) > len(reason.words) + 5


def test_interrupted_run_is_named_and_can_be_continued() -> None:
    cut = replace(run(Reason.STOPPED), interrupted=True)
    ending = describe_finish(cut, chat_model=True)
    assert ending.reason.startswith("interrupted, ")
    assert ending.line.startswith("Interrupted: Sluice ended unexpectedly during this run · 14 tokens")
    assert ending.steps == (NextStep.CONTINUE,)
    assert "Prompt" not in dict(ending.details)
    line = finish_line(figured(cut, elapsed=0.0, tokens=0, visible=0, speed_mean=None))
    assert line == "Interrupted: Sluice ended unexpectedly during this run · 0 tokens"


def test_interrupted_server_answer_counts_pieces() -> None:
    cut = replace(run(Reason.STOPPED, wire=NetworkTiming(pieces=14)), interrupted=True)
    ending = describe_finish(figured(cut, pieces=True, speed_mean=None, end_to_end=None), chat_model=True)
    assert ending.line == "Interrupted: Sluice ended unexpectedly during this run · 14 pieces · 310 ms elapsed"
    assert ending.steps == (NextStep.RETRY,)
    assert "Sluice quit after 14 pieces. " in why(ending) and not ending.lacks_logprobs
    known = dict(ending.details)
    assert known["Counted as"].startswith("14 pieces of text") and "Reason from the server" in known
    assert not {"Tokens", "Seed", "Connection", "First byte", "Reason from mlx-lm"} & set(known)


@pytest.mark.parametrize(
    ("ended", "line"),
    [
        (run(), "Complete (EOS) · 14 tokens · 220 ms decoding · 59.1 tok/s"),
        (run(Reason.LENGTH), "Reached max tokens (14 tokens) · 220 ms decoding · 59.1 tok/s"),
        (run(Reason.STOPPED), "Stopped by you · 14 tokens · "),
        (run(Reason.STOP_STRING, stop_text="</s>\n"), "Stop string “</s>⏎” reached · "),
        (run(Reason.CONTEXT_FULL), "The context is full: "),
        # The time to the first token is no decode time. A single token has no speed.
        (
            figured(run(), elapsed=3.6, first_token=0.6, speed_mean=40.0, tokens=121),
            "Complete (EOS) · 121 tokens · 3.00 s decoding · 40.0 tok/s",
        ),
        (
            figured(run(), elapsed=3.6, first_token=0.6, speed_mean=None, tokens=1),
            "Complete (EOS) · 1 token · 3.60 s elapsed",
        ),
    ],
)
def test_finish_line_names_reason_decode_time_and_speed(ended: Run, line: str) -> None:
    assert finish_line(ended).startswith(line)


@pytest.mark.parametrize(("text", "is_cut"), [('{"a": [1, ', True), ('{"a": [1]}', False)])
def test_finish_line_of_json_cut_by_max_tokens_says_so(text: str, is_cut: bool) -> None:
    ended = run(Reason.LENGTH)
    asked = replace(ended.request, prompt=ChatPrompt(()), form=OutputFormat(FormatKind.JSON))
    assert ("incomplete JSON" in finish_line(replace(ended, text=text, request=asked))) is is_cut


def test_finish_line_of_a_continued_answer_has_the_tokens_of_all_its_runs() -> None:
    first = run(Reason.LENGTH)
    assert with_model((first, run()), "Complete", False).endswith(" · Complete · 28 tokens in the whole answer")
    assert "whole answer" not in with_model((first,), "Complete", False)


def test_details_name_the_dtype_of_the_computation() -> None:
    raised = replace(run(), format=WeightFormat("float16", computed_in="float32"))
    assert details(raised)["Model"] == "demo · float16, computed in float32"


def test_details_show_prefilled_and_reused_tokens() -> None:
    assert details(run())["Prompt"] == "38 reused, 14 new"
    assert details(run())["Prefill speed"] == "260 tok/s: 13 of 14 new tokens in 50.0 ms"
    assert "Prefill speed" not in details(figured(run(), prompt_speed=None))


def test_details_of_a_server_omit_unknown_figures() -> None:
    quiet = NetworkTiming(counted=True)
    untold = run(reused=0, new=52, wire=quiet)
    assert details(untold)["Prompt"].startswith("52 tokens; the server doesn't report")
    assert details(run(reused=0, new=52, wire=replace(quiet, cached=True)))["Prompt"].startswith("0 reused, 52 new")
    known = details(figured(untold, visible=None))
    assert known["Tokens"] == "14 generated"
    assert "Between pieces" in known and "Between tokens" not in known
    stopped = run(Reason.STOPPED, wire=NetworkTiming(pieces=14))
    assert "14 pieces" in describe_finish(figured(stopped, pieces=True), True).reason
    ending = describe_finish(stopped, True)
    assert why(ending) == "Stopped by you. Closing the connection took 12 ms."
    assert dict(ending.details)["At the server"].startswith("Unknown")


def test_limit_of_a_server_offers_no_higher_limit() -> None:
    cut = run(Reason.LENGTH, wire=NetworkTiming(pieces=14))
    ending = describe_finish(replace(cut, request=replace(cut.request, limits=Limits(ENDLESS))), True)
    assert ending.reason == "length, the server's own limit" and ending.steps == ()
    assert ending.line.startswith("Reached the server's token limit (14 tokens) · ")
    assert describe_finish(cut, True).steps == (NextStep.RAISE_LIMIT,)
    assert finish_line(cut).startswith("Reached max tokens (14 tokens) · "), "pieces don't count tokens"
    early = run(Reason.LENGTH, wire=NetworkTiming(counted=True))
    early = replace(early, request=replace(early.request, limits=Limits(99)))
    assert finish_line(early).startswith("Reached the server's token limit (14 tokens) · ")


def test_stopped_run_shows_the_stop_latency() -> None:
    assert describe_finish(run(Reason.STOPPED), True).reason == "stopped by you, in 12 ms, after 14 tokens"
    ending = describe_finish(replace(run(Reason.STOPPED, tokens=0), ids=()), True)
    assert ending.reason.endswith("before the first token")
    assert ending.steps == (NextStep.RETRY,)


@pytest.mark.parametrize(
    ("reason", "steps"),
    [
        (Reason.STOP, ()),
        (Reason.LENGTH, (NextStep.CONTINUE, NextStep.RAISE_LIMIT)),
        (Reason.STOPPED, (NextStep.CONTINUE,)),
        (Reason.ERROR, (NextStep.RETRY,)),
        (Reason.CONTEXT_FULL, (NextStep.NEW_SESSION,)),
    ],
)
def test_steps_match_the_finish_reason(reason: Reason, steps: tuple[NextStep, ...]) -> None:
    assert describe_finish(run(reason), True).steps == steps


def test_raw_limit_on_a_chat_model_explains_the_missing_template() -> None:
    ending = describe_finish(run(Reason.LENGTH, mode=Mode.RAW), chat_model=True)
    assert "without the chat template" in ending.reason
    assert NextStep.USE_TEMPLATE in ending.steps
    plain = describe_finish(run(Reason.LENGTH, mode=Mode.RAW), chat_model=False)
    assert "template" not in plain.reason


def test_failure_is_shown_once() -> None:
    failed = run(Reason.ERROR, failure=Failure("The memory ran out.", "Close something."))
    ending = describe_finish(failed, True)
    assert ending.reason == "error, The memory ran out"
    assert ending.line.startswith("The memory ran out. Close something. · 14 tokens")
    assert finish_line(figured(failed, tokens=0)) == "The memory ran out. Close something."
    long = details(run(Reason.ERROR, failure=Failure("It broke.", "", "line 1\n" * 10_000)))
    assert long["Error message"].startswith("line 1") and len(long["Error message"]) <= 1_000


def test_details_show_figures_and_cut_bytes() -> None:
    known = details(run(Reason.LENGTH, cut=b"\xf0\x9f", drafted=DraftStats(8, 6, 7)))
    assert known["Tokens"] == "14 generated, 13 visible"
    assert "2 bytes" in known["Incomplete character"]
    assert known["Draft"] == "75 % accepted, 2.0 tokens a step"
    found = details(run(Reason.LENGTH, drafted=DraftStats(8, 6, 7, lookup=DraftedSteps(2, 5, 1.31))))
    assert found["Prompt lookup"] == "75 % accepted, 2.0 tokens a step; verifying 5 tokens takes 1.3 × the time of one"
    found = details(run(Reason.LENGTH, drafted=DraftStats(8, 6, 7, automatic=DraftedSteps(2, 3, 1.42))))
    assert found["Draft"].endswith("a step; proposing 2 and verifying 3 tokens takes 1.4 × the time of one")
    assert details(run(Reason.LENGTH, drafted=DraftStats(0, 0, 7, lookup=DraftedSteps(0))))["Prompt lookup"] == (
        "no tokens were proposed"
    )
    assert "p99 30 ms" in known["Between steps"]
    assert known["Seed"] == "7"


def test_explanation_of_eos_shows_its_probability() -> None:
    ending = recorded(Reason.STOP, observed(0.5, 0.34), observed(0.97, 0.97), stop_id=2)
    assert ending.reason == "stop, EOS token <|im_end|>, probability 97.0 %"
    assert "<|im_end|> (id 2), with a probability of 97.0 %." in why(ending)
    assert "EOS probability had peaked before, at token 1: 34 %." in why(ending)
    unlikely = why(recorded(Reason.STOP, observed(0.004, 0.004, rank=22), stop_id=2))
    assert "a probability of 0.40 % (rank 22); “␣the” had 31 %." in unlikely


def test_explanation_of_a_limit_shows_the_last_eos_probability_and_its_peak() -> None:
    ending = recorded(Reason.LENGTH, observed(0.5, 0.02), observed(0.5, 0.34), observed(0.5, 0.03))
    assert ending.reason == "length, the limit of 14 tokens; EOS probability 3.0 %"
    assert why(ending).endswith("EOS probability at the last token: 3.0 %. EOS probability peaked at token 2: 34 %.")
    far = why(recorded(Reason.LENGTH, observed(0.5, 0.02), observed(0.5, 0.00001)))
    assert far.endswith("at the last token: < 0.01 %. EOS probability peaked at token 1: 2.0 %.")
    same = why(recorded(Reason.LENGTH, observed(0.5, 0.00002), observed(0.5, 0.00001)))
    assert same.endswith("at the last token: < 0.01 %. EOS probability was never higher.")
    never = why(recorded(Reason.LENGTH, observed(0.5, 0.99 * NOTICED), observed(0.5, 0.00001)))
    assert never.endswith("at the last token: < 0.01 %. EOS probability never reached 1.0 %.")
    low = why(recorded(Reason.STOP, observed(0.5, 0.99 * HIGH), observed(0.97, 0.97), stop_id=2))
    assert "peaked" not in low
    assert "peaked" not in why(recorded(Reason.LENGTH, observed(0.5, 0.02))), "that was the last token"


def test_explanation_of_a_stop_string_shows_its_token_and_hidden_text() -> None:
    ending = recorded(Reason.STOP_STRING, observed(0.12, 0.01), stop_text="###", hidden="###\n")
    assert "“###” was completed by the token “##⏎” (id 2), with a probability of 12 %." in why(ending)
    assert "“###⏎” was generated and isn't shown." in why(ending)


def test_explanation_of_a_stop_shows_its_place() -> None:
    told = why(recorded(Reason.STOPPED, observed(0.5, 0.02)))
    assert told.startswith("Stopped by you after 1 token. Stopping took 12 ms.")
    assert "EOS probability at the last token: 2.0 %." in told


@pytest.mark.parametrize("reason", [Reason.STOP, Reason.LENGTH, Reason.STOP_STRING, Reason.STOPPED])
def test_explanation_without_logprobs_offers_recording(reason: Reason) -> None:
    ending = describe_finish(run(reason), True)
    assert ending.lacks_logprobs
    assert "Record alternatives" in why(ending)
    assert not recorded(reason, observed(0.5, 0.5)).lacks_logprobs


def test_explanation_names_one_slowdown() -> None:
    def bottleneck(conditions: Conditions | None, tokens: int = 3) -> str | None:
        ended = run(Reason.STOP)
        times = replace(ended.finish.times, ended=ended.finish.times.sent + 10)
        return story(
            replace(ended, finish=replace(ended.finish, times=times, tokens=tokens, conditions=conditions))
        ).get("Bottleneck")

    assert bottleneck(None) is None and bottleneck(Conditions(), tokens=0) is None
    assert bottleneck(Conditions()) == "Nothing unusual slowed it down."
    assert bottleneck(Conditions(others=0.5, on_processors=True)) == "Other programs used 50 % of the processors."


def test_explanation_has_the_parts_of_the_time_to_first_token() -> None:
    ended = run()
    assert "Time to first token" not in story(ended), "recorded before they were measured"
    times = replace(ended.finish.times, started=10.01, prefill_started=10.03, prefill_ended=10.05)
    timed = replace(ended, finish=replace(ended.finish, times=times, rendering=0.015, cache_lookup=0.0005))
    assert story(timed)["Time to first token"] == (
        "80.0 ms = waiting 10.0 ms + chat template 15.0 ms + cache lookup 0.5 ms + setup 4.5 ms + prefill 20.0 ms + "
        "first decode step 30.0 ms"
    )


@pytest.mark.parametrize("reason", list(Reason))
@pytest.mark.parametrize("mode", list(Mode))
def test_explanation_always_has_a_next_step(reason: Reason, mode: Mode) -> None:
    ended = run(reason, mode=mode)
    for each in (ended, replace(ended, ids=()), replace(run(reason), interrupted=True)):
        words = story(each)["Next steps"]
        assert words.endswith(".") and (words[0] == "“" or words[0].isupper())


def test_explanation_of_a_failure_says_what_to_do() -> None:
    ended = run(Reason.CONTEXT_FULL, failure=Failure("It is too long.", "Shorten it."), tokens=0)
    assert story(ended)["Next steps"] == "Shorten it."
    assert describe_finish(ended, True).steps == (NextStep.EDIT,), "alone it is as long"
    before = tuple(Message(role, "word " * 99) for role in (Role.USER, Role.ASSISTANT))
    long = replace(ended, request=replace(ended.request, prompt=ChatPrompt((*before, Message(Role.USER, "And?")))))
    assert describe_finish(long, True).steps == (NextStep.EDIT, NextStep.NEW_SESSION)
    assert "prompt alone" in story(ended)["Why it stopped"]
    failed = run(Reason.ERROR)
    assert "The run failed after 14 tokens." in story(failed)["Why it stopped"]
    assert "The run failed after 14 pieces." in story(figured(failed, pieces=True))["Why it stopped"]


@pytest.mark.parametrize(
    ("reported", "line", "story"),
    [
        ("stop", "Complete (stop) · ", "The server reported “stop”: an EOS token, or a stop string of its own."),
        (
            "content_filter",
            "Ended by the server (content_filter) · ",
            "The server ended the answer with the finish reason “content_filter”.",
        ),
        ("tool_calls", "Ended by the server (tool_calls) · ", "with the finish reason “tool_calls”."),
        (None, "Ended by the server (no reason given) · ", "The server ended the answer without a finish reason."),
    ],
)
def test_finish_line_of_a_server_shows_the_reported_finish_reason(reported: str | None, line: str, story: str) -> None:
    """Only a reported `stop` is a complete answer. All others except `length` are `Reason.STOP` too."""
    ending = describe_finish(run(wire=NetworkTiming(ended=True), library_reason=reported), True)
    assert ending.line.startswith(line)
    assert why(ending).endswith(story)


def test_finish_line_names_a_stop_token_of_the_user() -> None:
    ended = run(stop_id=7)
    limits = replace(ended.request.limits, stop_ids=(7,))
    assert finish_line(ended).startswith("Complete (EOS) · ")
    ended = replace(ended, request=replace(ended.request, limits=limits))
    assert finish_line(ended).startswith("Complete (stop token) · ")


def test_details_of_a_server_omit_an_unsent_seed() -> None:
    assert details(run())["Seed"] == details(run(wire=NetworkTiming(seeded=True)))["Seed"] == "7"
    there = Model("one", Path("one"), "", 0, 0, None, 0, (), server="127.0.0.1:8080")
    for unsent in (run(wire=NetworkTiming()), replace(run(Reason.ERROR), on=there)):
        assert "Seed" not in details(unsent)


def test_explanation_with_a_roofline_shows_the_share() -> None:
    """At the middle of the answer, by its mean speed. A run that was faster shows that the limit is wrong."""
    reads = StepReads(0, 1_000_000, 0, 0, 1, Matrix(1, 1, 1, "float32"), ((10_000, 1 << 40),))
    found = Roofline(reads, PeakSpeeds(1e9, 1e9, 1.0, 1), DecodeSpeed(1.0, 0.0, 1.0))
    ended = run(Reason.LENGTH)
    finish = replace(ended.finish, conditions=Conditions(), tokens=100, new=50, reused=0)

    def at(speed: float, finish: Finish = finish) -> Run:
        return figured(replace(ended, finish=finish), speed_mean=speed)

    assert story(at(250.0), found)["Bottleneck"].endswith(
        "The run reached 50 % of the memory-bandwidth limit of 500 tok/s: memory bandwidth is most of a token's time."
    )
    drafted = at(250.0, replace(finish, drafted=DraftStats(30, 20, 10)))
    assert story(drafted, found)["Bottleneck"].endswith(DRAFTED)
    assert not story(drafted)["Bottleneck"].endswith(DRAFTED), "nothing was measured"
    bare = at(250.0, replace(finish, conditions=Conditions(hindrance=CacheMissReason.BARE)))
    assert "limit" not in story(bare, found)["Bottleneck"]
    assert story(at(1_000.0), found)["Bottleneck"].endswith(EXCEEDED.format(speed="500"))


def test_details_name_a_corrupt_saved_cache() -> None:
    def saved(hindrance: CacheMissReason) -> str | None:
        return details(run(conditions=Conditions(hindrance=hindrance))).get("Saved cache")

    assert saved(CacheMissReason.DAMAGED) == "corrupt, so it was deleted; the prompt was prefilled again"
    assert saved(CacheMissReason.STRANGE) == "made by another model or version; the prompt was prefilled again"
    assert saved(CacheMissReason.DIFFERS) is None


def test_invalid_server_answer_is_named() -> None:
    ended = run(wire=NetworkTiming(counted=True, disobeyed=True))
    assert finish_line(ended).startswith("Ended by the server (no reason given), not in the output format · ")
    assert story(ended)["Output format"] == "The server's answer doesn't match the output format."
    assert "Output format" not in story(run(wire=NetworkTiming(counted=True)))


LOOKS = (chosen(0.5), forbidding(0.9, 0.6, forced=True), forbidding(0.3, 0.2), forbidding(0.6, 0.5))


def test_summarize_constraint_counts_ruled_out_and_forced_tokens() -> None:
    trace = Trace()
    trace.begin_run()
    trace.extend([Token(at, at, "{", (), 0.1, False, seen) for at, seen in enumerate(LOOKS)])
    ended = run(Reason.FORM)
    ended = replace(ended, finish=replace(ended.finish, tokens=len(LOOKS)))
    said = summarize_constraint(trace, ended.finish)
    assert said == (
        "3 tokens were constrained; 1 had only one valid choice. On average 60 % of the probability was ruled out "
        "(sum: 1.80). "
        "At 2 of 3 tokens the model's top choice was invalid; most clearly at token 2: “␣no”."
    )
    assert ("Output format", said) in describe_finish(ended, True, trace).explanation
    assert summarize_constraint(trace, replace(ended.finish, tokens=2)).endswith("(sum: 1.80).") is False


def test_summarize_constraint_without_a_format_is_empty() -> None:
    trace = Trace()
    trace.begin_run()
    trace.extend([Token(0, 0, "a", (), 0.1, False, chosen(0.5))])
    ended = run()
    assert (
        summarize_constraint(trace, replace(ended.finish, tokens=1)) == summarize_constraint(None, ended.finish) == ""
    )
    assert "Output format" not in dict(describe_finish(ended, True, None).explanation)


def test_summarize_budget_names_the_end_of_reasoning() -> None:
    ended = run()
    ended = replace(ended, finish=replace(ended.finish, thinking=ReasoningStats((4,), 200)))
    told = describe_finish(ended, True, None)
    assert " · reasoning ended after 200 tokens · " in told.line
    assert dict(told.explanation)["Reasoning budget"] == (
        "The budget ended the reasoning after 200 tokens; the end-of-reasoning tag was inserted."
    )
    assert summarize_budget(ReasoningStats((4,), 1, again=2)).endswith(
        "1 token. The model started to reason again 2 times; the tag was inserted at once."
    )
    assert summarize_budget(ReasoningStats((4,), 3, late=1)).endswith(
        "inserted. Later it generated the tag itself: it had continued to reason in its answer."
    )
