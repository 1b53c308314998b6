"""What someone who helps needs to know: the versions and the last failure, without the user's text in it."""

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
    """Plain text to be pasted."""
    lines = [f"{_name(field.name)}: {getattr(versions, field.name)}" for field in fields(versions)]
    if failure is None:
        return "\n".join([*lines, f"Last failure: {NO_FAILURE}"])
    told = _PATH.sub("…", _QUOTED.sub("“…”", failure.what))
    return "\n".join([*lines, f"Last failure: {failure.kind}: {told}", *_places(failure.details)])


def _name(field: str) -> str:
    return {"app": "Sluice", "mlx_lm": "mlx-lm"}.get(field, field.capitalize() if field != "mlx" else field)


def _places(details: str) -> list[str]:
    """The kinds of errors and where they happened; their messages may quote anything."""
    lines = []
    for line in details.splitlines():
        if frame := _FRAME.match(line):
            file = re.split(r"site-packages/|/(?=app/)", frame[1])[-1]
            lines.append(f"  {file.rsplit('/', 4)[-1] if file.startswith('/') else file}:{frame[2]} in {frame[3]}")
        elif error := _ERROR.match(line):
            lines.append(f"  {error[1]}")
    return lines
