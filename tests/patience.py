"""How long a test waits before it fails: no test is timed, and a machine that is shared may stand still for a while."""

WAIT_S = 90.0
WAIT_MS = round(WAIT_S * 1000)
