"""The window in which a text is weighed: what the form asks for is begun, stopped, gone on with, and shown."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge.model_folders import ModelFolders
from app.bridge.playground import Playground
from app.bridge.tasks import Tasks
from app.engine.jobs import no_logits
from app.engine.types import ChatPrompt, Failure, LoadRequest, Model, Prefill, Stopped
from app.i18n import tr
from app.library import local
from app.number_format import duration
from app.perplexity import source
from app.records.journal import Journal
from app.records.types import SessionId
from app.state import Phase, State
from app.ui.feature import Feature
from app.ui.look import Theme
from app.ui.widgets import LazyWindow

if TYPE_CHECKING:
    from app.perplexity.measuring import PerplexityMeasurement
    from app.ui.perplexity.controller_example import ExampleController
    from app.ui.perplexity.view import Setup, WeighView
    from app.ui.perplexity.words import Findings

NO_MODEL, NO_TEXT = tr("Open a model first."), tr("There is no text to weigh: paste one, or choose a file.")
NOT_DEMO = tr("This is about the demo model: open that first.")
BUSY = tr("Wait until the model is free.")
OPENING = tr("Opening a model…")


class WeighController(Feature):
    """One text at a time. What was stopped goes on as long as the form is as it was."""

    ahead = ("app.perplexity.measuring", "app.ui.perplexity.view")

    def __init__(
        self, playground: Playground, theme: Theme, bundled: Path, folders: ModelFolders, window: QWidget
    ) -> None:
        super().__init__(window)
        self._playground, self._theme, self._bundled = playground, theme, bundled
        self._folders, self._parent = folders, window
        self._tasks = Tasks(self)
        self._window = LazyWindow(self._make)
        self._source: str | ChatPrompt = ""
        """Of a file or a session."""
        self._weighing: PerplexityMeasurement | None = None
        self._asked: tuple[Setup, str | ChatPrompt, Model] | None = None
        """What is weighed, or was stopped."""
        self._began: Prefill | None = None
        self._example: ExampleController | None = None

    def actions(self) -> dict[str, Intent]:
        return {"weigh_text": self._window.bring_up, "weigh_demo": self._ask_example}

    @Slot(int)
    def take_session(self, session: SessionId) -> None:
        """Its answers are to be weighed."""
        self._window.bring_up()
        if (journal := self._playground.book.journal) is not None:
            self._take(partial(_session, journal, session), self._playground.book.title(session))

    @Slot()
    def _ask_example(self) -> None:
        from app.ui.perplexity.controller_example import MAKING, ExampleController

        self._window.bring_up()
        foot, model = self._window.window.foot, self._playground.state.model
        if foot.going:
            return
        if self._example is None:
            self._example = ExampleController(self._tasks, self._bundled, self._begin_example, self)
        if model is None or model.folder != self._example.demo:
            foot.say(NOT_DEMO)
            return
        foot.say(MAKING)
        self._example.start()

    def _begin_example(self, text: Path, copy: Path | Failure) -> None:
        if isinstance(copy, Failure):
            self._window.window.foot.show_failure(copy)
        else:
            self._tasks.start(self._weigh_example(text, copy), "models")

    async def _weigh_example(self, text: Path, copy: Path) -> None:
        await self._take_in(partial(source.read, text), text.name)
        await self._show_models(self._playground.state.model)
        if not self._window.window.foot.going:
            self._window.window.hold_against(str(copy))
            self._start()

    def close(self) -> None:
        if self._example is not None:
            self._example.close()
        if self._window.made is not None:
            self._window.made.leave()

    def discard(self) -> None:
        self._discard()

    def _make(self) -> WeighView:
        from app.ui.perplexity.view import WeighView

        view, playground = WeighView(self._theme, self._parent), self._playground
        view.opened.connect(self._look)
        view.edited.connect(self._forgive)
        view.file_taken.connect(lambda path: self._take(partial(source.read, path), path.name))
        view.session.clicked.connect(lambda: self.take_session(playground.state.session))
        view.foot.start_wanted.connect(self._start)
        view.foot.stop_wanted.connect(playground.stop)
        playground.changed.connect(self._on_changed)
        playground.prefill_advanced.connect(self._on_read)
        playground.perplexity_measured.connect(self._on_weighed)
        return view

    def _take(self, read: Callable[[], str | ChatPrompt | Failure], name: str) -> None:
        if not self._window.window.foot.going:
            self._tasks.start(self._take_in(read, name), "source")

    async def _take_in(self, read: Callable[[], str | ChatPrompt | Failure], name: str) -> None:
        found = await self._tasks.tried(read)
        if isinstance(found, Failure):
            self._window.window.foot.show_failure(found)
        elif not self._window.window.foot.going:
            self._source = found
            self._window.window.show_source(name, isinstance(found, ChatPrompt))

    @Slot()
    def _look(self) -> None:
        """For the models that there are, whenever the window is seen."""
        if self._window.seen is not None:
            self._tasks.start(self._show_models(self._playground.state.model), "models")

    async def _show_models(self, model: Model | None) -> None:
        folders = [Path(folder) for folder in self._folders.kept]
        folders += self._example.folders if self._example is not None else ()
        found = await self._tasks.tried(local.around, model.folder if model else None, self._bundled, folders)
        others = () if isinstance(found, Failure) else found
        self._window.window.show_models(model.full_name if model is not None else NO_MODEL, others)
        self._enable(self._playground.state)

    @Slot()
    def _start(self) -> None:
        from app.perplexity.measuring import PerplexityJob, PerplexityMeasurement

        view, weighing = self._window.window, self._weighing
        setup, text, model = asked = self._wanted()
        if model is None or not text:
            view.foot.say(NO_TEXT)
            return
        if weighing is None or self._asked != asked:
            against = LoadRequest(setup.against) if setup.against else None
            prompt = source.prompt_of(text, setup.raw) if isinstance(text, str) else text
            own = LoadRequest(str(model.folder), adapter=model.opened_by.adapter)
            weighing = PerplexityMeasurement(PerplexityJob(prompt, own, against))
        begun = view.begin(partial(self._playground.measure_perplexity, weighing))
        if begun:
            if weighing is not self._weighing:
                self._discard()
            self._weighing, self._asked, self._began = weighing, (setup, text, model), None
        view.foot.say("" if begun else BUSY)
        self._enable(self._playground.state)

    def _wanted(self) -> tuple[Setup, str | ChatPrompt, Model | None]:
        """With the text itself: files and sessions of one name may say something else."""
        setup = self._window.window.setup()
        return setup, self._source if setup.source else setup.text, self._playground.state.model

    def _discard(self) -> None:
        if self._weighing is not None:
            self._weighing.close()
        self._weighing = None

    @Slot()
    def _forgive(self) -> None:
        """What was wrong may be right now."""
        self._window.window.foot.say("")
        self._enable(self._playground.state)

    @Slot(object, object)
    def _on_changed(self, old: State, new: State) -> None:
        view = self._window.window
        if view.foot.going and new.phase is Phase.STOPPING:
            view.show_going(view.STOPPING)
        elif view.foot.going and new.loading is not None and new.loading is not old.loading:
            view.show_going(OPENING)
        if new.model is not old.model:
            self._look()
        if (new.phase, new.session) != (old.phase, old.session):
            self._enable(new)

    def _enable(self, state: State) -> None:
        """Only what was stopped can go on."""
        view, model = self._window.window, state.model
        foot, elsewhere = view.foot, model is not None and bool(model.server)
        again = self._weighing is not None and self._asked == self._wanted()
        foot.call(tr("Go On") if again else tr("Start"))
        view.session.setEnabled(bool(state.session) and not foot.going)
        foot.allow(state.phase is Phase.READY and not elsewhere, state.phase is Phase.STOPPING)
        if elsewhere:
            foot.show_failure(no_logits())

    @Slot(object)
    def _on_read(self, read: Prefill) -> None:
        view = self._window.window
        if view.foot.going and self._playground.state.phase is not Phase.STOPPING:
            self._began = began = self._began or read
            words, fresh, left = tr("{done} of {total} tokens"), read.done - began.done, ""
            if fresh > 0:
                words = tr("{done} of {total} tokens, {left} left")
                left = duration((read.at - began.at) / fresh * (read.total - read.done))
            told = words.format(done=f"{read.done:,}", total=f"{read.total:,}", left=left)
            view.show_going(told, read.done, read.total)

    @Slot(object)
    def _on_weighed(self, outcome: Failure | Stopped | None) -> None:
        weighing, view = self._weighing, self._window.window
        if weighing is None or self._asked is None:
            return
        view.show_going(None)
        names = (self._asked[2].full_name, view.name_of(self._asked[0].against))
        self._tasks.start(self._show(weighing, names, outcome is None), "findings")
        if not isinstance(outcome, Stopped):
            self._discard()
        self._forgive()
        if isinstance(outcome, Failure):
            view.foot.show_failure(outcome)

    async def _show(self, weighing: PerplexityMeasurement, names: tuple[str, str], whole: bool) -> None:
        found = await self._tasks.in_thread(_found, weighing, names, whole)
        if found is not None:
            self._window.window.show_findings(found)


# On a thread.


def _session(journal: Journal, session: SessionId) -> ChatPrompt | Failure:
    journal.flush()
    whole = journal.sessions.whole(session)
    if whole is None:
        return Failure(tr("This session is not there any more."), tr("Choose another one."), kind="file")
    return source.conversation(whole, whole.title)


def _found(weighing: PerplexityMeasurement, names: tuple[str, str], whole: bool) -> Findings | None:
    from app.ui.perplexity.words import findings

    result = weighing.result()
    return findings(result, names, whole) if result is not None else None
