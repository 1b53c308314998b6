"""What only a Mac has, as far as it can be tried elsewhere."""

from dataclasses import replace

import pytest

from app.library.types import DownloadJob, DownloadState
from app.state import Phase
from app.ui.shell.application import IN_THE_DOCK, Awake, dock_menu
from app.ui.shell.main_window import MainWindow
from tests.ui.desk import Desk, act


class Recorder:
    """Stands for the system."""

    def __init__(self) -> None:
        self.awake = False
        self.reasons: set[str] = set()

    def begin(self, reason: str) -> None:
        self.awake = True
        self.reasons.add(reason)

    def end(self) -> None:
        self.awake = False


def watched(window: MainWindow) -> Recorder:
    recorder = Recorder()
    Awake(window.playground, window.downloading, recorder, window)  # type: ignore[arg-type]
    return recorder


@pytest.mark.slow
def test_the_system_stays_awake_while_a_model_is_opened_and_runs(desk: Desk) -> None:
    window = desk.open()
    recorder, seen = watched(window), dict[Phase, bool]()
    window.playground.changed.connect(lambda old, new: seen.setdefault(new.phase, recorder.awake))
    desk.until(window, Phase.READY)
    desk.send(window, "Hello")
    desk.until(window, Phase.READY)
    assert seen[Phase.LOADING] and seen[Phase.GENERATING]
    assert recorder.reasons == {"A model is loaded, run or downloaded"}
    assert not recorder.awake


@pytest.mark.slow
def test_an_experiment_is_no_pause_between_its_runs(desk: Desk) -> None:
    window = desk.ready()
    recorder, playground = watched(window), window.playground
    playground.changed.emit(playground.state, playground.state)
    assert not recorder.awake
    before = playground.state
    playground._state = replace(before, experiment="Which sampling?")
    playground.changed.emit(before, playground.state)
    assert playground.state.phase is Phase.READY and recorder.awake
    playground._state = replace(playground.state, experiment="")


@pytest.mark.parametrize(("state", "awake"), [(DownloadState.DOWNLOADING, True), (DownloadState.PAUSED, False)])
def test_a_download_is_not_left_to_sleep(desk: Desk, state: DownloadState, awake: bool) -> None:
    window = desk.ready()
    recorder = watched(window)
    window.downloading.jobs = (DownloadJob("a/b", state),)
    window.downloading.changed.emit()
    assert recorder.awake is awake


def test_the_dock_offers_what_the_menus_have(desk: Desk) -> None:
    window = desk.ready()
    offered = dock_menu(window).actions()
    assert offered == [act(window, name) for name in IN_THE_DOCK]
