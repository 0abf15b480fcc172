"""Training: the project's own encoder and re-ranker, from examples that are checked, with everything recorded."""
