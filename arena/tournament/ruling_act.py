"""Ruling on an event: a decision checked, written to its log, and carried into its standings.

Owns the order of these steps, under the event's lock, and taking them up after a kill. Publishing
an event that ``finish_by`` cut ends it as well: its seeds are revealed. Must not know what is
refused (:mod:`arena.tournament.ruling_check`) nor what rulings come to
(:mod:`arena.tournament.rulings`). Source: design.md §5 ("Rulings").
"""

from arena.errors import ConfigError
from arena.record.event_log import EventLog
from arena.record.results import Results
from arena.tournament.ending import close_log, put_standings
from arena.tournament.folder import EventFolder, locked
from arena.tournament.known import Known, read_known
from arena.tournament.public_seed import seeds_of_event
from arena.tournament.ruling_check import checked
from arena.tournament.rulings import Act, Ruling, Rulings
from arena.tournament.run_state import wall_time
from arena.tournament.seeding import Seed, seeds_begun_with
from arena.tournament.standings import standings
from arena.tournament.standings_data import standings_json
from arena.tournament.verify_standings import check_standings, is_behind_ruling

LONGEST_REASON = 2000
"""Characters of a reason."""


def rule(folder: EventFolder, ruling: Ruling) -> Ruling:
    """Rule on an event that nobody runs meanwhile.

    Args:
        folder: The event's.
        ruling: The organiser's decision; what it is about is looked up in the results.

    Returns:
        The ruling as it stands in the log.

    Raises:
        ConfigError: It is about nothing that is there, or lacks something; or a run holds
            the event.
        LogCorrupt: The results are not those that the event's log counts.
        HostFault: The disk does not take it.
    """
    if not ruling.reason.strip() or len(ruling.reason) > LONGEST_REASON:
        raise ConfigError(f"--reason: give a text of 1 to {LONGEST_REASON} characters")
    for option, text in (("--reason", ruling.reason), ("--by", ruling.by)):
        # Rulings are printed one a line: a second line in one would look like another ruling.
        if hidden := next((char for char in text if not char.isprintable()), None):
            raise ConfigError(
                f"{option}: {hidden!r} is not allowed; give visible characters, in one line"
            )
    read_known(folder)  # refuse what is no event before a lock is made in it
    with locked(folder):
        _mend(read_known(folder))  # also where this one is refused, because it stands already
        known = read_known(folder)
        ruling = checked(known, ruling)
        ends = ruling.act is Act.PUBLISH and not known.begun.is_closed
        seeds = _seeds(known) if ends else ()
        with EventLog(folder.event_log, wall_time=wall_time) as log:
            log.append("ruling", durable=True, **ruling.to_fields())
            rulings = known.begun.rulings.after(ruling)
            if ruling.act is Act.REPLAY and ruling.attempt is not None:
                results = Results.open(folder.results, must_exist=True)
                try:
                    results.set_aside(ruling.on, ruling.attempt)
                finally:
                    results.close()
            _put(known, rulings)
            if ends:
                close_log(log, seeds, is_revealed=False)
    return ruling


def mend(folder: EventFolder) -> bool:
    """Carry out what a kill cut short: standings from before a ruling, a log not yet closed.

    Returns:
        Whether it was so.

    Raises:
        ConfigError: Nothing has been played there, or a run holds the event.
        LogCorrupt: The results are not those that the event's log counts.
        HostFault: The disk does not take it.
    """
    known = read_known(folder)
    if not _is_behind(known) and not _is_half_ended(known):
        return False
    with locked(folder):
        return _mend(read_known(folder))


def _mend(known: Known) -> bool:
    is_behind, is_half = _is_behind(known), _is_half_ended(known)
    if is_behind:
        _put(known, known.begun.rulings)
    if is_half:
        seeds = () if known.begun.is_revealed else _seeds(known)
        with EventLog(known.folder.event_log, wall_time=wall_time) as log:
            close_log(log, seeds, is_revealed=known.begun.is_revealed)
    return is_behind or is_half


def _is_half_ended(known: Known) -> bool:
    """Whether a kill came into the end of an event: published or its seeds revealed, not closed."""
    begun = known.begun
    return (begun.rulings.is_published or begun.is_revealed) and not begun.is_closed


def _seeds(known: Known) -> tuple[Seed, ...]:
    """Give the seeds that an event reveals at its end."""
    folder, event, begun = known.folder, known.event, known.begun
    if begun.public_text is not None:
        return seeds_of_event(folder, event, begun, begun.public_text)
    return seeds_begun_with(folder.seed_key, event, begun.commitments)


def _is_behind(known: Known) -> bool:
    found = (known.folder, known.event, known.begun, known.rows)
    return check_standings(*found).wrong is not None and is_behind_ruling(*found)


def _put(known: Known, rulings: Rulings) -> None:
    """Write the standings that the results come to by these rulings."""
    document = standings_json(
        standings(known.event, rulings.set_aside_in(known.rows), rulings),
        commitments=known.begun.commitments,
        fingerprint=known.begun.freeze.fingerprint,
    )
    put_standings(known.folder.standings, document)
