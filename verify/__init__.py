"""Proofs and tests of the generator's output; nothing else imports Sage."""
