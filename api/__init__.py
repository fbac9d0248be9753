"""The Python API: what `import efdgen` offers, and the layer below the command line."""
