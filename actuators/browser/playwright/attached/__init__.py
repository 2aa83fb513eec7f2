"""What is different on a page of another program, which a session acts on beside it: its context, page and browser are never ours to close."""
