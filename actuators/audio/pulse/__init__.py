"""Linux: PulseAudio, and PipeWire by the same protocol."""
