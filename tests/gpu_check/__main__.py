"""Check Sluice on a GPU, in child processes within a time limit; write gpu-check.json and gpu-check.md.

usage: python -m tests.gpu_check [--cpu] [--minutes 8] [--into FOLDER] [--real FOLDER]
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from tests.gpu_check.report import markdown, rows

ROOT = Path(__file__).parents[2]
DEMO = ROOT / "resources" / "models" / "demo"
REAL = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sluice-tests" / "SmolLM2-135M-Instruct"
LAST_LINES = 3


class MissingError(Exception):
    """A step without a result, with the reason."""


class Check:
    """The steps, each within the time that is left."""

    def __init__(self, folder: Path, minutes: float, real: Path | None, on_cpu: bool) -> None:
        self._folder, self._real, self._on_cpu = folder, real, on_cpu
        self._ends = time.monotonic() + 60 * minutes
        self._tokens = "8" if on_cpu else "64"
        self._models: dict[str, str] = {}
        self.results: dict[str, Any] = {"machine": {}, "steps": []}

    def run(self) -> None:
        self._machine()
        for name, work in self._steps():
            started, step = time.monotonic(), dict[str, Any](name=name)
            sys.stdout.write(f"{name}\n")
            sys.stdout.flush()
            try:
                step["found"] = work()
            except (MissingError, LookupError, ValueError, OSError) as error:
                step["missing"] = f"no result: {error}"
            self.results["steps"].append(step | {"seconds": round(time.monotonic() - started, 1)})

    def _steps(self) -> Iterator[tuple[str, Callable[[], dict[str, Any]]]]:
        """Yield the steps, the most important first."""
        yield "models", self._make_models
        yield "self-test", self._self_test
        for name in ("real-float32", "dense", "mixture", "hybrid"):
            yield f"tokens {name}", partial(self._token_step, name)
        for name in ("real", "real-4-bit", "large", "real-float32"):
            yield f"profile {name}", partial(self._profile, name, "0")
        yield "profile real-float32 with TF32", partial(self._profile, "real-float32", "1")
        yield "window", self._window
        for tf32 in ("off", "on"):
            yield f"determinism, TF32 {tf32}", partial(self._determinism, tf32)

    def _machine(self) -> None:
        asked = "import json, mlx.core as mx; print(json.dumps({str(k): str(v) for k, v in mx.device_info().items()}))"
        info = self._child("-c", asked)
        names = ("device_name", "architecture", "total_memory")
        self.results["machine"] = {name: info[name] for name in names if name in info}
        driver = ("nvidia-smi", "--id=0", "--query-gpu=driver_version", "--format=csv,noheader")
        with suppress(OSError):  # without nvidia-smi
            self.results["machine"]["driver"] = subprocess.run(driver, capture_output=True, text=True).stdout.strip()
        version = subprocess.run((sys.executable, "-m", "app", "--version"), capture_output=True, text=True, cwd=ROOT)
        self.results["machine"]["version"] = version.stdout.strip()

    def _make_models(self) -> dict[str, Any]:
        real = [f"--real={self._real}"] if self._real is not None else []
        large = [] if self._on_cpu else ["--large"]
        self._models = self._part("models", str(self._folder / "models"), *real, *large)
        return {"result": ", ".join(self._models)}

    def _self_test(self) -> dict[str, Any]:
        folder, data = self._folder / "self-test", self._folder / "data"
        self._child("-m", "app", "--self-test", str(folder), "--data-dir", str(data), is_json=False)
        report = json.loads((folder / "report.json").read_text("utf-8"))
        return {"result": "passed" if (folder / "PASS").exists() else "failed", "report": report}

    def _token_step(self, name: str) -> dict[str, Any]:
        """Measure on the GPU twice and with TF32, and on the CPU."""
        arguments = ("tokens", self._model(name), f"--tokens={self._tokens}")
        found: dict[str, Any] = {"model": name, "device": "second process" if self._on_cpu else "GPU"}
        found |= {"gpu": self._part(*arguments), "cpu": self._part(*arguments, "--device=cpu")}
        if not self._on_cpu:
            found["again"] = self._part(*arguments)
            found["tf32"] = self._part(*arguments, tf32="1")
        return found

    def _profile(self, name: str, tf32: str) -> dict[str, Any]:
        data, model = self._folder / f"data-{tf32}", self._model(name)
        if tf32 == "1" and self._on_cpu:
            raise MissingError("the CPU has no TF32")
        asked = ("-m", "app", "profile", "--json", f"--model={model}", f"--data-dir={data}", "--context=64")
        return {"model": f"{name}, TF32 {'on' if tf32 == '1' else 'off'}", "profile": self._child(*asked, tf32=tf32)}

    def _window(self) -> dict[str, Any]:
        real = self._model("real")
        length = {"SLUICE_BENCH_LENGTH": "short"} if self._on_cpu else {}
        return self._part("window", real, environment={"SLUICE_BENCH_MODEL": real} | length)

    def _determinism(self, tf32: str) -> dict[str, Any]:
        switch = [] if self._on_cpu else ["--tf32", tf32]
        if self._on_cpu and tf32 == "on":
            raise MissingError("the CPU has no TF32")
        model = (f"--model={self._model('real-float32')}", f"--max-tokens={self._tokens}")
        found = self._child("-m", "app", "experiment", "determinism", "--json", *model, *switch)
        return {"result": found["conclusion"], "experiment": found}

    def _model(self, name: str) -> str:
        if name not in self._models:
            raise MissingError(f"there is no model {name}")
        return self._models[name]

    def _part(self, *arguments: str, tf32: str = "0", environment: dict[str, str] | None = None) -> dict[str, Any]:
        return self._child("-m", "tests.gpu_check.part", *arguments, tf32=tf32, environment=environment)

    def _child(
        self, *arguments: str, tf32: str = "0", environment: dict[str, str] | None = None, is_json: bool = True
    ) -> dict[str, Any]:
        """Run Python with these arguments; return the JSON object that it prints after other text."""
        left = self._ends - time.monotonic()
        if left <= 0:
            raise MissingError("the time was over")
        variables = {"QT_QPA_PLATFORM": "offscreen", "MLX_ENABLE_TF32": tf32} | (environment or {})
        try:
            ended = subprocess.run(
                (sys.executable, *arguments),
                capture_output=True,
                text=True,
                cwd=ROOT,
                env=os.environ | variables,
                timeout=left,
            )
        except subprocess.TimeoutExpired:
            raise MissingError("the time was over") from None
        if ended.returncode:
            last = ended.stderr.strip().splitlines()[-LAST_LINES:]
            raise MissingError(" / ".join(last) or f"exit code {ended.returncode}")
        found: dict[str, Any] = json.loads(ended.stdout[ended.stdout.find("{") :]) if is_json else {}
        return found


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.gpu_check")
    parser.add_argument("--cpu", action="store_true", help="use the CPU instead of the GPU, with short runs")
    parser.add_argument("--minutes", type=float, default=8.0)
    parser.add_argument("--into", type=Path, default=Path())
    parser.add_argument("--real", type=Path, help="the real model; default: SmolLM2 of `make real-model`, or the demo")
    options = parser.parse_args()
    real = options.real or (DEMO if options.cpu else REAL)
    options.into.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        is_there = (real / "config.json").is_file()
        check = Check(Path(folder), options.minutes, real.resolve() if is_there else None, options.cpu)
        check.run()
    (options.into / "gpu-check.json").write_text(json.dumps(check.results, indent=1), encoding="utf-8")
    table = markdown(rows(check.results))
    (options.into / "gpu-check.md").write_text(table, encoding="utf-8")
    sys.stdout.write(table)
    return int(any("missing" in step for step in check.results["steps"]))


if __name__ == "__main__":
    sys.exit(main())
