"""The run that goes on becomes a run that is remembered."""

from app.bridge.current import CurrentRun
from app.controls import Mode
from app.engine.types import Finish, LoadRequest, RawPrompt, Reason, Request, Token
from tests.bench.sources import model_of


def test_a_number_that_was_generated_often_is_kept_once() -> None:
    run = CurrentRun(model_of(LoadRequest("folder")), Mode.RAW, Request(RawPrompt("")))
    written = (70_000, 80_000, 70_000, 70_000)
    tokens = [Token(place, number, "a", (), float(place), False) for place, number in enumerate(written)]
    _, done = run.finish(list(tokens), Finish(Reason.STOP))
    assert done.ids == written
    assert len({id(number) for number in done.ids}) == 2
