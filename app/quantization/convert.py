"""Quantizes a model in a child process. The new folder appears when it is complete, or not at all."""

import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, TypeVar

from app.engine.errors import UserError, details_of, named
from app.engine.model_files.folder import look
from app.engine.types import Failure
from app.i18n import tr
from app.library import plan, supported_architectures
from app.library.child import Child, Starting, spoken_command
from app.library.weights import count, quantization_of
from app.number_format import size
from app.platform.bootstrap import QUANTISE_SWITCH
from app.quantization.choice import BITS, QuantizationOutcome, QuantizationSettings, card
from app.quantization.cost import Cost

MARK, INSIDE = ".quantising", "model"
"""One folder deeper than models are searched."""
SPARE_BYTES = 50_000_000
"""Disk space that is left free."""
MADE = ("config.json", "model.safetensors.index.json")
ELSEWHERE = tr("Choose another place.")

Answer = TypeVar("Answer")
Tell = Callable[[int, int], object]
"""Done and total."""


class Conversion:
    """The conversion of one model, for any threads: calls wait for each other. `cancel` doesn't wait, and is final.

    Each method may return a Failure; that of a cancelled conversion has the kind "cancelled".
    """

    def __init__(self, source: Path, starting: Starting | None = None) -> None:
        self.source = source
        self._starting = starting or Starting(spoken_command(QUANTISE_SWITCH))
        self._lock, self._turn = threading.Lock(), threading.Lock()
        self._child: Child | None = None
        self._cancelled = False

    def foresee(self, choice: QuantizationSettings) -> QuantizationOutcome | Failure:
        """Return what `convert` would make, without writing files."""
        return _answered(lambda: self._foresee(choice))

    def convert(
        self, choice: QuantizationSettings, to: Path, tell: Tell = lambda done, total: None
    ) -> QuantizationOutcome | Failure:
        """Convert into a new folder, and count the result in its files."""
        return _answered(lambda: self._convert(choice, to.absolute(), tell))

    def compare(self, made: Path, text: Path, tell: Tell = lambda done, total: None) -> Cost | Failure:
        """Compare with the original on the text in this file, which must always be the same one."""
        order = {"do": "compare", "folder": str(self.source), "made": str(made), "text": str(text)}
        return _answered(lambda: Cost(**self._ask(order, tell)))

    def ladder(self, near: Path, text: Path, tell: Callable[[QuantizationOutcome, Cost], object]) -> Failure | None:
        """Convert and compare with each number of bits, in the folder `near`. `tell` gets one result at a time."""
        return _answered(lambda: self._climb(near.absolute(), text, tell))

    def cancel(self) -> None:
        with self._lock:
            self._cancelled = True
            if self._child is not None:
                self._child.kill()

    def close(self) -> None:
        """End the child process, and wait for it."""
        self.cancel()
        self._end()

    def close_aside(self) -> None:
        """Close from the UI thread: another thread waits for the child process."""
        self.cancel()
        threading.Thread(target=self._end, name="conversion-end", daemon=True).start()

    def _foresee(self, choice: QuantizationSettings) -> QuantizationOutcome:
        check_source(self.source)
        said = self._ask({"do": "foresee", "folder": str(self.source), "choice": asdict(choice)})
        return QuantizationOutcome(
            **{**said, "choice": QuantizationSettings(**said["choice"]), "alone": tuple(said["alone"])}
        )

    def _convert(self, choice: QuantizationSettings, to: Path, tell: Tell) -> QuantizationOutcome:
        foreseen = self._foresee(choice)
        check_target(to, foreseen.bytes)
        with _beside(to.parent) as beside:
            try:
                inside = beside / INSIDE
                asked = {"folder": str(self.source), "to": str(inside), "choice": asdict(foreseen.choice)}
                self._ask({"do": "convert", **asked}, tell)
                made = self._finish(inside, to.name, foreseen)
                inside.rename(to)
            except (OSError, UserError) as error:
                if shutil.disk_usage(to.parent).free < SPARE_BYTES and not self._cancelled:
                    raise _no_room(foreseen.bytes, to.parent) from error
                raise
        return made

    def _finish(self, inside: Path, name: str, foreseen: QuantizationOutcome) -> QuantizationOutcome:
        """Copy the other files of the model, so that its tokens are the same."""
        for file in self.source.iterdir():
            taken = plan.is_needed(file.name) and file.name not in MADE and file.suffix != ".safetensors"
            if taken and file.is_file():  # a link of the cache may lead nowhere
                shutil.copyfile(file, inside / file.name)
        looked = look(inside)
        counted = count(looked.weight_files, quantization_of(looked.config))
        bits = counted.bytes * 8 / counted.numbers
        made = replace(foreseen, bytes=counted.bytes, bits_per_weight=bits, alone=counted.unpacked)
        (inside / "README.md").write_text(card(self.source, name, made), "utf-8")
        if self._cancelled:
            raise _cancelled()
        return made

    def _climb(self, near: Path, text: Path, tell: Callable[[QuantizationOutcome, Cost], object]) -> None:
        near.mkdir(parents=True, exist_ok=True)
        with _beside(near) as beside:
            for bits in BITS:
                to = beside / str(bits)
                outcome, cost = (
                    self._convert(QuantizationSettings(bits), to, lambda done, total: None),
                    self.compare(to, text),
                )
                if isinstance(cost, Failure):
                    raise UserError.of(cost)
                shutil.rmtree(to)
                tell(outcome, cost)

    def _ask(self, order: Mapping[str, Any], tell: Tell = lambda done, total: None) -> Mapping[str, Any]:
        with self._turn:
            return self._answer(order, tell)

    def _answer(self, order: Mapping[str, Any], tell: Tell) -> Mapping[str, Any]:
        with self._lock:
            if self._cancelled:
                raise _cancelled()
            self._child = self._child or Child(self._starting)
            child = self._child
        try:
            for message in child.messages(order):
                match message.pop("say"):
                    case "progress":
                        tell(message["done"], message["total"])
                    case "failed":
                        raise UserError.of(Failure(**message))
                    case _:
                        return message
        except KeyboardInterrupt:
            self.close()
            raise
        details = self._end()
        if self._cancelled:
            raise _cancelled()
        what = tr("The quantization process ended without an error message.")
        raise UserError(what, tr("Close other programs, and try again."), details)

    def _end(self) -> str:
        with self._lock:
            child, self._child = self._child, None
        return child.end() if child is not None else ""


