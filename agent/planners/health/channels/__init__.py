"""Channels that alerts go out on. None keeps anything, decides anything, or knows another."""
