import json
import math
import os
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from app.cli import perplexity
from app.cli.perplexity import main
from app.engine.errors import AbortedError
from app.engine.mlx import engine as engine_module
from app.engine.types import Cancellation
from app.records.journal import open_journal
from app.records.session_file import session_text
from tests.adapters import adapter
from tests.cli import command
from tests.cli.command import Capsys
from tests.models import shortened
from tests.records import builders

run, told = partial(command.run, main), partial(command.printed, main)

TEXT = (
    "Once upon a time there was a fox named Tolin who lived by the sea. Every morning Tolin went to the water and "
    "counted the waves: one, two, three. Then the fox ran home to eat. 🌊\n"
)


@pytest.fixture
def text(tmp_path: Path) -> Path:
    return written(tmp_path, TEXT)


def written(folder: Path, words: str) -> Path:
    file = folder / "text.txt"
    file.write_text(words, "utf-8")
    return file


@pytest.mark.slow
def test_perplexity_against_itself_has_no_divergence(capsys: Capsys, demo_model: Path, text: Path) -> None:
    same = told(capsys, demo_model, text, "--raw", "--against", demo_model)
    assert same["against"]["each"] == same["each"] and same["tokens"] == len(same["each"]) and same["windows"] == 1
    assert same["nats_per_token"] == pytest.approx(math.fsum(same["each"]) / same["tokens"])
    assert same["perplexity"] == pytest.approx(math.exp(same["nats_per_token"]))
    counted = len(TEXT.removeprefix("On").encode())  # the first token has nothing before it
    assert same["bits_per_byte"] == pytest.approx(math.fsum(same["each"]) / math.log(2) / counted)
    assert (same["kl_mean"], same["kl_p99"], same["same_first"], same["jensen_shannon"]) == (0.0, 0.0, 1.0, 0.0)


@pytest.mark.slow
def test_perplexity_of_other_vocabularies_has_bits_per_byte(
    capsys: Capsys, demo_model: Path, tiny_llama: Path, text: Path
) -> None:
    assert run(demo_model, text, "--raw", "--json", "--against", tiny_llama) == 0
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert "different vocabularies" in said.err
    assert found["against"]["bits_per_byte"] > 0 and "kl_mean" not in found


@pytest.mark.slow
def test_perplexity_of_a_long_text_uses_windows(capsys: Capsys, tiny_llama: Path, tmp_path: Path) -> None:
    long, short = written(tmp_path, TEXT * 6), shortened(tiny_llama, tmp_path, 256)
    found = told(capsys, short, long, "--raw", "--against", short)
    assert found["windows"] > 1 and found["standard_error"] > 0
    assert len(found["kl_each"]) == found["tokens"] > 500
    assert set(found["kl_each"]) == {0.0}
    assert run(short, long, "--raw") == 0
    assert "windows" in capsys.readouterr().out


def test_perplexity_of_a_session_scores_its_answers(capsys: Capsys, demo_model: Path, tmp_path: Path) -> None:
    journal = open_journal(tmp_path)
    session, _, _ = builders.answered(journal)
    whole = journal.sessions.whole(session)
    journal.close()
    assert whole is not None
    file = tmp_path / "a.sluice"
    file.write_text(session_text(whole), "utf-8")
    found = told(capsys, demo_model, file)
    assert 0 < found["tokens"] <= 3 * len("".join(builders.WORDS))
    assert command.refusal(main, capsys, file, "--raw").startswith("sluice: A session is a conversation")


