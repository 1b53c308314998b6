from pathlib import Path

import pytest
from PySide6.QtWidgets import QAbstractButton, QLabel

from app.library.types import DownloadState
from app.quantization import convert
from app.ui.picker.controller_downloads import DownloadsController
from app.ui.picker.dialog import ModelPicker
from app.ui.picker.models_table import ModelTable
from app.ui.picker.quantize_dialog import LadderPlot, QuantizeDialog
from app.ui.widgets.table import NumbersTable
from tests.faults.quantizing import names
from tests.journeys.journey import Journey
from tests.quantization import brief
from tests.ui.cells import cells

pytestmark = pytest.mark.slow


def listed(user: Journey) -> list[str]:
    return [row[0] for row in cells(user.find(ModelTable, "local_models"))]


def ask(user: Journey) -> QuantizeDialog:
    """The dialog, with what is foreseen for the demo model."""
    user.act("open_model")
    user.until(lambda: "demo" in listed(user) and user.button("quantise_model").isEnabled())
    user.press("quantise_model")
    user.until(user.button("quantise_make").isEnabled)
    return user.find(QuantizeDialog, "quantise")


def facts(user: Journey) -> str:
    labels = user.find(QuantizeDialog, "quantise").findChildren(QLabel)
    return "\n".join(label.accessibleName() for label in labels if label.isVisible())


def test_quantized_model_is_compared_and_opened(demo: Journey, tmp_path: Path) -> None:
    ask(demo)
    for words in ("802 kB instead of 2.56 MB", "Bits per weight: 5.01", "Group: 32", "Not quantized: no layer"):
        assert words in facts(demo)
    demo.press("quantise_make")
    downloading = demo.window.findChild(DownloadsController)
    assert downloading is not None
    demo.until(lambda: [job.state for job in downloading.jobs] == [DownloadState.DONE])
    assert "3.2 times smaller" in downloading.jobs[0].note and "same top-1 token" in downloading.jobs[0].note
    demo.until(lambda: "demo-4bit" in listed(demo))
    demo.find(ModelTable, "local_models").selectRow(listed(demo).index("demo-4bit"))
    assert (
        not demo.button("quantise_model").isEnabled() and "already quantized" in demo.button("quantise_model").toolTip()
    )
    picker = demo.find(ModelPicker, "model_picker")
    told = picker.findChild(QLabel, "download_words")
    assert told is not None and "times smaller" in told.text()
    demo.press("download_go")
    demo.until(lambda: demo.state.model is not None and demo.state.model.bits == 4)
    assert demo.state.model is not None and names(demo.state.model.folder.parent) == ["demo-4bit"]


def test_comparison_of_bit_widths_leaves_no_files(demo: Journey, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(convert, "spoken_command", lambda switch: brief.COMMAND)
    dialog = ask(demo)
    near = dialog.to.parent
    demo.press("quantise_try")
    demo.until(lambda: demo.button("quantise_make").isEnabled())
    assert [row[0] for row in cells(demo.find(NumbersTable, "quantise_ladder"))] == ["original", "8", "4"]
    assert "4 bits: 5.01 bits per weight, KL " in demo.find(LadderPlot, "quantise_plot").accessibleDescription()
    assert names(near) == []
    dialog.reject()


def test_quantization_cancelled_leaves_no_files(demo: Journey) -> None:
    dialog = ask(demo)
    near = dialog.to.parent
    demo.press("quantise_make")
    downloading = demo.window.findChild(DownloadsController)
    assert downloading is not None
    demo.until(lambda: demo.window.findChild(QAbstractButton, "download_leave") is not None)
    demo.button("download_leave").click()
    demo.until(lambda: downloading.jobs == () or downloading.jobs[0].folder is not None)
    assert not near.exists() or all(not name.startswith(".") for name in names(near))
