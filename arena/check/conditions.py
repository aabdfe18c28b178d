"""Under what a bot is checked: rulesets, clock, conduct, resources, sandbox.

Owns where they come from: the defaults of an event, or an organiser's event file. Must not
know bots beyond what they claim to play.
"""

import hashlib
from dataclasses import asdict, dataclass, field
from pathlib import Path

import msgspec

from arena.bots.manifest import Manifest
from arena.bots.resources import resources_for
from arena.bots.sandbox.mode import SandboxMode
from arena.referee.clock import Clock
from arena.referee.conduct import Conduct
from arena.rules.presets import PRESETS
from arena.rules.ruleset import Ruleset
from arena.tournament.event_reading import Terms, load_terms
from arena.tournament.folder import EVENT_FILE
from arena.wire.terms import Resources


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """Everything that an organiser decides and a bot meets."""

    rulesets: tuple[Ruleset, ...]
    clock: Clock = field(default_factory=Clock)
    conduct: Conduct = field(default_factory=Conduct)
    resources: Resources = field(default_factory=resources_for)
    sandbox: SandboxMode = SandboxMode.AUTO
    build_network: bool = True
    source: str = "the arena's defaults"

    def data(self) -> dict[str, object]:
        """Give them as plain values."""
        return {
            "source": self.source,
            "rulesets": [asdict(ruleset) for ruleset in self.rulesets],
            "clock": asdict(self.clock),
            "conduct": asdict(self.conduct),
            "resources": asdict(self.resources),
        }

    @property
    def digest(self) -> str:
        """SHA-256 of rulesets, clock, conduct and resources: what a report is bound to."""
        values = {key: value for key, value in self.data().items() if key != "source"}
        return hashlib.sha256(msgspec.json.encode(values, order="sorted")).hexdigest()


def default_conditions(manifest: Manifest) -> Conditions:
    """Give the defaults of an event, in every named ruleset that the bot claims."""
    claimed = (ruleset for ruleset in PRESETS.values() if manifest.refusal(ruleset) is None)
    return Conditions(rulesets=tuple(claimed))


def event_conditions(event: Path) -> Conditions:
    """Take the conditions of an organiser's event: those of its first stage, all its rulesets.

    Raises:
        ConfigError: There is no such file, or it is wrong.
    """
    file = event / EVENT_FILE if event.is_dir() else event
    return conditions_of(load_terms(file), source=str(file))


def conditions_of(terms: Terms, *, source: str) -> Conditions:
    """Take the conditions of an event's terms."""
    first = terms.stages[0]
    return Conditions(
        rulesets=tuple(dict.fromkeys(stage.ruleset for stage in terms.stages)),
        clock=first.clock,
        conduct=first.conduct,
        resources=first.resources,
        sandbox=terms.sandbox,
        build_network=terms.build_network,
        source=source,
    )
