"""Carries planners out: from the check of what they are given to their result, steps side by side, queues. Knows planners only by their base."""