def check_source(folder: Path) -> None:
    """Raise UserError for a model that can't be quantized."""
    name = named(folder.name)
    if (folder / "adapter_config.json").is_file() and not (folder / "config.json").is_file():
        what = tr("“{name}” is an adapter, which has no weights of its own to quantize.").format(name=name)
        raise UserError(what, tr("Choose the model that it belongs to."))
    looked = look(folder)
    if (refusal := supported_architectures.refusal(looked.model_type)) is not None:
        raise UserError.of(refusal)
    if quantization_of(looked.config):
        what = tr("“{name}” is quantized already: quantizing it again would only add errors.").format(name=name)
        raise UserError(what, tr("Choose the original model, which isn't quantized."))


def check_target(to: Path, needed: int) -> None:
    """Raise UserError if the folder exists, or the disk is too full."""
    if os.path.lexists(to):
        raise UserError(tr("{place} exists already.").format(place=to), ELSEWHERE, kind="target")
    to.parent.mkdir(parents=True, exist_ok=True)
    if needed + SPARE_BYTES > shutil.disk_usage(to.parent).free:
        raise _no_room(needed, to.parent)


def _no_room(needed: int, folder: Path) -> UserError:
    what = tr("The model needs {size}, and the disk has {free} free.")
    what = what.format(size=size(needed), free=size(shutil.disk_usage(folder).free))
    return UserError(what, tr("Make room, or choose another place."), kind="disk")


def _cancelled() -> UserError:
    return UserError(tr("The conversion was cancelled."), tr("No files are left."), kind="cancelled")


@contextmanager
def _beside(folder: Path) -> Iterator[Path]:
    """Make a temporary folder there; remove those of killed programs too."""
    for left in folder.glob(f".*-*{MARK}"):
        with suppress(ValueError, OSError):
            try:
                os.kill(int(left.name[1:].partition("-")[0]), 0)
            except ProcessLookupError:
                shutil.rmtree(left)
    made = Path(tempfile.mkdtemp(prefix=f".{os.getpid()}-", suffix=MARK, dir=folder))
    try:
        yield made
    finally:
        shutil.rmtree(made, ignore_errors=True)


def _answered(ask: Callable[[], Answer]) -> Answer | Failure:
    try:
        return ask()
    except UserError as refused:
        return refused.failure
    except OSError as error:
        what = tr("The model could not be written or read ({reason}).").format(reason=error.strerror or error)
        return Failure(what, ELSEWHERE, details_of(error), "disk")
