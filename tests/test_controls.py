import subprocess
import sys
from dataclasses import replace

from app.controls import AT_FIRST, Controls, Mode, clamped
from app.engine.types import KV, Limits, Sampling

TRANSLATED = ("app.engine.catalogue", "app.engine.sampling", "app.definitions")


def test_clamped_invalid_value_is_the_default() -> None:
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
    assert Mode("song") == Mode.CHAT


def test_settings_are_imported_without_translated_texts() -> None:
    code = f"import sys, app.files.settings; print([name for name in {TRANSLATED} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
