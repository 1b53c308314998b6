"""Steps of `make mac-check` that need the program: `packaging/mac_check.sh` runs each of these modules by itself."""
