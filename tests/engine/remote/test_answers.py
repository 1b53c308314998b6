import json
from dataclasses import replace

import pytest

from app.engine.jobs import ScoreTokens
from app.engine.protocol import StopFlag
from app.engine.remote.event_stream import EventParser, ServerSentEvent
from app.engine.types import Channel, ChatPrompt, Failure, Limits, Message, Reason, Request, Role, TokenPrompt
from tests.engine.remote.faults import JSON, Asked, Faults, Line, plain
from tests.engine.remote.playing import after, answered, chat, opened, play, raw, signed


@pytest.mark.parametrize("reason", ["tool_calls", "content_filter", "stop", "eos", "something_new"])
def test_answer_finish_reasons_are_mapped(faults: Faults, reason: str) -> None:
    def ending(line: Line) -> None:
        line.text("Hello")
        line.end(reason)

    finish = answered(faults, ending).finish
    assert finish.reason is Reason.STOP and finish.library_reason == reason


def test_answer_characters_split_over_events_are_joined(faults: Faults) -> None:
    text = "<b>Grüße 🌊 \u2028 한국어"

    def dripping(line: Line) -> None:
        utf8 = json.dumps({"choices": [{"delta": {"content": text}}]}, ensure_ascii=False).encode()
        for byte in b"data: " + utf8 + b"\r\n\r\n":
            line.send(bytes([byte]))
        line.send(b'data: {"choices": [{"delta": {"content": "\\ud83d"}}]}\n\n')
        line.send(b'data: {"choices": [{"delta": {"content": "\\ude80"}}]}\n\n')
        line.send(b'data: {"choices": [{"delta": {"content": "\\ud83d."}}]}\n\n')
        line.end()

    played = answered(faults, dripping)
    assert played.shown() == text + "🚀\ufffd."
    assert played.finish.failure is None


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_events_every_line_end_is_accepted(end: bytes) -> None:
    events, lines = EventParser(), [b": here", b"data: one", b"data: two", b"", b"data: three", b"", b""]
    content = end.join(lines)
    told = [event for at in range(len(content)) for event in events.read(content[at : at + 1])]
    assert (
        told == [ServerSentEvent("here", comment=True), ServerSentEvent("one\ntwo"), ServerSentEvent("three")]
        and not events.finish()
    )
    assert EventParser().read(content) == told


def test_answer_usage_is_the_servers_count(faults: Faults) -> None:
    finish = after(faults, plain).finish
    assert (finish.tokens, finish.reused, finish.new) == (3, 4, 3)
    assert finish.wire is not None and finish.wire.counted and finish.wire.pieces == 2 and finish.wire.ended
    assert finish.wire.connect > 0 and finish.wire.first_byte > 0

    def uncounted(line: Line) -> None:
        line.text("Hello you")
        line.end()

    finish = answered(faults, uncounted).finish
    assert (finish.tokens, finish.reused, finish.new) == (1, 0, 0)
    assert finish.wire is not None and not finish.wire.counted


def test_answer_invalid_usage_is_ignored(faults: Faults) -> None:
    def boastful(line: Line) -> None:
        line.event({"choices": [{"delta": {"content": 5}, "finish_reason": ["x"], "logprobs": "many"}]})
        line.event({"choices": "none", "usage": {"prompt_tokens": -4, "completion_tokens": 1e400}})
        line.text("Hello")
        line.end(usage={"prompt_tokens": "7", "completion_tokens": True, "prompt_tokens_details": {"cached_tokens": 9}})

    played = answered(faults, boastful)
    assert played.shown() == "Hello" and played.finish.failure is None
    assert (played.finish.tokens, played.finish.reused, played.finish.new) == (1, 0, 0)


def test_answer_channels_and_tool_calls_are_separated(faults: Faults) -> None:
    def thinking(line: Line) -> None:
        call = {"function": {"name": "look", "arguments": "{}"}}
        for delta in ({"reasoning": "Hm"}, {"reasoning_content": "m."}, {"content": "Yes."}, {"tool_calls": [call]}):
            line.event({"choices": [{"delta": delta}]})
        line.end("tool_calls")

    played = answered(faults, thinking)
    assert (played.shown(Channel.REASONING), played.shown(), played.shown(Channel.TOOL)) == ("Hmm.", "Yes.", "look{}")
    starts = [piece.start for token in played.tokens for piece in token.shown]
    assert starts == [0, 2, 4, 8]


