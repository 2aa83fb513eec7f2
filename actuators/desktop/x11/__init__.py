"""Linux: windows, keys and pointer by X11."""
