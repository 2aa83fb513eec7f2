"""What everything that is reached by HTTP stands on: the wall, who asks, answers and errors, metrics, the server. No routes here."""
