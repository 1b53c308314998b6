"""Prevention of App Nap and idle sleep on macOS during work, and the program's name without a bundle.

It calls the Objective-C runtime through ctypes.
"""

import ctypes
import sys
from typing import Any, Protocol

USER_INITIATED = 0x00FFFFFF
"""NSActivityUserInitiated: no App Nap and no idle sleep of the system; the screen may sleep."""
FOUNDATION = "/System/Library/Frameworks/Foundation.framework/Foundation"


class Runtime(Protocol):
    """Interface of an Objective-C runtime; objects are addresses."""

    def send(self, to: int, selector: str, *arguments: tuple[Any, Any]) -> int: ...

    def class_named(self, name: str) -> int: ...


class SleepBlocker:
    """Prevents App Nap and idle sleep between `begin` and `end`."""

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


def set_program_name(name: str, runtime: Runtime) -> None:
    """Set the program's name in the menu bar. Qt reads it from the bundle; without one it is Python's."""
    send = runtime.send
    bundle = send(runtime.class_named("NSBundle"), "mainBundle")
    info = send(bundle, "localizedInfoDictionary") or send(bundle, "infoDictionary")
    if info:
        texts = [_text(runtime, each) for each in (name, "CFBundleName")]
        send(info, "setObject:forKey:", *((ctypes.c_void_p, text) for text in texts))


def _text(runtime: Runtime, words: str) -> int:
    return runtime.send(runtime.class_named("NSString"), "stringWithUTF8String:", (ctypes.c_char_p, words.encode()))


class ObjectiveC:
    def __init__(self) -> None:
        ctypes.CDLL(FOUNDATION)
        self._library = ctypes.CDLL("/usr/lib/libobjc.dylib")
        for function in (self._library.objc_getClass, self._library.sel_registerName):
            function.restype, function.argtypes = ctypes.c_void_p, [ctypes.c_char_p]

    def class_named(self, name: str) -> int:
        return self._library.objc_getClass(name.encode()) or 0

    def send(self, to: int, selector: str, *arguments: tuple[Any, Any]) -> int:
        """Send a message through a function of its exact signature, which arm64 needs."""
        kinds = [kind for kind, _ in arguments]
        shape = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, *kinds)
        message = shape(("objc_msgSend", self._library))
        selected = self._library.sel_registerName(selector.encode())
        return message(to, selected, *(value for _, value in arguments)) or 0


def sleep_blocker() -> SleepBlocker | None:
    runtime = mac_runtime()
    return SleepBlocker(runtime) if runtime is not None else None


def mac_runtime() -> Runtime | None:
    if sys.platform != "darwin":
        return None
    try:
        return ObjectiveC()
    except (OSError, AttributeError):
        return None
