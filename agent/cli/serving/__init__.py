"""The commands around a service: serving, its status and end, and other commands that go through it."""
