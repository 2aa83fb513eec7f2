"""The command line: from options to a request, and from records to the screen.

What can't be done is a ``SurehandError`` wherever it is found out; ``main`` tells it, and chooses the exit code.
"""
