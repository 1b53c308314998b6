"""Answers of the hub: whoever is in the middle, or owns a mirror, may write any."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest import mock

from PySide6.QtWidgets import QTabWidget

from app.library.failures import LONGEST_WAIT_S
from app.library.hub_requests import LARGEST_BYTES, MOST_REDIRECTS, MOST_RESULTS, WHOLE_S
from app.ui.picker.hub_page import HubPage
from tests.faults.attackers import attacker
from tests.faults.boundary import Attack, Blow, Boundary
from tests.faults.soak.parts import part
from tests.faults.windows import Scene

SENDER = "a mirror, or whoever is in the middle"
LIMIT = f"{LARGEST_BYTES // 1_000_000} MB, {WHOLE_S:.0f} s, depth 64"


@contextmanager
def asked(address: str) -> Iterator[None]:
    """The program's own client asks this one."""
    from huggingface_hub import close_session, constants

    with (
        mock.patch.object(constants, "ENDPOINT", address),
        mock.patch.object(constants, "HF_HUB_OFFLINE", False),
    ):
        close_session()
        yield
        close_session()


def page_of(made: Scene) -> HubPage:
    """The picker's, in the window."""
    made.window._features.picker.choose_model()
    picker = made.window._features.picker._picker.window
    part(picker, QTabWidget).setCurrentWidget(picker.hub)
    found = picker.findChild(HubPage)
    assert isinstance(found, HubPage)
    return found


def searched(kind: str, held: Callable[[HubPage], bool]) -> Attack:
    """A search, and a closer look at what it found, if it found anything."""

    @contextmanager
    def attack(made: Scene) -> Iterator[Blow]:
        with attacker("tests.faults.hostile_hub", kind) as address, asked(address):
            page = page_of(made)

            def blow() -> None:
                done: list[object] = []
                with mock.patch.object(page, "show_results", lambda answer: done.append(answer)):
                    page.search_wanted.emit("demo", page._sort.currentData())
                    while not done:
                        made.live(2)
                page.show_results(done[0])  # type: ignore[arg-type]
                made.live(2)
                assert held(page), page._words.text()

            yield blow
            made.window._features.picker._picker.window.close()

    return attack


def is_refused(page: HubPage) -> bool:
    return page._words.text().count(".") >= 2


def is_bounded(page: HubPage) -> bool:
    return page._table.count <= 2 * MOST_RESULTS


def row(attack: str, kind: str, limit: str = LIMIT, held: Callable[[HubPage], bool] = is_refused) -> Boundary:
    return Boundary("an answer of the hub", SENDER, limit, attack, searched(kind, held), grown_mb=120)


BOUNDARIES = (
    row("a body without end", "endless"),
    row("a redirect without end", "redirect", f"{MOST_REDIRECTS} redirects, none of them read"),
    row("a refusal without end, for a year", "refusal", f"100 kB, {LONGEST_WAIT_S:,.0f} s"),
    row("brackets by the million", "deep"),
    row("ten thousand results", "many", f"{MOST_RESULTS} results", is_bounded),
    row("tags, ids and figures of megabytes", "long"),
)
