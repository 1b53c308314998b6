"""What "What's this?" answers: a paragraph for each control and each part of the window, by its object name."""

from app.controls import OBJECTS
from app.definitions.types import Definition
from app.engine.catalogue import SETTINGS
from app.i18n import tr

PARTS = {
    "model_button": Definition(
        tr("Model"),
        tr(
            "The model that answers, with its size and precision. Press it to open another one: one of the last, any "
            "from this machine, or one fetched from the hub after you have seen whether it fits."
        ),
    ),
    "mode_chat": Definition(
        tr("Chat"),
        tr(
            "A conversation. The model's own chat template is put around what you say, with marks for who speaks and "
            "where a turn ends; “Exact prompt” shows the result."
        ),
    ),
    "mode_raw": Definition(
        tr("Raw"),
        tr(
            "One page without any template: the model reads it as it stands and goes on writing where it ends. "
            "For base models, and to see what a chat model does without its template."
        ),
    ),
    "sessions": Definition(
        tr("Sessions"),
        tr(
            "All conversations, newest first, kept on this machine as they are written. Search looks through titles "
            "and texts; a deleted one can be brought back."
        ),
    ),
    "transcript": Definition(
        tr("Transcript"),
        tr(
            "The conversation. Text comes as the model writes it, and the view follows only while you are at the end. "
            "Below each answer stands how it ended; ⋯ there edits, copies, deletes or tries again, and a right click "
            "on any turn does. As Tokens, each token can be pointed at."
        ),
    ),
    "welcome": Definition(
        tr("Welcome"), tr("An empty page. Each of the prompts shows another thing; your own goes into the field below.")
    ),
    "token_legend": Definition(
        tr("Colour of the tokens"),
        tr(
            "What the ground behind each token tells: how likely it was, how open the choice, how long it took, who "
            "wrote it. Probabilities need recorded alternatives."
        ),
    ),
    "prompt": Definition(
        tr("Prompt"),
        tr(
            "What you say. The number beside it is the whole prompt in tokens, conversation and template included: all "
            "that the model has to read. What was sent comes back with Undo."
        ),
    ),
    "send": Definition(tr("Send"), tr("Gives the prompt to the model. It is Stop while there is something to stop.")),
    "stop": Definition(
        tr("Stop"),
        tr(
            "Ends what is going on after the token that is being computed. What was written stays, and Continue goes "
            "on from there."
        ),
    ),
    "finish_reason": Definition(
        tr("Finish reason"),
        tr(
            "Complete: the model generated EOS or a stop token. Reached max tokens: raise the limit or "
            "continue. Stop string reached: one of yours was generated. Ended by the server: the reason in "
            "brackets is the server's. ⋯ shows all figures, the code and the receipt."
        ),
    ),
    "controls": Definition(
        tr("Controls"),
        tr(
            "What decides how the model writes: the four that everybody needs, and below More all others. A change "
            "counts from the next run on, and every run records the settings it had. The command palette finds each "
            "by its name."
        ),
    ),
    "sampling_picture": Definition(
        tr("What sampling does"),
        tr(
            "The alternatives for one token of the last run, before and after all settings of Sampling. Move a setting "
            "and watch who is left."
        ),
    ),
    "inspector": Definition(
        tr("Inspector"),
        tr(
            "All that is known of one token: its probability, its time, and the alternatives it won against. Pick an "
            "alternative, or type words of your own, and the answer goes on from there as a branch."
        ),
    ),
    "exact_prompt": Definition(
        tr("Exact prompt"),
        tr(
            "What really goes to the model, token by token, template and all; what the cache already has is marked. "
            "“Surprise” has the model read it and colours what it didn't expect."
        ),
    ),
    "cache_words": Definition(
        tr("What the cache has"),
        tr("How much of the prompt needn't be read again, and where and why the rest differs."),
    ),
    "speed_graph": Definition(
        tr("Speed graph"),
        tr(
            "Decode speed over time or tokens. Above it: the prefill. Below it: a tick for each token. At the right: "
            "the mean speed, and those of pinned runs. Point at it for a token, drag to measure, click a dip to go "
            "there. Its menu pins the run, so that later runs can be compared with it."
        ),
    ),
    "memory_gauge": Definition(
        tr("MLX memory"),
        tr(
            "Memory that MLX has allocated: weights, KV cache, which grows with the conversation, and the peak of "
            "this run. Near the limit, use a shorter context or a smaller model."
        ),
    ),
    "context_gauge": Definition(
        tr("Context"),
        tr(
            "How much of what the model can have in view is in use. What the next answer may add is hatched; when it "
            "is full, a run ends with “context full”, and a new session begins with all of it free."
        ),
    ),
    "lights": Definition(
        tr("Sanity lights"),
        tr("Sentences that warn of what usually goes wrong with these settings, before it does, and offer a way on."),
    ),
    "runs_button": Definition(
        tr("Runs"),
        tr(
            "Every run there ever was, with its settings and figures: compare two, replay one token by token, try one "
            "with another setting."
        ),
    ),
}
"""What each part of the window is there for."""
CONTROLS = {
    "preset": Definition(
        tr("Preset"),
        tr(
            "Values for all of Sampling at once. What differs from it is bold, with an arrow that sets it back. "
            "Save your own with ⋯ when you come back to the same values again and again."
        ),
    ),
    **{OBJECTS.get(name, name): Definition(each.words, each.text) for name, each in SETTINGS.items() if each.meaning},
}
"""What each control does to the text, and when to change it: the catalogue's words."""
WINDOWS = {
    "model_picker": Definition(
        tr("Models"),
        tr(
            "Models on this machine, on the hub, and on servers. Before anything is loaded or fetched, “Will it fit?” "
            "adds up what it takes for the context that you set."
        ),
    ),
    "servers_page": Definition(
        tr("Servers"),
        tr(
            "Programs that run models elsewhere and speak the interface of OpenAI's: mlx_lm.server, vLLM, llama.cpp, "
            "LM Studio, Ollama. The model's memory and speed are theirs; what is measured here includes the network."
        ),
    ),
    "serving_dialog": Definition(
        tr("Serve a model"),
        tr(
            "mlx_lm.server in a process of its own, for other programs of this machine. It ends with Sluice, and is "
            "started over when it breaks down. Across machines, each holds a part of the model, so that together they "
            "run what is too large for one."
        ),
    ),
    "runs_window": Definition(
        tr("Runs"),
        tr(
            "A line for each run; ◆ marks what differs from the line above. Choose one for its receipt, two or more to "
            "compare curves and texts."
        ),
    ),
    "experiment_window": Definition(
        tr("Experiments"),
        tr(
            "A question, variants that differ in one setting, several runs of each in mixed order, and a sentence "
            "with the result and whether it is significant."
        ),
    ),
    "weigh_window": Definition(
        tr("Perplexity of a text"),
        tr(
            "How well a model foresees a text, token by token and with its error; with a second model, how far the two "
            "are apart, and where."
        ),
    ),
    "sets_window": Definition(
        tr("Prompt Sets"),
        tr(
            "Many prompts asked of several variants, each answer checked, and a verdict with its uncertainty: rates "
            "with their intervals, differences over the same rows, and the rows in which the variants differ."
        ),
    ),
    "settings": Definition(
        tr("Settings"),
        tr(
            "How the program looks, speaks and works, what new sessions begin with, where models are looked for, and "
            "what is kept. Each change counts at once, or says when."
        ),
    ),
    "numbers_dialog": Definition(
        tr("Numbers as tables"), tr("What the graph, the figures and the gauges draw, as tables to be read and copied.")
    ),
    "branches_dialog": Definition(
        tr("Branches"),
        tr("The conversation as a tree: each edit, each new answer and each fork is a branch that stays."),
    ),
    "stop_steps": Definition(
        tr("Stop strings, step by step"),
        tr(
            "How tokens become characters, and how text is held back because a stop string may have begun, one token "
            "at a time."
        ),
    ),
    "shortcuts_sheet": Definition(
        tr("Keyboard shortcuts"),
        tr("Every key that does something. Choose an action and press the keys that it shall have."),
    ),
    "code_dialog": Definition(tr("Code"), tr("The Python script that repeats the run with mlx-lm alone.")),
}
"""What the windows beside the main one are there for."""
EXPLAINED = {**PARTS, **CONTROLS, **WINDOWS}
