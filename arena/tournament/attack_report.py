"""What attacks came to, guard by guard: held, not held, skipped, and which were required.

Owns the summary and its data. Must not know how it is printed. Source: commands.md
(``doctor --attack``).
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from arena.bots.manifest import Talk
from arena.bots.sandbox.mode import SandboxMode
from arena.errors import ConfigError
from arena.tournament.attack import Finding, all_attacks, guard_name
from arena.tournament.attack_list import MOST_OF, Attack, Giver
from arena.wire.terms import Resources

HOG_ROOM = 2 << 30
"""Memory that must be available beyond twice a bot's, for the memory hog to be let loose."""


_NOT_OF: Final[Mapping[SandboxMode, frozenset[Giver]]] = MappingProxyType(
    {
        SandboxMode.AUTO: frozenset(),
        SandboxMode.REQUIRED: frozenset(),
        SandboxMode.LANDLOCK: frozenset({Giver.NAMESPACES}),
        SandboxMode.NONE: frozenset({Giver.SANDBOX, Giver.NAMESPACES}),
    }
)
"""Whose guards an event does not rely on, by what it asks for."""


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


def required_guards(named: Collection[str], mode: SandboxMode) -> frozenset[str]:
    """Decide which guards must hold: those named, else all that the event relies on.

    An event with ``sandbox = "none"`` does not rely on what a sandbox gives, one with
    ``"landlock"`` not on what only bubblewrap does.

    Raises:
        ConfigError: A name is no guard.
    """
    for name in named:
        if name not in guard_names():
            raise ConfigError(f"no guard {name!r}; there are: {'; '.join(guard_names())}")
    if named:
        return frozenset(named)
    return frozenset(
        guard_name(one, talk) for one, talk in all_attacks() if one.giver not in _NOT_OF[mode]
    )


def choose_attacks(
    only: Collection[str], memory: int | None, resources: Resources
) -> tuple[list[tuple[Attack, Talk]], dict[str, str]]:
    """Decide what is tried: everything, or the guards named; and why the rest is not.

    Args:
        only: Names of guards; empty: all.
        memory: Bytes of memory available; None if not known.
        resources: What a bot may have; no hog goes beyond bounds that are too large to try.

    Raises:
        ConfigError: A name is no guard.
    """
    required_guards(only, SandboxMode.REQUIRED)
    chosen: list[tuple[Attack, Talk]] = []
    skipped: dict[str, str] = {}
    for one, talk in all_attacks():
        name = guard_name(one, talk)
        if only and name not in only:
            skipped[name] = "not asked for"
        elif (why := _too_large(one.act, memory, resources)) is not None:
            skipped[name] = why
        else:
            chosen.append((one, talk))
    return chosen, skipped


def _too_large(act: str, memory: int | None, resources: Resources) -> str | None:
    """Say why a hog is not let loose on this machine; None if it may be."""
    needed = (resources.memory_mib << 21) + HOG_ROOM
    if act == "memory_hog" and memory is not None and memory < needed:
        return f"only {memory >> 20} MiB of memory are available"
    wants = {"memory_hog": "memory_mib", "fork_bomb": "tasks", "disk_hog": "disk_mib"}
    if (key := wants.get(act)) is None or getattr(resources, key) <= MOST_OF[key]:
        return None
    return f"the event's bound is too large to go beyond: at most {MOST_OF[key]} is tried"
