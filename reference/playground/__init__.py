"""The prover in the browser: efdgen on Pyodide and FLINT in WebAssembly, for the site's playground."""
