"""The files of tokenizers, looked at before a library reads them."""
