"""Speech: replies fit to be spoken, and conversations of the doors that speak. Knows the port of the service, no protocol."""
