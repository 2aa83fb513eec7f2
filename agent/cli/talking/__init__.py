"""The commands with which people talk: the chat, and the service that voices use."""
