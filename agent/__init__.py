"""The program: front ends, planners, models and stores on top of the core."""
