"""Proofs and tests of what the generator makes; nothing else imports Sage."""
