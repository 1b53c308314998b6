"""Runs the engine where memory is short, in a child: `python -m tests.faults.low_memory HOW FOLDER [SMALLER]`.

Says in one line of JSON how the run ended, what was kept of its text, and whether something smaller opens after it.
"""

import json
import resource
import sys
from pathlib import Path

from app.engine.types import (
    ENDLESS,
    Event,
    Failure,
    Finish,
    Limits,
    LoadRequest,
    Model,
    RawPrompt,
    Request,
    Sampling,
    Token,
    Tuning,
)

STRETCHES = 300
"""So many tokens of KV cache are left."""
ROOM_BYTES = 2_000_000
"""The demo model needs 2.8 million in half precision, the draft model 0.5."""
ADDRESSES = 2_000_000
"""So many bytes of address space are left."""


def main(how: str, folder: Path) -> int:
    import mlx.core as mx

    from app.engine.mlx.engine import MlxEngine
    from app.engine.protocol import StopFlag

    engine = MlxEngine()
    told: list[Event] = []
    model = engine.load(LoadRequest(str(folder)), told.append, StopFlag())
    assert isinstance(model, Model), model
    if how == "limit":
        each = model.kv.values * model.kv.bytes_per_value
        engine.tune(Tuning(memory_limit=int(mx.get_active_memory()) + STRETCHES * each))
    elif how == "addresses":
        taken = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (taken + ADDRESSES, resource.RLIM_INFINITY))
    request = Request(RawPrompt("Once upon a time"), Sampling(temperature=0), Limits(ENDLESS))
    finish = engine.generate(request, told.append, StopFlag())
    said = _said(finish, told)
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    engine.tune(Tuning())
    again = engine.load(LoadRequest(str(folder)), told.append, StopFlag())
    after = engine.generate(Request(RawPrompt("Once"), Sampling(temperature=0), Limits(3)), told.append, StopFlag())
    engine.close()
    sys.stdout.write(json.dumps({**said, "opens": isinstance(again, Model) and after.tokens > 0}) + "\n")
    return 0


def opened_under_a_limit(large: Path, small: Path) -> int:
    """The limit stays: what is too large for it is refused each time, and what is small enough goes on."""
    import mlx.core as mx

    from app.engine.mlx.engine import MlxEngine
    from app.engine.protocol import StopFlag

    engine, told, flag = MlxEngine(), list[Event](), StopFlag()
    engine.tune(Tuning(memory_limit=int(mx.get_active_memory()) + ROOM_BYTES))
    refused = [engine.load(LoadRequest(str(large)), told.append, flag)]
    opened = engine.load(LoadRequest(str(small)), told.append, flag)
    refused.append(engine.load(LoadRequest(str(large)), told.append, flag))
    request = Request(RawPrompt("Once"), Sampling(temperature=0), Limits(3))
    finish = engine.generate(request, told.append, flag)
    engine.close()
    kinds = [each.kind if isinstance(each, Failure) else "opened" for each in refused]
    said = {"large": kinds, "small": isinstance(opened, Model), "reason": finish.reason.value, "tokens": finish.tokens}
    sys.stdout.write(json.dumps(said) + "\n")
    return 0


def _said(finish: Finish, told: list[Event]) -> dict[str, object]:
    return {
        "reason": finish.reason.value,
        "kind": finish.failure.kind if finish.failure is not None else "",
        "tokens": finish.tokens,
        "text": sum(len(event.text) for event in told if isinstance(event, Token)),
        "details": finish.failure.details[-400:] if finish.failure is not None else "",
    }


if __name__ == "__main__":
    if sys.argv[1] == "smaller":
        sys.exit(opened_under_a_limit(Path(sys.argv[2]), Path(sys.argv[3])))
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
