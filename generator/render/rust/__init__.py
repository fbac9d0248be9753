"""Text in Rust: kernels, fields, curves, crates with other projects' interfaces."""
