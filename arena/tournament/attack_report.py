"""What attacks came to, guard by guard: held, not held, skipped, and which were required.

Owns the summary and its data. Must not know how it is printed. Source: commands.md
(``doctor --attack``).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from arena.bots.manifest import Talk
from arena.errors import ConfigError
from arena.tournament.attack import Finding, all_attacks, guard_name
from arena.tournament.attack_list import Attack, Giver

HOG_BYTES = 4 << 30
"""Memory that must be available for the memory hog to be let loose."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackReport:
    """The findings, the guards that were not tried (with the reason), and the required ones."""

    findings: Sequence[Finding]
    skipped: dict[str, str]
    required: frozenset[str]

    @property
    def held(self) -> list[str]:
        """Names of the guards that held."""
        return [finding.guard for finding in self.findings if finding.held]

    @property
    def not_held(self) -> list[str]:
        """Names of the guards that did not."""
        return [finding.guard for finding in self.findings if not finding.held]

    @property
    def is_good(self) -> bool:
        """Whether every required guard was tried and held."""
        return self.required <= set(self.held)

    def rows(self) -> list[tuple[str, str, str, str]]:
        """Give a row for each guard: guard, what was tried, held, why not."""
        rows = []
        for one, talk in all_attacks():
            name = guard_name(one, talk)
            finding = next((f for f in self.findings if f.guard == name), None)
            need = "" if name in self.required else " (not required)"
            if finding is None:
                rows.append((name, one.tries, f"skipped{need}", self.skipped.get(name, "")))
            else:
                held = "held" if finding.held else f"NOT HELD{need}"
                # On one line, whatever a bot's last words were.
                problems = "; ".join(" ".join(problem.split()) for problem in finding.problems)
                rows.append((name, one.tries, held, problems))
        return rows

    def data(self) -> dict[str, Any]:
        """Give the data of the JSON envelope."""
        guards = []
        for one, talk in all_attacks():
            name = guard_name(one, talk)
            finding = next((f for f in self.findings if f.guard == name), None)
            guards.append(
                {
                    "guard": name,
                    "act": one.act,
                    "over": talk.value,
                    "given_by": one.giver.value,
                    "tried": one.tries,
                    "required": name in self.required,
                    "held": None if finding is None else finding.held,
                    "problems": [] if finding is None else list(finding.problems),
                    "termination": None if finding is None else finding.termination.kind.value,
                    "elapsed_ms": None if finding is None else finding.elapsed_ms,
                }
            )
        skipped = list(self.skipped)
        return {
            "guards": guards,
            "held": self.held,
            "not_held": self.not_held,
            "skipped": skipped,
        }


def guard_names() -> list[str]:
    """List all guards, in the order in which they are tried."""
    return [guard_name(one, talk) for one, talk in all_attacks()]


def required_guards(named: Collection[str], *, wants_sandbox: bool) -> frozenset[str]:
    """Decide which guards must hold: those named, else all that the event relies on.

    An event with ``sandbox = "none"`` does not rely on what a sandbox gives.

    Raises:
        ConfigError: A name is no guard.
    """
    for name in named:
        if name not in guard_names():
            raise ConfigError(f"no guard {name!r}; there are: {', '.join(guard_names())}")
    if named:
        return frozenset(named)
    return frozenset(
        guard_name(one, talk)
        for one, talk in all_attacks()
        if wants_sandbox or one.giver is not Giver.SANDBOX
    )


def choose_attacks(
    only: Collection[str], memory: int | None
) -> tuple[list[tuple[Attack, Talk]], dict[str, str]]:
    """Decide what is tried: everything, or the guards named; and why the rest is not.

    Args:
        only: Names of guards; empty: all.
        memory: Bytes of memory available; None if not known.

    Raises:
        ConfigError: A name is no guard.
    """
    required_guards(only, wants_sandbox=True)
    chosen: list[tuple[Attack, Talk]] = []
    skipped: dict[str, str] = {}
    for one, talk in all_attacks():
        name = guard_name(one, talk)
        if only and name not in only:
            skipped[name] = "not asked for"
        elif one.act == "memory_hog" and memory is not None and memory < HOG_BYTES:
            skipped[name] = f"only {memory >> 20} MiB of memory are available"
        else:
            chosen.append((one, talk))
    return chosen, skipped
