"""Results: what a step found and did, where values came from, what is told of them. Nothing here acts."""
