"""The files of a model's folder, looked at before anything of them is loaded."""
