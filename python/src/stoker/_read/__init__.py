"""Reading containers without Java: the Index, the values that it places in mapped files, and `stoker.open`."""
