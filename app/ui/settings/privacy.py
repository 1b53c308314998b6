"""What is kept, for how long, and how all of it goes."""

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from app.i18n import tr
from app.number_format import size
from app.records.journal_size import JournalSize
from app.ui.look import Theme
from app.ui.settings.page import Choice, Page, SettingsNote, SettingsRow
from app.ui.settings.values import PrivacyValues
from app.ui.widgets import push_button
from app.ui.widgets.question_line import QuestionLine

COUNTING = tr("being counted …")


class PrivacyPage(Page):
    """`erase_wanted` after the question was answered with yes."""

    keep_wanted = Signal(int)
    erase_wanted = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(theme, "settings_privacy", parent)
        self._values = PrivacyValues()
        days = {0: tr("For ever"), 30: tr("30 days"), 90: tr("90 days"), 365: tr("365 days")}
        tip = tr("How long sessions are kept")
        self._keep = Choice("settings_keep", tr("Keep sessions"), tip, days, self.keep_wanted.emit)
        tip = tr("Delete every session and every run for good; it is asked once more")
        self._erase = push_button("settings_erase", tr("Delete All…"), tip, press=self._ask)
        self._question = QuestionLine(theme, "settings_question")
        self._question.confirmed.connect(self.erase_wanted)
        self._lay_out()

    def show_values(self, values: PrivacyValues) -> None:
        self._values = values
        self._keep.show_value(values.keep_days)
        self._keep_row.explain(_keep_words(values))
        held = values.held
        self._sessions.say(_session_words(held) if held else COUNTING)
        self._traces.say(_trace_words(held) if held else COUNTING)
        self._logs.say(_log_words(values.logs) if held else COUNTING)
        anything = held is not None and (held.sessions or held.deleted or held.runs)
        self._erase.setEnabled(bool(anything) and not values.hindrance)
        self._erase_row.explain(values.hindrance or _erase_words())
        if self._question.asking and not self._erase.isEnabled():
            self._question.clear()

    def tell(self, words: str, kind: str = "muted") -> None:
        """How the deletion went."""
        self._question.tell(words, kind)

    def _lay_out(self) -> None:
        theme = self._theme
        self._sessions = SettingsNote(theme, "settings_held_sessions", tr("Sessions and runs"))
        self._traces = SettingsNote(theme, "settings_held_traces", tr("Token data"))
        self._logs = SettingsNote(theme, "settings_held_logs", tr("Logs"))
        telemetry = SettingsNote(theme, "settings_telemetry", tr("Sent to others"))
        telemetry.say(
            tr(
                "Nothing. Sluice has no telemetry. It uses the network only when you search for or download "
                "models, use a server that you added, or open a page in the browser. At start it contacts the "
                "server whose model was open last, if any."
            )
        )
        self._keep_row = SettingsRow(theme, self._keep)
        self._erase_row = SettingsRow(theme, self._erase, name=tr("All sessions and runs"), below=self._question)
        self.add_group(tr("Stored on this machine"), self._sessions, self._traces, self._logs, telemetry)
        self.add_group(tr("Retention"), self._keep_row, self._erase_row)

    @Slot()
    def _ask(self) -> None:
        held = self._values.held or JournalSize()
        sessions = tr("%n sessions", "%n session", held.sessions + held.deleted)
        runs = tr("%n runs", "%n run", held.runs)
        asked = tr("Delete {sessions} and {runs} for good? They can't be brought back, not even by Undo.")
        self._question.ask(asked.format(sessions=sessions, runs=runs))


def _session_words(held: JournalSize) -> str:
    sessions = tr("%n sessions", "%n session", held.sessions)
    runs = tr("%n runs", "%n run", held.runs)
    if not held.deleted:
        words = tr("{sessions} and {runs}, with the prompts, the answers and the settings: {size} on the disk.")
        return words.format(sessions=sessions, runs=runs, size=size(held.files))
    words = tr(
        "{sessions} and {runs}, with the prompts, the answers and the settings: {size} on the disk, with what was "
        "deleted and can still be brought back ({deleted}). That goes for good after 30 days."
    )
    deleted = tr("%n sessions", "%n session", held.deleted)
    return words.format(sessions=sessions, runs=runs, size=size(held.files), deleted=deleted)


def _trace_words(held: JournalSize) -> str:
    tokens = tr("%n tokens", "%n token", held.tokens)
    words = tr("{tokens}, with their times and, where they were recorded, their alternatives: {size} of the above.")
    return words.format(tokens=tokens, size=size(held.traces))


def _log_words(logged: int) -> str:
    words = tr("{size}: errors, without prompts or answers. The oldest log is deleted automatically.")
    return words.format(size=size(logged))


def _keep_words(values: PrivacyValues) -> str:
    if not values.keep_days:
        return tr("Sessions stay until you delete them.")
    rule = tr(
        "Sessions that were not changed for {days} days are deleted for good when Sluice starts. You are told before; "
        "pinned sessions and the one that is open stay."
    ).format(days=values.keep_days)
    if not values.due:
        none = tr("At the next start that will be none.")
        return f"{rule} {none}"
    due = tr("At the next start that will be %n sessions.", "At the next start that will be %n session.", values.due)
    return f"{rule} {due}"


def _erase_words() -> str:
    return tr(
        "Deletes every session with its runs, earlier deleted sessions, and the text in the prompt. They are removed "
        "from the file at once. Settings, presets and models stay."
    )
