"""The browser's tools, each written once over a port; nothing here knows a browser."""
