"""What the operating system gives: files, their owners, memory and threads."""
