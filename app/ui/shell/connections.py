"""Connects the signals of the features, which don't depend on each other."""

from functools import partial

from app.ui.shell.features import Features
from app.ui.shell.layout import MainLayout


def connect(parts: MainLayout, features: Features) -> None:
    """Connect all features."""
    for each in (_conversation, _turns, _tokens, _sessions, _models, _experiments, _guide):
        each(parts, features)


def _conversation(parts: MainLayout, features: Features) -> None:
    """Connect the conversation, the prompt and the controls."""
    conversation, prompt, controls = features.conversation, features.prompt, features.controls
    conversation.edit_wanted.connect(prompt.edit)
    conversation.continue_wanted.connect(prompt.continue_run)
    conversation.first_prompt_sent.connect(parts.prompt.setFocus)
    conversation.tokens_shown.connect(parts.show_tokens)
    conversation.starters_shown.connect(parts.show_starters)
    conversation.stop_steps_wanted.connect(features.stop_steps.view)
    parts.exact_prompt.template_wanted.connect(features.code.view_template)
    prompt.sent.connect(parts.transcript.scroll_to_latest)
    prompt.raw_turned.connect(parts.set_raw)
    prompt.reply_start_wanted.connect(partial(controls.reveal, "reply_start"))
    features.commands.control_wanted.connect(controls.reveal)
    controls.brought.connect(partial(features.place.turn, "controls"))
    parts.run_details.recording_wanted.connect(controls.record)


def _turns(parts: MainLayout, features: Features) -> None:
    """Connect a turn, and the run details below the last run, with other windows."""
    parts.transcript.wanted.connect(features.code.take_wish)
    parts.transcript.wanted.connect(features.experiments.take_wish)
    parts.run_details.code_wanted.connect(features.code.view)
    parts.run_details.receipt_wanted.connect(features.runs.show_last)
    parts.run_details.tokens_wanted.connect(features.runs.export_last_tokens)
    parts.run_details.experiment_wanted.connect(features.experiments.try_last)


def _tokens(parts: MainLayout, features: Features) -> None:
    """Connect tokens with the inspector."""
    parts.transcript.token_pointed.connect(features.inspector.point_in_text)
    parts.transcript.token_picked.connect(features.inspector.pick_in_text)
    graph = parts.instruments.graph
    graph.token_pointed.connect(features.inspector.point_on_graph)
    graph.token_clicked.connect(features.inspector.click_on_graph)
    features.inspector.wanted.connect(features.place.show_token)
    features.inspector.marked.connect(features.inside.show_token)
    graph.stretch_chosen.connect(features.inspector.mark_stretch)
    parts.inspector.fork_wanted.connect(features.conversation.fork)
    features.inside.fork_wanted.connect(features.conversation.fork)
    parts.inspector.text_fork_wanted.connect(features.conversation.fork_with)
    parts.inspector.recording_wanted.connect(features.controls.record)


def _sessions(parts: MainLayout, features: Features) -> None:
    """Connect the prompt with the sessions."""
    sessions = features.sessions
    parts.prompt.edited.connect(sessions.note_typing)
    parts.controls.instructed.connect(sessions.note_instruction)
    features.prompt.mode_left.connect(sessions.keep_draft)
    sessions.came.connect(parts.transcript.scroll_to_latest)
    sessions.found.connect(features.conversation.find.show_in)
    parts.sessions.exported.connect(features.session_files.export_these)
    parts.sessions.list.weighed.connect(features.weigh.take_session)
    sessions.begun.connect(features.settings.begin_session)
    features.sets.session_deleted.connect(sessions.delete)
    for feature in features:
        features.settings.erased.connect(feature.forget_all)


def _models(parts: MainLayout, features: Features) -> None:
    """Connect everything that opens a model."""
    features.title.model_wanted.connect(features.picker.open_named)
    features.title.all_wanted.connect(features.picker.choose_model)
    parts.welcome.open_requested.connect(features.picker.choose_model)
    features.reopening.another_wanted.connect(features.picker.choose_model)
    parts.controls.draft_wanted.connect(features.picker.choose_draft)
    features.serving.opening.connect(features.picker.open_named)
    features.speed.ceiling_known.connect(features.instruments.show_ceiling)
    features.speed.ceiling_known.connect(parts.ending.show_ceiling)


def _experiments(parts: MainLayout, features: Features) -> None:
    """Connect everything that starts or shows experiments."""
    experiments = features.experiments
    features.runs.basis_picked.connect(experiments.begin_from)
    parts.exact_prompt.measure_wanted.connect(experiments.measure_reuse)
    experiments.measured.connect(parts.instruments.memory.show_memory)
    experiments.progressed.connect(parts.progress.show_words)
    experiments.loading.connect(parts.progress.show_loading)


def _guide(parts: MainLayout, features: Features) -> None:
    """Connect the welcome page."""
    parts.welcome.gallery_requested.connect(features.guide.show_gallery)
    parts.welcome.tour_requested.connect(features.guide.take_tour)
    features.guide.tour_offered.connect(parts.welcome.offer_tour)
    features.guide.mode_wanted.connect(features.prompt.set_mode)
