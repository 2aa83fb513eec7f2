"""Windows, keys and pointer of Microsoft Windows."""
