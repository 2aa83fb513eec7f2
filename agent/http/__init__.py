"""HTTP: the service for programs, chat front ends and webhooks. Routes are thin; what they do is in the service."""
