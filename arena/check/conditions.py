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
class StageTerms:
    """What a bot meets in one stage, or in several that differ in their rulesets alone."""

    rulesets: tuple[Ruleset, ...]
    clock: Clock = field(default_factory=Clock)
    conduct: Conduct = field(default_factory=Conduct)
    resources: Resources = field(default_factory=resources_for)

    def data(self) -> dict[str, object]:
        """Give them as plain values."""
        return {
            "rulesets": [asdict(ruleset) for ruleset in self.rulesets],
            "clock": asdict(self.clock),
            "conduct": asdict(self.conduct),
            "resources": asdict(self.resources),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Conditions:
    """Everything that an organiser decides and a bot meets."""

    stages: tuple[StageTerms, ...]
    """At least one, no two with the same clock, conduct and resources."""
    sandbox: SandboxMode = SandboxMode.AUTO
    build_network: bool = True
    source: str = "the arena's defaults"

    @property
    def rulesets(self) -> tuple[Ruleset, ...]:
        """Those of all stages, each once."""
        return tuple(dict.fromkeys(r for stage in self.stages for r in stage.rulesets))

    def data(self) -> dict[str, object]:
        """Give them as plain values: the first stage's, and in ``later`` what differs after it."""
        first, *later = (stage.data() for stage in self.stages)
        return {"source": self.source, **first, **({"later": later} if later else {})}

    @property
    def digest(self) -> str:
        """SHA-256 of each stage's rulesets, clock, conduct and resources: what binds a report."""
        values = {key: value for key, value in self.data().items() if key != "source"}
        return hashlib.sha256(msgspec.json.encode(values, order="sorted")).hexdigest()


def default_conditions(manifest: Manifest) -> Conditions:
    """Give the defaults of an event, in every named ruleset that the bot claims."""
    claimed = (ruleset for ruleset in PRESETS.values() if manifest.refusal(ruleset) is None)
    return Conditions(stages=(StageTerms(rulesets=tuple(claimed)),))


def event_conditions(event: Path) -> Conditions:
    """Take the conditions of an organiser's event.

    Raises:
        ConfigError: There is no such file, or it is wrong.
    """
    file = event / EVENT_FILE if event.is_dir() else event
    return conditions_of(load_terms(file), source=str(file))


def conditions_of(terms: Terms, *, source: str) -> Conditions:
    """Take the conditions of an event's terms: every ruleset under its own stage's."""
    played: dict[tuple[Clock, Conduct, Resources], list[Ruleset]] = {}
    for stage in terms.stages:
        rulesets = played.setdefault((stage.clock, stage.conduct, stage.resources), [])
        if stage.ruleset not in rulesets:
            rulesets.append(stage.ruleset)
    return Conditions(
        stages=tuple(
            StageTerms(rulesets=tuple(rulesets), clock=clock, conduct=conduct, resources=resources)
            for (clock, conduct, resources), rulesets in played.items()
        ),
        sandbox=terms.sandbox,
        build_network=terms.build_network,
        source=source,
    )
