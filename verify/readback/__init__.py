"""Translation validation: the written text is parsed again and compared with the proved program."""