def test_answer_text_in_parts_is_joined(faults: Faults) -> None:
    def thinking(line: Line) -> None:
        nested = {"type": "thinking", "thinking": [{"type": "text", "text": "Hm"}, 5]}
        for part in (nested, {"type": "text", "text": "Yes"}):
            line.event({"choices": [{"delta": {"content": [part, {"type": "reference"}, None]}}]})
        line.text(".")
        line.end()

    played = answered(faults, thinking)
    assert (played.shown(Channel.REASONING), played.shown()) == ("Hm", "Yes.")


@pytest.mark.parametrize("kind", ["application/x-ndjson", JSON])
def test_answer_stream_with_another_content_type_is_read(faults: Faults, kind: str) -> None:
    def misnamed(_: Asked, line: Line) -> None:
        line.head(kind=kind)
        line.text("Hello")
        line.end()

    played = after(faults, misnamed)
    assert played.finish.failure is None and played.shown() == "Hello"


def test_answer_raw_mode_has_one_channel(faults: Faults) -> None:
    def thinking(line: Line) -> None:
        for said in ({"text": "Yes. "}, {"reasoning": "Hm. "}, {"text": "No."}):
            line.event({"choices": [said]})
        line.end("stop")

    played = answered(faults, thinking, raw("Once"))
    assert (played.shown(), played.shown(Channel.REASONING)) == ("Yes. Hm. No.", "")


def test_answer_stop_string_across_pieces_ends_it(faults: Faults) -> None:
    def chatty(line: Line) -> None:
        for text in ("One, t", "wo", ", three"):
            line.text(text)
        line.silence()

    played = answered(faults, chatty, chat("Count", stop=("two",)))
    finish = played.finish
    assert finish.reason is Reason.STOP_STRING and played.shown() == "One, "
    assert (finish.stop_text, finish.stop_at, finish.hidden) == ("two", 5, "two")
    assert "stop" not in faults.asked[-1].body
    assert finish.wire is not None and not finish.wire.ended


def test_load_strict_server_gets_fewer_parameters(faults: Faults) -> None:
    def strict(asked: Asked, line: Line) -> None:
        known = {"model", "stream", "stream_options", "max_tokens", "temperature", "top_p", "messages", "seed"}
        known |= {"presence_penalty", "frequency_penalty"}
        if asked.path.endswith("/chat/completions") and not set(asked.body) <= known:
            line.head("400 Bad Request", JSON)
            line.send(b'{"error": {"message": "Unrecognized request argument supplied: top_k"}}')
        elif asked.path.endswith("/completions") and "messages" not in asked.body:
            line.head("404 Not Found", JSON)
        else:
            plain(asked, line)

    faults.answer = strict
    engine, model = opened(faults.address)
    reasons = dict(model.can.refusals)
    assert "refuses" in reasons["top_k"] and "alternatives" in reasons["observe"] and reasons["raw"]
    assert not model.can.observe and not model.can.raw and model.can.chat
    assert play(engine, chat("Hi", observe=5)).shown() == "Hello you"
    failure = play(engine, raw("Hi")).finish.failure
    assert failure is not None and failure.todo == "Switch to chat mode."


def test_load_local_only_features_are_refused(faults: Faults) -> None:
    engine, model = opened(faults.address)
    refused = [
        play(engine, Request(TokenPrompt((1, 2)))).finish.failure,
        play(engine, Request(ChatPrompt((Message(Role.USER, "Hi"),), reply_start="Well"))).finish.failure,
        play(engine, Request(ChatPrompt((Message(Role.USER, "Hi"),)), limits=Limits(stop_ids=(3,)))).finish.failure,
        play(engine, raw("")).finish.failure,
        engine.render(chat("Hi").prompt),
        engine.token_texts(raw("Hi").prompt),
        engine.run_job(ScoreTokens(raw("Hi").prompt), lambda _: None, StopFlag()),
    ]
    for each in refused:
        assert isinstance(each, Failure) and each.what.endswith(".") and each.todo.endswith(".")
    assert not (model.can.ids or model.can.trim or model.can.memory or model.can.draft or model.can.kv_bits)
    assert all(why.endswith(".") for _, why in model.can.refusals)
    assert engine.memory().active == 0


