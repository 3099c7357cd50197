"""Files that come with the app, and the scripts that make them."""
