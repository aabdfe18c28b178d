"""``arena status``: how far an event is, and what keeps it. Source: commands.md."""

import shlex

from arena.cli.options import EventArgument, JsonAlone
from arena.cli.output import emit, print_envelope
from arena.tournament.event_status import EventState, EventStatus, event_status
from arena.tournament.folder import locate
from arena.tournament.standings_data import comparison_data


def command(
    event: EventArgument,
    *,
    json: JsonAlone = False,
) -> None:
    """Say how far an event is, what keeps it, and what was ruled."""
    place = locate(event)
    status = event_status(place.folder)
    if json:
        print_envelope("status", _data(status))
        return
    by = f" by process {status.process}" if status.process else ""
    emit(f"{status.event}: {status.state.value}{by}")
    if status.why:
        emit(f"why: {status.why}")
    _emit_progress(status)
    emit(f"forfeits: {status.forfeits}; void attempts: {status.voids}")
    for name in status.suspended:
        emit(f"suspended: {name}")
    for name in status.disqualified:
        emit(f"disqualified: {name}")
    for ruling in status.rulings:
        what = f"{ruling.act.value} {ruling.on}".rstrip()
        emit(f"ruling: {what} by {ruling.by}: {ruling.reason}")
    if failures := status.notify_failures:
        more = f" (and {len(failures) - 1} before)" if len(failures) > 1 else ""
        emit(f"notify failed: {failures[-1]}{more}")
    if status.state is EventState.PAUSED:
        folder = shlex.quote(str(place.folder.path))
        text = " --public-text TEXT" if status.awaits_text else ""
        emit(f"go on with: arena run {folder}{text}")
        if status.is_cut and status.rounds_complete:
            emit(f"or end it after the rounds played: arena rule {folder} publish --reason TEXT")
    if status.state is EventState.OVER and not status.is_practice:
        folder = shlex.quote(str(place.folder.path))
        emit(f"results are provisional until: arena rule {folder} publish --reason TEXT")


def _emit_progress(status: EventStatus) -> None:
    """Say how much is settled; a comparison may need less than was planned."""
    most = rest = ""
    if status.compared is not None:
        emit(f"comparison {status.compared.words}")
        is_decided = status.compared.is_decided
        most, rest = ("", "; the rest is not needed") if is_decided else ("at most ", "")
    emit(f"matches settled: {status.matches_settled} of {most}{status.matches_planned}{rest}")
    emit(f"rounds complete: {status.rounds_complete} of {most}{status.rounds_planned}{rest}")


def _data(status: EventStatus) -> dict[str, object]:
    return {
        "event": status.event,
        "state": status.state.value,
        "process": status.process,
        "why": status.why,
        "awaits_text": status.awaits_text,
        "cut": status.is_cut,
        "matches_settled": status.matches_settled,
        "matches_planned": status.matches_planned,
        "rounds_complete": status.rounds_complete,
        "rounds_planned": status.rounds_planned,
        "comparison": None if status.compared is None else comparison_data(status.compared),
        "forfeits": status.forfeits,
        "voids": status.voids,
        "suspended": list(status.suspended),
        "disqualified": list(status.disqualified),
        "rulings": [ruling.to_fields() for ruling in status.rulings],
        "notify_failures": list(status.notify_failures),
    }
