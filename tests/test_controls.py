"""The one value of the controls: out of a file it is what controls can show, and reading it says nothing."""

import subprocess
import sys
from dataclasses import replace

from app.controls import AT_FIRST, Controls, Mode, clamped
from app.engine.types import KV, Limits, Sampling

WORDED = ("app.engine.catalogue", "app.engine.sampling", "app.definitions")


def test_clamped_replaces_invalid_values_by_defaults() -> None:
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


def test_mode_unknown_is_chat() -> None:
    assert (Mode("raw"), Mode("song")) == (Mode.RAW, Mode.CHAT)


def test_import_of_settings_translates_nothing() -> None:
    code = f"import sys, app.files.settings; print([name for name in {WORDED} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
