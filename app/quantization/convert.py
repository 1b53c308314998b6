"""Quantization of a model in a child process. The new folder appears only when it is complete."""

import os
import shutil
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from app.engine.errors import UserError, details_of, printable_name
from app.engine.model_files.folder import look
from app.engine.types import Failure
from app.i18n import tr
from app.library import plan, supported_architectures
from app.library.download_process import DownloadProcess, LaunchOptions, spoken_command
from app.library.weights import count, quantization_of
from app.number_format import size
from app.platform.startup import QUANTISE_SWITCH
from app.quantization.choice import QuantizationCost, QuantizationOutcome, QuantizationSettings, card

MARK, INSIDE = ".quantising", "model"
"""Suffix of the temporary folder, and the new model's name in it: the search for models doesn't go that deep."""
SPARE_BYTES = 50_000_000
"""Disk space that is left free."""
MADE = ("config.json", "model.safetensors.index.json")
ELSEWHERE = tr("Choose another folder.")

Answer = TypeVar("Answer")
Tell = Callable[[int, int], object]
"""Callback with done and total."""


class Conversion:
    """The quantization of one model. Its methods may be called on any thread, and wait for each other.

    `cancel` doesn't wait, and is final. Each method may return a Failure; after `cancel` it has the kind "cancelled".
    """

    def __init__(self, source: Path, starting: LaunchOptions | None = None) -> None:
        self.source = source
        self._starting = starting or LaunchOptions(spoken_command(QUANTISE_SWITCH))
        self._lock, self._turn = threading.Lock(), threading.Lock()
        self._child: DownloadProcess | None = None
        self._cancelled = False

    def predict(self, choice: QuantizationSettings) -> QuantizationOutcome | Failure:
        """Predict the result of `convert`, without writing files."""
        return _or_failure(lambda: self._predict(choice))

    def convert(
        self, choice: QuantizationSettings, to: Path, tell: Tell = lambda done, total: None
    ) -> QuantizationOutcome | Failure:
        """Quantize into a new folder; return the result as counted in its files."""
        return _or_failure(lambda: self._convert(choice, to.absolute(), tell))

    def compare(self, made: Path, text: Path, tell: Tell = lambda done, total: None) -> QuantizationCost | Failure:
        """Compare with the original on the text in this file, which must be the same in all calls."""
        order = {"do": "compare", "folder": str(self.source), "made": str(made), "text": str(text)}
        return _or_failure(lambda: QuantizationCost(**self._request(order, tell)))

    def try_bit_widths(
        self,
        bits: Sequence[int],
        near: Path,
        text: Path,
        tell: Callable[[QuantizationOutcome, QuantizationCost], object],
        advance: Tell = lambda done, total: None,
    ) -> Failure | None:
        """Quantize with each bit width in turn, in temporary folders in `near`.

        `tell` gets each comparison, `advance` the progress over all of them.
        """
        return _or_failure(lambda: self._climb(bits, near.absolute(), text, tell, advance))

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
        """Close on the UI thread; another thread waits for the child process."""
        self.cancel()
        threading.Thread(target=self._end, name="conversion-end", daemon=True).start()

    def _predict(self, choice: QuantizationSettings) -> QuantizationOutcome:
        check_source(self.source)
        words = self._request({"do": "foresee", "folder": str(self.source), "choice": asdict(choice)})
        return QuantizationOutcome(
            **{**words, "choice": QuantizationSettings(**words["choice"]), "alone": tuple(words["alone"])}
        )

    def _convert(self, choice: QuantizationSettings, to: Path, tell: Tell) -> QuantizationOutcome:
        predicted = self._predict(choice)
        check_target(to, predicted.bytes)
        with temporary_folder(to.parent) as beside:
            try:
                inside = beside / INSIDE
                asked = {"folder": str(self.source), "to": str(inside), "choice": asdict(predicted.choice)}
                self._request({"do": "convert", **asked}, tell)
                made = self._finish(inside, to.name, predicted)
                inside.rename(to)
            except (OSError, UserError) as error:
                if shutil.disk_usage(to.parent).free < SPARE_BYTES and not self._cancelled:
                    raise _no_room(predicted.bytes, to.parent) from error
                raise
        return made

    def _finish(self, inside: Path, name: str, predicted: QuantizationOutcome) -> QuantizationOutcome:
        """Copy the other files of the model, such as the tokenizer."""
        for file in self.source.iterdir():
            taken = plan.is_needed(file.name) and file.name not in MADE and file.suffix != ".safetensors"
            if taken and file.is_file():  # a link of the cache may be broken
                shutil.copyfile(file, inside / file.name)
        found_files = look(inside)
        counted = count(found_files.weight_files, quantization_of(found_files.config))
        bits = counted.bytes * 8 / counted.numbers
        made = replace(predicted, bytes=counted.bytes, bits_per_weight=bits, alone=counted.unpacked)
        (inside / "README.md").write_text(card(self.source, name, made), "utf-8")
        if self._cancelled:
            raise _cancelled()
        return made

    def _climb(
        self,
        widths: Sequence[int],
        near: Path,
        text: Path,
        tell: Callable[[QuantizationOutcome, QuantizationCost], object],
        advance: Tell,
    ) -> None:
        begun: int | None = None

        def advance_over_all(number: int, done: int, total: int) -> None:
            # A comparison counts the original's pass, too, which only the first one of this process does.
            nonlocal begun
            once = total // 2
            if begun is None:
                begun = done // once * once
            advance(number * once + done - begun, (1 + len(widths)) * once - begun)

        near.mkdir(parents=True, exist_ok=True)
        with temporary_folder(near) as beside:
            for number, bits in enumerate(widths):
                to = beside / str(bits)
                outcome = self._convert(QuantizationSettings(bits), to, lambda done, total: None)
                cost = self.compare(to, text, partial(advance_over_all, number))
                if isinstance(cost, Failure):
                    raise UserError.of(cost)
                shutil.rmtree(to)
                tell(outcome, cost)

    def _request(self, order: Mapping[str, Any], tell: Tell = lambda done, total: None) -> Mapping[str, Any]:
        with self._turn:
            return self._answer(order, tell)

    def _answer(self, order: Mapping[str, Any], tell: Tell) -> Mapping[str, Any]:
        with self._lock:
            if self._cancelled:
                raise _cancelled()
            self._child = self._child or DownloadProcess(self._starting)
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
    name = printable_name(folder.name)
    if (folder / "adapter_config.json").is_file() and not (folder / "config.json").is_file():
        what = tr("“{name}” is an adapter, which has no weights of its own to quantize.").format(name=name)
        raise UserError(what, tr("Choose the base model of this adapter."))
    found_files = look(folder)
    if (refusal := supported_architectures.refusal(found_files.model_type)) is not None:
        raise UserError.of(refusal)
    if quantization_of(found_files.config):
        what = tr("“{name}” is quantized already: quantizing it again would only add errors.").format(name=name)
        raise UserError(what, tr("Choose the model it was quantized from."))


