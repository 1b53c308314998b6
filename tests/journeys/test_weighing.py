import shutil
from pathlib import Path

import mlx.core as mx
import pytest
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QPlainTextEdit, QPushButton, QTableView, QTabWidget

from app.engine.types import LoadRequest
from app.perplexity.measuring import PerplexityMeasurement
from app.state import Phase
from app.ui.perplexity.results import PerplexityResults
from app.ui.perplexity.window import CACHES, PerplexityWindow
from app.ui.tokens.chips import TokenChips
from tests.adapters import adapter
from tests.journeys.journey import Journey
from tests.ui.cells import cells
from tests.ui.dropping import drop, offered

pytestmark = pytest.mark.slow

TEXT = "Once upon a time there was a fox named Tolin who lived by the sea. The fox counted 1, 2, 3 waves. "
WORD = " fox"


def planted(demo_model: Path, folder: Path) -> Path:
    """The same model, to which one word means nothing any more."""
    copy = Path(shutil.copytree(demo_model, folder / "planted"))
    (file,) = copy.glob("*.safetensors")
    weights: dict[str, mx.array] = mx.load(str(file))  # type: ignore[assignment]
    from transformers import AutoTokenizer

    (token,) = AutoTokenizer.from_pretrained(str(copy)).encode(WORD, add_special_tokens=False)
    name = next(name for name in weights if name.endswith("embed_tokens.weight"))
    table = weights[name]
    table[token] = -table[token]
    mx.save_safetensors(str(file), dict(weights) | {name: table}, metadata={"format": "mlx"})
    return copy


class Room:
    """The window, by the names that were promised."""

    def __init__(self, demo: Journey) -> None:
        self.demo = demo
        demo.act("weigh_text")
        self.view = demo.find(PerplexityWindow, "weigh_window")
        self.text = demo.find(QPlainTextEdit, "weigh_typed")
        self.start = demo.find(QPushButton, "weigh_start")
        self.sentence = demo.find(QLabel, "weigh_sentence")
        demo.until(self.start.isEnabled)

    def weigh(self) -> str:
        self.start.click()
        return self.wait()

    def wait(self) -> str:
        before = self.view.results._found
        self.demo.until(lambda: self.demo.state.phase is Phase.READY and self.view.results._found is not before)
        return self.sentence.text()

    def compare_with(self, what: str) -> None:
        """Choose another model, as soon as it is listed, or other caches."""
        box = self.demo.find(QComboBox, "weigh_against")
        self.demo.until(lambda: box.findData(what) > 0)
        box.setCurrentIndex(box.findData(what))
        box.activated.emit(box.currentIndex())

    def table(self, title: str) -> QTableView:
        tabs = self.demo.find(QTabWidget, "weigh_tabs")
        tabs.setCurrentIndex([tabs.tabText(at) for at in range(tabs.count())].index(title))
        found = tabs.currentWidget()
        assert isinstance(found, QTableView)
        return found


def test_perplexity_comparison_finds_the_one_changed_word(demo: Journey, demo_model: Path, tmp_path: Path) -> None:
    copy = planted(demo_model, tmp_path / "models")
    demo.window._features.folders.add(tmp_path / "models")
    room = Room(demo)
    room.start.click()
    assert "text is empty" in demo.find(QLabel, "weigh_trouble").text()
    room.text.setPlainText(TEXT * 3)
    assert "nats per token over" in room.weigh()
    assert cells(room.table("By token type"))[0][0] == "Words"

    room.compare_with(str(demo_model))
    same = room.weigh()
    assert same.startswith("KL divergence 0.000 nats per token; same top-1 token 100 %")
    room.compare_with(str(copy))
    room.weigh()
    assert demo.state.model is not None
    assert demo.state.model.folder == demo_model, "the model from before is open again"
    table = room.table("Largest differences")
    worst = cells(table)
    assert float(worst[0][2]) > 1
    assert {row[1] for row in worst[:4]} == {"␣named", "␣counted"}, "what stands behind the word"
    table.setCurrentIndex(table.model().index(2, 0))
    assert f"{int(worst[2][0]):,} of " in demo.find(QLabel, "weigh_pointed").text()
    assert demo.find(TokenChips, "weigh_text").prompt is not None
    assert demo.find(PerplexityResults, "weigh_results").isVisible()
    assert demo.send("Count 1 to 3").text, "the conversation goes on"


