"""Results of the check as a table: differences between devices, speeds and memory."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

Run = Mapping[str, Any]
"""Token ids of an answer, and for each of them its alternatives with their probabilities."""
Row = tuple[str, str]


def difference(reference: Run, other: Run) -> str:
    """Return the first different token, with the gap of both probabilities in the reference."""
    ours, theirs = reference["ids"], other["ids"]
    pairs = enumerate(zip(ours, theirs, strict=False))
    at = next((index for index, (a, b) in pairs if a != b), None)
    if at is None:
        same = min(len(ours), len(theirs))
        return f"same {same} tokens" if len(ours) == len(theirs) else f"same {same} tokens, then one ends"
    top = reference["top"][at]
    known = [top.get(str(ids[at])) for ids in (ours, theirs)]
    gap = f"{abs(known[0] - known[1]):.2g}" if None not in known else "over 20 alternatives"
    return f"token {at + 1} of {len(ours)} differs, probability gap {gap}"


def compared(name: str, reference: Mapping[str, Any], other: Mapping[str, Any]) -> Iterator[Row]:
    for prompt, first, second in zip(("short", "long"), reference["runs"], other["runs"], strict=True):
        yield f"{name}, {prompt} prompt", difference(first, second)


def token_rows(found: Mapping[str, Any]) -> Iterator[Row]:
    """Yield the rows of one model: differences from the CPU and from TF32, then speed and memory."""
    name, gpu = found["model"], found["gpu"]
    if "cpu" in found:
        yield from compared(f"{name}: {found['device']} against CPU, both in {gpu['precision']}", found["cpu"], gpu)
    if "again" in found:
        yield from compared(f"{name}: second process", gpu, found["again"])
    if "tf32" in found:
        yield from compared(f"{name}: TF32 on against off", gpu, found["tf32"])
    yield f"{name}: prefill, decode", f"{gpu['prefill_tokens_per_s']:,.0f}, {gpu['decode_tokens_per_s']:,.1f} tok/s"
    memory = gpu["memory"]
    held = memory["active"] + memory["cache"]
    yield f"{name}: memory of MLX, peak", f"{held / 1e6:,.0f} MB, {memory['peak'] / 1e6:,.0f} MB"
    if (driver := gpu["driver_bytes"]) is not None:
        yield f"{name}: memory by nvidia-smi", f"{driver / 1e6:,.0f} MB ({(driver - held) / 1e6:+,.0f} MB)"


def profile_rows(name: str, found: Mapping[str, Any]) -> Iterator[Row]:
    yield f"{name}: bandwidth", f"{found['bandwidth_bytes_per_s'] / 1e9:,.1f} GB/s"
    speed = f"{found['tokens_per_s']:,.1f} of {found['ceiling_tokens_per_s']:,.1f} tok/s"
    yield f"{name}: share of the limit", f"{found['share']:.0%} ({speed}), limited by {found['bound']}"
    yield f"{name}: prefill", f"{found['prompt_tokens_per_s']:,.0f} tok/s"
    for each in found["causes"]:
        yield f"{name}: cause", each["sentence"]


def rows(results: Mapping[str, Any]) -> Iterator[Row]:
    """Yield all rows in the order of the steps."""
    yield "machine", ", ".join(f"{name} {value}" for name, value in results["machine"].items())
    for step in results["steps"]:
        name, found = step["name"], step.get("found")
        if found is None:
            yield name, step["missing"]
        elif name.startswith("tokens"):
            yield from token_rows(found)
        elif name.startswith("profile"):
            yield from profile_rows(found["model"], found["profile"])
        elif name == "window":
            yield "window ÷ bare loop", f"{found['ratio']:.3f} ({found['pairs']} pairs)"
        else:
            yield name, found["result"]


def markdown(table: Iterable[Row]) -> str:
    body = "".join(f"| {name} | {text} |\n" for name, text in table)
    return "| measurement | result |\n| --- | --- |\n" + body
