"""The words of flows beyond a list of goals: what they mean is found out here, while a flow is read, and before anything is planned."""
