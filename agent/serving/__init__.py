"""The service of a workspace: opened here or found elsewhere, what it listens at, and what ends it."""
