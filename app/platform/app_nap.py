"""Tells macOS that work is going on: it then slows down no window that nobody sees (App Nap), and stays awake.

And what the program is called, where no bundle does.
Through the Objective-C runtime itself, which every Mac has; elsewhere there is nothing to tell.
"""

import ctypes
import sys
from typing import Any, Protocol

USER_INITIATED = 0x00FFFFFF
"""NSActivityUserInitiated: full speed, and the Mac doesn't go to sleep because nobody touches it; its screen may."""
FOUNDATION = "/System/Library/Frameworks/Foundation.framework/Foundation"


class Runtime(Protocol):
    """Sends messages to objects, which are plain addresses."""

    def send(self, to: int, selector: str, *arguments: tuple[Any, Any]) -> int: ...

    def class_named(self, name: str) -> int: ...


class Wakefulness:
    """`begin` and `end` in turn; a second one of either changes nothing."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._activity = 0

    def begin(self, reason: str) -> None:
        if self._activity:
            return
        send = self._runtime.send
        named = _text(self._runtime, reason)
        options = (ctypes.c_uint64, USER_INITIATED)
        activity = send(self._process(), "beginActivityWithOptions:reason:", options, (ctypes.c_void_p, named))
        self._activity = send(activity, "retain") if activity else 0

    def end(self) -> None:
        if self._activity:
            self._runtime.send(self._process(), "endActivity:", (ctypes.c_void_p, self._activity))
            self._runtime.send(self._activity, "release")
            self._activity = 0

    def _process(self) -> int:
        return self._runtime.send(self._runtime.class_named("NSProcessInfo"), "processInfo")


def call_program(name: str, runtime: Runtime) -> None:
    """In the menu bar, which would have Python's name: Qt reads it of the bundle when the first menu is made."""
    send = runtime.send
    bundle = send(runtime.class_named("NSBundle"), "mainBundle")
    told = send(bundle, "localizedInfoDictionary") or send(bundle, "infoDictionary")
    if told:
        texts = [_text(runtime, each) for each in (name, "CFBundleName")]
        send(told, "setObject:forKey:", *((ctypes.c_void_p, text) for text in texts))


def _text(runtime: Runtime, words: str) -> int:
    return runtime.send(runtime.class_named("NSString"), "stringWithUTF8String:", (ctypes.c_char_p, words.encode()))


class ObjectiveC:
    """The runtime of the Mac that this runs on."""

    def __init__(self) -> None:
        ctypes.CDLL(FOUNDATION)
        self._library = ctypes.CDLL("/usr/lib/libobjc.dylib")
        for function in (self._library.objc_getClass, self._library.sel_registerName):
            function.restype, function.argtypes = ctypes.c_void_p, [ctypes.c_char_p]

    def class_named(self, name: str) -> int:
        return self._library.objc_getClass(name.encode()) or 0

    def send(self, to: int, selector: str, *arguments: tuple[Any, Any]) -> int:
        """Each message has a shape of its own: arm64 passes arguments by it."""
        kinds = [kind for kind, _ in arguments]
        shape = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, *kinds)
        message = shape(("objc_msgSend", self._library))
        selected = self._library.sel_registerName(selector.encode())
        return message(to, selected, *(value for _, value in arguments)) or 0


def wakefulness() -> Wakefulness | None:
    """What keeps this system awake; nothing where nothing does."""
    runtime = of_this_mac()
    return Wakefulness(runtime) if runtime is not None else None


def of_this_mac() -> Runtime | None:
    """Nothing elsewhere."""
    if sys.platform != "darwin":
        return None
    try:
        return ObjectiveC()
    except (OSError, AttributeError):
        return None