def test_perplexity_of_a_dropped_file_is_stopped_and_continued(demo: Journey, tmp_path: Path) -> None:
    file = tmp_path / "long.txt"
    file.write_text(TEXT * 30, "utf-8")
    room = Room(demo)
    assert not room.text.acceptDrops() and not room.text.viewport().acceptDrops(), "the window takes them"
    assert drop(room.view, offered(file))
    demo.until(lambda: demo.find(QLabel, "weigh_source").text().endswith(": long.txt"))
    progress = demo.find(QLabel, "weigh_progress")
    room.start.click()
    demo.until(lambda: "left" in progress.text())
    assert room.start.text() == "Stop"
    room.start.click()
    room.wait()
    caution = demo.find(QLabel, "weigh_caution")
    assert "Stopped" in caution.text() and room.start.text() == "Resume"
    results = room.view.results._found
    assert results is not None
    so_far = results.result.first
    room.weigh()
    assert "Stopped" not in caution.text()
    assert room.start.text() == "Start"
    whole = room.view.results._found
    assert whole is not None
    assert whole.result.first.each[: so_far.tokens] == so_far.each
    assert whole.result.first.tokens > so_far.tokens


def test_perplexity_of_a_session_s_answers_is_measured(demo: Journey) -> None:
    demo.limit(24)
    demo.send("Count 1 to 5")
    demo.window._parts.sessions.list.weighed.emit(demo.state.session)
    room = Room(demo)
    demo.until(lambda: demo.find(QLabel, "weigh_source").text().endswith(": Count 1 to 5"))
    room.weigh()
    found = room.view.results._found
    assert found is not None
    assert 0 < found.result.first.tokens <= 24


@pytest.mark.parametrize("size", [0.0, 0.05], ids=["fresh", "planted"])
def test_perplexity_comparison_shows_the_effect_of_the_open_adapter(
    demo: Journey, demo_model: Path, tmp_path: Path, size: float
) -> None:
    """Against the model itself; afterwards the adapter is on it again."""
    folder = adapter(tmp_path / "fox", demo_model, planted=size)
    assert demo.window.playground.load(LoadRequest(str(demo_model), adapter=str(folder)))
    demo.until_ready()
    opened = demo.state.model
    room = Room(demo)
    demo.until(lambda: demo.find(QLabel, "weigh_model").text() == "demo + fox")
    room.text.setPlainText(TEXT * 3)
    room.compare_with(str(demo_model))
    assert room.weigh().startswith("KL divergence 0.000 nats per token; same top-1 token 100 %") is (size == 0)
    demo.until(lambda: demo.state.model == opened)


def test_quit_during_a_comparison_leaves_no_files(demo: Journey, demo_draft: Path) -> None:
    """The scratch file is open, and the engine writes into it."""
    room = Room(demo)
    room.text.setPlainText(TEXT * 400)
    room.compare_with(str(demo_draft))
    room.start.click()
    demo.until(lambda: "left" in demo.find(QLabel, "weigh_progress").text())
    weighing = demo.window._features.weigh._window.window._measurement
    assert isinstance(weighing, PerplexityMeasurement)
    demo.window.close()
    assert not demo.window.is_hanging
    assert weighing._kept is not None and weighing._kept._file.closed


def test_kv_caches_are_compared_in_the_window_after_a_refused_notation(demo: Journey) -> None:
    room = Room(demo)
    caches = demo.find(QLineEdit, "weigh_kv")
    room.text.setPlainText(TEXT)
    room.compare_with(CACHES)
    assert caches.isVisible()
    caches.setText("4+window:16")
    room.start.click()
    assert "can't quantize a rotating KV cache" in demo.find(QLabel, "weigh_trouble").text()
    caches.setText("4,window:16")
    assert room.weigh().startswith("4-bit, groups of 32: KL divergence")
    names = [row[0] for row in cells(room.table("KV caches"))]
    assert names == ["4-bit, groups of 32", "Window of 16 tokens, first 4 kept"]
    assert room.start.text() == "Start", "it can't be resumed"


def test_comparison_with_a_4_bit_copy_starts_from_the_menu(demo: Journey) -> None:
    demo.act("weigh_demo")
    view = demo.find(PerplexityWindow, "weigh_window")
    demo.until(lambda: view.results._found is not None)
    found = view.results._found
    assert found is not None and found.result.between is not None
    assert found.result.between.kl_mean > 0.001 and found.result.between.same_first > 0.5
    copy = Path(demo.find(QComboBox, "weigh_against").currentData())
    assert copy.name == "demo-4bit" and (copy / "config.json").is_file()
    demo.window._features.weigh.close()
    assert not copy.exists()
