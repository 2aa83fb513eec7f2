"""The service itself, over the sessions of this process: what goes on, what is asked, what came of it. Doors know its port alone."""
