"""What the form of an answer did to a run, in a sentence."""

from dataclasses import replace

from app.engine.meter.trace import Trace
from app.engine.types import Reason, Thinking, Token
from app.ui.conversation.constraint_summary import form_story, thinking_story
from app.ui.conversation.finish_text import ending_of
from tests.ui.conversation.runs import run
from tests.ui.tokens.answers import forbidding, observed

LOOKS = (observed(0.5), forbidding(0.9, 0.6, forced=True), forbidding(0.3, 0.2), forbidding(0.6, 0.5))


def test_a_run_tells_what_was_taken_and_where_the_model_wanted_something_else() -> None:
    trace = Trace()
    trace.begin_run()
    trace.extend([Token(at, at, "{", (), 0.1, False, seen) for at, seen in enumerate(LOOKS)])
    ended = run(Reason.FORM)
    ended = replace(ended, finish=replace(ended.finish, tokens=len(LOOKS)))
    said = form_story(trace, ended.finish)
    assert said == (
        "3 tokens were constrained; 1 had only one valid choice. On average 60 % of the probability was ruled out "
        "(sum: 1.80). "
        "At 2 of 3 tokens the model's top choice was invalid; most clearly at token 2: “␣no”."
    )
    assert ("Output format", said) in ending_of(ended, True, trace).story
    assert form_story(trace, replace(ended.finish, tokens=2)).endswith("(sum: 1.80).") is False


def test_nothing_is_told_where_no_form_held() -> None:
    trace = Trace()
    trace.begin_run()
    trace.extend([Token(0, 0, "a", (), 0.1, False, observed(0.5))])
    ended = run()
    assert form_story(trace, replace(ended.finish, tokens=1)) == form_story(None, ended.finish) == ""
    assert "Output format" not in dict(ending_of(ended, True, None).story)


def test_thoughts_that_were_ended_are_told() -> None:
    ended = run()
    ended = replace(ended, finish=replace(ended.finish, thinking=Thinking((4,), 200)))
    told = ending_of(ended, True, None)
    assert " · reasoning ended after 200 tokens · " in told.line
    assert dict(told.story)["Reasoning budget"] == (
        "The budget ended the reasoning after 200 tokens; the end-of-reasoning tag was inserted."
    )
    assert thinking_story(Thinking((4,), 1, again=2)).endswith(
        "1 token. The model started to reason again 2 times; the tag was inserted at once."
    )
    assert thinking_story(Thinking((4,), 3, late=1)).endswith(
        "inserted. Later it generated the tag itself: it had continued to reason in its answer."
    )
