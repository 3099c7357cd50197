"""The parts of a training; `capsnet.train` puts them together."""
