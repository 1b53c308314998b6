"""The input of the script: a finished run, or the run that Send would start."""

from dataclasses import dataclass

from app.bridge import conversation
from app.engine.script import python_of
from app.engine.types import ExactPrompt, Failure, Model, Reason, Request
from app.i18n import tr
from app.state import Run, State

NOTHING_TYPED = tr("Your prompt")
NO_MODEL = Failure(tr("There is no code without a model."), tr("Open a model first."), kind="no code")
ELSEWHERE = Failure(
    tr("The code needs mlx-lm on this computer, but this model runs on a server."),
    tr("Open the model on this computer to get its code."),
    kind="no code",
)


@dataclass(frozen=True, slots=True)
class RunCode:
    """The input of a script, with a title and notes."""

    title: str
    about: str
    model: Model
    request: Request
    prompt: ExactPrompt | None
    seeded: bool = True

    def python(self) -> str:
        return python_of(self.request, self.prompt, self.model, seeded=self.seeded)


def of_run(run: Run, opened: Model | None, known: conversation.Known) -> RunCode | Failure:
    """Return the input from a finished run."""
    model = run.on or opened
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