@pytest.mark.parametrize(
    ("fingerprint", "takes_it"), [("b9251-e2b129e1b", True), ("b10375", True), ("b8681-Debian", True), ("fp_1", False)]
)
def test_top_n_sigma_is_sent_only_to_llama_cpp(faults: Faults, fingerprint: str, takes_it: bool) -> None:
    faults.answer = signed(fingerprint)
    engine, model = opened(faults.address)
    refused = dict(model.can.refusals)
    asked = chat("Hi", heat=0.7)
    play(engine, replace(asked, sampling=replace(asked.sampling, top_n_sigma=1.5)))
    assert faults.asked[-1].body.get("top_n_sigma") == (1.5 if takes_it else None)
    assert refused.get("top_n_sigma") == (None if takes_it else "Only llama.cpp's server supports this.")
    assert refused["min_tokens_to_keep"] == "No server supports this."


def test_request_seed_is_sent_only_when_sampling(faults: Faults) -> None:
    engine, model = opened(faults.address)
    assert "seed" not in dict(model.can.refusals)
    warm, cold = play(engine, chat("Hi", heat=0.7)), play(engine, chat("Hi"))
    assert faults.asked[-2].body["seed"] == 7 and "seed" not in faults.asked[-1].body
    assert warm.finish.wire is not None and warm.finish.wire.seeded
    assert cold.finish.wire is not None and not cold.finish.wire.seeded


def test_prompt_shows_the_sent_text(faults: Faults) -> None:
    engine, model = opened(faults.address)
    prompt = play(engine, chat("Hi", "Hello", "And?")).prompted.prompt
    assert prompt.text == "user: Hi\nassistant: Hello\nuser: And?\n"
    assert "".join(prompt.text[span.start : span.end] for span in prompt.spans) == prompt.text
    assert prompt.ids == () and "template" in prompt.notes[0]
    assert (model.name, model.context, model.server) == ("one", 64, faults.address.split("/")[2])


def test_answer_prefill_progress_is_emitted(faults: Faults) -> None:
    def reading(line: Line) -> None:
        line.send(b": keepalive 100/300\n\n: keepalive 300/300\n\n: keepalive 200/300\n\n: ping\n\n")
        line.text("Hello")
        line.end()

    assert [(each.done, each.total) for each in answered(faults, reading).prefills] == [(100, 300), (300, 300)]


def test_answer_alternatives_with_partial_characters_differ_by_bytes(faults: Faults) -> None:
    def telling(line: Line) -> None:
        top = [{"token": "", "logprob": -1.0, "bytes": [0xE2, last]} for last in (0x80, 0x81)]
        line.text("…", logprobs={"content": [{**top[1], "top_logprobs": top}]})
        line.end()

    (token,) = answered(faults, telling, chat("Hi", observe=10)).tokens
    seen = token.observed
    assert seen is not None and [each.text for each in seen.top] == ["⟨E2 80⟩", "⟨E2 81⟩"]
    assert seen.chosen.id == seen.top[1].id


def test_answer_streamed_alternatives_are_recorded(faults: Faults) -> None:
    def telling(asked: Asked, line: Line) -> None:
        if "logprobs" not in asked.body:
            plain(asked, line)
            return
        line.head()
        names = {"You": -2.0, "Hello": -0.5}
        top = [{"token": name, "logprob": logprob, "bytes": [*name.encode()]} for name, logprob in names.items()]
        told = {**top[0], "top_logprobs": top}
        if asked.path.endswith("/chat/completions"):
            line.text("You", logprobs={"content": [told]})
        else:
            older = {"tokens": ["You"], "token_logprobs": [-2.0], "top_logprobs": [names]}
            line.event({"choices": [{"text": "You", "logprobs": older}]})
        line.end()

    faults.answer = telling
    engine, model = opened(faults.address)
    assert model.can.observe
    for request in (chat("Hi", observe=10), raw("Hi", observe=10)):
        (token,) = play(engine, request).tokens
        seen = token.observed
        assert seen is not None and seen.rank == 2 and seen.chosen.text == "You"
        assert [each.text for each in seen.top] == ["Hello", "You"]
        assert seen.chosen.id == seen.top[1].id != seen.top[0].id and token.id < 0
        assert seen.rest == pytest.approx(1 - 2.718281828**-2.0 - 2.718281828**-0.5)
        assert seen.entropy != seen.entropy  # not told
