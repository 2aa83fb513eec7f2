"""What planners are tested with: a model that says what it was told to, a clock that moves when told, memory in place of stores, a host, snapshots.

It ships, so that planners of others are tested the same way. Nothing here reaches a network, a browser or a disk, snapshots apart.
"""
