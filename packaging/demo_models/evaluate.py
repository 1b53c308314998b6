"""Measure the exported pair on prompts that are not in the corpus."""

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from statistics import median

import mlx.core as mx

import cases
from pair import Message, Pair
from plan import BUILD, MODELS

EOS_LIMIT = 200
ANSWER_LIMIT = 120
STORY_LIMIT = 900
STORY_TEMPERATURE = 0.8
DRAFT_TOKENS = 3
SEED = "evaluation"


@dataclass(frozen=True, slots=True)
class Bar:
    """One line of the table: how many of how many held, and how many should."""

    name: str
    held: int
    of: int
    wanted: float
    failures: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        return self.held / max(1, self.of)


Measure = Callable[[Pair, int], Bar]


def last_answers(pair: Pair, asked: list[cases.Case]) -> list[str]:
    """Go through all conversations side by side, each with the model's own answers in between."""
    chats: list[list[Message]] = [[] for _ in asked]
    for turn in range(max(len(case.asks) for case in asked)):
        going = [(chat, case) for chat, case in zip(chats, asked, strict=True) if turn < len(case.asks)]
        for chat, case in going:
            chat.append({"role": "user", "content": case.asks[turn]})
        answers = pair.replies([pair.chat(chat) for chat, _ in going], ANSWER_LIMIT)
        for (chat, _), answer in zip(going, answers, strict=True):
            chat.append({"role": "assistant", "content": answer.text})
    return [chat[-1]["content"] for chat in chats]


def judged(pair: Pair, name: str, source: Iterator[cases.Case], size: int, wanted: float) -> Bar:
    """How many last answers are right."""
    asked = list(islice(source, size))
    answers = last_answers(pair, asked)
    wrong = [
        f"{' / '.join(case.asks)} → {answer}"
        for case, answer in zip(asked, answers, strict=True)
        if not case.judge(answer)
    ]
    return Bar(name, size - len(wrong), size, wanted, tuple(wrong))


def counting(pair: Pair, size: int) -> Bar:
    return judged(pair, "counting from one number to another", cases.counts(SEED), size, 0.95)


def sums(pair: Pair, size: int) -> Bar:
    return judged(pair, "sums of two numbers up to 20", cases.additions(SEED), size, 0.8)


def memory(pair: Pair, size: int) -> Bar:
    return judged(pair, "a name told two or three turns ago", cases.names(SEED), size, 0.85)


def ending(pair: Pair, size: int) -> Bar:
    """Chats that end by themselves."""
    asks = [case.asks[0] for case in islice(cases.chats(SEED), size)]
    replies = pair.replies([pair.ask(ask) for ask in asks], EOS_LIMIT)
    late = tuple(f"{ask} → {reply.text}" for ask, reply in zip(asks, replies, strict=True) if reply.finish != "stop")
    return Bar(f"chats ending within {EOS_LIMIT} tokens", size - len(late), size, 0.95, late)


def running_on(pair: Pair, size: int) -> Bar:
    """Raw prompts that don't end by themselves."""
    asks = cases.RAW[:size]
    replies = pair.replies([pair.raw(ask) for ask in asks], EOS_LIMIT)
    ended = tuple(f"{ask} → {reply.text}" for ask, reply in zip(asks, replies, strict=True) if reply.finish == "stop")
    return Bar("raw prompts running to the limit", len(asks) - len(ended), len(asks), 0.7, ended)


