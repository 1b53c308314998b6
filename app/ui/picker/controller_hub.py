"""The picker's page of the hub: a search, a closer look at what is chosen, a token."""

import asyncio
from collections.abc import Callable

from PySide6.QtCore import QObject, Slot

from app.bridge.tasks import Tasks
from app.library import hub
from app.library.fit import fit_of
from app.library.types import HubDetails, HubModel, Sort
from app.ui.picker.controller_token import TokenController
from app.ui.picker.hub_page import HubPage

KIND = "details"
REST_S = 0.25
"""Whoever walks through the list with the arrow keys asks nothing on the way."""


class HubController(QObject):
    """Each question goes to the hub on a thread; a newer one cancels the older. `limit` is what the device allows."""

    def __init__(self, tasks: Tasks, page: HubPage, limit: Callable[[], int], parent: QObject) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._page = page
        self._limit = limit
        self._asked: tuple[str, Sort] | None = None
        self._known: dict[str, HubDetails] = {}
        self.keeping = TokenController(tasks, page.token, self)
        self.keeping.changed.connect(self._ask_again)
        page.search_wanted.connect(self._search)
        page.chosen.connect(self._choose)
        page.fit_wanted.connect(self._reckon)
        page.came_up.connect(self.keeping.look)

    @Slot(str, object)
    def _search(self, query: str, sort: Sort) -> None:
        self._asked = (query, sort)
        self._page.show_searching()
        self._tasks.start(self._show_found(query, sort), "search")

    async def _show_found(self, query: str, sort: Sort) -> None:
        self._page.show_results(await self._tasks.tried(hub.search, query, sort, self.keeping.token))

    @Slot(object)
    def _choose(self, model: HubModel | None) -> None:
        self._tasks.cancel(KIND)
        if model is None:
            return
        if model.id in self._known:
            self._page.show_details(self._known[model.id])
        else:
            self._tasks.start(self._look_closer(model.id), KIND)

    async def _look_closer(self, model_id: str) -> None:
        await asyncio.sleep(REST_S)
        answer = await self._tasks.tried(hub.details, model_id, self.keeping.token)
        if isinstance(answer, HubDetails) and answer.unusable is None:  # which another moment may answer otherwise
            self._known[answer.model.id] = answer
        self._page.show_details(answer)

    @Slot(object, int)
    def _reckon(self, details: HubDetails, context: int) -> None:
        self._page.details.show_fit(fit_of(details.weights, details.shape, context, self._limit()))

    @Slot()
    def _ask_again(self) -> None:
        """With another token, what was refused may be told now."""
        self._known.clear()
        if self._asked is not None:
            self._search(*self._asked)
