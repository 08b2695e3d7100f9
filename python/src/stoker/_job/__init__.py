"""The ranks of a job: which one this process is, and how ranks coordinate through a shared folder."""
