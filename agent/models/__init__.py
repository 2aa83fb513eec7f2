"""Models behind the port ``core.planning.planners.ports.Model``: what they are asked, in closed schemas, and how they are held.

Questions and their answers live here, and the guard in front of every model. Who answers lives in ``serving``, which knows
settings and files; nothing here does, and nothing here plans or acts.
"""
