"""The browser tools on an in-memory web, for dry runs, simulation and fault injection."""
