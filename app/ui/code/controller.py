"""Shows or copies the script of the last run, or of the run that Send would start."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.actions import Intent
from app.bridge import conversation
from app.bridge.playground import Playground
from app.engine.types import ExactPrompt, Failure, Model, Reason, Request
from app.i18n import tr
from app.state import Phase, Run, State
from app.ui.document.turns import TurnAction
from app.ui.feature import Feature
from app.ui.look import Theme
from app.ui.widgets import LazyWindow, NoticeBar, files

if TYPE_CHECKING:
    from app.ui.code.dialog import CodeDialog, TemplateDialog, TextWindow

NOTHING_TYPED = tr("Your prompt")
NO_MODEL = Failure(tr("There is no code without a model."), tr("Open a model first."), kind="no code")
ELSEWHERE = Failure(
    tr("The code needs mlx-lm on this computer, but this model runs on a server."),
    tr("Open the model on this computer to get its code."),
    kind="no code",
)
NO_RUN = Failure(tr("No run generated this turn."), tr("Regenerate the turn to get its code."), kind="no code")


class CodeController(Feature):
    """`typed` returns the prompt field's text; `notice` shows why there is no script."""

    ahead = ("app.engine.script", "app.ui.code.dialog")

    def __init__(
        self, playground: Playground, typed: Callable[[], str], notice: NoticeBar, theme: Theme, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._playground = playground
        self._typed = typed
        self._notice = notice
        self._theme = theme
        self._window = parent
        self._dialog = LazyWindow(self._make)
        self._template = LazyWindow(self._make_template)

    def actions(self) -> dict[str, Intent]:
        return {"view_code": self.view, "copy_python": self.copy_python}

    def connect_actions(self) -> None:
        self._playground.follow(("phase",), self._allow, at_once=True)

    def view(self) -> None:
        self._show(self._present())

    def view_template(self) -> None:
        """Return the chat template of the open model."""
        if (model := self._playground.state.model) is not None:
            self._template.window.show_text(tr("Chat template of {model}").format(model=model.name), model.template)
            self._template.bring_up()

    def run_turn_action(self, wish: TurnAction, index: int) -> None:
        """Follow a choice in the menu of a turn."""
        if wish == TurnAction.VIEW_CODE:
            state = self._playground.state
            runs = state.turns[index].runs
            known = self._playground.book.models.known
            self._show(of_run(self._playground.load_full(runs[-1]), state.model, known) if runs else NO_RUN)

    def copy_python(self) -> None:
        coded = self._present()
        if isinstance(coded, Failure):
            self._notice.show_failure(coded)
        else:
            QGuiApplication.clipboard().setText(coded.python())

    def _make(self) -> CodeDialog:
        from app.ui.code.dialog import CodeDialog

        dialog = CodeDialog(self._theme, self._window)
        dialog.save_wanted.connect(lambda: self._ask_save(dialog, tr("Save the Script"), ".py", tr("Python script")))
        return dialog

    def _make_template(self) -> TemplateDialog:
        from app.ui.code.dialog import TemplateDialog

        dialog = TemplateDialog(self._theme, self._window)
        dialog.save_wanted.connect(lambda: self._ask_save(dialog, tr("Save the Template"), ".jinja", tr("Template")))
        return dialog

    def _ask_save(self, dialog: TextWindow, title: str, suffix: str, kind: str) -> None:
        text, name = dialog.text.toPlainText(), dialog.windowTitle()

        def save(path: Path) -> None:
            self._playground.tasks.start(self._save(dialog, path, text))

        files.ask_save(dialog, title, name, {suffix: kind}, save)

    async def _save(self, dialog: TextWindow, path: Path, text: str) -> None:
        dialog.show_saved(await self._playground.tasks.complete(partial(files.write, path, text)))

    def _present(self) -> RunCode | Failure:
        state = self._playground.state
        if state.last_run is not None:
            return of_run(state.last_run, state.model, self._playground.book.models.known)
        return of_next(state, self._typed())

    def _show(self, coded: RunCode | Failure) -> None:
        if isinstance(coded, Failure):
            self._notice.show_failure(coded)
        else:
            from app.engine.script import can_stream

            streamed = coded.python(streams=True) if can_stream(coded.request) else ""
            self._dialog.window.show_scripts(coded.title, streamed, coded.python(), coded.about)
            self._dialog.bring_up()

    def _allow(self, state: State) -> None:
        for name in self.actions():
            self._actions[name].setEnabled(state.phase is Phase.READY)


@dataclass(frozen=True, slots=True)
class RunCode:
    """The input of a script, with a title and notes."""

    title: str
    about: str
    model: Model
    request: Request
    prompt: ExactPrompt | None
    seeded: bool = True

    def python(self, *, streams: bool = False) -> str:
        # The import takes 60 ms.
        from app.engine.script import python_script

        return python_script(self.request, self.prompt, self.model, seeded=self.seeded, streams=streams)


def of_run(run: Run, opened: Model | None, known: conversation.Known) -> RunCode | Failure:
    """Return the input from a finished run."""
    model = run.on or (opened.in_dtype(run.format.computed_in) if opened is not None else None)
    if model is None:
        return NO_MODEL
    if model.server or run.finish.wire is not None:
        return ELSEWHERE
    if what := conversation.foreign_reason(run, model):
        return Failure(what, tr("Open {writer} to get its code.").format(writer=run.model), kind="no code")
    if what := conversation.mismatch_reason(run, model, known):
        return Failure(what, "", kind="no code")
    request = conversation.same_adapter_request(run.request, run.adapter)
    return RunCode(tr("Code of the Run"), _about(run), model, request, run.prompt)


def of_next(state: State, typed: str) -> RunCode | Failure:
    """Return the input from the run that Send would start now; its chat template isn't rendered yet."""
    if state.model is None:
        return NO_MODEL
    if state.model.server:
        return ELSEWHERE
    about = tr("The script of the run that Send would start.")
    turns = state.turns
    if typed or not turns:
        turns = conversation.with_user(turns, typed or NOTHING_TYPED, state.controls.mode)
    if not typed and not state.turns:
        about += " " + tr("The prompt is empty, so the script uses “{words}”.").format(words=NOTHING_TYPED)
    controls = state.controls
    prompt = conversation.prompt_of(turns, controls, state.model)
    request = conversation.request_for(prompt, controls, controls.seed or 0, state.model)
    return RunCode(tr("Code of the Next Run"), about, state.model, request, None, seeded=controls.seed is not None)


def _about(run: Run) -> str:
    about = tr("Repeats this run on {model}.").format(model=run.model)
    if run.finish.reason is not Reason.STOPPED:
        return about
    stopped = tr(
        "You stopped this run after %n tokens; the script doesn't stop there.",
        "You stopped this run after %n token; the script doesn't stop there.",
        run.finish.tokens,
    )
    return f"{about} {stopped}"
