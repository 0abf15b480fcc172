"""Training of the project's encoder and re-ranker, from checked examples, with a record of each run."""
