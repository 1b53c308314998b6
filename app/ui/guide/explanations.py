"""The texts of "What's this?" for each control and each part of the window, by object name."""

from app.controls import OBJECTS, WITHOUT_CONTROL
from app.definitions import Definition
from app.engine.catalogue import SETTINGS
from app.i18n import tr

PARTS = {
    "model_button": Definition(
        tr("Model"),
        tr("The open model, with its size and dtype. Press it to open another one from this computer or the Hub."),
    ),
    "mode_chat": Definition(
        tr("Chat"), tr("A conversation in the model's chat template. “Exact prompt” shows the templated text.")
    ),
    "mode_raw": Definition(
        tr("Raw"), tr("One page without a chat template, which the model continues. Use it for base models.")
    ),
    "sessions": Definition(
        tr("Sessions"),
        tr("All conversations, newest first, saved on this computer. Search covers titles and texts. Delete has Undo."),
    ),
    "transcript": Definition(
        tr("Transcript"),
        tr(
            "The conversation as it streams. The view scrolls along while you are at the end. The line below an answer "
            "shows its finish reason. Right-click a turn, or press ⋯, to edit, copy or delete it."
        ),
    ),
    "welcome": Definition(
        tr("Welcome"), tr("The empty page with prompts to try. Type your own prompt in the field below.")
    ),
    "token_legend": Definition(
        tr("Token color"),
        tr("The value that a token's color shows. All but latency and origin need recorded alternatives."),
    ),
    "prompt": Definition(
        tr("Prompt"),
        tr("The text to send. The number is the token count of the whole prompt. Undo restores a sent text."),
    ),
    "send": Definition(tr("Send"), tr("Sends the prompt to the model. During a run it is Stop.")),
    "stop": Definition(
        tr("Stop"), tr("Stops the run after the current token. The text stays, and Continue resumes it.")
    ),
    "finish_reason": Definition(
        tr("Finish reason"),
        tr(
            "Complete: the model generated EOS or a stop token. Reached max tokens: raise the limit or continue. Stop "
            "string reached: one of yours was generated. Ended by the server: the reason in brackets is the server's. "
            "ⓘ shows all figures, the code and the receipt."
        ),
    ),
    "controls": Definition(
        tr("Controls"),
        tr("The settings of the next run, which each run records. The command palette finds them by name."),
    ),
    "sampling_picture": Definition(
        tr("Effect of sampling"),
        tr("The alternatives for one token of the last run, before and after the sampling settings."),
    ),
    "inspector": Definition(
        tr("Inspector"),
        tr("Probability, latency and alternatives of a token. Fork the answer with one of them or your own text."),
    ),
    "exact_prompt": Definition(
        tr("Exact prompt"),
        tr("The tokens of the templated prompt; cached ones are underlined. “Surprisal” colors them by surprisal."),
    ),
    "cache_words": Definition(
        tr("Cached prefix"), tr("Number of cached prompt tokens, and where and why the rest differs.")
    ),
    "speed_graph": Definition(
        tr("Speed graph"),
        tr(
            "Decode speed over time or tokens. Above the curve: the prefill. Below it: a tick for each token. At the "
            "right: the mean speeds of this run and of pinned runs. Point at the curve to see a token, drag to measure "
            "a range, click a dip to go to its token. The menu pins this run for comparisons."
        ),
    ),
    "memory_gauge": Definition(
        tr("MLX memory"),
        tr("Memory of MLX: weights, KV cache and peak. Near the limit, use a shorter context or a smaller model."),
    ),
    "context_gauge": Definition(
        tr("Context"),
        tr("Used tokens of the context window; max tokens are hatched. When it is full, begin a new session."),
    ),
    "lights": Definition(
        tr("Prompt warnings"),
        tr("Warnings about common problems of the prompt and the settings, with a button that fixes them."),
    ),
    "runs_button": Definition(
        tr("Runs"),
        tr("All recorded runs with their settings and figures. Compare them, rerun one, or vary one of its settings."),
    ),
}
"""Parts of the main window."""
CONTROLS = {
    "preset": Definition(
        tr("Preset"),
        tr("Values for all sampling settings. Changed ones are bold; the arrow resets them, ⋯ saves yours."),
    ),
    **{
        OBJECTS.get(name, name): Definition(each.words, each.text)
        for name, each in SETTINGS.items()
        if each.meaning and name not in WITHOUT_CONTROL
    },
}
"""Controls, with the texts of the catalogue."""
WINDOWS = {
    "model_picker": Definition(
        tr("Models"),
        tr("Models on this computer, on the Hub and on servers. “Does it fit?” estimates the memory before loading."),
    ),
    "servers_page": Definition(
        tr("Servers"),
        tr("OpenAI-compatible servers: mlx_lm.server, vLLM, llama.cpp, LM Studio, Ollama. Times include the network."),
    ),
    "serving_dialog": Definition(
        tr("Serve a model"),
        tr("Runs mlx_lm.server for other programs until Sluice ends. Several computers can share a large model."),
    ),
    "runs_window": Definition(
        tr("Runs"),
        tr("One line per run; ◆ marks differences. Select one for its receipt, or several to compare."),
    ),
    "inside_window": Definition(
        tr("Inside the Model"),
        tr("Logit lens, attention patterns, residual stream and prompt attribution of one answer, with export."),
    ),
    "experiment_window": Definition(
        tr("Experiments"),
        tr("Compares variants of one setting. The result says whether the difference is significant."),
    ),
    "weigh_window": Definition(
        tr("Perplexity of a text"),
        tr("Perplexity of a text, token by token. With a second model: the KL divergence between the two."),
    ),
    "sets_window": Definition(
        tr("Prompt Sets"),
        tr("Runs prompts with several variants, and checks the answers: rates, intervals and significance tests."),
    ),
    "settings": Definition(
        tr("Settings"),
        tr("Appearance, language, model folders, privacy and session defaults. Most changes apply at once."),
    ),
    "lesson_panel": Definition(
        tr("Lessons"), tr("A lesson: predict, run and compare. Closing it restores your prompt, settings and session.")
    ),
    "numbers_dialog": Definition(
        tr("Numbers as tables"), tr("The values of graph, figures and gauges as tables that can be copied.")
    ),
    "branches_dialog": Definition(
        tr("Branches"), tr("The conversation as a tree. Each edit, regeneration and fork is a branch.")
    ),
    "stop_steps": Definition(
        tr("Stop strings, step by step"), tr("Detokenization and held-back text, token by token.")
    ),
    "shortcuts_sheet": Definition(
        tr("Keyboard shortcuts"), tr("All keyboard shortcuts. Select an action and press its new keys.")
    ),
    "code_dialog": Definition(tr("Code"), tr("The Python script that repeats the run with mlx-lm alone.")),
}
"""Other windows."""
EXPLAINED = {**PARTS, **CONTROLS, **WINDOWS}
