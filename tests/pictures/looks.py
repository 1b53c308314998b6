"""Which pictures there are, and how the window is set for each. No text is imported here: the language comes first."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Look:
    """A picture's window. `scene` is a function of `scenes`; one scene is taken in several looks."""

    scene: str
    width: int = 1280
    height: int = 800
    language: str = "en"
    appearance: str = "light"
    text_percent: int = 100
    native: bool = False
    """In the system's own controls, which only a Mac has."""
    moving: bool = False
    """An animated PNG; the scene yields for how many milliseconds each frame is shown."""


PICTURES = {
    "first-start": Look("first_start", 1000, 700),
    "window": Look("streaming"),
    "moving": Look("moving", moving=True),
    "length": Look("length"),
    "stopped": Look("stopped"),
    "error": Look("error"),
    "inspector": Look("inspector", 1600, 1000),
    "experiment": Look("experiment"),
    "prompt-set": Look("prompt_set"),
    "inside": Look("inside", 1600, 1000),
    "picker": Look("picker"),
    "dark": Look("streaming", appearance="dark"),
    "korean": Look("korean", language="ko"),
    "large-text": Look("length", text_percent=150),
}
