"""Where metrics go, and `stoker.log`."""
