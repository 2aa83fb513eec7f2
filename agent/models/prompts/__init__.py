"""What models are told, as texts; ``{name}`` stands for a value of ours."""
