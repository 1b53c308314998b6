"""Settings of a request by dotted name: parsing, reading and changing them."""

from dataclasses import is_dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import Any, get_args, get_type_hints

from app.engine.catalogue import setting_name
from app.engine.types import Failure, Request
from app.experiments.types import Axis, Plain
from app.i18n import tr

SWITCH = MappingProxyType({"on": True, "true": True, "off": False, "false": False})
NOTHING = "none"


@cache
def kinds() -> dict[str, tuple[type, ...]]:
    """Return the types of all plain settings by dotted name."""
    found: dict[str, tuple[type, ...]] = {}
    for name, hint in get_type_hints(Request).items():
        if name in ("prompt", "form"):
            continue
        inner = get_type_hints(hint).items() if is_dataclass(hint) else ()
        found |= {f"{name}.{field}": get_args(kind) or (kind,) for field, kind in inner}
        if not inner:
            found[name] = get_args(hint) or (hint,)
    plain = (int, float, bool, str, type(None))
    return {name: allowed for name, allowed in found.items() if all(kind in plain for kind in allowed)}


def full_name(name: str) -> str:
    """Return `sampling.temperature` for `temperature`; empty for an unknown or ambiguous name."""
    if name in kinds():
        return name
    ends = [each for each in kinds() if each.rpartition(".")[2] == name.replace("-", "_")]
    return ends[0] if len(ends) == 1 else ""


def read_axis(text: str) -> Axis | Failure:
    """Parse a setting with values, such as `temperature=0,0.7`."""
    name, equals, phrase = text.partition("=")
    full = full_name(name.strip())
    if not equals or not full:
        known = ", ".join(each.rpartition(".")[2] for each in kinds())
        what = tr("“{text}” isn't a setting with values.").format(text=text)
        return Failure(what, tr("Write NAME=VALUE,VALUE with one of: {known}.").format(known=known))
    found = [_read(full, each.strip()) for each in phrase.split(",")]
    failure = next((each for each in found if isinstance(each, Failure)), None)
    return failure or Axis(full, tuple(each for each in found if not isinstance(each, Failure)))


def put(request: Request, name: str, value: Plain) -> Request:
    """Return the request with one setting changed; `name` is a full name."""
    part, _, field = name.rpartition(".")
    inner: Any = getattr(request, part) if part else request
    changed: Any = replace(inner, **{field: value})
    found: Request = replace(request, **{part: changed}) if part else changed
    return found


def value_of(request: Request, name: str) -> Plain:
    """Return the value of a setting; `name` is a full name."""
    part, _, field = name.rpartition(".")
    found: Plain = getattr(getattr(request, part) if part else request, field)
    return found


def told(value: Plain) -> str:
    """Format a value for the command line, as `read_axis` parses it."""
    if value is None:
        return NOTHING
    if isinstance(value, bool):
        return "on" if value else "off"
    return f"{value:g}" if isinstance(value, float) else str(value)


def spoken(name: str, value: Plain) -> str:
    """Format a setting and its value, for the name of a variant."""
    words = told(value)
    if value is None:
        words = tr("none")
    elif isinstance(value, bool):
        words = tr("on") if value else tr("off")
    return tr("{setting} {value}").format(setting=setting_name(name), value=words)


def _read(name: str, text: str) -> Plain | Failure:
    for kind in kinds()[name]:
        if kind is type(None) and text.lower() == NOTHING:
            return None
        if kind is bool and text.lower() in SWITCH:
            return SWITCH[text.lower()]
        if kind in (int, float):
            try:
                number: Plain = kind(text)
            except ValueError:
                continue
            return number
    what = tr("“{text}” isn't a value of {setting}.").format(text=text, setting=setting_name(name))
    return Failure(what, tr("Change the value."))
