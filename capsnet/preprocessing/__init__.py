"""Strokes and pictures → the network's input; `capsnet.preprocess` is the door."""
