"""Images with labels: where they come from and how they are varied; `capsnet.data` is the door."""
