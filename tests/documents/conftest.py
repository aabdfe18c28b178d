"""The folders and the command line of the tests of ``arena``, for the tests of documents."""

from tests.cli.conftest import arena, home, scratch

__all__ = ["arena", "home", "scratch"]
