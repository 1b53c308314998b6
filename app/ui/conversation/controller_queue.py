"""Shows the queued prompts and a run in another session above the prompt, and removes queued prompts with Undo."""

from PySide6.QtCore import QObject

from app.bridge.playground import Playground
from app.i18n import tr
from app.state import Phase, QueuedPrompt, State
from app.ui.conversation.queue_strip import QueueStrip, QueueView
from app.ui.widgets import NoticeBar

FIELDS = ("queue", "is_queue_held", "session", "elsewhere", "phase", "model")


class QueueController(QObject):
    def __init__(self, playground: Playground, strip: QueueStrip, notice: NoticeBar, parent: QObject) -> None:
        super().__init__(parent)
        self._playground = playground
        self._strip = strip
        self._notice = notice
        playground.follow(FIELDS, self._show)
        strip.send_wanted.connect(playground.queue.send_now)
        strip.remove_wanted.connect(self._remove)

    def _show(self, state: State) -> None:
        queued = tuple(each for each in state.queue if each.session == state.session)
        page = state.elsewhere if state.elsewhere is not None and state.elsewhere.is_running else None
        self._strip.show_queue(
            QueueView(
                queued=queued,
                elsewhere=len(state.queue) - len(queued),
                held=len(state.queue) if state.is_queue_held else 0,
                is_ready=state.phase is Phase.READY,
                has_model=state.phase is not Phase.EMPTY,
                running=page.session if page is not None else 0,
                running_title=page.title if page is not None else "",
            )
        )

    def _remove(self, prompt: QueuedPrompt | None) -> None:
        """Remove a queued prompt, or all of them, and offer Undo."""
        queue, is_held = self._playground.state.queue, self._playground.state.is_queue_held
        removed = queue if prompt is None else (prompt,)
        words = tr("%n queued prompts were removed.", "%n queued prompt was removed.", len(removed))
        place = self._playground.queue.remove(*removed)

        def undo() -> None:
            self._notice.withdraw(words)
            self._playground.queue.restore(*removed, place=place, hold=is_held)

        self._notice.show_remark(words, tr("Undo"), undo)
