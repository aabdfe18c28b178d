"""What is checked, and what came of it: the closed lists.

Owns the rules' names and what a breach of each tells the author to do. Must not play.
"""

from dataclasses import dataclass
from enum import StrEnum


class Rule(StrEnum):
    """What a bot must do; the order is that of the report."""

    MANIFEST = "manifest"
    BUILD = "build"
    START = "start and join"
    READY = "ready"
    STAYING = "stays to the end"
    LEGAL = "legal play"
    CLAIMS = "declarations and signals"
    MESSAGES = "messages"
    TIME = "time"
    STALE = "late answers"
    REPEATED = "repeated questions"
    TABLES = "several tables"
    EXIT = "clean exit"
    MEMORY = "memory"
    OUTPUT = "output"
    SANDBOX = "sandbox"


class Standing(StrEnum):
    """How a rule came out."""

    GOOD = "good"
    BAD = "bad"
    CAREFUL = "careful"
    """Kept, but nearly not; it does not make the bot bad."""
    UNTRIED = "not tried"


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What was found of one rule, in plain words, and what to do where it is not good."""

    rule: Rule
    standing: Standing
    found: str
    cure: str = ""


CURES = {
    Rule.MANIFEST: "correct bot.toml; docs/writing-a-bot.md lists its keys",
    Rule.BUILD: "run the build commands of bot.toml in a fresh copy of the folder",
    Rule.START: "mend what its last lines name, if it failed (of files outside /usr and its folder "
    "it has those that bot.toml names in needs); else connect to ARENA_ADDRESS, send Join with "
    "ARENA_TOKEN, load the rest later",
    Rule.READY: "send Ready {table} for every MatchStarted, within the start allowance",
    Rule.STAYING: "catch what fails, and leave only after Goodbye or the end of the stream",
    Rule.LEGAL: "play a card of decision.card.legal",
    Rule.CLAIMS: "declare only claims of decision.card.declarable, say only words of "
    "decision.card.signals_allowed",
    Rule.MESSAGES: "send one Answer for each Decision, with its decision_id, and nothing else",
    Rule.TIME: "answer within time_limit_ms, and keep a reserve",
    Rule.STALE: "skip Rejected STALE and answer the next Decision",
    Rule.REPEATED: "answer a Decision that comes again as before, or skip it",
    Rule.TABLES: "keep each table's match apart, or say capacity = 1",
    Rule.EXIT: "exit with status 0 when Goodbye came or the stream ended, within 1 s",
    Rule.MEMORY: "use less memory, or ask the organiser for more",
    Rule.OUTPUT: "write less to stderr and stdout; only its ends are kept",
    Rule.SANDBOX: "run the check where a sandbox holds: arena doctor says how",
}
"""By rule, what to do where it was not kept."""
