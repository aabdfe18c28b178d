"""The error families of the arena.

Owns the classes that cross package boundaries; imports nothing. A message says what
happened, with which value, what was allowed and, where there is one, the cure. A bug
raises AssertionError instead: none of these classes ever stands for one.
"""


class ArenaError(Exception):
    """Something a user, a bot or the host did that the arena answers in plain words."""


class RulesError(ArenaError):
    """The rules of the game say no."""


class NotationError(RulesError):
    """A text is not a card, hand, deal or ruleset in the notation of ``rules.md`` §0."""


class RulesetError(RulesError):
    """A ruleset is unknown, contradicts itself or asks for what is not offered."""


class ProtocolViolation(ArenaError):
    """A bot sent what the protocol does not allow: the bot's fault."""


class BotFailure(ArenaError):
    """A bot process did not do its part: the bot's fault."""


class BotCrashed(BotFailure):
    """A bot process ended while it was needed."""


class BotTimedOut(BotFailure):
    """A bot did not connect, join or get ready within its allowance."""


class ConfigError(ArenaError):
    """An event file, manifest or argument is wrong: exit status 2."""


class HostFault(ArenaError):
    """This machine could not do its part (disk full, socket refused): exit status 3."""


class LogCorrupt(ArenaError):
    """A log cannot be what the arena wrote."""
