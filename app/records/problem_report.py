"""Problem report for the clipboard: versions and the last failure, without the user's texts and paths."""

import re
from dataclasses import fields

from app.engine.types import Failure
from app.records.types import Versions

NO_FAILURE = "none since the start"
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|'[^']*'")
_PATH = re.compile(r"(?:(?<=\s)|^|(?<=[(:]))[~/][^\s,;:)]*")
_FRAME = re.compile(r'^\s*File "([^"]+)", line (\d+), in (\S+)')
_ERROR = re.compile(r"^([A-Za-z_][\w.]*(?:Error|Exception|Exit|Interrupt|Warning|Timeout)\w*)(?::|$)")


def report(versions: Versions, failure: Failure | None) -> str:
    lines = [f"{_name(field.name)}: {getattr(versions, field.name)}" for field in fields(versions)]
    if failure is None:
        return "\n".join([*lines, f"Last failure: {NO_FAILURE}"])
    sentence = _PATH.sub("…", _QUOTED.sub("“…”", failure.what))
    return "\n".join([*lines, f"Last failure: {failure.kind}: {sentence}", *_places(failure.details)])


def _name(field: str) -> str:
    return {"app": "Sluice", "mlx_lm": "mlx-lm"}.get(field, field.capitalize() if field != "mlx" else field)


def _places(details: str) -> list[str]:
    """Return exception types and code locations; messages are left out, since they may quote user data."""
    lines = []
    for line in details.splitlines():
        if frame := _FRAME.match(line):
            file = re.split(r"site-packages/|/(?=app/)", frame[1])[-1]
            lines.append(f"  {file.rsplit('/', 4)[-1] if file.startswith('/') else file}:{frame[2]} in {frame[3]}")
        elif error := _ERROR.match(line):
            lines.append(f"  {error[1]}")
    return lines
