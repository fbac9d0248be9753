"""Translation validation: the text that is written is parsed again and compared with what was proved."""
