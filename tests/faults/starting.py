"""The whole program in a child that watches itself: `python -m tests.faults.starting FOLDER [SWITCH…]`.

It starts, opens the demo model, answers a question and ends; then it says, as JSON, which sockets it opened to anything
but this machine's own, and which programs it started.
"""

import json
import sys
from pathlib import Path

REACHES = ("socket.connect", "socket.getaddrinfo", "socket.sendto", "socket.bind", "subprocess.Popen", "os.system")
_reached: list[str] = []


def main(folder: Path, switches: list[str]) -> int:
    sys.addaudithook(_watch)
    from PySide6.QtCore import QCoreApplication

    from app.__main__ import build
    from tests.faults.answering import Answering

    window = build(["--data-dir", str(folder), *switches])
    answering = Answering(window)
    window.show()
    code = QCoreApplication.exec()
    sys.stdout.write(json.dumps({"code": code, "answer": answering.text, "reached": _reached}) + "\n")
    return code


def _watch(event: str, arguments: tuple[object, ...]) -> None:
    if event in REACHES:
        _reached.append(f"{event} {arguments[1:]!r}")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
