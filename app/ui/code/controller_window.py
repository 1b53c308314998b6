"""The code of a run, or of the one that Send would start: shown beside the window, or copied at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from app.bridge import conversation
from app.bridge.playground import Playground
from app.engine.script import Command, command_of, python_of
from app.engine.types import ExactPrompt, Failure, Model, Reason, Request
from app.state import Run, State
from app.ui.code.dialog import Code, CodeDialog, TemplateDialog
from app.ui.look import Theme
from app.ui.widgets import LazyWindow, NoticeBar
from app.words import tr

NOTHING_TYPED = tr("Your prompt")
NO_MODEL = Failure(tr("There is no code without a model."), tr("Open a model first."), kind="no code")
ELSEWHERE = Failure(
    tr("The code is for mlx-lm on this machine, and this model runs on a server."),
    tr("Open the model on this machine for its code."),
    kind="no code",
)
NO_RUN = Failure(tr("No run wrote this turn."), tr("Regenerate it, and there will be one."), kind="no code")


@dataclass(frozen=True, slots=True)
class Coded:
    """Everything that code is made from, and what to say about it."""

    title: str
    about: str
    model: Model
    request: Request
    prompt: ExactPrompt | None
    seeded: bool = True

    def python(self) -> str:
        return python_of(self.request, self.prompt, self.model, seeded=self.seeded)

    def command(self) -> Command | Failure:
        return command_of(self.request, self.prompt, self.model, seeded=self.seeded)


class CodeWindowController:
    """Everything that has to do with code; what there is none of is said in the window's notice."""

    def __init__(
        self, playground: Playground, typed: Callable[[], str], notice: NoticeBar, theme: Theme, parent: QWidget
    ) -> None:
        self._playground = playground
        self._typed = typed
        self._notice = notice
        self._dialog = LazyWindow(partial(CodeDialog, theme, parent))
        self._template = LazyWindow(partial(TemplateDialog, theme, parent))

    def view(self) -> None:
        self._show(self._present())

    def view_template(self) -> None:
        """The chat template of the open model."""
        if (model := self._playground.state.model) is not None:
            self._template.window.show_template(model.name, model.template)
            self._template.bring_up()

    def copy_python(self) -> None:
        coded = self._present()
        self._copy(coded if isinstance(coded, Failure) else coded.python())

    def copy_command(self) -> None:
        coded = self._present()
        command = coded if isinstance(coded, Failure) else coded.command()
        self._copy(command.line if isinstance(command, Command) else command)

    def view_turn(self, index: int) -> None:
        state = self._playground.state
        runs = state.turns[index].runs
        self._show(of_run(self._playground.whole(runs[-1]), state.model) if runs else NO_RUN)

    def _present(self) -> Coded | Failure:
        state = self._playground.state
        if state.last_run is not None:
            return of_run(state.last_run, state.model)
        return of_next(state, self._typed())

    def _show(self, coded: Coded | Failure) -> None:
        if isinstance(coded, Failure):
            self._notice.show_failure(coded)
            return
        dialog = self._dialog.window
        dialog.show_code(coded.title, coded.about, Code(coded.python()), _shown(coded.command()))
        self._dialog.bring_up()

    def _copy(self, text: str | Failure) -> None:
        if isinstance(text, Failure):
            self._notice.show_failure(text)
        else:
            QGuiApplication.clipboard().setText(text)


def of_run(run: Run, opened: Model | None) -> Coded | Failure:
    """The code of a finished run, on the model it ran on."""
    model = run.on or opened
    if model is None:
        return NO_MODEL
    if model.server or run.finish.wire is not None:
        return ELSEWHERE
    return Coded(tr("Code of the Run"), _about(run), model, run.request, run.prompt)


def of_next(state: State, typed: str) -> Coded | Failure:
    """The code of what Send would start now. The prompt is not rendered yet: its template is asked in the plain way."""
    if state.model is None:
        return NO_MODEL
    if state.model.server:
        return ELSEWHERE
    about = tr("What Send would do now.")
    turns = state.turns
    if typed or not turns:
        turns = conversation.with_user(turns, typed or NOTHING_TYPED, state.controls.mode)
    if not typed and not state.turns:
        about += " " + tr("Nothing is typed yet: “{words}” stands in its place.").format(words=NOTHING_TYPED)
    controls = state.controls
    prompt = conversation.prompt_of(turns, controls, state.model)
    request = conversation.request_for(prompt, controls, controls.seed or 0, state.model)
    return Coded(tr("Code of the Next Run"), about, state.model, request, None, seeded=controls.seed is not None)


def _about(run: Run) -> str:
    about = tr("This run again, on {model}.").format(model=run.model)
    if run.finish.reason is not Reason.STOPPED:
        return about
    stopped = tr(
        "You stopped it after %n tokens; the code goes on to its own end.",
        "You stopped it after %n token; the code goes on to its own end.",
        run.finish.tokens,
    )
    return f"{about} {stopped}"


def _shown(command: Command | Failure) -> Code:
    if isinstance(command, Failure):
        return Code("", (command.sentence,))
    return Code(command.line, command.remarks)
