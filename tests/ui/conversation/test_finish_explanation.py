"""The effect of the output format and of the reasoning budget, in a sentence."""

from dataclasses import replace

from app.engine.meter.trace import Trace
from app.engine.types import Reason, Thinking, Token
from app.ui.conversation.finish_explanation import summarize_budget, summarize_constraint
from app.ui.conversation.finish_text import describe_finish
from tests.ui.conversation.runs import run
from tests.ui.tokens.answers import forbidding, observed

LOOKS = (observed(0.5), forbidding(0.9, 0.6, forced=True), forbidding(0.3, 0.2), forbidding(0.6, 0.5))


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
    trace.extend([Token(0, 0, "a", (), 0.1, False, observed(0.5))])
    ended = run()
    assert (
        summarize_constraint(trace, replace(ended.finish, tokens=1)) == summarize_constraint(None, ended.finish) == ""
    )
    assert "Output format" not in dict(describe_finish(ended, True, None).explanation)


def test_summarize_budget_names_the_end_of_reasoning() -> None:
    ended = run()
    ended = replace(ended, finish=replace(ended.finish, thinking=Thinking((4,), 200)))
    told = describe_finish(ended, True, None)
    assert " · reasoning ended after 200 tokens · " in told.line
    assert dict(told.explanation)["Reasoning budget"] == (
        "The budget ended the reasoning after 200 tokens; the end-of-reasoning tag was inserted."
    )
    assert summarize_budget(Thinking((4,), 1, again=2)).endswith(
        "1 token. The model started to reason again 2 times; the tag was inserted at once."
    )
    assert summarize_budget(Thinking((4,), 3, late=1)).endswith(
        "inserted. Later it generated the tag itself: it had continued to reason in its answer."
    )
