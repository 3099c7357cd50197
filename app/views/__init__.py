"""One thin file a page."""
