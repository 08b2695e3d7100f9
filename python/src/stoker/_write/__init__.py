"""Writing containers from Python: `stoker.pack`, and `stoker.Writer` for samples that come while a job runs."""
