"""Why a formula is false: the claims that fail, a counterexample, and the edit that would mend it."""
