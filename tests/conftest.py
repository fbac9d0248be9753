"""What several tests share: the built-in database, and fields to run programs over."""

import random

import pytest

from efdgen.generator.database import Database


@pytest.fixture(scope="session")
def database() -> Database:
    return Database()


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> random.Random:
    seed = random.randrange(2**32)
    print(f"seed {seed} of {request.node.name}")
    return random.Random(seed)
