"""What planners keep of their work: items, their moves, checkpoints, and what came of runs; in a database, and in memory."""
