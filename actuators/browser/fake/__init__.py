"""The browser's port in memory, on declared pages: small, with faults on purpose. What it does not know, it refuses."""
