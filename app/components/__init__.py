"""Components of our own, one folder each: Python wrapper, HTML, CSS and JavaScript."""
