"""The part of a script that prints the answer as it streams, and then the figures of mlx-lm."""

from collections.abc import Iterator

PRINTED = '    print(response.text, end="", flush=True)'
STOP = """\
    text += response.text
    if any(stop in text for stop in stops):  # Sluice doesn't show the stop string itself
        break"""
FIGURES = """\
print(f"\\n\\nfinish_reason: {response.finish_reason}")
print(f"prompt: {response.prompt_tokens} tokens, {response.prompt_tps:.1f} tokens/s")
print(f"generation: {response.generation_tokens} tokens, {response.generation_tps:.1f} tokens/s")
print(f"peak memory: {response.peak_memory:.2f} GB")"""


def streaming_loop(head: str, has_stops: bool, needs_ids: bool) -> Iterator[str]:
    """Yield a loop over the responses; `head` is its first line. `needs_ids`: `ids` gets the tokens."""
    if has_stops:
        yield 'text = ""'
    yield head
    if needs_ids:
        yield "    ids.append(response.token)"
    yield PRINTED
    if has_stops:
        yield STOP
