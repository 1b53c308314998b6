import shutil
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QLabel
from pytestqt.qtbot import QtBot

from app.ui.controls.panel import ControlsPanel
from app.ui.widgets import files
from tests.adapters import adapter
from tests.journeys.journey import Journey, journey, started

pytestmark = pytest.mark.slow

ASKED = "Tell me a story about a fox."


@pytest.fixture
def model(tmp_path: Path, demo_model: Path, cache: Path) -> Path:
    """A copy of the bundled one with two adapters beside it, one of them in another format."""
    folder = Path(shutil.copytree(demo_model, tmp_path / "models" / "copy"))
    adapter(tmp_path / "models" / "fox", folder, planted=0.2)
    peft = adapter(tmp_path / "models" / "peft", folder)
    (peft / "adapters.safetensors").rename(peft / "adapter_model.safetensors")
    return folder


def choices(user: Journey) -> list[str]:
    box = user.find(QComboBox, "adapter")
    return [box.itemText(index) for index in range(box.count()) if box.itemText(index)]


def choose(user: Journey, name: str) -> None:
    user.act("open_model")
    user.until(lambda: "fox" in choices(user) and "peft" in choices(user))
    user.choose("adapter", name)
    user.press("open_chosen")
    user.until_ready()


def put(user: Journey, strength: float) -> None:
    user.find(QDoubleSpinBox, "adapter_strength").setValue(strength)


def test_adapter_chosen_in_the_picker_is_restored_at_the_next_start(qtbot: QtBot, model: Path, tmp_path: Path) -> None:
    with journey(qtbot, ["--data-dir", str(tmp_path / "data"), "--model", str(model)]) as user:
        user.until_ready()
        user.limit(24)
        user.cold()
        assert not user.find(QDoubleSpinBox, "adapter_strength").isVisible()
        bare = user.send(ASKED).ids
        choose(user, "fox")
        assert user.button("model_button").text().startswith("copy + fox")
        assert user.find(QDoubleSpinBox, "adapter_strength").isVisible()
        user.act("regenerate")
        adapted = user.last()
        assert adapted.ids != bare and adapted.request.sampling.adapter_strength == 1.0
        put(user, 0.0)
        user.act("regenerate")
        assert user.last().ids == bare
        put(user, 1.0)
        user.act("regenerate")
        again = user.last()
        assert again.ids == adapted.ids
        assert again.finish.reused > 0, "what was read at this strength is still there"
        put(user, 0.5)
        user.act("regenerate")
        assert user.last().finish.reused == 0, "what was read at another strength is not used"
    with started(qtbot, tmp_path / "data") as user:
        assert user.state.model is not None and user.state.model.adapter is not None
        assert user.state.model.adapter.folder == model.parent / "fox"
        assert user.find(QDoubleSpinBox, "adapter_strength").value() == 0.5
        choose(user, "None")
        assert user.state.model.adapter is None and user.button("model_button").text().startswith("copy ·")


def test_preset_with_an_adapter_loads_the_adapter(qtbot: QtBot, model: Path, tmp_path: Path) -> None:
    with journey(qtbot, ["--data-dir", str(tmp_path / "data"), "--model", str(model)]) as user:
        user.until_ready()
        controls = user.find(ControlsPanel, "controls")
        kept = user.window.findChild(QAction, "preset_adapter")
        assert kept is not None
        controls.presets.saved_as.emit("Foxes")
        assert not kept.isEnabled(), "there is none to come with it"
        choose(user, "fox")
        assert kept.isEnabled() and not kept.isChecked()
        kept.trigger()
        assert kept.isChecked()
        choose(user, "None")
        assert user.button("preset_back").isVisible(), "not as the preset has it"
        user.choose("preset", "Greedy")
        assert not kept.isEnabled() and user.state.model is not None and user.state.model.adapter is None
        user.choose("preset", "Foxes")
        user.until(lambda: user.state.model is not None and user.state.model.adapter is not None)
        assert kept.isChecked() and not user.button("preset_back").isVisible()
        kept.trigger()
        assert not kept.isChecked() and user.state.model.adapter is not None


def test_folder_without_an_adapter_is_refused_with_a_sentence(
    qtbot: QtBot, model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    far = adapter(tmp_path / "far" / "numbers", model, planted=0.2)
    chosen = [tmp_path / "far", far]
    monkeypatch.setattr(files, "ask_folder", lambda parent, title, take: take(chosen.pop(0)))
    with journey(qtbot, ["--data-dir", str(tmp_path / "data"), "--model", str(model)]) as user:
        user.until_ready()
        user.act("open_model")
        user.until(lambda: "fox" in choices(user))
        box, refusal = user.find(QComboBox, "adapter"), user.find(QLabel, "adapter_refusal")
        box.setCurrentIndex(box.count() - 1)
        box.activated.emit(box.currentIndex())
        user.until(lambda: "is not an adapter" in refusal.text())
        assert box.currentText() == "None"
        box.setCurrentIndex(box.count() - 1)
        box.activated.emit(box.currentIndex())
        user.until(lambda: box.currentText() == "numbers")
        user.press("open_chosen")
        user.until(lambda: user.state.model is not None and user.state.model.adapter is not None)
