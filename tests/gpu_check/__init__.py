"""`packaging/gpu_check.sh`: one run of everything that needs a GPU, as JSON and as a table."""