def test_perplexity_of_other_files_is_refused(capsys: Capsys, demo_model: Path, tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\x00\xfe")
    (tmp_path / "empty").write_bytes(b"")
    (tmp_path / "wide").write_bytes("hello".encode("utf-16"))
    (tmp_path / "broken.sluice").write_bytes(b"[" * 100)
    (tmp_path / "round").symlink_to("round")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large").touch()
    os.truncate(tmp_path / "large", 10**9)
    for name in ("binary", "empty", "wide", "broken.sluice", "round", "pipe", "large", "absent"):
        assert command.refusal(main, capsys, tmp_path / name)
    text = written(tmp_path, TEXT)
    assert "server" in command.refusal(main, capsys, text, "--model", "http://localhost:1/v1#m")


def test_perplexity_of_one_token_has_no_confidence_interval(capsys: Capsys, tiny_llama: Path, tmp_path: Path) -> None:
    assert run(tiny_llama, written(tmp_path, "a"), "--raw") == 0
    said = capsys.readouterr()
    assert "too short for a confidence interval" in said.out and said.err == ""


def test_perplexity_against_a_folder_without_a_model_is_refused(
    capsys: Capsys, tiny_llama: Path, tmp_path: Path
) -> None:
    assert run(tiny_llama, written(tmp_path, TEXT), "--model", str(tmp_path)) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("sluice perplexity: ") and "Traceback" not in said.err


@pytest.mark.slow
def test_perplexity_against_an_adapter_reads_the_model_once(
    capsys: Capsys, demo_model: Path, text: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The model against itself with the adapter on it, read once for both."""
    reads = []

    def counted(*given: Any, **options: Any) -> Any:
        reads.append(given)
        return load(*given, **options)

    load = engine_module.load  # type: ignore[attr-defined]
    monkeypatch.setattr(engine_module, "load", counted)
    fresh = adapter(tmp_path / "fresh", demo_model)
    planted = adapter(tmp_path / "planted", demo_model, planted=0.02)
    same = told(capsys, demo_model, text, "--raw", "--against-adapter", fresh)
    assert (same["kl_mean"], same["kl_p99"], same["same_first"]) == (0.0, 0.0, 1.0)
    assert len(reads) == 1
    other = told(capsys, demo_model, text, "--raw", "--against-adapter", planted)
    assert other["kl_mean"] > 0 and other["each"] == same["each"]
    alone = told(capsys, demo_model, text, "--raw", "--adapter", planted)
    assert alone["each"] == pytest.approx(other["against"]["each"], abs=1e-4)


@pytest.mark.slow
def test_perplexity_of_kv_caches_has_each_variant_and_needle(capsys: Capsys, demo_model: Path, text: Path) -> None:
    found = told(capsys, demo_model, text, "--raw", "--kv", "8,4@20,window:16:0", "--kv-needles", "50")
    names = ["8-bit, groups of 32", "4-bit, groups of 32, from token 21", "Window of 16 tokens, first 0 kept"]
    assert [each["name"] for each in found["kv"]] == names
    eight, four, window = found["kv"]
    assert found["kv_bytes_per_token"] > eight["bytes_per_token"] > four["bytes_per_token"] > 0
    assert set(four["kl_each"][:20]) == {0.0} == set(window["kl_each"][:15]) and min(four["kl_each"][20:]) > 0
    assert len(eight["logprobs"]) == found["tokens"] and len(found["needles"][0]["found"]) == 4
    assert run(demo_model, text, "--raw", "--kv", "8") == 0
    assert "chunks of 128 tokens" in capsys.readouterr().out


@pytest.mark.slow
def test_perplexity_of_several_comparisons_is_one_table(
    capsys: Capsys, demo_model: Path, demo_draft: Path, tmp_path: Path
) -> None:
    long = written(tmp_path, TEXT * 6)
    asked = (demo_model, long, "--raw", "--against", demo_draft, "--against", demo_model, "--kv", "8:32,4:32")
    found = told(capsys, *asked)["comparisons"]
    alone = told(capsys, demo_model, long, "--raw", "--against", demo_draft)
    assert found[0] == {"first": "demo", "second": "demo-draft"} | alone
    assert [each["second"] for each in found][1:] == ["demo", "8-bit, groups of 32", "4-bit, groups of 32"]
    assert run(*asked) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.startswith("Comparison") and [row.split("  ")[0] for row in rows] == [
        *("demo", "Full cache", "demo-draft", "demo", "8-bit, groups of 32", "4-bit, groups of 32")
    ]


@pytest.mark.slow
def test_perplexity_interrupted_in_the_second_comparison_prints_the_first(
    capsys: Capsys, demo_model: Path, demo_draft: Path, text: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = perplexity._measured

    def interrupted(job: Any, engine: Any, stop: Any) -> Any:
        if job.against is not None and Path(job.against.model) == demo_model:
            raise AbortedError(Cancellation())
        return measured(job, engine, stop)

    monkeypatch.setattr(perplexity, "_measured", interrupted)
    assert run(demo_model, text, "--raw", "--json", "--against", demo_draft, "--against", demo_model) == 130
    printed = capsys.readouterr()
    assert [each["second"] for each in json.loads(printed.out)["comparisons"]] == ["demo-draft"]
    assert "Only 1 of 2 comparisons" in printed.err


def test_perplexity_of_unfit_kv_caches_is_refused(capsys: Capsys, text: Path) -> None:
    for arguments, words in (
        (("--kv", "4+window:64"), "can't quantize a rotating KV cache"),
        (("--kv-needles", "50"), "needs --kv"),
        (("--kv", "4", "--kv-needles", "a"), "between 0 and 100"),
    ):
        assert words in command.refusal(main, capsys, text, *arguments)


def test_perplexity_of_an_invalid_adapter_fails(capsys: Capsys, demo_model: Path, text: Path) -> None:
    assert run(demo_model, text, "--adapter", demo_model) == 1
    assert "is not an adapter: it has no adapter_config.json" in capsys.readouterr().err
