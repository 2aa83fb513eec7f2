"""What is told of runs to those who operate Surehand: log lines and spans, with ids that lead from one to the other."""
