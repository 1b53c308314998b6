"""A conversation of several turns: reuse, limits, changes of mind."""

from app.engine.types import Reason, TokenPrompt
from app.ui.conversation.transcript import Transcript
from app.ui.document.turns import TurnAction
from tests.journeys.journey import Journey


def test_turns_reuse_what_the_cache_holds(demo: Journey) -> None:
    demo.cold()
    first = demo.send("Count 1 to 5")
    second = demo.send("And now to 7")
    assert first.finish.reused == 0
    assert second.finish.reused >= first.finish.new
    assert demo.details["Prompt"].startswith(f"{second.finish.reused} reused, {second.finish.new} new")
    assert demo.page.index("Count 1 to 5") < demo.page.index("And now to 7")
    demo.picture("two_turns")


def test_the_limit_ends_a_run_and_continue_goes_on_without_prefill(demo: Journey) -> None:
    demo.cold()
    whole = demo.send("Count 1 to 9").text
    demo.act("new_session")
    demo.limit(6)
    first = demo.send("Count 1 to 9")
    assert first.finish.reason is Reason.LENGTH
    assert first.finish.tokens == 6
    assert demo.reason.startswith("length, the limit of 6 tokens")
    demo.picture("length")
    demo.limit(100)
    demo.press("step_continue")
    second = demo.last()
    assert isinstance(second.request.prompt, TokenPrompt)
    assert second.finish.new <= 1
    assert demo.state.turns[-1].text == first.text + second.text == whole
    assert whole.strip() in demo.page


def test_raising_the_limit_doubles_it_and_goes_on(demo: Journey) -> None:
    demo.limit(5)
    demo.send("Count 1 to 9")
    demo.press("step_raise_the_limit")
    demo.last()
    assert demo.state.controls.limits.max_tokens == 10
    assert len(demo.state.turns[-1].runs) == 2


def test_the_template_is_offered_to_a_raw_page_that_ran_to_its_limit(demo: Journey) -> None:
    demo.press("offer_2")
    demo.last()
    demo.press("step_use_the_chat_template")
    assert demo.last().finish.reason is Reason.STOP


def test_an_edited_question_is_asked_anew(demo: Journey) -> None:
    demo.cold()
    demo.send("Count 1 to 3")
    demo.send("Count 1 to 4")
    demo.find(Transcript, "transcript").wanted.emit(TurnAction.EDIT, 0)
    demo.send("Count 1 to 6")
    assert demo.state.turns[0].text == "Count 1 to 6"
    assert len(demo.state.turns) == 2
    assert "Count 1 to 4" not in demo.page
    demo.act("undo")
    assert "Count 1 to 4" in demo.page


def test_an_edit_can_be_left(demo: Journey) -> None:
    demo.send("Count 1 to 3")
    demo.find(Transcript, "transcript").wanted.emit(TurnAction.EDIT, 0)
    demo.picture("editing")
    demo.press("cancel_edit")
    demo.send("Count 1 to 4")
    assert len(demo.state.turns) == 4


def test_regenerate_writes_the_last_answer_anew(demo: Journey) -> None:
    first = demo.send("Tell me a story")
    demo.act("regenerate")
    second = demo.last()
    assert second.seed != first.seed
    assert len(demo.state.turns) == 2
    assert second.text.strip()[:20] in demo.page


def test_deleted_turns_come_back(demo: Journey) -> None:
    demo.send("Count 1 to 3")
    demo.send("Count 1 to 4")
    page = demo.page
    demo.find(Transcript, "transcript").wanted.emit(TurnAction.DELETE, 0)
    assert "Count 1 to 3" not in demo.page
    assert "Count 1 to 4" in demo.page
    demo.act("undo")
    assert demo.page == page
