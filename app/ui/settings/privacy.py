"""The page Privacy of the settings: what is stored, for how long, and the deletion of everything."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.engine.types import Failure
from app.i18n import tr
from app.number_format import size
from app.platform import log_file
from app.records.database import JournalSize
from app.records.types import JournalChange, Outcome
from app.state import SETTLED, State
from app.ui.look import Theme
from app.ui.settings.form import Choices, SettingsNote, SettingsPage, SettingsRow
from app.ui.widgets import push_button
from app.ui.widgets.notices import QuestionLine

if TYPE_CHECKING:
    from app.ui.settings.controller import SettingsController

COUNTING = tr("counting …")
TELEMETRY = tr(
    "Nothing. Sluice has no telemetry. It uses the network only when you search for or download "
    "models, use a server that you added, or open a page in the browser. At start it contacts the "
    "server whose model was open last, if any."
)
ERASES = tr(
    "Deletes all sessions and their runs, sessions that you deleted before, and the text in the prompt field. "
    "All of this is erased from the session database at once. Settings, presets and models stay."
)


class PrivacyPage(SettingsPage):
    """Counts the sessions, runs and tokens in a thread whenever it is shown or they change."""

    def __init__(self, settings: SettingsController, theme: Theme) -> None:
        super().__init__("settings_privacy", settings, theme)
        self._playground = settings.playground
        self._stored: JournalSize | None = None
        """None: not counted yet."""
        self._log_bytes, self._count_failure = 0, ""
        self._sessions = SettingsNote(theme, "settings_held_sessions", tr("Sessions and runs"))
        self._traces = SettingsNote(theme, "settings_held_traces", tr("Token data"))
        self._logs = SettingsNote(theme, "settings_held_logs", tr("Logs"))
        telemetry = SettingsNote(theme, "settings_telemetry", tr("Sent to others"), TELEMETRY)
        self.add_group(tr("Stored on this computer"), self._sessions, self._traces, self._logs, telemetry)
        days = {0: tr("Forever"), 30: tr("30 days"), 90: tr("90 days"), 365: tr("365 days")}
        tip = tr("Delete every session and every run for good, after a question")
        self._erase = push_button("settings_erase", tr("Delete All…"), tip, press=self._ask)
        self._question = QuestionLine(theme, "settings_question")
        self._question.confirmed.connect(lambda: settings.erase(self._on_erased))
        self._erase_row = SettingsRow(theme, self._erase, name=tr("All sessions and runs"), below=self._question)
        keep = Choices(
            "keep_days",
            "keep",
            tr("Keep sessions"),
            tr("Time after which unchanged sessions are deleted"),
            _keep_text,
            days,
        )
        self.add_group(tr("Retention"), keep, self._erase_row)
        self._playground.book.ready.connect(self.measure)
        self._playground.book.journal_changed.connect(self._on_journal_changed)
        self._playground.changed.connect(self._on_state_changed)

    def refresh(self) -> None:
        super().refresh()
        stored, hindrance = self._stored, self._hindrance()
        self._sessions.show_text(_session_text(stored) if stored else COUNTING)
        self._traces.show_text(_trace_text(stored) if stored else COUNTING)
        logs = tr("{size}: errors, without prompts or answers. The oldest log is deleted automatically.")
        self._logs.show_text(logs.format(size=size(self._log_bytes)) if stored else COUNTING)
        anything = stored is not None and (stored.sessions or stored.deleted or stored.runs)
        self._erase.setEnabled(bool(anything) and not hindrance)
        self._erase_row.explain(hindrance or ERASES)
        if self._question.asking and not self._erase.isEnabled():
            self._question.clear()

    def measure(self) -> None:
        """Read the whole session database in a thread."""
        if self._playground.book.journal is not None:
            self._settings.tasks.start(self._measure(), "what is kept")

    async def _measure(self) -> None:
        journal, logs = self._playground.book.journal, self._settings.logs
        assert journal is not None
        answer = await self._settings.tasks.try_in_thread(lambda: (journal.size(), log_file.size_of(logs)))
        if isinstance(answer, Failure):
            self._stored, self._count_failure = None, answer.what
        else:
            (self._stored, self._log_bytes), self._count_failure = answer, ""
        self.refresh()

    def _hindrance(self) -> str:
        """Return the reason why nothing can be deleted now; empty: it can."""
        state, journal = self._playground.state, self._playground.book.journal
        if journal is None:
            return tr("The session database is still opening.")
        if journal.folder is None and journal.failure is not None:
            return journal.failure.what
        if state.phase not in SETTLED or state.opening:
            return tr("Not available during a run or while a model loads. Stop it first.")
        return self._count_failure

    def _ask(self) -> None:
        stored = self._stored or JournalSize()
        sessions = tr("%n sessions", "%n session", stored.sessions + stored.deleted)
        runs = tr("%n runs", "%n run", stored.runs)
        question = tr("Delete {sessions} and {runs} for good? This can't be undone.")
        self._question.ask(question.format(sessions=sessions, runs=runs))

    def _on_erased(self, outcome: Outcome) -> None:
        if outcome is None:
            self._question.tell(tr("All sessions and runs are deleted."))
        else:
            self._question.tell(outcome.sentence, "warning")
        self.measure()
        self._settings.changed.emit()

    def _on_journal_changed(self, change: JournalChange) -> None:
        if self.isVisible() and change in (JournalChange.SESSIONS, JournalChange.RUNS):
            self.measure()

    def _on_state_changed(self, old: State, new: State) -> None:
        if (old.phase, old.opening) != (new.phase, new.opening):
            self.refresh()


def _session_text(stored: JournalSize) -> str:
    text = tr("{sessions} and {runs}, with the prompts, the answers and the settings: {size} on the disk.")
    if stored.deleted:
        text = tr(
            "{sessions} and {runs}, with the prompts, the answers and the settings: {size} on the disk. This "
            "includes deleted sessions that can still be restored ({deleted}); they are removed after 30 days."
        )
    return text.format(
        sessions=tr("%n sessions", "%n session", stored.sessions),
        runs=tr("%n runs", "%n run", stored.runs),
        size=size(stored.files),
        deleted=tr("%n sessions", "%n session", stored.deleted),
    )


def _trace_text(stored: JournalSize) -> str:
    tokens = tr("%n tokens", "%n token", stored.tokens)
    text = tr("{tokens}, with their times and, where they were recorded, their alternatives: {size} of the above.")
    return text.format(tokens=tokens, size=size(stored.traces))


def _keep_text(settings: SettingsController) -> str:
    days, count = settings.values.keep_days, settings.expired_sessions
    if not days:
        return tr("Sessions stay until you delete them.")
    rule = tr(
        "Sessions that were not changed for {days} days are deleted for good when Sluice starts. A notice announces "
        "it before. Pinned sessions and the open one stay."
    ).format(days=days)
    if not count:
        return f"{rule} " + tr("The next start deletes no sessions.")
    return f"{rule} " + tr("The next start deletes %n sessions.", "The next start deletes %n session.", count)
