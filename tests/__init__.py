"""Tests; `tests/` mirrors `capsnet/` and `app/`."""
