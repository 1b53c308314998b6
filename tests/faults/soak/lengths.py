"""How long a soak is: what can be asked before Qt is there."""

STEPS = 450
"""Of a seed."""
MINUTES = 10
"""Of one process: seed after seed, in one language. It is the nightly form."""
PROCESSES = 12
"""In full, one after another: two hours."""
