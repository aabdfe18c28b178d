"""``arena doctor``: what holds on this machine; with ``--attack``, what holds under attack.

Owns how probes and findings are shown, and the exit status. Source: commands.md.
"""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import typer

from arena.bots.doctor.guards import guard_probes
from arena.bots.doctor.machine import available_memory, machine_probes
from arena.bots.doctor.probe import Probe, Standing
from arena.bots.manifest import Talk
from arena.bots.sandbox.mode import SandboxMode, guards_line
from arena.bots.sandbox.opening import open_sandbox
from arena.check.conditions import Conditions, StageTerms, event_conditions
from arena.cli.main import BAD, DONE
from arena.cli.options import FormatOption, JsonOption, SandboxOption
from arena.cli.output import Format, chosen, emit, print_envelope, print_rows, say
from arena.cli.trio_run import run_trio
from arena.errors import ConfigError, HostFault
from arena.tournament.attack import Finding, attack
from arena.tournament.attack_list import Attack
from arena.tournament.attack_report import AttackReport, choose_attacks, required_guards

LONGEST_LIMIT_MS: Final = 1_000
LONGEST_START_MS: Final = 10_000
"""An attack that waits for a deadline shows no more with a longer one."""
SANDBOX_OF_RUN: Final = "sandbox of a run"

EventOption = Annotated[
    Path | None,
    typer.Option(
        "--event",
        "-e",
        metavar="EVENT",
        help="An event file: its clock, resources and sandbox are used.",
    ),
]
OnlyOption = Annotated[
    list[str] | None, typer.Option("--only", help="Try this guard only; may be repeated.")
]
RequireOption = Annotated[
    list[str] | None,
    typer.Option("--require", help="Guards that must hold (default: all the event relies on)."),
]


def command(
    *,
    is_attack: Annotated[
        bool, typer.Option("--attack", help="Let the chaos bots loose on this machine.")
    ] = False,
    event: EventOption = None,
    sandbox: SandboxOption = None,
    only: OnlyOption = None,
    require: RequireOption = None,
    fmt: FormatOption = Format.TABLE,
    json: JsonOption = False,
) -> None:
    """Show what holds on this machine, and cures for what does not.

    Exit status 1 if the sandbox of --sandbox required or landlock does not hold; with --attack
    unless every required guard held.
    """
    fmt = chosen(fmt, json=json)
    if is_attack:
        raise typer.Exit(
            run_attacks(
                event=event, sandbox=sandbox, only=only or [], require=require or [], fmt=fmt
            )
        )
    for name, value in (("--event", event), ("--only", only), ("--require", require)):
        if value:
            raise ConfigError(f"{name} goes with --attack only")
    mode = sandbox or SandboxMode.AUTO
    probes = _probes(mode)
    print_probes(probes, fmt)
    if mode in {SandboxMode.REQUIRED, SandboxMode.LANDLOCK}:
        lacking = {probe.what for probe in probes if probe.standing is Standing.NOT}
        raise typer.Exit(BAD if SANDBOX_OF_RUN in lacking else DONE)


def _probes(mode: SandboxMode) -> list[Probe]:
    sandboxes = [_sandbox_probe(SANDBOX_OF_RUN, mode)]
    if mode is not SandboxMode.LANDLOCK:
        sandboxes.append(_sandbox_probe("sandbox by Landlock alone", SandboxMode.LANDLOCK))
    return [*guard_probes(), *sandboxes, *machine_probes()]


def _sandbox_probe(what: str, mode: SandboxMode) -> Probe:
    """Open the sandbox as a run would, and say which guards it was proven to give."""
    said: list[str] = []

    async def look() -> tuple[str, ...]:
        async with open_sandbox(mode, hidden=(), say=said.append) as sandbox:
            return sandbox.guards

    try:
        guards = run_trio(look)
    except (ConfigError, HostFault) as error:
        guards, said = (), [str(error)]
    return Probe(
        what=what,
        standing=Standing.HOLDS if guards else Standing.NOT,
        found=guards_line(guards),
        cure="; ".join(said),
    )


def print_probes(probes: list[Probe], fmt: Format) -> None:
    """Print a line for each probe."""
    if fmt is Format.JSON:
        data = {
            "probes": [
                {"what": p.what, "standing": p.standing.value, "found": p.found, "cure": p.cure}
                for p in probes
            ],
            "not_held": [p.what for p in probes if p.standing is Standing.NOT],
        }
        print_envelope("doctor", data)
        return
    marks = {Standing.HOLDS: "holds", Standing.NOT: "NOT", Standing.FACT: ""}
    rows = [(p.what, marks[p.standing], p.found, p.cure) for p in probes]
    print_rows(("what", "holds", "found", "cure"), rows, fmt)


def run_attacks(
    *,
    event: Path | None,
    sandbox: SandboxMode | None,
    only: list[str],
    require: list[str],
    fmt: Format,
) -> int:
    """Try everything, print the table, give the exit status."""
    given = _conditions(event, sandbox)
    attacks, skipped = choose_attacks(only, available_memory(), given.stages[0].resources)
    required = required_guards(require or only, given.sandbox)
    findings = run_trio(partial(_attack, attacks, given))
    report = AttackReport(findings=findings, skipped=skipped, required=required)
    if fmt is Format.JSON:
        print_envelope("attack", report.data())
    else:
        print_rows(("guard", "tried", "held", "why not"), report.rows(), fmt)
        if fmt is Format.TABLE:
            emit(
                f"{len(report.held)} held, {len(report.not_held)} not held, "
                f"{len(report.skipped)} skipped"
            )
    return DONE if report.is_good else BAD


async def _attack(attacks: list[tuple[Attack, Talk]], given: Conditions) -> list[Finding]:
    done = 0

    def tell(finding: Finding) -> None:
        nonlocal done
        done += 1
        word = "held" if finding.held else "NOT HELD"
        say(f"{done}/{len(attacks)} {finding.guard}: {word}")

    async with open_sandbox(given.sandbox, hidden=(), say=say) as sandbox:
        say(guards_line(sandbox.guards))
        return await attack(
            attacks,
            clock=given.stages[0].clock,
            sandbox=sandbox,
            resources=given.stages[0].resources,
            report=tell,
        )


def _conditions(event: Path | None, sandbox: SandboxMode | None) -> Conditions:
    """Take clock, resources and sandbox from the event's first stage, or an event's defaults."""
    defaults = Conditions(stages=(StageTerms(rulesets=()),))
    given = defaults if event is None else event_conditions(event)
    first = given.stages[0]
    clock = replace(
        first.clock,
        limit_ms=min(first.clock.limit_ms, LONGEST_LIMIT_MS),
        bank_ms=0,
        increment_ms=0,
        start_ms=min(first.clock.start_ms, LONGEST_START_MS),
    )
    return replace(given, stages=(replace(first, clock=clock),), sandbox=sandbox or given.sandbox)
