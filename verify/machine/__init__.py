"""Machine code: constant time of compiled kernels, by disassembly and without a run."""
