"""What the frozen program is called and where it runs: said here once, for the spec, the checks and the desktop."""

NAME = "Sluice"
PROGRAM = "sluice"
BUNDLE_ID = "org.example.sluice"
SESSION_TYPE = f"{BUNDLE_ID}.session"
SESSION_SUFFIX = "sluice"
MIN_MACOS = "14.0"
"""What the wheels of mlx and numpy ask for."""
