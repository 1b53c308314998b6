"""What the program remembers from one start to the next: the settings as the window's parts have them now."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from app.bridge.servers import Servers
from app.settings import Settings
from app.state import State
from app.ui.commands.controller import CommandsController
from app.ui.controls.controller_presets import PresetsController
from app.ui.feature import Feature
from app.ui.guide.controller import GuideController
from app.ui.settings.controller import SettingsController
from app.ui.shell.appearance import Appearance
from app.ui.shell.layout import Layout
from app.ui.shell.reopening import Reopening
from app.ui.shell.window_state import WindowState
from app.words import tr


@dataclass(frozen=True, slots=True)
class KeptSettings:
    """Each part tells its own. `settings` are those of the start; what nobody tells stays as it was."""

    settings: Settings
    save: Callable[[Settings], None]
    parts: Layout
    place: WindowState
    appearance: Appearance
    preferring: SettingsController
    returning: Reopening
    servers: Servers
    presets: PresetsController
    commanding: CommandsController
    guiding: GuideController
    features: Sequence[Feature]

    def keep(self, state: State, enter_sends: bool) -> None:
        try:
            self.save(self._kept(state, enter_sends))
        except OSError as error:
            sys.stderr.write(f"sluice: The settings could not be kept ({error}).\n")
            told = tr("The settings could not be written ({error}); they count until Sluice quits.")
            self.parts.notice.show_remark(told.format(error=error.strerror or error))

    def _kept(self, state: State, enter_sends: bool) -> Settings:
        model, transcript = state.model, self.parts.transcript
        settings = replace(
            self.preferring.kept(self.appearance.kept(self.settings)),
            controls=state.controls,
            model=self.returning.kept(str(model.folder) if model is not None else self.settings.model),
            draft=str(model.draft.folder) if model is not None and model.draft else "",
            servers=self.servers.kept,
            presets=self.presets.shelf,
            enter_sends=enter_sends,
            shortcuts=self.commanding.kept_keys,
            recent_actions=self.commanding.recent,
            toured=self.guiding.toured,
            view=transcript.view.value,
            colouring=transcript.scale.colouring.value,
            layout=self.place.kept(self.settings.layout),
            session=state.session,
            closed=time.time(),
        )
        for feature in self.features:
            settings = feature.kept(settings)
        return settings
