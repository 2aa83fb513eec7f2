"""Windows: devices and programs."""
