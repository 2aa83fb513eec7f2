"""MCP: the service as tools of a model of others. No tool lets the model approve."""
