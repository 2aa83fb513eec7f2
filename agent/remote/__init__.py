"""The service of a process of its own: how it is found, started and spoken to; and which of both a door gets."""
