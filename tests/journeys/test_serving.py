import pytest
from PySide6.QtWidgets import QLabel, QSpinBox

from app.engine.types import Reason
from app.serving import hosts
from app.state import Phase
from tests.journeys.journey import Journey
from tests.ports import free_port

pytestmark = pytest.mark.slow


def start(user: Journey) -> None:
    user.press("start_serving")
    user.until(lambda: user.find(QLabel, "serving_state").text().startswith("Ready"))


def test_served_model_after_a_restart_of_the_server_answers_again(demo: Journey) -> None:
    demo.cold()
    demo.limit(5)
    here = demo.send("Say hello.").text
    demo.act("new_session")
    demo.act("serve_model")
    port = free_port()
    demo.find(QSpinBox, "serving_port").setValue(port)
    start(demo)
    demo.press("connect_to_served")
    demo.until(
        lambda: demo.state.phase is Phase.READY and demo.state.model is not None and bool(demo.state.model.server)
    )
    assert demo.button("model_button").text() == "demo · Served here ▾"
    assert demo.window.windowTitle() == "New session — demo on Served here"
    assert demo.send("Say hello.").text == here
    demo.press("stop_serving")
    demo.until(lambda: hosts.is_free(port))
    lost = demo.send("Say hello.")
    assert lost.finish.reason is Reason.ERROR and "refused the connection" in demo.reason
    start(demo)
    demo.press("step_retry")
    again = demo.last()
    assert again.finish.failure is None and again.text
