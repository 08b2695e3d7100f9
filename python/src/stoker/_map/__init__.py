"""A Python function for each sample or batch of a loader, in worker processes."""
