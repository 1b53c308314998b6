"""The one value of the controls: out of a file it is what controls can show, and reading it says nothing."""

import subprocess
import sys
from dataclasses import replace

from app.controls import AT_FIRST, Controls, Mode, clamped
from app.engine.types import KV, Limits, Sampling

WORDED = ("app.engine.catalogue", "app.engine.sampling", "app.definitions")


def test_what_no_control_can_show_is_as_at_first() -> None:
    wrong = Controls(
        arguments=(("x", float("inf")),),
        sampling=Sampling(temperature=-1.0, top_k=3),
        limits=Limits(0),
        kv=KV(bits=7),
        seed=-7,
        observe=99,
        draft_tokens=99,
        interval=-1,
    )
    assert clamped(wrong) == replace(AT_FIRST, sampling=Sampling(top_k=3))
    assert clamped(replace(AT_FIRST, mode=Mode.RAW, seed=5)) == replace(AT_FIRST, mode=Mode.RAW, seed=5)


def test_a_mode_that_nobody_knows_is_a_chat() -> None:
    assert (Mode("raw"), Mode("song")) == (Mode.RAW, Mode.CHAT)


def test_the_settings_are_read_before_anything_is_worded() -> None:
    code = f"import sys, app.files.settings; print([name for name in {WORDED} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
