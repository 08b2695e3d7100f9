"""The Java command `stoker`, and the reader process that it becomes: how to find, start and talk to them."""
