"""The server that this program starts: every web page of the browser, and every program here, can send to its port."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from app.bridge.serving import ServerProcess
from app.serving import commands, ports
from app.serving.types import Order, Stage
from tests.faults.boundary import Blow, Boundary
from tests.faults.windows import Scene
from tests.serving import attacks
from tests.serving.asking import Told, Where, asked, request

DEMO = Path(__file__).parents[3] / "resources" / "models" / "demo"
WAIT_MS = 10
Ask = Callable[[Where, str], Told]


def refused(where: Where, ask: Ask, name: str, status: int) -> None:
    answer = ask(where, name)
    assert answer.status == status and answer.error["message"] and attacks.tells_nothing(answer), (name, answer)


@contextmanager
def every_request(made: Scene) -> Iterator[Blow]:
    """One of each kind after the other to the real child; then it still answers those who may ask."""
    order = Order(str(DEMO), ports.free(18_580))
    process = ServerProcess(made.window)
    process.start(commands.child(order, Path()), commands.environment(order), order.address)
    made.until(lambda: process.condition.stage in (Stage.READY, Stage.FAILED), process.changed)
    where = Where(order.port)
    kinds: list[tuple[Ask, dict[str, int]]] = [
        (attacks.of_head, {name: status for name, (_, status) in attacks.HEADS.items()}),
        (attacks.of_line, {name: status for name, (_, status) in attacks.LINES.items()}),
        (attacks.of_body, {name: status for name, (_, status) in attacks.BODIES.items()}),
    ]

    def ask_all() -> None:
        for ask, names in kinds:
            for name, status in names.items():
                refused(where, ask, name, status)
        assert asked(where, request(where, line="GET /health HTTP/1.1")).status == 200

    def blow() -> None:
        with ThreadPoolExecutor(1) as aside:
            asking = aside.submit(ask_all)
            while not asking.done():
                made.live(WAIT_MS)
        asking.result()
        assert process.condition.stage is Stage.READY

    try:
        yield blow
    finally:
        process.close()
        process.deleteLater()


LIMIT = "its address, its origin, one model, sizes, times"
BOUNDARIES = (Boundary("a request to the served model", "web pages, programs", LIMIT, "every kind", every_request),)
