"""Linux: devices and programs."""
