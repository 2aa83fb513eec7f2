"""The wall around pages: a proxy that judges every connection of a browser context before it is made."""