def acceptance(pair: Pair, size: int) -> Bar:
    """Drafted tokens that the main model agrees with, greedily; the last round may be cut short."""
    accepted = proposed = 0
    chats = [case.asks[0] for case in islice(cases.chats("draft"), size)]
    for ask in chats + list(islice(cases.story_asks("draft"), size // 4)):
        reply = pair.reply(pair.ask(ask), EOS_LIMIT, drafts=DRAFT_TOKENS)
        accepted += reply.drafted
        proposed += DRAFT_TOKENS * (reply.tokens - reply.drafted)
    return Bar(f"drafts of {DRAFT_TOKENS} tokens accepted, greedy", accepted, proposed, 0.55)


def stories(pair: Pair, size: int) -> Bar:
    """Sampled stories that don't turn in circles."""
    mx.random.seed(0)
    prompts = [pair.ask(ask) for ask in islice(cases.story_asks(SEED), size)]
    texts = [reply.text for reply in pair.replies(prompts, STORY_LIMIT, STORY_TEMPERATURE)]
    circling = tuple(text for text in texts if cases.loops(text))
    return Bar(f"stories at temperature {STORY_TEMPERATURE} without a loop", size - len(circling), size, 0.95, circling)


# Each measure with its sizes: the full form, and the small one that the tests run.
MEASURES: tuple[tuple[Measure, int, int], ...] = (
    (counting, 200, 20),
    (sums, 200, 20),
    (memory, 200, 20),
    (ending, 200, 32),
    (running_on, 20, 10),
    (acceptance, 80, 8),
    (stories, 200, 4),
)


def speeds(pair: Pair, rounds: int = 5) -> dict[str, float]:
    """Tokens per second alone, and how much faster drafts make it; interleaved, medians of ratios."""
    prompt = pair.ask("Tell me a story about a fox.")
    alone: list[float] = []
    ratios: dict[int, list[float]] = {2: [], 3: [], 4: []}
    pair.reply(prompt, 20, drafts=2)
    for _ in range(rounds):
        for drafts, found in ratios.items():
            plain = pair.reply(prompt, EOS_LIMIT)
            helped = pair.reply(prompt, EOS_LIMIT, drafts=drafts)
            alone.append(plain.tokens / plain.seconds)
            found.append(helped.tokens / helped.seconds * plain.seconds / plain.tokens)
    figures = {f"speed-up with {drafts} drafts a round": round(median(found), 2) for drafts, found in ratios.items()}
    return {"tokens per second without drafts": round(median(alone)), **figures}


def surroundings() -> str:
    """What the speeds depend on beside the machine: on Linux, which BLAS is loaded."""
    if sys.platform == "darwin":
        return "MLX on a Mac"
    return "with OpenBLAS" if "openblas" in os.environ.get("LD_PRELOAD", "") else "with the BLAS of MLX's wheel"


def told(bar: Bar) -> str:
    held = "holds" if bar.share >= bar.wanted else "FAILS"
    line = f"{bar.name:48} {bar.held:5} of {bar.of:5} {bar.share:7.1%}, wanted {bar.wanted:4.0%}: {held}"
    return "\n    ".join([line, *(failure[:200].replace("\n", " ⏎ ") for failure in bar.failures[:8])])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", type=Path, default=MODELS / "demo")
    parser.add_argument("--draft", type=Path, default=MODELS / "demo-draft")
    parser.add_argument("--small", action="store_true", help="the short form that the tests run")
    parser.add_argument("--only", nargs="*", help="names of measures, such as counting or stories")
    parser.add_argument("--speed", action="store_true", help="only the speeds, added to what the file holds")
    parser.add_argument("--json", type=Path, default=BUILD / "evaluation.json")
    chosen = parser.parse_args()
    pair = Pair(chosen.model, chosen.draft)
    bars = []
    for measure, full, small in MEASURES if not chosen.speed else ():
        if not chosen.only or measure.__name__ in chosen.only:
            bars.append(measure(pair, small if chosen.small else full))
            print(told(bars[-1]), flush=True)
    found = json.loads(chosen.json.read_text(encoding="utf-8")) if chosen.speed and chosen.json.exists() else {}
    if not chosen.speed:
        found["bars"] = [asdict(bar) | {"share": bar.share} for bar in bars]
    found.setdefault("speed", {})[surroundings()] = speeds(pair)
    print(found["speed"])
    chosen.json.parent.mkdir(exist_ok=True)
    chosen.json.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