def check_target(to: Path, needed: int) -> None:
    """Raise UserError if the folder exists, or the disk is too full."""
    if os.path.lexists(to):
        raise UserError(tr("{place} already exists.").format(place=to), ELSEWHERE, kind="target")
    to.parent.mkdir(parents=True, exist_ok=True)
    if needed + SPARE_BYTES > shutil.disk_usage(to.parent).free:
        raise _no_room(needed, to.parent)


def _no_room(needed: int, folder: Path) -> UserError:
    what = tr("The model needs {size}, and the disk has {free} free.")
    what = what.format(size=size(needed), free=size(shutil.disk_usage(folder).free))
    return UserError(what, tr("Free disk space, or choose another folder."), kind="disk")


def _cancelled() -> UserError:
    return UserError(tr("The conversion was cancelled."), tr("No files remain."), kind="cancelled")


@contextmanager
def temporary_folder(folder: Path) -> Iterator[Path]:
    """Create a temporary folder in `folder`; remove those of killed programs."""
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


def _or_failure(ask: Callable[[], Answer]) -> Answer | Failure:
    try:
        return ask()
    except UserError as refused:
        return refused.failure
    except OSError as error:
        what = tr("The model could not be written or read ({reason}).").format(reason=error.strerror or error)
        return Failure(what, ELSEWHERE, details_of(error), "disk")
