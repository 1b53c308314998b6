"""What one feature of the window tells another: none of them knows the others."""

from __future__ import annotations

from app.ui.code.controller import CodeController
from app.ui.controls.controller import ControlsController
from app.ui.conversation.controller import ConversationController
from app.ui.experiments.controller import ExperimentsController
from app.ui.guide.controller import GuideController
from app.ui.inspector.controller import InspectorController
from app.ui.picker.controller import PickerController
from app.ui.prompt.controller import PromptController
from app.ui.runs.controller import RunsController
from app.ui.serving.controller import ServingController
from app.ui.sessions.controller import SessionsController
from app.ui.settings.controller import SettingsController
from app.ui.shell.layout import Layout
from app.ui.stop_steps.controller import StopStepsController


def connect_conversation(
    parts: Layout,
    conversation: ConversationController,
    prompt: PromptController,
    controls: ControlsController,
    stop_steps: StopStepsController,
) -> None:
    """The page, the prompt below it, and the controls of the next run."""
    conversation.edit_wanted.connect(prompt.edit)
    conversation.continue_wanted.connect(prompt.continue_run)
    conversation.first_prompt_sent.connect(parts.prompt.setFocus)
    conversation.tokens_shown.connect(parts.show_tokens)
    prompt.sent.connect(parts.transcript.scroll_to_latest)
    prompt.raw_turned.connect(parts.set_raw)
    prompt.reply_start_wanted.connect(controls.begin_reply_start)
    parts.inspector.candidate_taken.connect(conversation.branches.fork)
    parts.inspector.text_taken.connect(conversation.branches.fork_with)
    parts.inspector.recording_wanted.connect(controls.record)
    parts.ending.recording_wanted.connect(controls.record)
    conversation.stop_steps_wanted.connect(stop_steps.view)


def connect_turns(
    parts: Layout,
    code: CodeController,
    runs: RunsController,
    experiments: ExperimentsController,
) -> None:
    """What leads from a turn, and from the line below the last run, to windows beside this one."""
    parts.transcript.wanted.connect(code.take_wish)
    parts.transcript.wanted.connect(experiments.take_wish)
    parts.ending.code_wanted.connect(code.view)
    parts.ending.receipt_wanted.connect(runs.show_last)
    parts.ending.tokens_wanted.connect(runs.export_last_tokens)
    parts.ending.trying_wanted.connect(experiments.try_last)
    parts.runs_button.clicked.connect(runs.show)


def connect_tokens(parts: Layout, inspector: InspectorController) -> None:
    """Where one is pointed at, the inspector tells of it."""
    parts.transcript.token_pointed.connect(inspector.point_in_text)
    parts.transcript.token_picked.connect(inspector.pick_in_text)
    parts.graph.token_pointed.connect(inspector.point_on_graph)
    parts.graph.token_clicked.connect(inspector.click_on_graph)
    parts.graph.stretch_chosen.connect(inspector.mark_stretch)


def connect_sessions(
    parts: Layout, sessions: SessionsController, prompt: PromptController, settings: SettingsController
) -> None:
    """What is typed belongs to the session that is open."""
    parts.prompt.edited.connect(sessions.note_typing)
    prompt.mode_left.connect(sessions.keep_draft)
    sessions.came.connect(parts.transcript.scroll_to_latest)
    sessions.begun.connect(settings.begin_session)
    settings.erased.connect(sessions.forget_all)


def connect_models(parts: Layout, picker: PickerController, serving: ServingController) -> None:
    """The ways to another model."""
    parts.model_button.clicked.connect(picker.choose_model)
    parts.welcome.open_requested.connect(picker.choose_model)
    parts.controls.draft.browse_wanted.connect(picker.choose_draft)
    serving.opening.connect(picker.open_named)


def connect_experiments(parts: Layout, experiments: ExperimentsController, runs: RunsController) -> None:
    """Where they begin, and what is seen of them beside the conversation."""
    runs.basis_picked.connect(experiments.begin_from)
    parts.exact_prompt.measure_wanted.connect(experiments.measure_reuse)
    experiments.measured.connect(parts.memory.show_memory)
    experiments.progressed.connect(parts.progress.show_experiment)
    experiments.loading.connect(parts.progress.show_loading)


def connect_guide(parts: Layout, guide: GuideController, prompt: PromptController) -> None:
    """What the empty page offers."""
    parts.welcome.gallery_requested.connect(guide.show_gallery)
    parts.welcome.tour_requested.connect(guide.take_tour)
    guide.tour_offered.connect(parts.welcome.offer_tour)
    guide.mode_wanted.connect(prompt.set_mode)
