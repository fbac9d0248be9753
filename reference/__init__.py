"""The reference: formulas with their costs and verdicts, as data and as pages."""
