"""One pass, one file: each takes a program and returns an equal one."""
