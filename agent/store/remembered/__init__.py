"""What is remembered of flows: what their steps saw when all went well. Nothing in it has authority."""
