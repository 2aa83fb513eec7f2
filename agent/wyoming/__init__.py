"""Wyoming: the service for voice assistants. What is said is fit to be spoken."""
