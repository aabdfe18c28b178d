"""The folders and the command line of the tests of ``arena``, for a contest of the bots."""

from tests.cli.conftest import arena, home, scratch

__all__ = ["arena", "home", "scratch"]
